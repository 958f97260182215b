// L-BFGS; the steps follow PyTorch's, so that both take the same path.
#include "optim/lbfgs.h"

#include <algorithm>
#include <cmath>

#include "core/grad_mode.h"
#include "ops/as_reals.h"
#include "ops/creation.h"
#include "ops/linalg.h"
#include "ops/reduce.h"
#include "ops/shaping.h"

namespace strata::optim {

template class OptimizerCloneableOptions<LBFGSOptions>;

namespace {

double dot_of(const Tensor& a, const Tensor& b) { return a.dot(b).item<double>(); }
double largest(const Tensor& x) { return x.abs().max().item<double>(); }

/// The minimum of the cubic through two points with given values and slopes, held within [low, high].
double cubic_minimum(double x1, double f1, double g1, double x2, double f2, double g2, double low, double high) {
  const double d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2), square = d1 * d1 - g1 * g2;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const double at = x1 <= x2 ? x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
                             : x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2));
  return std::min(std::max(at, low), high);
}

/// A step length with the loss, gradient and slope there.
struct Trial {
  double t, loss;
  Tensor grad;
  double slope;
};

constexpr double kArmijo = 1e-4, kCurvature = 0.9, kShortest = 1e-9;

/// Looks for a step that lowers the loss enough and leaves little slope: first brackets one, then narrows the bracket.
template <class Evaluate>
class WolfeSearch {
 public:
  WolfeSearch(Evaluate evaluate, Trial start, double t, double direction_size, int64_t max_evaluations)
      : evaluate_(evaluate), start_(std::move(start)), t_(t), direction_size_(direction_size), left_(max_evaluations) {}

  Trial run() {
    bracket();
    while (!done_ && left_ > 0 && std::abs(a_.t - b_.t) * direction_size_ >= kShortest) narrow();
    return low();
  }
  int64_t evaluations() const { return evaluations_; }

 private:
  Trial evaluate(double t) {
    ++evaluations_;
    return evaluate_(t);
  }
  bool too_high(const Trial& x) const { return x.loss > start_.loss + kArmijo * x.t * start_.slope; }
  bool flat(const Trial& x) const { return std::abs(x.slope) <= -kCurvature * start_.slope; }
  Trial& low() { return a_.loss <= b_.loss ? a_ : b_; }

  void bracket() {
    Trial before = start_, now = evaluate(t_);
    for (int64_t i = 0; left_ > 0; ++i, --left_) {
      done_ = false;
      if (too_high(now) || (i > 1 && now.loss >= before.loss)) return set(before, now);
      if (flat(now)) {
        done_ = true;
        return set(now, now);
      }
      if (now.slope >= 0) return set(before, now);
      const double next = cubic_minimum(before.t, before.loss, before.slope, now.t, now.loss, now.slope,
                                        now.t + 0.01 * (now.t - before.t), now.t * 10);
      before = std::move(now);
      now = evaluate(next);
    }
    set(start_, now);
  }
  void set(const Trial& a, const Trial& b) {
    a_ = a;
    b_ = b;
  }

  /// A step inside the bracket, kept away from its ends when progress is slow.
  double inside() {
    const double least = std::min(a_.t, b_.t), most = std::max(a_.t, b_.t), margin = 0.1 * (most - least);
    const double t = cubic_minimum(a_.t, a_.loss, a_.slope, b_.t, b_.loss, b_.slope, least, most);
    const bool near_end = std::min(most - t, t - least) < margin;
    if (!near_end || !(slow_ || t >= most || t <= least)) {
      slow_ = near_end;
      return t;
    }
    slow_ = false;
    return std::abs(t - most) < std::abs(t - least) ? most - margin : least + margin;
  }

  void narrow() {
    const Trial trial = evaluate(inside());
    --left_;
    Trial& best = low();
    Trial& other = &best == &a_ ? b_ : a_;
    if (too_high(trial) || trial.loss >= best.loss) {
      other = trial;
      return;
    }
    if (flat(trial))
      done_ = true;
    else if (trial.slope * (other.t - best.t) >= 0)
      other = best;
    best = trial;
  }

