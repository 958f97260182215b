// The tools of op_samples.h, and the table put together.
#include "test/op_samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <numeric>

#include "test/slim.h"

namespace strata::test {
namespace {

/// A small generator of its own (splitmix64), so that samples do not depend on the library's.
struct Mixer {
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};

/// Byte offset of each element in row-major order.
template <class F>
void for_each_offset(const Tensor& t, F f) {
  std::vector<int64_t> index(t.sizes().size(), 0);
  int64_t offset = 0;
  for (int64_t n = 0; n < t.numel(); ++n) {
    f(offset * t.element_size());
    for (size_t d = index.size(); d-- > 0;) {
      offset += t.strides()[d];
      if (++index[d] < t.sizes()[d]) break;
      offset -= index[d] * t.strides()[d];
      index[d] = 0;
    }
  }
}

/// Calls f.template operator()<T>() with the type of a number: of an element, or of the parts of a complex one.
template <class F>
auto visit_part(DType dtype, F f) -> decltype(f.template operator()<float>()) {
  using Result = decltype(f.template operator()<float>());
  return visit_stored_dtype(dtype, [&]<class T>() -> Result {
    if constexpr (ComplexLike<T>)
      strata::detail::fail_not_implemented(dtype);
    else
      return f.template operator()<T>();
  });
}

double load(const char* p, DType dtype) {
  return visit_part(dtype, [&]<class T>() {
    // A tensor to be written over may hold bytes that no bool has.
    std::conditional_t<std::is_same_v<T, bool>, uint8_t, T> v;
    std::memcpy(&v, p, sizeof v);
    return std::is_same_v<T, bool> ? static_cast<double>(v) != 0 : static_cast<double>(v);
  });
}

/// The largest int64 rounds up to this double, which int64 cannot hold: it goes back to the largest int64.
constexpr double kTwoTo63 = 9223372036854775808.0;

void store(char* p, DType dtype, double v) {
  visit_part(dtype, [&]<class T>() {
    T x;
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16> || Float8Like<T>)
      x = T(static_cast<float>(v));
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      x = static_cast<T>(v >= kTwoTo63 ? std::numeric_limits<int64_t>::max()
                                       : static_cast<int64_t>(v));  // negatives wrap
    else
      x = static_cast<T>(v);
    std::memcpy(p, &x, sizeof x);
  });
}

/// Converts one element as the library does: a real number drops the imaginary part.
void convert(char* to, DType to_type, const char* from, DType from_type) {
  const DType to_part = to_real_dtype(to_type), from_part = to_real_dtype(from_type);
  store(to, to_part, load(from, from_part));
  if (!is_complex(to_type)) return;
  const double imag = is_complex(from_type) ? load(from + item_size(from_part), from_part) : 0;
  store(to + item_size(to_part), to_part, imag);
}

/// Calls f(address) for every number of every element.
template <class F>
void for_each_number(const Tensor& t, F f) {
  const auto size = static_cast<int64_t>(item_size(to_real_dtype(t.dtype())));
  for_each_offset(t, [&](int64_t at) {
    for (int64_t k = 0; k < numbers_in(t.dtype()); ++k) f(t.bytes() + at + k * size);
  });
}

Tensor with_geometry(IntArrayRef sizes, IntArrayRef strides, int64_t offset, int64_t buffer, DType dtype) {
  const Tensor whole = empty_cpu({buffer}, dtype);
  std::memset(whole.bytes(), 0xff, whole.nbytes());  // NaN in every floating point type
  if (dtype == kBool) std::memset(whole.bytes(), 1, whole.nbytes());
  auto* impl = new TensorImpl(dtype, kCPU, whole.storage());
  impl->set_geometry(sizes, strides, offset);
  return Tensor::adopt(impl);
}

Tensor filled(IntArrayRef sizes, DType dtype, const std::function<double()>& next) {
  Tensor t = empty_cpu(sizes, dtype);
  for_each_number(t, [&](char* p) { store(p, to_real_dtype(dtype), next()); });
  return t;
}

}  // namespace

Tensor uniform_values(IntArrayRef sizes, double low, double high, unsigned seed, DType dtype) {
  Mixer m{seed * 7919u};
  return filled(sizes, dtype, [&] { return low + (high - low) * m.unit(); });
}

