// Programs that call further forms of ATen's functions: with tensors for numbers, into tensors given, with underscores.
#include <torch/torch.h>

#include <vector>

#include "test/programs/filling.h"
#include "test/programs/programs.h"

namespace programs::aten_forms {
namespace {

using torch::Tensor;

Tensor numbers() { return torch::empty({0}, torch::kFloat64); }
const std::optional<Tensor> kNo;

const Program forms("further forms", [](std::ostream& out) {
  Tensor x = fine_waves({2, 3}), low = torch::full({}, -0.2, torch::kFloat64);
  show(out, "clamp_", torch::clamp_(x, std::optional<Tensor>(low), kNo));
  show(out, "clip_", torch::clip_(x, kNo, std::optional<Tensor>(torch::full({3}, 0.5, torch::kFloat64))));
  show(out, "round_", torch::round_(x, 1));
  show(out, "fill_", torch::fill_(x, low));
  x = fine_waves({2, 3});
  show(out, "count_nonzero", torch::count_nonzero(x.relu(), std::optional<int64_t>(1)));
  show(out, "count_nonzero of all", torch::count_nonzero(x.relu(), std::optional<int64_t>()));
  show(out, "einsum", torch::einsum("ij,kj->ik", {x, x}, at::IntArrayRef({0, 1})));
  show(out, "gather", torch::gather(x, 1, torch::tensor({2, 0}).view({2, 1}), false));
  show(out, "pad", torch::pad(x, {1, 0}, "constant", std::optional<double>(2.5)));
  show(out, "pad with zeros", torch::pad(x, {1, 0}, "constant", std::nullopt));
  const Tensor zero = torch::zeros({}, torch::kFloat64), four = torch::full({}, 4.0, torch::kFloat64);
  show(out, "linspace", torch::linspace(zero, four, 3, torch::kFloat64));
  show(out, "linspace to a number", torch::linspace(zero, 2, 3, torch::kFloat64));
  show(out, "linspace from a number", torch::linspace(2, four, 3, torch::kFloat64));
  show(out, "logspace", torch::logspace(zero, four, 3, 2, torch::kFloat64));
  fails<c10::Error>(out, "linspace",
                    "linspace only supports 0-dimensional start and end tensors, but got start with 1 dimension(s)",
                    [&] { torch::linspace(torch::zeros({1}), four, 3); });
  const Tensor h = fine_waves({2, 2}), wi = fine_waves({2, 3}), wh = fine_waves({2, 2}, 0.3);
  show(out, "rnn_tanh_cell", torch::rnn_tanh_cell(x, h, wi, wh, kNo, kNo));
  show(out, "gru_cell",
       torch::gru_cell(x, h, fine_waves({6, 3}), fine_waves({6, 2}), std::optional<Tensor>(fine_waves({6})),
                       std::optional<Tensor>(fine_waves({6}, 0.2))));
  show(out, "lstm_cell", std::get<1>(torch::lstm_cell(x, {h, h}, fine_waves({8, 3}), fine_waves({8, 2}), kNo, kNo)));
  const Tensor sound = fine_waves({20}), window = torch::ones({4}, torch::kFloat64);
  show(out, "stft",
       torch::view_as_real(torch::stft(sound, 8, 4, 4, window, false, "reflect", false, true, true, std::nullopt)));
  show(out, "stft by the window",
       torch::view_as_real(torch::stft(sound, 8, 4, 4, window, false, "reflect", false, true, true, true)));
  fails<c10::Error>(out, "stft", "align_to_window should only be set when center = false",
                    [&] { torch::stft(sound, 8, 4, 4, window, true, "reflect", false, true, true, true); });
  show(out, "view_copy", torch::view_copy(torch::tensor({1.0f, 2.0f}), torch::kInt));
  show(out, "as_strided_copy", torch::as_strided_copy(x, {2, 2}, {1, 2}, std::optional<int64_t>(1)));
  show(out, "lift_fresh_copy", torch::lift_fresh_copy(x));
  out << torch::is_signed(x) << torch::is_inference(x) << torch::is_vulkan_available() << '\n';
});

const Program drawn("further forms: random numbers", [](std::ostream& out) {
  torch::manual_seed(3);
  const Tensor x = torch::zeros({1000}, torch::kFloat64);
  const Tensor p = torch::full({1000}, 0.25, torch::kFloat64);
  const double share = torch::bernoulli(x, p).mean().item<double>();
  out << (share > 0.2 && share < 0.3) << torch::bernoulli(x, torch::ones_like(x)).eq(1).all().item<bool>() << '\n';
  const Tensor bound = torch::tensor(5), drawn = torch::randint_like(x, bound);
  out << drawn.min().item<double>() << drawn.max().item<double>() << '\n';
  Tensor into = torch::empty({1000}, torch::kInt8);
  torch::random_out(into, into, 3, std::optional<int64_t>(6));
  out << into.min().item<int>() << into.max().item<int>() << '\n';
  torch::random_out(into, into, 100, std::optional<int64_t>());
  out << into.min().item<int>() << ' ' << into.max().item<int>() << '\n';
  const Tensor integers = torch::random(into, 3, std::optional<int64_t>(6));
  out << integers.min().item<int>() << integers.max().item<int>() << integers.dtype()
      << (torch::random(into).min().item<int>() >= 0) << torch::random(into, 2).max().item<int>() << '\n';
  const Tensor gamma = torch::_standard_gamma(torch::full({20000}, 0.5, torch::kFloat64));
  const Tensor large = torch::_standard_gamma(torch::full({20000}, 4.0, torch::kFloat64));
  out << (std::abs(gamma.mean().item<double>() - 0.5) < 0.03) << (std::abs(gamma.var().item<double>() - 0.5) < 0.06)
      << (std::abs(large.mean().item<double>() - 4) < 0.1) << (std::abs(large.var().item<double>() - 4) < 0.4)
      << (gamma.min().item<double>() > 0) << '\n';
  const Tensor shares =
      torch::_sample_dirichlet(torch::ones({5000, 2}, torch::kFloat64) * torch::tensor({1.0, 3.0}, torch::kFloat64));
  out << torch::allclose(shares.sum(-1), torch::ones({5000}, torch::kFloat64))
      << (std::abs(shares.select(1, 1).mean().item<double>() - 0.75) < 0.03) << '\n';
  const auto [kept, mask] = torch::native_dropout(torch::ones({1000}), 0.5, true);
  out << torch::equal(kept, mask.to(torch::kFloat) * 2) << mask.dtype() << '\n';
  show(out, "all dropped", std::get<0>(torch::native_dropout(torch::ones({2}), 1, true)));
  show(out, "none dropped", std::get<1>(torch::native_dropout(torch::ones({2}), 0.5, false)));
  Tensor slopes = torch::zeros({1000}, torch::kFloat64);
  const Tensor below = torch::rrelu_with_noise(torch::full({1000}, -1.0, torch::kFloat64), slopes, 0.1, 0.3, true);
  out << torch::equal(below, -slopes) << (slopes.min().item<double>() >= 0.1) << (slopes.max().item<double>() < 0.3)
      << '\n';
  show(out, "rrelu without training",
       torch::rrelu_with_noise(fine_waves({1000}), slopes, 0.1, 0.3, false).slice(0, 0, 4));
});

const Program into("into tensors given", [](std::ostream& out) {
  const Tensor x = fine_waves({2, 3}), y = fine_waves({2, 3}, 0.4) + 0.1;
  Tensor to = numbers();
  show(out, "add", torch::add_out(to, x, at::Scalar(2)));
  show(out, "sub", torch::sub_out(to, x, at::Scalar(2), 3));
  show(out, "mul", torch::mul_out(to, x, at::Scalar(2)));
  show(out, "div", torch::div_out(to, x, at::Scalar(2)));
  show(out, "div down", torch::div_out(to, x, y, "floor"));
  show(out, "divide towards zero", torch::divide_out(to, x, y, "trunc"));
  show(out, "pow", torch::pow_out(to, x, at::Scalar(2)));
  show(out, "pow of a number", torch::pow_out(to, at::Scalar(2), x));
  show(out, "round", torch::round_out(to, x, 1));
  show(out, "linspace", torch::linspace_out(to, torch::zeros({}), at::Scalar(1), 3));
  show(out, "special", torch::special_entr_out(to, x.abs()));
  show(out, "special with a number", torch::special_xlogy_out(to, x.abs(), at::Scalar(2)));
  show(out, "sigmoid_backward", torch::sigmoid_backward_out(to, x, y));
  show(out, "new_full", torch::new_full_out(to, x, {2}, 7));
  show(out, "count_nonzero", [&] {
    Tensor n = torch::empty({0}, torch::kLong);
    return torch::count_nonzero_out(n, x.relu(), std::optional<int64_t>(0));
  }());
  Tensor z = torch::empty({0}, torch::kComplexDouble);
  show(out, "fft", torch::view_as_real(torch::fft_fft_out(z, x)));
  show(out, "rfftn", torch::view_as_real(torch::fft_rfftn_out(z, x)));
  show(out, "irfft", torch::fft_irfft_out(to, z, 3));
  show(out, "fftfreq", torch::fft_fftfreq_out(to, 4, 0.5));
  Tensor places = torch::empty({0}, torch::kLong);
  show(out, "argsort", torch::argsort_out(places, x, true, 1, true));
  std::vector<Tensor> pieces = {numbers(), numbers()};
  torch::unbind_copy_out(pieces, x, 0);
  show(out, "unbind_copy", pieces[1]);
  std::vector<Tensor> halves = {numbers(), numbers()};
  torch::split_with_sizes_copy_out(halves, x, {1, 2}, 1);
  show(out, "split_with_sizes_copy", halves[1]);
  c10::List<std::optional<Tensor>> at;
  at.push_back(std::nullopt);
  at.push_back(torch::tensor({2, 0}));
  show(out, "index", torch::index_out(to, x, at));
  show(out, "index_put", torch::index_put_out(to, x, at, torch::zeros({2}, torch::kFloat64)));
});

const Program underscores("with an underscore", [](std::ostream& out) {
  const Tensor x = fine_waves({2, 3}), image = fine_waves({1, 2, 4, 4}), filters = fine_waves({2, 2, 3, 3}, 0.4);
  show(out, "_softmax", torch::_softmax(x, 1, false));
  show(out, "_log_softmax", torch::_log_softmax(x, 1, false));
  show(out, "_add_relu", torch::_add_relu(x, x, -2));
  show(out, "_cast_Int", torch::_cast_Int(x.mul(9)));
  show(out, "_to_copy", torch::_to_copy(x, torch::kFloat));
  show(out, "_shape_as_tensor", torch::_shape_as_tensor(x));
  show(out, "_reshape_from_tensor", torch::_reshape_from_tensor(x, torch::tensor({3, 2})));
  show(out, "_dim_arange", torch::_dim_arange(x, 1));
  show(out, "_reshape_alias", torch::_reshape_alias(x, {3, 2}, {1, 3}));
  show(out, "_stack", torch::_stack({x, x}, 1));
  show(out, "_chunk_cat", torch::_chunk_cat({x, fine_waves({2, 5})}, 1, 2));
  const Tensor inside = torch::tensor({true, false, true}), places = torch::tensor({1, 7, 0});
  const c10::List<std::optional<Tensor>> where(std::vector<std::optional<Tensor>>{places});
  const Tensor line = fine_waves({4});
  show(out, "_unsafe_masked_index", torch::_unsafe_masked_index(line, inside, where, 9));
  show(out, "_unsafe_masked_index_put_accumulate",
       torch::_unsafe_masked_index_put_accumulate(line, inside, where, fine_waves({3})));
  Tensor running_mean = fine_waves({2}), running_var = fine_waves({2}, 0.4);
  const auto updated = torch::_batch_norm_with_update(image, {}, {}, running_mean, running_var, 0.1, 1e-5);
  show(out, "_batch_norm_with_update", std::get<2>(updated));
  show(out, "a running variance", running_var);
  show(out, "_batch_norm_no_update",
       std::get<0>(torch::_batch_norm_no_update(image, {}, {}, running_mean, running_var, 0.1, 1e-5)));
  const Tensor query = fine_waves({1, 4, 3, 2}), key = fine_waves({1, 2, 5, 2}, 1.3),
               value = fine_waves({1, 2, 5, 3}, 0.4);
  const auto [attended, shares] =
      torch::_scaled_dot_product_attention_math(query, key, value, fine_waves({3, 5}), 0, false, {}, 0.8, true);
  show(out, "_scaled_dot_product_attention_math", attended);
  show(out, "its weights", shares);
  const Tensor kept = torch::tensor({true, false, true, true, false}).expand({1, 4, 3, 5});
  show(out, "with dropout",
       std::get<0>(torch::_scaled_dot_product_attention_math(query.slice(1, 0, 2), key, value, {}, 0.4, true,
                                                             kept.slice(1, 0, 2))));
  show(out, "_pad_enum", torch::_pad_enum(x.unsqueeze(0), {1, 1}, 0));
  show(out, "_pad_circular", torch::_pad_circular(x.unsqueeze(0), {1, 1}));
  const auto [least, most] = torch::_aminmax(x, 1);
  show(out, "_aminmax", most);
  show(out, "_euclidean_dist", torch::_euclidean_dist(x, fine_waves({4, 3}, 0.4)));
  show(out, "_int_mm",
       torch::_int_mm(torch::ones({17, 16}, torch::kChar) * 3, torch::ones({16, 8}, torch::kChar)).select(0, 0));
  show(out, "_compute_linear_combination", torch::_compute_linear_combination(x, fine_waves({3, 2})));
  show(out, "_trilinear", torch::_trilinear(x, fine_waves({4, 3, 5}), fine_waves({2, 5}), {1, 3}, {0}, {1, 2}, {2, 3}));
  show(out, "_fft_r2c", torch::view_as_real(torch::_fft_r2c(x, {1}, 1, true)));
  show(out, "_fft_r2c, both sides", torch::view_as_real(torch::_fft_r2c(x, {0, 1}, 2, false)));
  const Tensor z = torch::_fft_r2c(x, {0, 1}, 0, true);
  show(out, "_fft_c2c", torch::view_as_real(torch::_fft_c2c(z, {0}, 0, false)));
  show(out, "_fft_c2r", torch::_fft_c2r(z, {0, 1}, 2, 3));
  const auto [data, sizes] = torch::_pack_padded_sequence(fine_waves({3, 2, 2}), torch::tensor({3, 2}), false);
  show(out, "_pack_padded_sequence", data);
  show(out, "its sizes", sizes);
  const auto [padded, lengths] = torch::_pad_packed_sequence(data, sizes, true, 9, 4);
  show(out, "_pad_packed_sequence", padded);
  show(out, "its lengths", lengths);
  show(out, "_convolution",
       torch::_convolution(image, filters, {}, {1, 1}, {1, 1}, {1, 1}, false, {0, 0}, 1, false, false, true, true));
  show(out, "_convolution_mode", torch::_convolution_mode(image, filters, {}, {1, 1}, "same", {1, 1}, 1));
  show(out, "slow_conv_dilated2d",
       torch::slow_conv_dilated2d(image, fine_waves({2, 2, 2, 2}), {2, 2}, {}, {1, 1}, {0, 0}, {2, 2}));
  show(out, "slow_conv_transpose2d",
       torch::slow_conv_transpose2d(image, fine_waves({2, 1, 2, 2}), {2, 2}, {}, {2, 2}, {0, 0}, {0, 0}, {1, 1}));
  show(out, "slow_conv3d",
       torch::slow_conv3d(image.unsqueeze(2), fine_waves({1, 2, 1, 2, 2}), {1, 2, 2}, {}, {1, 1, 1}, {0, 0, 0}));
  show(out, "_adaptive_avg_pool2d", torch::_adaptive_avg_pool2d(image, {3, 2}));
  show(out, "_weight_norm", torch::_weight_norm(x, torch::ones({2, 1}, torch::kFloat64), 0));
  const auto bags = torch::_embedding_bag(fine_waves({4, 2}), torch::tensor({1, 3, 0}), torch::tensor({0, 2}));
  show(out, "_embedding_bag", std::get<0>(bags));
  Tensor scale = torch::full({1}, 8.0f), tracker = torch::zeros({1}, torch::kInt);
  for (const float infinite : {0.0f, 0.0f, 1.0f, 0.0f}) {
    torch::_amp_update_scale_(scale, tracker, torch::full({1}, infinite), 2.0, 0.25, 2);
    show(out, "_amp_update_scale_", scale);
    show(out, "its steps", tracker);
  }
  const auto [values, vectors] = torch::_linalg_eigh(x.matmul(x.t()), "L", false);
  show(out, "_linalg_eigh", values);
  show(out, "_linalg_svd", std::get<1>(torch::_linalg_svd(x, false, false)));
  torch::_assert_tensor_metadata(x, at::IntArrayRef({2, 3}), {}, torch::kFloat64);
  fails<c10::Error>(out, "_assert_tensor_metadata", "mismatch", [&] {
    torch::_assert_tensor_metadata(x, at::IntArrayRef({3, 2}));
  });
  fails<c10::Error>(out, "_assert_scalar", "no", [&] { torch::_assert_scalar(0, "no"); });
  fails<c10::Error>(out, "_softmax", "half to float", [&] { torch::_softmax(x, 1, true); });
});

}  // namespace
}  // namespace programs::aten_forms