  Evaluate evaluate_;
  Trial start_, a_, b_;
  double t_, direction_size_;
  int64_t left_, evaluations_ = 0;
  bool done_ = false, slow_ = false;
};

}  // namespace

void LBFGSParamState::serialize(serialize::OutputArchive& archive) const {
  archive.write("func_evals", func_evals());
  archive.write("n_iter", n_iter());
  archive.write("t", t());
  archive.write("prev_loss", prev_loss());
  archive.write("h_diag", H_diag().defined() ? H_diag().item<double>() : 1.);
  if (d().defined()) archive.write("d", d());
  if (prev_flat_grad().defined()) archive.write("prev_flat_grad", prev_flat_grad());
  archive.write("history", ro().size());
  for (size_t i = 0; i < ro().size(); ++i) {
    archive.write("ro" + std::to_string(i), ro()[i]);
    archive.write("old_dir" + std::to_string(i), old_dirs()[i]);
    archive.write("old_stp" + std::to_string(i), old_stps()[i]);
  }
}

void LBFGSParamState::serialize(serialize::InputArchive& archive) {
  *this = LBFGSParamState();
  archive.read("func_evals", func_evals());
  archive.read("n_iter", n_iter());
  archive.read("t", t());
  archive.read("prev_loss", prev_loss());
  archive.try_read("d", d());
  archive.try_read("prev_flat_grad", prev_flat_grad());
  double diagonal = 1;
  archive.read("h_diag", diagonal);
  if (d().defined()) H_diag(scalar_tensor(diagonal, d().options()));
  int64_t history = 0;
  archive.read("history", history);
  for (int64_t i = 0; i < history; ++i) {
    archive.read("ro" + std::to_string(i), ro().emplace_back());
    archive.read("old_dir" + std::to_string(i), old_dirs().emplace_back());
    archive.read("old_stp" + std::to_string(i), old_stps().emplace_back());
  }
}

LBFGS::LBFGS(const std::vector<OptimizerParamGroup>& param_groups, LBFGSOptions defaults)
    : Optimizer(param_groups, std::make_unique<LBFGSOptions>(defaults)) {
  STRATA_CHECK(param_groups_.size() == 1, "LBFGS: takes one parameter group, got {}", param_groups_.size());
  const std::string search = defaults.line_search_fn().value_or("strong_wolfe");
  STRATA_CHECK(search == "strong_wolfe", "LBFGS: the line search is strong_wolfe or none, got {}", search);
}

LBFGS::LBFGS(std::vector<Tensor> params, LBFGSOptions defaults)
    : LBFGS({OptimizerParamGroup(std::move(params))}, std::move(defaults)) {}

std::unique_ptr<OptimizerParamState> LBFGS::make_state() const { return std::make_unique<LBFGSParamState>(); }

Tensor LBFGS::flat_grad() const {
  std::vector<Tensor> parts;
  for (const Tensor& p : parameters())
    parts.push_back(as_reals(p.grad().defined() ? p.grad().detach() : zeros_like(p)).reshape({-1}));
  return cat(parts);
}

void LBFGS::move(double step, const Tensor& direction) {
  int64_t at = 0;
  for (const Tensor& p : parameters()) {
    Tensor numbers = as_reals(p);
    numbers.add_(direction.narrow(0, at, numbers.numel()).reshape(numbers.sizes()), step);
    at += numbers.numel();
  }
}

LBFGS::Point LBFGS::evaluate_point(const LossClosure& closure) const {
  const double loss = evaluate(closure).item<double>();
  return {loss, flat_grad()};
}