Tensor integers(IntArrayRef sizes, int64_t low, int64_t high, unsigned seed, DType dtype) {
  Mixer m{seed * 104729u};
  return filled(sizes, dtype, [&] {
    return static_cast<double>(low + static_cast<int64_t>(m.next() % static_cast<uint64_t>(high - low)));
  });
}

Tensor distinct(IntArrayRef sizes, unsigned seed) {
  const auto n = static_cast<size_t>(numel_of(sizes));
  std::vector<double> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = 0.1 * static_cast<double>(i) - 0.05 * static_cast<double>(n) + 0.03;
  Mixer m{seed};
  for (size_t i = n; i > 1; --i) std::swap(v[i - 1], v[m.next() % i]);
  return from_values(v, sizes);
}

Tensor from_values(const std::vector<double>& v, IntArrayRef sizes, DType dtype) {
  STRATA_CHECK(static_cast<int64_t>(v.size()) == numel_of(sizes) * numbers_in(dtype),
               "from_values: {} values for shape {}", v.size(), sizes);
  auto next = v.begin();
  return filled(sizes, dtype, [&] { return *next++; });
}

std::vector<double> values(const Tensor& t) {
  std::vector<double> out;
  out.reserve(static_cast<size_t>(t.numel() * numbers_in(t.dtype())));
  for_each_number(t, [&](const char* p) { out.push_back(load(p, to_real_dtype(t.dtype()))); });
  return out;
}

std::string bytes(const Tensor& t) {
  std::string out;
  for_each_offset(t, [&](int64_t at) { out.append(t.bytes() + at, static_cast<size_t>(t.element_size())); });
  return out;
}

void copy_values(const Tensor& from, Tensor& to) {
  std::vector<int64_t> source;
  for_each_offset(from, [&](int64_t at) { source.push_back(at); });
  size_t i = 0;
  const bool same = from.dtype() == to.dtype();
  for_each_offset(to, [&](int64_t at) {
    const char* p = from.bytes() + source[i++];
    if (same)
      std::memcpy(to.bytes() + at, p, static_cast<size_t>(to.element_size()));
    else
      convert(to.bytes() + at, to.dtype(), p, from.dtype());
  });
}

Tensor contiguous_copy(const Tensor& t) { return converted(t, t.dtype()); }

Tensor converted(const Tensor& t, DType dtype) {
  Tensor out = empty_cpu(t.sizes(), dtype);
  copy_values(t, out);
  return out;
}

Tensor reversed_like(const Tensor& t) {
  DimVector strides;
  int64_t running = 1;
  for (int64_t s : t.sizes()) {
    strides.push_back(running);
    running *= std::max<int64_t>(s, 1);
  }
  return with_geometry(t.sizes(), strides, 1, running + 1, t.dtype());
}

Tensor strided_like(const Tensor& t) {
  DimVector strides = contiguous_strides(t.sizes());
  for (int64_t& s : strides) s *= 2;
  return with_geometry(t.sizes(), strides, 3, 2 * t.numel() + 4, t.dtype());
}

Tensor in_layout(const Tensor& t, const Tensor& like) {
  Tensor out = like;
  copy_values(t, out);
  return out;
}

Tensor expanded(const Tensor& t, unsigned dims_mask) {
  DimVector strides = t.strides();
  for (size_t d = 0; d < strides.size(); ++d)
    if (dims_mask >> d & 1) strides[d] = 0;
  auto* impl = new TensorImpl(t.dtype(), kCPU, t.storage());
  impl->set_geometry(t.sizes(), strides, t.storage_offset());
  return Tensor::adopt(impl);
}

Tensor shape_only(const Tensor& t) {
  auto* impl = new TensorImpl(t.dtype(), t.device(), Storage());
  impl->set_contiguous(t.sizes(), t.numel());
  return Tensor::adopt(impl);
}

