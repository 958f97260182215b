// Packed and padded sequences, and recurrent layers over them against PyTorch (packed.safetensors, made by
// make_packed.py).
#include "test/nn/reference.h"

using namespace strata;
using test::check_close;
using namespace strata::nn::utils::rnn;
using Catch::Matchers::ContainsSubstring;

namespace {

const test::Reference packed_cases("packed.safetensors");

/// `call(module, packed, states)` gives the packed output and the last states.
template <class Holder, class Call>
void check_packed(const std::string& name, Holder module, Call call) {
  INFO(name);
  serialize::InputArchive r = packed_cases(name), parameters = r.nested("p");
  module->to(kDouble);
  module->load(parameters);
  const Tensor x = r.find("x").clone().requires_grad_();
  const PackedSequence packed = pack_padded_sequence(x, r.find("lengths"), false, name == "rnn" || name == "lstm_proj");
  const auto [out, states] = call(module, packed, std::vector<Tensor>{r.find("s0"), r.find("s1")});
  const auto [y, lengths] = pad_packed_sequence(out, false, 7.0);
  CHECK(lengths.equal(r.find("lengths")));
  std::vector<Tensor> values = {y};
  values.insert(values.end(), states.begin(), states.end());
  const char* const keys[] = {"y", "h", "c"};
  Tensor loss = zeros({}, kDouble);
  for (size_t i = 0; i < values.size(); ++i) {
    check_close(keys[i], values[i], r.find(keys[i]));
    loss = loss + (values[i] * r.find(std::string("g") + keys[i])).sum();
  }
  loss.backward();
  check_close("gx", x.grad(), r.find("gx"));
  for (const auto& item : module->named_parameters())
    check_close("g." + item.key(), item.value().grad(), r.find("g." + item.key()));
}

using States = std::vector<Tensor>;
const auto one_state = [](auto& m, const PackedSequence& x, const States& s) {
  const auto [y, h] = m->forward_with_packed_input(x, s[0]);
  return std::pair(y, States{h});
};
const auto two_states = [](nn::LSTM& m, const PackedSequence& x, const States& s) {
  std::optional<std::tuple<Tensor, Tensor>> start;
  if (s[0].defined()) start.emplace(s[0], s[1]);
  const auto [y, last] = m->forward_with_packed_input(x, start);
  return std::pair(y, States{std::get<0>(last), std::get<1>(last)});
};

}  // namespace

TEST_CASE("recurrent layers over packed sequences match PyTorch") {
  check_packed("rnn", nn::RNN(nn::RNNOptions(3, 4).nonlinearity(kReLU)), one_state);
  check_packed("gru", nn::GRU(nn::GRUOptions(3, 4).num_layers(2).bidirectional(true)), one_state);
  check_packed("lstm", nn::LSTM(nn::LSTMOptions(3, 4).num_layers(2).bidirectional(true)), two_states);
  check_packed("lstm_proj", nn::LSTM(nn::LSTMOptions(3, 4).proj_size(2)), two_states);
}

TEST_CASE("sequences are padded and packed") {
  const std::vector<Tensor> list = {arange(3.0), arange(1.0) + 10, arange(2.0) + 20};
  CHECK(pad_sequence(list).equal(tensor({{0., 10., 20.}, {1., 0., 21.}, {2., 0., 0.}})));
  CHECK(pad_sequence(list, true, -1).equal(tensor({{0., 1., 2.}, {10., -1., -1.}, {20., 21., -1.}})));
  CHECK(pad_sequence(list, true, 0, "left").equal(tensor({{0., 1., 2.}, {0., 0., 10.}, {0., 20., 21.}})));
  const PackedSequence packed = pack_sequence(list, /*enforce_sorted=*/false);
  CHECK(packed.data().equal(tensor({0., 20., 10., 1., 21., 2.})));
  CHECK(packed.batch_sizes().equal(tensor({3, 2, 1})));
  CHECK(packed.sorted_indices().equal(tensor({0, 2, 1})));
  CHECK(packed.unsorted_indices().equal(tensor({0, 2, 1})));
  const auto [padded, lengths] = pad_packed_sequence(packed, true, 0, 4);
  CHECK(padded.equal(tensor({{0., 1., 2., 0.}, {10., 0., 0., 0.}, {20., 21., 0., 0.}})));
  CHECK(padded.is_contiguous());  // as it is put back in order last, PyTorch's may be viewed as rows of all steps
  CHECK(lengths.equal(tensor({3, 1, 2})));
  CHECK(packed.to(kDouble).data().dtype() == kDouble);
  CHECK(invert_permutation(tensor({2, 0, 1})).equal(tensor({1, 2, 0})));
}

TEST_CASE("what cannot be packed is an error") {
  const Tensor x = zeros({4, 2, 3});
  CHECK_THROWS_WITH(pack_padded_sequence(x, tensor({2, 4})), ContainsSubstring("must be sorted in decreasing order"));
  CHECK_THROWS_WITH(pack_padded_sequence(x, tensor({5, 4})), ContainsSubstring("length 5 is not in 1 to 4"));
  CHECK_THROWS_WITH(pack_padded_sequence(x, tensor({4, 0})), ContainsSubstring("length 0"));
  CHECK_THROWS_WITH(pack_padded_sequence(x, tensor({4})), ContainsSubstring("2 sequences"));
  CHECK_THROWS_WITH(pack_padded_sequence(zeros({0, 0}), zeros({0}, kLong)), ContainsSubstring("empty tensor"));
  const PackedSequence packed = pack_padded_sequence(x, tensor({4, 2}));
  CHECK_THROWS_WITH(pad_packed_sequence(packed, false, 0, 3), ContainsSubstring("total_length=3"));
  CHECK_THROWS_WITH(pad_sequence({}), ContainsSubstring("no sequences"));
  CHECK_THROWS_WITH(nn::RNN(5, 2)->forward_with_packed_input(packed),
                    ContainsSubstring("expected packed input (N, 5)"));
}