void LBFGS::choose_direction(LBFGSParamState& s, const Tensor& grad, int64_t history_size) const {
  auto &old_dirs = s.old_dirs(), &old_stps = s.old_stps();
  auto &ro = s.ro(), &al = s.al();
  if (s.n_iter() == 1) {
    s.d(grad.neg());
    old_dirs.clear();
    old_stps.clear();
    ro.clear();
    s.H_diag(ones({}, grad.options()));
    return;
  }
  const Tensor y = grad.sub(s.prev_flat_grad()), moved = s.d().mul(s.t());
  const double ys = dot_of(y, moved);
  if (ys > 1e-10) {
    if (static_cast<int64_t>(ro.size()) == history_size) {
      old_dirs.pop_front();
      old_stps.pop_front();
      ro.erase(ro.begin());
    }
    old_dirs.push_back(y);
    old_stps.push_back(moved);
    ro.push_back(1 / ys);
    s.H_diag(scalar_tensor(ys / dot_of(y, y), grad.options()));
  }
  // The two loops that multiply the inverse Hessian's approximation with the gradient.
  al.resize(ro.size());
  Tensor q = grad.neg();
  for (size_t i = ro.size(); i-- > 0;) {
    al[i] = dot_of(old_stps[i], q) * ro[i];
    q.add_(old_dirs[i], -al[i]);
  }
  Tensor d = q.mul(s.H_diag());
  for (size_t i = 0; i < ro.size(); ++i) d.add_(old_stps[i], al[i] - dot_of(old_dirs[i], d) * ro[i]);
  s.d(d);
}

LBFGS::Point LBFGS::line_search(const LossClosure& closure, LBFGSParamState& s, const Point& now,
                                int64_t max_evaluations, int64_t& evaluations) {
  std::vector<Tensor> start;
  for (const Tensor& p : parameters()) start.push_back(p.detach().clone());
  const auto evaluate_at = [&](double t) {
    move(t, s.d());
    const Point p = evaluate_point(closure);
    for (size_t i = 0; i < start.size(); ++i) parameters()[i].copy_(start[i]);
    return Trial{t, p.loss, p.grad, dot_of(p.grad, s.d())};
  };
  WolfeSearch search(evaluate_at, Trial{0, now.loss, now.grad, dot_of(now.grad, s.d())}, s.t(), largest(s.d()),
                     max_evaluations - evaluations);
  const Trial found = search.run();
  evaluations += search.evaluations();
  s.t() = found.t;
  move(s.t(), s.d());
  return {found.loss, found.grad};
}

Tensor LBFGS::step(LossClosure closure) {
  STRATA_CHECK(static_cast<bool>(closure), "LBFGS: step needs a closure that computes the loss");
  const NoGradGuard no_grad;
  const LBFGSOptions& o = static_cast<const LBFGSOptions&>(param_groups_[0].options());
  const int64_t max_eval = o.max_eval().value_or(o.max_iter() * 5 / 4);
  const Tensor first_loss = evaluate(closure);
  if (parameters().empty()) return first_loss;
  LBFGSParamState& s = state_of<LBFGSParamState>(parameters()[0]);
  Point now{first_loss.item<double>(), flat_grad()};
  STRATA_CHECK(!s.d().defined() || s.d().sizes() == now.grad.sizes(),
               "LBFGS: the state is for {} numbers, the parameters have {}", s.d().numel(), now.grad.numel());
  int64_t evaluations = 1;
  bool done = largest(now.grad) <= o.tolerance_grad();
  for (int64_t i = 1; !done && i <= o.max_iter(); ++i) {
    ++s.n_iter();
    choose_direction(s, now.grad, o.history_size());
    s.prev_flat_grad() = now.grad;
    s.prev_loss() = now.loss;
    s.t() = s.n_iter() == 1 ? std::min(1.0, 1 / now.grad.abs().sum().item<double>()) * o.lr() : o.lr();
    if (dot_of(now.grad, s.d()) > -o.tolerance_change()) break;
    if (o.line_search_fn()) {
      now = line_search(closure, s, now, max_eval, evaluations);
    } else {
      move(s.t(), s.d());
      if (i == o.max_iter()) break;  // nobody would look at the new loss
      now = evaluate_point(closure);
      ++evaluations;
    }
    const bool stuck =
        largest(s.d()) * s.t() <= o.tolerance_change() || std::abs(now.loss - s.prev_loss()) < o.tolerance_change();
    done = evaluations >= max_eval || largest(now.grad) <= o.tolerance_grad() || stuck;
  }
  s.func_evals() += evaluations;
  return first_loss;
}

}  // namespace strata::optim
