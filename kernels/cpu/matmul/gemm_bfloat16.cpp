// Both operands are brought into blocks of 16 lanes by 32 elements along k, b for many columns at a time and a for 32
// rows; then tiles of 32 by 32 sums go over all of k.
#include "kernels/cpu/matmul/gemm_bfloat16.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/cpu/common/vec_move.h"
#include "kernels/cpu/matmul/gemm_copy.h"
#include "kernels/cpu/matmul/scratch.h"
#include "kernels/cpu/matmul/vec_gemm.h"

namespace strata::cpu::matmul {
namespace {

constexpr int64_t kGroup = kBFloat16Lanes, kStep = kBFloat16Depth, kSide = kBFloat16Groups * kGroup;
/// So much of k at a time, so that rows of a stay in the L1 cache, and so many elements of b, at most so many tiles
/// wide, so that they stay in the L2 cache.
constexpr int64_t kDeepest = 512, kPacked = int64_t{1} << 19, kWidest = 16;
/// What is worth a thread; few columns take the time that a has to come from memory.
constexpr int64_t kWorthMoving = int64_t{1} << 16, kWorthMultiplying = int64_t{1} << 22, kFewCols = 128;

const uint16_t* bits_of(const BFloat16* x) { return reinterpret_cast<const uint16_t*>(x); }

/// Rows of a or columns of b: `lanes` of them with `k` elements, a lane being a row of `x`.
struct Side {
  Matrix<const uint16_t> x;
  int64_t lanes, k;

  Side(Matrix<const BFloat16> of, int64_t lane_count, int64_t length)
      : x{bits_of(of.data), of.row, of.col}, lanes(lane_count), k(length) {}
  bool along_k() const { return x.col == 1; }
  bool along_lanes() const { return x.row == 1; }
  /// Can tiles of a be loaded from where it lies? Lanes that are a multiple of half a page apart would all have the
  /// same places in the L1 cache.
  bool is_direct() const { return along_k() && k % kStep == 0 && lanes % kGroup == 0 && x.row % 1024 != 0; }
};

/// Columns at a time, in whole tiles.
int64_t width_of(int64_t n, int64_t k) {
  const int64_t most = std::clamp(kPacked / padded(k, kStep) / kSide, int64_t{1}, kWidest);
  const int64_t tiles = parts_of(n, kSide);
  return parts_of(tiles, parts_of(tiles, most)) * kSide;
}

/// How many elements are moved before they are multiplied: those of b once, those of a for each part of the columns,
/// and twice where they do not lie along k.
int64_t moves(const Side& a, const Side& b) {
  const int64_t of_a = a.is_direct() ? 0 : a.along_k() ? 1 : 2;
  return b.lanes * b.k + of_a * parts_of(b.lanes, width_of(b.lanes, b.k)) * a.lanes * a.k;
}

/// Brings lanes into blocks of 16 lanes by 32 elements along k, filled up with zeros: the next elements of a lane are
/// in the next block, so that what tiles load lies in one piece.
class Packer {
 public:
  Packer(const Side& side, const VecBFloat16& unit) : s_(side), unit_(unit) {}

  /// The blocks of a group from `lane` on and of elements [q, end), each lane's elements side by side.
  void rows(int64_t lane, int64_t q, int64_t end, uint16_t* to) {
    for (; q < end; q += kStep, to += kBlock) {
      if (s_.along_lanes() && is_whole(lane, q))
        turn(pairs_here(lane, q), to);
      else
        gather(lane, q, to);
    }
  }
  /// The same with elements 2 q and 2 q + 1 of all lanes side by side.
  void pairs(int64_t lane, int64_t q, int64_t end, uint16_t* to) {
    for (; q < end; q += kStep, to += kBlock) {
      if (s_.along_lanes() && is_whole(lane, q)) {
        unit_.pair(reinterpret_cast<uint32_t*>(to), moved(s_.x, lane, q).data, s_.x.col, kStep);
        continue;
      }
      const bool as_it_lies = s_.along_k() && is_whole(lane, q) && s_.x.row % 2 == 0;
      if (!as_it_lies) gather(lane, q, block_);
      turn(as_it_lies ? moved(s_.x, lane, q).data : block_, to, as_it_lies ? s_.x.row : kStep);
    }
  }

 private:
  static constexpr int64_t kBlock = kGroup * kStep;

