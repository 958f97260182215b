// Named choices that option structs take: reductions, padding modes, nonlinearities, fan modes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <variant>

namespace strata {

/// Every choice and how it prints.
#define STRATA_FORALL_CHOICES(_)         \
  _(None, "none")                        \
  _(Mean, "mean")                        \
  _(Sum, "sum")                          \
  _(BatchMean, "batchmean")              \
  _(Zeros, "zeros")                      \
  _(Constant, "constant")                \
  _(Reflect, "reflect")                  \
  _(Replicate, "replicate")              \
  _(Circular, "circular")                \
  _(Border, "border")                    \
  _(Reflection, "reflection")            \
  _(Valid, "valid")                      \
  _(Same, "same")                        \
  _(FanIn, "fan_in")                     \
  _(FanOut, "fan_out")                   \
  _(Linear, "linear")                    \
  _(Conv1D, "conv1d")                    \
  _(Conv2D, "conv2d")                    \
  _(Conv3D, "conv3d")                    \
  _(ConvTranspose1D, "conv_transpose1d") \
  _(ConvTranspose2D, "conv_transpose2d") \
  _(ConvTranspose3D, "conv_transpose3d") \
  _(Sigmoid, "sigmoid")                  \
  _(Tanh, "tanh")                        \
  _(ReLU, "relu")                        \
  _(LeakyReLU, "leaky_relu")             \
  _(GELU, "gelu")                        \
  _(SELU, "selu")                        \
  _(Nearest, "nearest")                  \
  _(NearestExact, "nearest-exact")       \
  _(Bilinear, "bilinear")                \
  _(Bicubic, "bicubic")                  \
  _(Trilinear, "trilinear")              \
  _(Area, "area")                        \
  _(Max, "max")                          \
  _(SiLU, "silu")                        \
  _(Mish, "mish")                        \
  _(RNN_TANH, "rnn_tanh")                \
  _(RNN_RELU, "rnn_relu")                \
  _(LSTM, "lstm")                        \
  _(GRU, "gru")

#define STRATA_CHOICE(Name, printed) Name,
/// One enumeration holds them all, and every option says which of them it takes.
enum class Choice : uint8_t { STRATA_FORALL_CHOICES(STRATA_CHOICE) };
#undef STRATA_CHOICE

/// The choice's name as it prints: "mean", "zeros", ...
const char* name(Choice choice);
/// "kMean", "kZeros", ...
const char* constant_name(Choice choice);

/// A choice that its type says, so that a std::variant of some choices takes those alone.
template <Choice C>
struct Chosen {
  constexpr operator Choice() const { return C; }
};

/// libtorch's place for the types of the choices.
namespace enumtype {
#define STRATA_CHOICE(Name, printed) using k##Name = Chosen<Choice::Name>;
STRATA_FORALL_CHOICES(STRATA_CHOICE)
#undef STRATA_CHOICE
}  // namespace enumtype

#define STRATA_CHOICE(Name, printed) inline constexpr enumtype::k##Name k##Name{};
STRATA_FORALL_CHOICES(STRATA_CHOICE)
#undef STRATA_CHOICE

namespace detail {
/// Where `choice` stands among those that an option takes; others are an error.
size_t index_of(Choice choice, std::initializer_list<Choice> accepted);
}  // namespace detail

/// What an option holds: one of the choices that it takes. Programs for libtorch ask it as the variant.
template <Choice... Accepted>
class OneOf : public std::variant<Chosen<Accepted>...> {
 public:
  using Variant = std::variant<Chosen<Accepted>...>;
  template <Choice C>
  requires((C == Accepted) || ...) constexpr OneOf(Chosen<C> choice) : Variant(choice) {}
  OneOf(Choice choice) : Variant(kVariants[detail::index_of(choice, {Accepted...})]) {}
  constexpr operator Choice() const { return kAccepted[this->index()]; }

 private:
  static constexpr Variant kVariants[] = {Chosen<Accepted>()...};
  static constexpr Choice kAccepted[] = {Accepted...};
};

}  // namespace strata
