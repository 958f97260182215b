// ATen's views, indexing and factories for exported programs.
#include "exchange/pt2_ops.h"
#include "nn/upsampling.h"
#include "ops/aliases.h"
#include "ops/arranging.h"
#include "ops/binary.h"
#include "ops/cast.h"
#include "ops/creation.h"
#include "ops/fold.h"
#include "ops/indexing.h"
#include "ops/joining.h"
#include "ops/random.h"
#include "ops/scatter_reduce.h"
#include "ops/sets.h"
#include "ops/shaping.h"
#include "ops/sort.h"
#include "ops/tensor_index.h"
#include "ops/view.h"

namespace strata::pt2 {
namespace {

using A = const Arguments&;

std::vector<indexing::TensorIndex> indices_of(A a) {
  const std::vector<Tensor> tensors = a.tensors("indices");
  return {tensors.begin(), tensors.end()};
}

Tensor put(A a) { return index_put(a.self(), indices_of(a), a.tensor("values"), a.flag("accumulate")); }

Tensor slice_of(A a) {
  return slice(a.self(), a.integer("dim", 0), a.maybe_integer("start"), a.maybe_integer("end"), a.integer("step", 1));
}

/// Views that a stride of the file's may not allow copy: what the file was exported with may lie in other strides here.
Tensor reshaped(A a, std::string_view name) { return reshape(a.self(), a.ints(name)); }

constexpr OpEntry kShapingOps[] = {
    {"view", "default", [](A a) { return reshaped(a, "size"); }},
    {"_unsafe_view", "default", [](A a) { return reshaped(a, "size"); }},
    {"reshape", "default", [](A a) { return reshaped(a, "shape"); }},
    {"flatten", "using_ints",
     [](A a) { return flatten(a.self(), a.integer("start_dim", 0), a.integer("end_dim", -1)); }},
    {"unflatten", "int", [](A a) { return unflatten(a.self(), a.integer("dim"), a.ints("sizes")); }},
    {"expand", "default", [](A a) { return expand(a.self(), a.ints("size")); }},
    {"expand_as", "default", [](A a) { return expand(a.self(), a.tensor("other").sizes()); }},
    {"view_as", "default", [](A a) { return reshape(a.self(), a.tensor("other").sizes()); }},
    {"reshape_as", "default", [](A a) { return reshape(a.self(), a.tensor("other").sizes()); }},
    {"broadcast_to", "default", [](A a) { return expand(a.self(), a.ints("size")); }},
    {"broadcast_tensors", "default", [](A a) { return broadcast_tensors(a.tensors("tensors")); }},
    {"permute", "default", [](A a) { return permute(a.self(), a.ints("dims")); }},
    {"transpose", "int", [](A a) { return transpose(a.self(), a.integer("dim0"), a.integer("dim1")); }},
    {"swapaxes", "default", [](A a) { return transpose(a.self(), a.integer("axis0"), a.integer("axis1")); }},
    {"t", "default", [](A a) { return t(a.self()); }},
    {"numpy_T", "default", [](A a) { return t(a.self()); }},
    {"mT", "default", [](A a) { return transpose(a.self(), -2, -1); }},
    {"movedim", "int", [](A a) { return movedim(a.self(), a.integer("source"), a.integer("destination")); }},
    {"movedim", "intlist", [](A a) { return movedim(a.self(), a.ints("source"), a.ints("destination")); }},
    {"squeeze", "default", [](A a) { return squeeze(a.self()); }},
    {"squeeze", "dim", [](A a) { return squeeze(a.self(), a.integer("dim")); }},
    {"squeeze", "dims", [](A a) { return squeeze(a.self(), a.ints("dim")); }},
    {"unsqueeze", "default", [](A a) { return unsqueeze(a.self(), a.integer("dim")); }},
    {"select", "int", [](A a) { return select(a.self(), a.integer("dim"), a.integer("index")); }},
    {"slice", "Tensor", [](A a) { return slice_of(a); }},
    {"narrow", "default",
     [](A a) { return narrow(a.self(), a.integer("dim"), a.integer("start"), a.integer("length")); }},
    {"diagonal", "default",
     [](A a) { return diagonal(a.self(), a.integer("offset", 0), a.integer("dim1", 0), a.integer("dim2", 1)); }},
    {"unfold", "default",
     [](A a) { return unfold(a.self(), a.integer("dimension"), a.integer("size"), a.integer("step")); }},
    {"as_strided", "default",
     [](A a) { return as_strided(a.self(), a.ints("size"), a.ints("stride"), a.maybe_integer("storage_offset")); }},
    {"split", "Tensor", [](A a) { return split(a.self(), a.integer("split_size"), a.integer("dim", 0)); }},
    {"split", "sizes", [](A a) { return split_with_sizes(a.self(), a.ints("split_size"), a.integer("dim", 0)); }},
    {"split_with_sizes", "default",
     [](A a) { return split_with_sizes(a.self(), a.ints("split_sizes"), a.integer("dim", 0)); }},
    {"chunk", "default", [](A a) { return chunk(a.self(), a.integer("chunks"), a.integer("dim", 0)); }},
    {"tensor_split", "sections",
     [](A a) { return tensor_split(a.self(), a.integer("sections"), a.integer("dim", 0)); }},
    {"tensor_split", "indices", [](A a) { return tensor_split(a.self(), a.ints("indices"), a.integer("dim", 0)); }},
    {"unbind", "int", [](A a) { return unbind(a.self(), a.integer("dim", 0)); }},

    // In place these change what their input is a view of, which from there on goes by the result's name.
    {"t_", "default", [](A a) { return t(a.self()); }},
    {"transpose_", "default", [](A a) { return transpose(a.self(), a.integer("dim0"), a.integer("dim1")); }},
    {"squeeze_", "default", [](A a) { return squeeze(a.self()); }},
    {"squeeze_", "dim", [](A a) { return squeeze(a.self(), a.integer("dim")); }},
    {"squeeze_", "dims", [](A a) { return squeeze(a.self(), a.ints("dim")); }},
    {"unsqueeze_", "default", [](A a) { return unsqueeze(a.self(), a.integer("dim")); }},
    {"detach_", "default", [](A a) { return detach(a.self()); }},

    {"cat", "default", [](A a) { return cat(a.tensors("tensors"), a.integer("dim", 0)); }},
    {"concat", "default", [](A a) { return cat(a.tensors("tensors"), a.integer("dim", 0)); }},
    {"stack", "default", [](A a) { return stack(a.tensors("tensors"), a.integer("dim", 0)); }},
    {"hstack", "default", [](A a) { return hstack(a.tensors("tensors")); }},
    {"vstack", "default", [](A a) { return vstack(a.tensors("tensors")); }},
    {"meshgrid", "default", [](A a) { return meshgrid(a.tensors("tensors"), "ij"); }},
    {"meshgrid", "indexing", [](A a) { return meshgrid(a.tensors("tensors"), a.text("indexing", "ij")); }},
    {"constant_pad_nd", "default", [](A a) { return constant_pad_nd(a.self(), a.ints("pad"), a.scalar("value", 0)); }},
    {"pad", "default",
     [](A a) { return pad(a.self(), a.ints("pad"), a.text("mode", "constant"), a.number("value", 0)); }},
    {"reflection_pad1d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "reflect"); }},
    {"reflection_pad3d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "reflect"); }},
    {"reflection_pad2d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "reflect"); }},
    {"replication_pad1d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "replicate"); }},
    {"replication_pad3d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "replicate"); }},
    {"replication_pad2d", "default", [](A a) { return pad(a.self(), a.ints("padding"), "replicate"); }},
    {"flip", "default", [](A a) { return flip(a.self(), a.ints("dims")); }},
    {"roll", "default", [](A a) { return roll(a.self(), a.ints("shifts"), a.ints("dims", {})); }},
    {"repeat", "default", [](A a) { return repeat(a.self(), a.ints("repeats")); }},
    {"tile", "default", [](A a) { return tile(a.self(), a.ints("dims")); }},
    {"repeat_interleave", "self_int",
     [](A a) {
       return repeat_interleave(a.self(), a.integer("repeats"), a.maybe_integer("dim"), a.maybe_integer("output_size"));
     }},
    {"repeat_interleave", "self_Tensor",
     [](A a) {
       return repeat_interleave(a.self(), a.tensor("repeats"), a.maybe_integer("dim"), a.maybe_integer("output_size"));
     }},
    {"rot90", "default",
     [](A a) {
       return rot90(a.self(), a.integer("k", 1), a.ints("dims", {0, 1}));
     }},
    {"tril", "default", [](A a) { return tril(a.self(), a.integer("diagonal", 0)); }},
    {"triu", "default", [](A a) { return triu(a.self(), a.integer("diagonal", 0)); }},
    {"diag_embed", "default",
     [](A a) { return diag_embed(a.self(), a.integer("offset", 0), a.integer("dim1", -2), a.integer("dim2", -1)); }},
    {"im2col", "default",
     [](A a) {
       return im2col(a.self(), a.ints("kernel_size"), a.ints("dilation"), a.ints("padding"), a.ints("stride"));
     }},
    {"col2im", "default",
     [](A a) {
       return col2im(a.self(), a.ints("output_size"), a.ints("kernel_size"), a.ints("dilation"), a.ints("padding"),
                     a.ints("stride"));
     }},
    {"pixel_shuffle", "default",
     [](A a) { return nn::functional::pixel_shuffle(a.self(), a.integer("upscale_factor")); }},
    {"pixel_unshuffle", "default",
     [](A a) { return nn::functional::pixel_unshuffle(a.self(), a.integer("downscale_factor")); }},
    {"channel_shuffle", "default", [](A a) { return channel_shuffle(a.self(), a.integer("groups")); }},
    {"select_scatter", "default",
     [](A a) { return select_scatter(a.self(), a.tensor("src"), a.integer("dim"), a.integer("index")); }},
    {"slice_scatter", "default",
     [](A a) {
       return slice_scatter(a.self(), a.tensor("src"), a.integer("dim", 0), a.maybe_integer("start"),
                            a.maybe_integer("end"), a.integer("step", 1));
     }},

    {"index", "Tensor", [](A a) { return index(a.self(), indices_of(a)); }},
    {"_unsafe_index", "Tensor", [](A a) { return index(a.self(), indices_of(a)); }},
    {"index_put", "default", [](A a) { return put(a); }},
    {"_unsafe_index_put", "default", [](A a) { return put(a); }},
    {"index_select", "default", [](A a) { return index_select(a.self(), a.integer("dim"), a.tensor("index")); }},
    {"index_add", "default",
     [](A a) {
       return index_add(a.self(), a.integer("dim"), a.tensor("index"), a.tensor("source"), a.scalar("alpha", 1));
     }},
    {"index_copy", "default",
     [](A a) { return index_copy(a.self(), a.integer("dim"), a.tensor("index"), a.tensor("source")); }},
    {"gather", "default",
     [](A a) { return a.flag("sparse_grad"), gather(a.self(), a.integer("dim"), a.tensor("index")); }},
    {"scatter", "src", [](A a) { return scatter(a.self(), a.integer("dim"), a.tensor("index"), a.tensor("src")); }},
    {"scatter", "value", [](A a) { return scatter(a.self(), a.integer("dim"), a.tensor("index"), a.scalar("value")); }},
    {"scatter_add", "default",
     [](A a) { return scatter_add(a.self(), a.integer("dim"), a.tensor("index"), a.tensor("src")); }},
    {"scatter_reduce", "two",
     [](A a) {
       return scatter_reduce(a.self(), a.integer("dim"), a.tensor("index"), a.tensor("src"), a.text("reduce"),
                             a.flag("include_self", true));
     }},
    {"masked_fill", "Scalar Tensor",
     [](A a) {
       return a.with_operand("value", [&](const auto& v) { return masked_fill(a.self(), a.tensor("mask"), v); });
     }},
    {"masked_scatter", "default", [](A a) { return masked_scatter(a.self(), a.tensor("mask"), a.tensor("source")); }},
    {"masked_select", "default", [](A a) { return masked_select(a.self(), a.tensor("mask")); }},
    {"nonzero", "default", [](A a) { return nonzero(a.self()); }},
    {"where", "default", [](A a) { return where(a.tensor("condition")); }},
    {"isin", "Tensor_Tensor",
     [](A a) {
       return isin(a.tensor("elements"), a.tensor("test_elements"), a.flag("assume_unique"), a.flag("invert"));
     }},
    {"bincount", "default",
     [](A a) { return bincount(a.self(), a.maybe_tensor("weights"), a.integer("minlength", 0)); }},
    {"one_hot", "default", [](A a) { return one_hot(a.self(), a.integer("num_classes", -1)); }},
    {"take", "default", [](A a) { return take(a.self(), a.tensor("index")); }},
    {"take_along_dim", "default",
     [](A a) { return take_along_dim(a.self(), a.tensor("indices"), a.maybe_integer("dim")); }},

    {"arange", "default", [](A a) { return arange(a.scalar("end"), a.options()); }},
    {"arange", "start", [](A a) { return arange(a.scalar("start"), a.scalar("end"), a.options()); }},
    {"arange", "start_step",
     [](A a) { return arange(a.scalar("start"), a.scalar("end"), a.scalar("step", 1), a.options()); }},
    {"linspace", "default",
     [](A a) { return linspace(a.scalar("start"), a.scalar("end"), a.integer("steps"), a.options()); }},
    {"empty", "memory_format", [](A a) { return zeros(a.ints("size"), a.options()); }},
    {"empty_like", "default", [](A a) { return zeros_like(a.self(), a.options()); }},
    {"empty_strided", "default", [](A a) { return a.ints("stride"), zeros(a.ints("size"), a.options()); }},
    {"empty_permuted", "default", [](A a) { return a.ints("physical_layout"), zeros(a.ints("size"), a.options()); }},
    {"zeros", "default", [](A a) { return zeros(a.ints("size"), a.options()); }},
    {"ones", "default", [](A a) { return ones(a.ints("size"), a.options()); }},
    {"full", "default", [](A a) { return full(a.ints("size"), a.scalar("fill_value"), a.options()); }},
    {"eye", "default", [](A a) { return eye(a.integer("n"), a.options()); }},
    {"eye", "m", [](A a) { return eye(a.integer("n"), a.integer("m"), a.options()); }},
    {"scalar_tensor", "default", [](A a) { return scalar_tensor(a.scalar("s"), a.options()); }},
    {"zeros_like", "default", [](A a) { return zeros_like(a.self(), a.options()); }},
    {"ones_like", "default", [](A a) { return ones_like(a.self(), a.options()); }},
    {"full_like", "default", [](A a) { return full_like(a.self(), a.scalar("fill_value"), a.options()); }},
    {"new_empty", "default", [](A a) { return a.self(), zeros(a.ints("size"), a.options()); }},
    {"new_zeros", "default", [](A a) { return a.self(), zeros(a.ints("size"), a.options()); }},
    {"new_ones", "default", [](A a) { return a.self(), ones(a.ints("size"), a.options()); }},
    {"new_full", "default", [](A a) { return a.self(), full(a.ints("size"), a.scalar("fill_value"), a.options()); }},
    {"tril_indices", "default",
     [](A a) { return tril_indices(a.integer("row"), a.integer("col"), a.integer("offset", 0), a.options()); }},
    {"triu_indices", "default",
     [](A a) { return triu_indices(a.integer("row"), a.integer("col"), a.integer("offset", 0), a.options()); }},
    {"rand", "default", [](A a) { return rand(a.ints("size"), a.options()); }},
    {"randn", "default", [](A a) { return randn(a.ints("size"), a.options()); }},
    {"randint", "default", [](A a) { return randint(a.integer("high"), a.ints("size"), a.options()); }},
    {"randint", "low", [](A a) { return randint(a.integer("low"), a.integer("high"), a.ints("size"), a.options()); }},
    {"randperm", "default", [](A a) { return randperm(a.integer("n"), a.options()); }},
};

}  // namespace

std::span<const OpEntry> shaping_ops() { return kShapingOps; }

}  // namespace strata::pt2