  bool is_whole(int64_t lane, int64_t q) const { return lane + kGroup <= s_.lanes && q + kStep <= s_.k; }
  const uint16_t* pairs_here(int64_t lane, int64_t q) {
    unit_.pair(reinterpret_cast<uint32_t*>(block_), moved(s_.x, lane, q).data, s_.x.col, kStep);
    return block_;
  }
  /// Transposes 16 rows of 16 pairs.
  static void turn(const uint16_t* from, uint16_t* to, int64_t from_row = kStep) {
    static const auto transpose = vec_move<uint32_t>().transpose;
    transpose(reinterpret_cast<uint32_t*>(to), kGroup, reinterpret_cast<const uint32_t*>(from), from_row / 2, kGroup,
              kGroup);
  }
  void gather(int64_t lane, int64_t q, uint16_t* to) const {
    const int64_t lanes = std::min(kGroup, s_.lanes - lane), count = std::min(kStep, s_.k - q);
    if (lanes * count < kBlock) std::fill_n(to, kBlock, uint16_t{0});
    for (int64_t i = 0; i < lanes; ++i) {
      const uint16_t* const from = moved(s_.x, lane + i, q).data;
      uint16_t* const out = to + i * kStep;
      if (s_.along_k() && count == kStep) {
        std::copy_n(from, kStep, out);
      } else {
        for (int64_t e = 0; e < count; ++e) out[e] = from[e * s_.x.col];
      }
    }
  }

  const Side s_;
  const VecBFloat16& unit_;
  alignas(64) uint16_t block_[kBlock];
};

/// Where sums go: rounded to p.out, or as they are to a matrix of floats.
struct Goal {
  FinishBFloat16 finish = nullptr;
  Matrix<float> sums = {};
  bool adds = false;
};

class Product {
 public:
  Product(const Gemm<BFloat16>& p, const VecBFloat16& unit, const Goal& goal)
      : p_(p),
        unit_(unit),
        goal_(goal),
        a_(p.a, p.m, p.k),
        b_({p.b.data, p.b.col, p.b.row}, p.n, p.k),
        steps_(parts_of(p.k, kStep)),
        width_(width_of(p.n, p.k)) {}

  void run() {
    Scratch<uint16_t> memory;
    cols_ = memory.make(width_, steps_ * kStep).data;
    for (int64_t j = 0; j < p_.n; j += width_) {
      const int64_t cols = std::min(width_, p_.n - j);
      pack_columns(j, cols);
      const int64_t work = kSide * std::max(cols, kFewCols) * p_.k;
      parallel_for(0, parts_of(p_.m, kSide), 1 + kWorthMultiplying / work, [&](int64_t begin, int64_t end) {
        Rows rows(*this);
        for (int64_t i = begin; i < end; ++i) rows.run(i * kSide, j, cols);
      });
    }
  }

 private:
  void pack_columns(int64_t j, int64_t cols) const {
    const int64_t group = kGroup * steps_ * kStep;
    parallel_for(0, parts_of(cols, kGroup), 1 + kWorthMoving / group, [&](int64_t begin, int64_t end) {
      Packer b(b_, unit_);
      // In the order in which they lie in memory.
      const int64_t depth = b_.along_lanes() ? kStep : p_.k;
      for (int64_t q = 0; q < p_.k; q += depth)
        for (int64_t g = begin; g < end; ++g)
          b.pairs(j + g * kGroup, q, std::min(p_.k, q + depth), cols_ + g * group + q * kGroup);
    });
  }

  /// What a thread needs for 32 rows at a time.
  class Rows {
   public:
    explicit Rows(const Product& of) : o_(of), a_(of.a_, of.unit_) {
      sums_ = sums_memory_.make(kSide, o_.width_).data;
      if (!o_.a_.is_direct()) packed_ = packed_memory_.make(kSide, kDeepest).data;
      o_.unit_.begin();
    }
    ~Rows() { o_.unit_.end(); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    /// At most 32 rows from i on times the packed columns, the first of which is j.
    void run(int64_t i, int64_t j, int64_t cols) {
      const int64_t rows = std::min(kSide, o_.p_.m - i);
      for (int64_t q = 0; q < o_.p_.k; q += kDeepest) run_part(i, rows, cols, q, std::min(o_.p_.k, q + kDeepest));
      for (int64_t c = 0; c < cols; c += kSide)
        o_.finish({sums_ + c, o_.width_, 1}, i, j + c, rows, std::min(kSide, cols - c));
    }

   private:
    void run_part(int64_t i, int64_t rows, int64_t cols, int64_t q, int64_t end) {
      BFloat16Tile t;
      t.steps = parts_of(end - q, kStep), t.sums_row = o_.width_, t.adds = q > 0;
      const int64_t next_a = packed_ ? t.steps * kStep * kGroup : kGroup * o_.a_.x.row,
                    next_b = o_.steps_ * kStep * kGroup;
      for (int64_t r = 0; packed_ && r < rows; r += kGroup) a_.rows(i + r, q, end, packed_ + r / kGroup * next_a);
      t.a_lane = packed_ ? kStep : o_.a_.x.row, t.a_step = packed_ ? kGroup * kStep : kStep;
      t.a[0] = packed_ ? packed_ : moved(o_.a_.x, i, q).data, t.a[1] = t.a[0] + next_a;
      t.a_groups = rows > kGroup ? 2 : 1;
      for (int64_t c = 0; c < cols; c += kSide) {
        t.b[0] = o_.cols_ + c / kGroup * next_b + q * kGroup, t.b[1] = t.b[0] + next_b;
        t.b_groups = cols - c > kGroup ? 2 : 1;
        t.sums = sums_ + c;
        o_.unit_.tile(t);
      }
    }

    const Product& o_;
    Packer a_;
    Scratch<uint16_t> packed_memory_;
    Scratch<float> sums_memory_;
    uint16_t* packed_ = nullptr;  ///< none where tiles are loaded from where they lie
    float* sums_;
  };