void for_each_index(IntArrayRef sizes, const std::function<void(const std::vector<int64_t>&)>& f) {
  std::vector<int64_t> index(sizes.size(), 0);
  for (int64_t n = numel_of(sizes); n > 0; --n) {
    f(index);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

int64_t flat(const std::vector<int64_t>& index, IntArrayRef sizes) {
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) at = at * sizes[d] + index[d];
  return at;
}

Function along(int64_t dim, std::function<Line(const Line&)> f, DType result) {
  return [=](const List& in) {
    const Tensor& x = in[0];
    const std::vector<double> v = values(x);
    const size_t d = static_cast<size_t>(dim < 0 ? dim + x.dim() : dim);
    DimVector outer = x.sizes(), sizes = x.sizes();
    const int64_t length = outer[d];
    outer[d] = 1;
    std::vector<std::vector<int64_t>> starts;
    std::vector<Line> lines;
    for_each_index(outer, [&](std::vector<int64_t> i) {
      starts.push_back(i);
      Line line;
      for (i[d] = 0; i[d] < length; ++i[d]) line.push_back(v[static_cast<size_t>(flat(i, x.sizes()))]);
      lines.push_back(f(line));
    });
    sizes[d] = lines.empty() ? length : static_cast<int64_t>(lines[0].size());
    std::vector<double> out(static_cast<size_t>(numel_of(sizes)));
    for (size_t n = 0; n < lines.size(); ++n)
      for (starts[n][d] = 0; starts[n][d] < sizes[d]; ++starts[n][d])
        out[static_cast<size_t>(flat(starts[n], sizes))] = lines[n][static_cast<size_t>(starts[n][d])];
    return List{from_values(out, sizes, result)};
  };
}

Function over(DimVector dims, bool keepdim, std::function<double(const Line&)> f, DType result) {
  return [=](const List& in) {
    const Tensor& x = in[0];
    const DimVector reduced = wrap_dims(dims, x.dim(), "reference");
    DimVector kept = x.sizes(), sizes;
    for (int64_t d : reduced) kept[static_cast<size_t>(d)] = 1;
    for (int64_t d = 0; d < x.dim(); ++d)
      if (keepdim || std::find(reduced.begin(), reduced.end(), d) == reduced.end())
        sizes.push_back(kept[static_cast<size_t>(d)]);
    std::vector<Line> groups(static_cast<size_t>(numel_of(kept)));
    const std::vector<double> v = values(x);
    size_t n = 0;
    for_each_index(x.sizes(), [&](std::vector<int64_t> i) {
      for (int64_t d : reduced) i[static_cast<size_t>(d)] = 0;
      groups[static_cast<size_t>(flat(i, kept))].push_back(v[n++]);
    });
    std::vector<double> out;
    for (const Line& g : groups) out.push_back(f(g));
    return List{from_values(out, sizes, result)};
  };
}

Function picks(DimVector sizes, std::function<std::vector<int64_t>(const std::vector<int64_t>&)> source) {
  return [=](const List& in) {
    const std::vector<double> x = values(in[0]);
    std::vector<double> out;
    for_each_index(sizes, [&](const std::vector<int64_t>& i) {
      out.push_back(x[static_cast<size_t>(flat(source(i), in[0].sizes()))]);
    });
    return List{from_values(out, sizes, in[0].dtype())};
  };
}

Function reshaped(DimVector sizes) {
  return [=](const List& in) { return List{from_values(values(in[0]), sizes, in[0].dtype())}; };
}

namespace {

/// Does the call end for want of a kernel that a slim build has not?
bool is_refused_by_slim(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return std::string_view(e.what()).find("this is a slim build") != std::string_view::npos;
  }
  return false;
}

void leave_out_what_slim_lacks(Table& rows) {
  std::string left_out;
  for (Row& row : rows) {
    size_t calls =
        std::erase_if(row.samples, [](const Sample& s) { return is_refused_by_slim([&] { s.f(s.inputs); }); });
    calls += std::erase_if(row.errors, [](const WrongCall& wrong) { return is_refused_by_slim(wrong.call); });
    if (calls > 0)
      left_out += " " + (row.op.empty() ? std::string("composites") : row.op) + ":" + std::to_string(calls);
  }
  std::erase_if(rows, [](const Row& row) { return row.samples.empty() && row.errors.empty(); });
  std::cerr << "The sweep leaves out calls that need LAPACK, which a slim build has not:" << left_out << std::endl;
}

}  // namespace

const Table& table() {
  static const Table t = [] {
    Table rows;
    for (auto add : {add_unary,      add_activation, add_binary,       add_ternary,  add_cast,      add_view,
                     add_shaping,    add_indexing,   add_reduce,       add_softmax,  add_scan,      add_sort,
                     add_linalg,     add_factor,     add_conv,         add_pool,     add_norm,      add_loss,
                     add_structured, add_random,     add_keyed_random, add_creation, add_attention, add_fft,
                     add_complex,    add_special,    add_collective,   add_optim,    add_functions})
      add(rows);
    if (is_slim()) leave_out_what_slim_lacks(rows);
    return rows;
  }();
  return t;
}

}  // namespace strata::test