  /// Rows of out are those of the sums, or their columns.
  void finish(Matrix<float> sums, int64_t i, int64_t j, int64_t rows, int64_t cols) const {
    if (goal_.sums.data) return write_sums(sums, moved(goal_.sums, i, j), rows, cols);
    write(sums, i, j, rows, cols);
    if (!p_.activated.data) return;
    Gemm<BFloat16> piece = p_;
    piece.m = rows, piece.n = cols;
    piece.out = moved(p_.out, i, j), piece.activated = moved(p_.activated, i, j);
    goal_.finish(piece);
  }
  void write(Matrix<float> sums, int64_t i, int64_t j, int64_t rows, int64_t cols) const {
    const Matrix<BFloat16> out = moved(p_.out, i, j);
    const Matrix<const BFloat16> init = moved(p_.init, i, j);
    if (p_.out.col == 1 || cols == 1) return finish_rows(sums, rows, cols, init, out);
    alignas(64) float turned[kSide * kSide];
    turn(sums, turned, rows, cols);
    finish_rows({turned, kSide, 1}, cols, rows, {init.data, init.col, init.row}, {out.data, out.col, out.row});
  }
  static void turn(Matrix<float> sums, float* turned, int64_t rows, int64_t cols) {
    vec_move<uint32_t>().transpose(reinterpret_cast<uint32_t*>(turned), kSide, reinterpret_cast<uint32_t*>(sums.data),
                                   sums.row, cols, rows);
  }
  void write_sums(Matrix<float> sums, Matrix<float> to, int64_t rows, int64_t cols) const {
    if (to.col != 1 && to.row == 1) {
      alignas(64) float turned[kSide * kSide];
      turn(sums, turned, rows, cols);
      return write_sums({turned, kSide, 1}, {to.data, to.col, 1}, cols, rows);
    }
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        float& sum = *moved(to, r, c).data;
        sum = (goal_.adds ? sum : 0) + sums.data[r * sums.row + c];
      }
  }
  void finish_rows(Matrix<float> sums, int64_t rows, int64_t cols, Matrix<const BFloat16> init,
                   Matrix<BFloat16> out) const {
    const bool is_plain = (!init.data || init.col == 1) && (out.col == 1 || cols == 1);
    const bool activates = p_.activation && !p_.activated.data;
    if (is_plain && !activates)
      return unit_.round({sums.data, sums.row, rows, cols, p_.alpha, p_.beta, bits_of(init.data), init.row,
                          const_cast<uint16_t*>(bits_of(out.data)), out.row});
    for (int64_t r = 0; r < rows; ++r) {
      float* const row = sums.data + r * sums.row;
      for (int64_t c = 0; c < cols; ++c) {
        const float start = init.data ? p_.beta * static_cast<float>(*moved(init, r, c).data) : 0.0f;
        row[c] = init.data ? p_.alpha * row[c] + start : p_.alpha * row[c];
      }
      if (activates) p_.activation({row, {row}, {1}, cols, nullptr, false});
      copy_matrix(moved(out, r, 0), Matrix<float>{row, 0, 1}, 1, cols);
    }
  }

  const Gemm<BFloat16> p_;
  const VecBFloat16& unit_;
  const Goal goal_;
  const Side a_, b_;
  const int64_t steps_;  ///< along k
  const int64_t width_;  ///< columns at a time, in whole tiles
  uint16_t* cols_ = nullptr;
};

/// Either side may be a: the sums are the same, in the same order.
void run(const Gemm<BFloat16>& p, const VecBFloat16& unit, const Goal& goal) {
  const auto t = [](auto x) { return decltype(x){x.data, x.col, x.row}; };
  const Side rows(p.a, p.m, p.k), cols(t(p.b), p.n, p.k);
  if (moves(rows, cols) <= moves(cols, rows)) return Product(p, unit, goal).run();
  const Gemm<BFloat16> turned{p.n,      p.m,     p.k,    t(p.b),       t(p.a),        t(p.init),
                              t(p.out), p.alpha, p.beta, p.activation, t(p.activated)};
  Product(turned, unit, {goal.finish, t(goal.sums), goal.adds}).run();
}

}  // namespace

bool bfloat16_pays(const Gemm<BFloat16>& p) {
  constexpr int64_t kShortest = 16, kWork = int64_t{1} << 15;
  return p.k >= kShortest && p.m * p.n * p.k >= kWork;
}

void bfloat16_product(const Gemm<BFloat16>& p, const VecBFloat16& unit, FinishBFloat16 finish) {
  run(p, unit, {.finish = finish});
}

void bfloat16_sums(const Gemm<BFloat16>& p, const VecBFloat16& unit, Matrix<float> sums, bool adds) {
  run(p, unit, {.sums = sums, .adds = adds});
}

}  // namespace strata::cpu::matmul
