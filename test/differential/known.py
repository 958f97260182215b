"""Where Strata differs from PyTorch on purpose, each with its reason: programs are drawn around these."""
import dataclasses
import fractions
import math
import re

import torch

import steps
from closed import ADDED_PRODUCTS, is_any_reflector_singular
from programs import DTYPES as NAMED
from programs import copied, shares_memory

DTYPES = set(NAMED.values())  # of PyTorch's, those that Strata has

# PyTorch's errors where Strata computes.
ERRORS = {
    "function that returns multiple views": "outputs of split, chunk and unbind may be written to (docs/autograd.md)",
    "some elements of the input tensor and the written-to": "where operands overlap Strata computes aside and copies",
    "derivative for .* is not implemented|does not support automatic differentiation":
        "floor_divide and remainder of a number and select_scatter of complex numbers have derivatives",
    "is not differentiable with respect to argument": "losses have gradients for targets and weights too",
    "not implemented for '|does not support bool|not supported for complex|vander supports":
        "dtypes for which PyTorch has no kernel",
    "input_is_complex == grad_is_complex": "the gradient of a mean of real numbers as complex ones is the real part",
    "stride divisible by 2": "a dim of size 1 needs no stride",
    "Calculated output": "padding may cut a dim away",
    "(adaptive_max_pool|^max_pool3d|^max_unpool3d: max_pool3d).*non-zero size for non-batch":
        "of no channels nothing is made, as by adaptive_avg_pool",
    "Padding size . is not supported": "modes that repeat elements pad the last dims of any shape",
    "possibly 0 batch size|optional 0 dim batch size|zero batch or zero channel":
        "of nothing a layer makes nothing, or its bias",
    "Non-empty .* data tensor expected": "and resampling no channels",
    "Autograd not support dtype": "sums of floats as integers have no gradient, in either",
    "is repeated for operand": "a repeated label of size 1 broadcasts in einsum",
    "cannot be converted to type": "numbers wrap around as casts do",
    "storage_offset divisible by 2": "a gradient of view_as_real may have any layout",
    "view_as_real doesn't work on unresolved conjugated": "conjugates are computed here, and PyTorch's are at times",
    "view (which )?was created in no_grad mode": "what PyTorch's functions give as views of their own are tensors like others",
    "Unsupported input type encountered for isin": "bools are equal or not as other elements",
    "^unique_consecutive: Dimension specified as .* but tensor has no dimensions|^fft_i?fftshift: `shifts` required":
        "a tensor without dims counts as one of one dim",
    "^unique_(dim|consecutive|dim_consecutive): Number of zero sized dimensions": "of no slices none are unique, as in NumPy",
    "^max_pool3d.*: Unsupported memory format": "a volume without batch may lie as a batch of pictures with channels last",
    "^optimizer: (float )?division by zero": "of no elements Adafactor needs no mean, and Muon no ratio of sizes",
    "^clip_grad_norm: _foreach_norm cannot compute the infinity norm on an empty": "of no elements none is the largest: 0",
    "INTERNAL ASSERT FAILED": "a fault that PyTorch reports as its own",
    "^(cross_entropy_loss|nll_loss_nd): size mismatch .got input: .*, 0, 0, 0\\]":
        "of no classes and ignored targets PyTorch computes in two dims, and mistakes its own shapes in three",
    "^max_unpool3d: Unsupported memory format": "an example without a batch may lie with its channels last too",
    "^(isin|take_along_dim): view size is not compatible": "elements may lie in any order",
    "failed to match any schema": "nothing of the kind was called",
    "^kron: view size": "a product of tensors of any strides; PyTorch looks at the results as a view",
    "(mm|addmv|addr)(_out)?_?: result type .* can't be cast": "of no terms PyTorch refuses the numbers that it takes for sums of some",
    "^bilinear: cannot reshape tensor of 0 elements": "of no features a bilinear form is 0, or its bias",
    "^fractional_max_pool3d.*too large relative": "windows may fill the input, as they may in two dims",
    "^index_reduce: select": "indices into nothing are not looked at, nor are they by index_add in PyTorch",
    "_out_: Found dtype .* but expected": "a result is converted into a tensor that is given, as by other functions",
    "^linalg_tensor(inv|solve): .*singular": "whether rounding leaves a pivot of 0 is up to the order of the sums",
    "^embedding_renorm_: a (view of a )?leaf Variable": "rows are shortened outside of autograd, whoever asks for it",
    "^(_foreach_lerp|in_place): expected dtype .* for `(end|weight)`": "operands of several dtypes are promoted, as those of other functions are",
    "^(batch|instance)_norm: select":
        "a batch without channels is normalised to nothing; PyTorch looks at the first of no weights",
}

# Functions whose choice among equal elements along a dim PyTorch leaves open (its documentation of each says so).
OPEN_TIES = {"topk", "kthvalue", "median", "nanmedian", "mode"}
# Functions that go through an operand in another order than they write: they read it after it was written over, even
# where the two are one tensor.
READ_LATE = {"masked_scatter_", "scatter_", "scatter_add_", "scatter_reduce_", "index_put_", "index_copy_",
             "index_add_", "index_reduce_", "index_fill_", "masked_fill_", "set_index_", "fill_diagonal_", "cumsum_",
             "cumprod_", "addmm_", "addmv_", "addr_", "baddbmm_", "addbmm_", "addcmul_", "addcdiv_", "lerp_", "mm_out_",
             "bmm_out_", "matmul_out_", "addmm_out_"}
# In-place forms whose result is a constant here; in PyTorch some of them stay in the graph, with wrong gradients.
CONSTANT = {f"{name}_" for name in "eq ne lt le gt ge logical_and logical_or logical_xor logical_not".split()}
CONSTANT |= {"logical_not_out_"}
# Optimizers that take a weight's decay for a part of its gradient, and divide that by how large it has been.
DIVIDES_BY_SIZES = {"Adam", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam"}
MOMENTS = {"var", "std", "var_mean", "std_mean"}
NORMS = {"batch_norm", "instance_norm", "group_norm", "layer_norm"}
CONVOLUTIONS = {"conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"}
PRODUCTS = {"mm", "bmm", "mv", "matmul", "linear", "dot", "vdot", "inner", "tensordot", "einsum"}
ROUGH_AT_NAN = {"elu", "selu", "celu", "hardshrink", "softshrink", "relu6", "hardtanh", "hardswish", "logit"}
NOT_OF_INFINITY = {"upsample_linear1d", "upsample_bilinear2d", "upsample_bicubic2d", "upsample_trilinear3d",
                   "scaled_dot_product_attention"}


def is_known_error(function, message):
    return any(re.search(pattern, f"{function}: {message}") for pattern in ERRORS)


def is_open_error(statement, run, message):
    """Does PyTorch refuse what says nothing?"""
    # Where a view of nothing begins, and so what another view at its place would reach.
    if statement.function in ("as_strided", "index_reduce") and not run.tensors[statement.arguments[0]].numel():
        return True  # nor, where indices lead into nothing, what they are: PyTorch's index_add does not look at them
    # A dim of one element, or of a tensor of none, needs no stride: PyTorch asks for one of 1 where a tensor is seen as
    # one of another dtype.
    if statement.function in ("viewed_as", "view_as_complex"):
        x = run.tensors[statement.arguments[0]]
        return bool(x.dim()) and (x.shape[-1] == 1 or not x.numel()) and "stride" in message
    return False


def without_what_is_open(statement, run):
    """The statement, outside of autograd where PyTorch's gradient is no measure, and without an index that is none."""
    if statement.function in OPEN_TIES and len(statement.arguments) > 1:
        x = run.tensors[statement.arguments[0]]
        if not x.numel() or picks_a_tie(statement, x.detach()):
            return dataclasses.replace(statement, function=statement.function + "_values", no_grad=True)
    return dataclasses.replace(statement, no_grad=True) if has_open_gradient(statement, run) else statement


def has_open_gradient(statement, run):
    """Is the gradient of what PyTorch gives for a statement no measure, while its values are?"""
    function, operands = statement.function.rstrip("_"), [run.tensors[v] for v in statement.variables()]
    if not any(t.requires_grad for t in operands):
        return False
    if function in ("quantile", "nanquantile") and is_between_ties(statement, run):
        return True  # the gradient goes where PyTorch's sort, which is not stable, puts equal elements
    is_reduce = function in ("scatter_reduce", "index_reduce")
    if is_reduce and statement.arguments[4].startswith("am") and is_as_large_as_left_out(statement, run):
        return True  # PyTorch shares the gradient with an element of self that is as large but takes no part
    if function == "narrow_copy" and statement.arguments[2] < 0 == statement.arguments[2] + statement.arguments[3]:
        return True  # for the gradient PyTorch ends a slice from -n of length n at 0, and finds nothing in it
    if function == "detach_copy":
        return True  # PyTorch's requires grad, and has no derivative
    if function == "block_diag" and any(tuple(t.shape) == (0,) for t in operands):
        return True  # a vector of nothing is a row of no columns; PyTorch's gradients of later blocks are a row off
    if statement.function == "silu_" and operands[0].is_complex():
        return True  # PyTorch has no derivative for complex numbers, as silu says; silu_ takes the real one, without conj
    if statement.function in ("scatter_reduce_", "index_reduce_") and operands[0].is_complex():
        return True  # as silu_: scatter_reduce says that it has no derivative, in place products are without conj
    if function == "pdist" and not operands[0].shape[0]:
        return True  # of no points PyTorch's gradient ends the process
    if function == "linalg_det" and is_any_singular(operands[0].detach()):
        return True  # PyTorch's gradient is 0 or what rounding leaves where minors are not: of [[2, 1], [4, 2]]
    if function in MOMENTS and statement.arguments[1] is None and has_no_freedom(statement, run):
        return True  # PyTorch's gradient is infinite then whatever the sign of a value's distance from the mean
    if function == "pow" and any(a is False for a in statement.arguments):
        return True  # for the gradient PyTorch does not see that an exponent that is a bool is 0
    if function == "mvlgamma" and has_negative_zero(operands[0]):
        return True  # PyTorch adds 0 to it, and so comes to the pole of lgamma from the other side than lgamma does
    if function == "logit" and operands[0].requires_grad and has_negative_zero(operands[0]):
        return True  # PyTorch's loops over vectors divide by it for the slope, those over single numbers take infinity
    if function == "addcdiv" and len({t.dtype for t in operands}) > 1:
        return True  # for the gradient PyTorch divides the value by an operand in the operand's own dtype
    if function == "addcmul" and any(not t.is_floating_point() and not t.is_complex() for t in operands):
        return True  # for the gradient PyTorch multiplies an integer operand by the value in the operand's own dtype
    if function in ROUGH_AT_NAN and operands[0].requires_grad and operands[0].isnan().any():
        return True  # PyTorch's loops over vectors give NaN a slope of 0 or NaN, those over single numbers one of 1
    if function == "atanh" and not operands[0].is_complex() and is_any_between(1 - operands[0].abs(), 0, 1e-6):
        return True  # of 1 - x^2, by which the slope divides, rounding the square leaves few digits
    if function == "special_log_ndtr" and operands[0].isneginf().any():
        return True  # the slope grows without bound; PyTorch's is infinity times 0
    if function == "copysign" and operands[0].requires_grad and operands[0].isinf().any():
        return True  # PyTorch divides the result by the operand for the sign: NaN for infinities
    if function == "binary_cross_entropy_with_logits" and statement.arguments[3]:
        if operands[0].requires_grad and not run.tensors[statement.arguments[3]].isfinite().all():
            return True  # PyTorch takes an infinite weight from a part of it, where the slope is infinite
    if function == "smooth_l1_loss" and statement.arguments[3] == 0:
        return True  # where both are equal ATen's slope is -1, torch.nn.functional's 0, as here
    if function in ("cosine_similarity", "cosine_embedding_loss", "kl_div") and operands[0].requires_grad and shares_memory(*operands[:2]):
        return True  # of a tensor with itself it is 1, and 0: the gradient is what rounding leaves
    if function in MOMENTS and operands[0].is_complex() and has_no_freedom(statement, run):
        return True  # PyTorch's gradient has no imaginary part then
    if function in ("digamma", "polygamma") and is_near_pole(operands[0]):
        return True  # PyTorch's slope near a pole is 1 over what rounding leaves of sin(pi x), squared
    is_digamma = function == "digamma" or function == "polygamma" and order_of(statement) == 0
    if is_digamma and is_rough_trigamma(operands[0]):
        return True  # PyTorch's slope of digamma has ten digits, and fewer where it reflects
    if function == "prod" and operands[0].requires_grad and not operands[0].isfinite().all():
        return True  # PyTorch divides the product by each element for the gradient, infinities and NaN by their like
    if function == "prod" and operands[0].requires_grad and operands[0].numel() - operands[0].count_nonzero() > 1:
        return True  # without a dim PyTorch drops what comes from behind, also infinities and NaN
    if function in ("prod", "cumprod") and operands[0].is_complex() and statement.named.get("dtype") is not None:
        return True  # for the gradient of a product of real parts PyTorch takes the whole numbers
    if function in ("logsumexp", "logcumsumexp") and is_any_of_nothing(statement, operands[0].detach()):
        return True  # nothing but -inf has a gradient of 0 here, as masked rows have; PyTorch's is NaN
    if function == "pdist" and statement.arguments[1] == 1 and has_equal_infinities(operands[0].detach()):
        return True  # their difference is NaN, and its slope in PyTorch; here it is that between equals, 0
    if function in ("amax", "amin", "aminmax") and operands[0].requires_grad and operands[0].isnan().any():
        return True  # PyTorch gives all elements a gradient of NaN then; for max and min the NaNs share it, as here
    if function in NORMS and operands[0].requires_grad and has_two_values(groups_of(statement, operands[0])):
        return True  # two values become 1 and -1 whatever they are: the gradient is what rounding and eps leave
    if function == "logcumsumexp" and operands[0].dtype in SHORT:
        return True  # PyTorch takes logarithms of the gradient in 16 bits, and exponentials of their differences
    is_mixed = len({t.dtype for t in operands}) > 1
    if function == "pow" and is_mixed and operands[0].requires_grad and operands[-1].dtype not in WIDE_INTEGERS:
        return True  # for the gradient PyTorch takes 1 from the exponent in the exponent's own dtype
    if function == "atan2" and operands[0].dtype == NAMED["float16"] and has_small_square(*operands):
        return True  # PyTorch divides by the sum of squares, whose reciprocal is infinite in 16 bits
    if function == "atan2" and operands[0].dtype != operands[1].dtype:
        return True  # PyTorch squares the operands for the gradient in the dtype of each
    if function == "as_strided_scatter":
        return True  # PyTorch passes on of a gradient what is written over, and reads others where their memory begins
    if function == "stft" and overlaps_itself(operands[0]):
        return True  # PyTorch shares the gradient among the elements of its frames that lie in one place
    if function in ("linalg_householder_product", "ormqr") and is_any_reflector_singular(*operands[:2]):
        return True  # for the gradient PyTorch divides by 1 - tau |v|^2, the factor by which a reflector stretches v
    if function in ("linalg_matrix_norm", "linalg_norm") and is_extreme_by_a_digit(statement, operands[0].detach()):
        return True  # which sum or singular value it is is told by its last bit, which the program takes from PyTorch
    if function in ("linalg_matrix_norm", "nuclear_norm") and is_any_nuclear_open(statement, operands[0].detach()):
        return True  # it has an edge there, and no gradient: of 0 it is any matrix whose singular values are at most 1
    if function in POWERS and operands[0].dtype == NAMED["float16"] and is_power_beyond_half(statement, operands):
        return True  # PyTorch divides by powers of lengths in 16 bits: of |(300, 200)|_3 its gradient is (nan, 0)
    if function.startswith("max_pool") and jumps_over(operands[0], statement.arguments[4]):
        return True  # PyTorch gives the gradient of a window that is all padding to an element of another channel
    is_norm = function in ("norm", "linalg_vector_norm") and statement.arguments[1] in (math.inf, -math.inf)
    if is_norm and operands[0].is_complex():
        return True  # which element has the norm is told by its last bit, which the program takes from PyTorch
    is_cut = function == "conv_module" and statement.arguments[0] and any(statement.arguments[5])
    if is_cut and not operands[0].isfinite().all():
        return True  # for the weight's gradient PyTorch multiplies infinities by zeros where padding cuts the result off
    if function == "polar" and operands[0].requires_grad and not bool((operands[0] > 0).all()):
        return True  # PyTorch's gradient counts on lengths that are positive
    if function in ("hardsigmoid", "hardswish") and operands[0].requires_grad and operands[0].dtype == NAMED["float64"]:
        return True  # PyTorch's sixth is a float32
    if function == "triplet_margin_loss" and operands[0].dtype == NAMED["float16"] and statement.arguments[4] > 2:
        return True  # PyTorch divides by a power of the distance, which is 0 in 16 bits: NaN where the loss is flat
    is_stirling = function == "poisson_nll_loss" and statement.arguments[3] and operands[1].requires_grad
    if is_stirling and not bool((operands[1] > 0).all()):
        return True  # Stirling's approximation leaves the logarithms that it does not take in PyTorch's gradient
    if function in NORMS and operands[0].dtype in (NAMED["float16"], NAMED["bfloat16"]) and operands[0].requires_grad:
        return True  # PyTorch keeps mean and deviation in 16 bits for the gradient
    is_running_product = function in ("cumprod", "linalg_vander")
    if is_running_product and operands[0].requires_grad and not operands[0].isfinite().all():
        return True  # PyTorch leaves out products with a 0 for the gradient, those with infinity and NaN among them
    return False


def is_open(statement, run):
    """Is what PyTorch gives for a statement no measure?"""
    function, operands = statement.function.rstrip("_"), [run.tensors[v] for v in statement.variables()]
    if function == "linspace" and meets_integers(*statement.arguments, statement.named["dtype"]):
        return True  # PyTorch takes float32 steps: of -3 to 1 in 7 the fourth, -1, is -0.9999999 there and cut to 0
    if function == "logspace" and statement.named["dtype"] == NAMED["uint8"] and min(statement.arguments[:2]) < 0:
        return True  # PyTorch takes -2 for 254, and so casts what no integer holds
    if not operands:
        return False
    if function in ("median", "nanmedian") and not operands[0].numel() and not operands[0].is_floating_point():
        return True  # no integer stands for the median of none; PyTorch gives the smallest
    is_median = function in ("median", "nanmedian") and len(statement.arguments) > 1
    if (is_median or function in ("median_values", "nanmedian_values")) and overlaps_itself(operands[0]):
        return True  # PyTorch sorts an element that repeats as if it were several, some of them memory of others
    is_airy = function == "special_airy_ai" and operands[0].dtype == NAMED["float64"]
    if is_airy and is_any_between(operands[0], -4, -2.09):
        return True  # PyTorch is off by up to 3e-6 there, as SciPy shows, and by rounding elsewhere
    is_bessel = function.startswith("special_bessel")
    if is_bessel and operands[0].dtype == NAMED["float64"] and is_any_between(operands[0].abs(), 3.5, 11.5):
        return True  # PyTorch is off by up to 9e-7 there (past 5), as SciPy shows, and by less than 5e-11 elsewhere
    if is_bessel and operands[0].dtype != NAMED["float64"] and is_any_between(operands[0].double().abs(), 1e4, 1e99):
        return True  # PyTorch subtracts pi / 4 in single precision: y0(5161200) is 2.600823e-4 (mpmath), its 3.04e-4
    if is_bessel and operands[0].isinf().any():
        return True  # 0, as they vanish there (NumPy's and SciPy's too); PyTorch's is NaN
    grows = function.removeprefix("special_").removeprefix("modified_bessel_") in ("i0", "i1")
    if grows and operands[0].isinf().any():
        return True  # infinite, as they grow; PyTorch's is NaN
    if function.startswith("fft_") and not operands[0].isfinite().all():
        return True  # infinity times a root of unity is up to the algorithm
    multiplies = function == "scatter_reduce" or statement.named.get("reduce") == "multiply"
    if multiplies and operands[0].is_complex() and not all(t.isfinite().all() for t in operands):
        return True  # infinity times a complex number is up to the order
    if function.startswith(("_foreach", "in_place")) and len(set(are_marked(statement, run))) > 1:
        return True  # PyTorch marks all results as requiring grad where one of them does
    if function == "interpolate" and statement.arguments[3].startswith("nearest") and shows_a_ratio(statement, operands[0]):
        return True  # PyTorch takes that ratio for the factor for gradients and where channels are last
    if function == "interpolate" and statement.arguments[6] and is_one_wide(statement, operands[0]):
        return True  # of one column PyTorch's smoothing gives the first row for all
    if function == "attention_forward" and hides_all_keys(statement, run):
        return True  # a query that sees nothing has no weights: NaN, as libtorch's C++ functions have it, PyTorch's is 0
    if function in ("encoder_layer", "decoder_layer") and hides_all_keys(statement, run):
        return True  # as attention_forward
    if function == "optimizer" and statement.arguments[0] in ("ASGD", "NAdam") and operands[0].dtype == NAMED["float64"]:
        return True  # PyTorch keeps the learning rate, or the product of momenta, in single precision
    if function == "optimizer" and is_any_gradient_cancelled(statement, run):
        return True  # a step divides what rounding leaves of it by its own size
    if function == "embedding_renorm" and bool((operands[1] < 0).any()):
        return True  # PyTorch counts them from the end, and embedding refuses them
    if function == "logsumexp" and operands[0].is_complex() and is_any_on_the_cut(statement, operands[0].detach()):
        return True  # pi or -pi by the sign of what rounding leaves of an imaginary part
    if function == "diff" and statement.no_grad and not math.prod(operands[0].shape):
        return True  # PyTorch gives the operand itself where a dim has nothing to take from each other
    if function == "index_reduce" and operands[0].dtype == NAMED["bool"] and not operands[1].numel():
        return True  # PyTorch takes the mean of bools where there is nothing to do
    is_reduce = function in ("index_reduce", "scatter_reduce")
    if is_reduce and operands[0].is_complex() and statement.arguments[4] in ("amax", "amin"):
        return True  # PyTorch takes complex numbers where there is nothing to do
    if function == "embedding_bag" and statement.arguments[4] == 2 and operands[0].isnan().any():
        return True  # for the largest PyTorch passes over NaN that is not the first of a bag
    if function == "cdist" and statement.arguments[2] == math.inf and not all(t.isfinite().all() for t in operands):
        return True  # the largest difference is NaN with one of them; PyTorch passes over NaN that is not the last
    if function == "viewed_as" and has_nan_bits(statement, run):
        return True  # the text of a program tells of NaN no more than that it is one
    if function.endswith("_out") and is_coarser_than_out(statement, run):
        return True  # the last digit of a result is compared as if it were that of the tensor it is converted into
    if function.endswith("_with_indices") and jumps_over(operands[0], statement.arguments[4]):
        return True  # of a window that is all padding the place is -1 here; PyTorch's is an element's of another line
    if function == "bincount" and not operands[0].numel() and len(operands) > 1:
        return True  # of no values PyTorch counts in int64, whatever the weights
    if function == "ldexp" and is_any_beyond_int32(operands[1]):
        return True  # PyTorch cuts exponents to 32 bits, and takes -2^62 for 0
    if function == "unique_dim" and operands[0].isnan().any():
        return True  # PyTorch sorts slices by whether one is less, which NaN never is: their order is up to its sort
    if function == "prod" and may_overflow_to_zero(statement, operands[0].detach()):
        return True  # whether a product overflows before it meets a 0, which makes NaN of it, is up to the order
    if function in ("trapezoid", "trapz", "cumulative_trapezoid") and operands[0].dtype == NAMED["bool"]:
        return True  # PyTorch takes bools where there is nothing to add
    if function == "reciprocal" and operands[0].is_complex() and bool((operands[0] == 0).any()):
        return True  # as for a division by 0
    if function in ("linalg_householder_product", "ormqr") and not all(t.isfinite().all() for t in operands):
        return True  # infinity times a 0 of a reflector is up to the algorithm
    if function == "_unique2" and operands[0].isnan().any() and statement.arguments[2]:
        return True  # each NaN is one of its own; which of them is which is up to the sort
    if is_of_singular_values(statement, function) and operands[0].isinf().any():
        return True  # MKL refuses infinities unnoticed by PyTorch, and leaves NaN; PyTorch refuses NaN, as both are here
    if function == "least_squares" and is_ill_conditioned(operands[0].detach()):
        return True  # the error of either library is the condition times a rounding
    if function == "least_squares" and not operands[1].isfinite().all():
        return True  # PyTorch scales by the largest number of all right sides, so that infinity spoils those beside it
    if function in ("mode", "mode_values") and operands[0].isnan().any():
        return True  # NaN equals no NaN, so how often it is there is up to where PyTorch's sort puts it
    if function == "binary_cross_entropy_with_logits" and statement.arguments[3] and not operands[1].isfinite().all():
        return True  # with a weight of the positives an infinite target times a weight of 0 or 1 is up to the formula
    signs_of = {"signbit": operands, "copysign": operands[1:]}.get(function, [])
    if any(t.isnan().any() for t in signs_of):
        return True  # the text of a program does not tell NaN's sign
    if statement.function in CONSTANT and any(t.requires_grad for t in operands):
        return True
    if function in ("index_add", "index_copy", "index_fill", "index_reduce") and not operands[0].numel():
        return True  # PyTorch does not look at indices then, not even at those into a dim of no elements
    is_complex = any(t.is_complex() for t in operands)
    if is_complex and function == "pow" and any((t.isinf() & t.isnan()).any() for t in operands):
        return True  # of infinity with a part of NaN PyTorch's exp(b log a) makes 0, products NaN here, as in NumPy
    becomes_complex = is_complex or any(isinstance(a, complex) for a in statement.arguments)
    if becomes_complex and function in ("add", "sub", "rsub") and is_any_real_not_finite(statement, run):
        return True  # PyTorch multiplies the second operand by alpha as complex numbers, which makes both parts NaN
    if function == "mean" and is_made_complex(statement, operands[0]) and not operands[0].isfinite().all():
        return True  # PyTorch divides by the complex number n + 0i, which makes both parts NaN
    if function == "multilabel_soft_margin_loss" and not operands[1].isfinite().all():
        return True  # PyTorch takes infinity times one logarithm from infinity times the other
    if function == "sigmoid" and operands[0].is_complex() and not (-operands[0].detach()).exp().isfinite().all():
        return True  # where its exponential function overflows PyTorch's is NaN
    if function == "soft_margin_loss" and overflows_in_soft_margin(*operands):
        return True  # PyTorch's exponential function, or the target times it, overflows where the loss is just large
    if function == "binary_cross_entropy_with_logits" and statement.arguments[3] and operands[0].isneginf().any():
        return True  # with a weight of the positives PyTorch takes infinity from infinity, where the loss is infinite
    if function in ("select_scatter", "diagonal_scatter", "slice_scatter") and overlaps_itself(operands[0]):
        return True  # PyTorch's copy overlaps itself too: what is written to one place shows in others
    if function == "round" and statement.named and operands[0].dtype in (NAMED["float16"], NAMED["bfloat16"]):
        return True  # PyTorch multiplies by the power of ten in 16 bits
    is_mixed = len(operands) < 2 or operands[0].dtype != operands[1].dtype
    if statement.named.get("rounding_mode") and is_mixed and any(t.dtype in SHORT for t in operands):
        return True  # PyTorch divides 16-bit numbers by a wider number without dims; what is promoted is rounded here
    if function == "gelu" and operands[0].isinf().any():
        return True  # PyTorch's loops over vectors and over single numbers differ there
    if function in ("var_mean", "std_mean") and operands[0].isinf().any():
        return True  # the mean that PyTorch carries along makes NaN of an infinity
    if statement.function == "addmv" and not operands[1].numel():
        return True  # PyTorch gives self's shape, whatever it would broadcast to
    if function == "linalg_vecdot" and operands[0].dim() == 1 and statement.named["dim"] not in (0, -1):
        return True  # PyTorch does not look at the dim of two vectors, and refuses one beyond those of matrices
    if function == "corrcoef" and is_any_row_flat_but_for_roundings(operands[0].detach()):
        return True  # their mean is rounded by as much: of what is -0.5 PyTorch makes 0, and this -0.67
    if function in ("cdist", "pdist") and operands[0].dtype in SHORT:
        return True  # PyTorch takes 16-bit numbers where there is nothing to do
    if function == "histogram" and isinstance(statement.arguments[1], str) and bool((operands[1].diff() < 0).any()):
        return True  # bins that do not grow have no elements; where a search among them ends is up to its steps
    if function == "histogram" and isinstance(statement.arguments[1], int) and is_any_at_a_rounded_edge(
            operands[0].detach(), statement.arguments[1], statement.named["range"]):
        return True  # whether an edge that is rounded lies before or behind what it is about to be is up to its sums
    if function == "histogramdd" and is_any_point_at_a_rounded_edge(statement, operands[0].detach()):
        return True  # as histogram
    if function in ("bucketize", "searchsorted") and is_unsorted(statement, run):
        return True  # as histogram: where a search among edges that do not grow ends
    if function == "histc" and operands[0].dtype in SHORT:
        return True  # PyTorch finds bins in 16 bits: of 1000 in bfloat16, amid 999 and 1001, the first of two
    if statement.writes() is not None and is_of_hidden_base(operands[0], run):
        return True  # what PyTorch's function (linalg_multi_dot) gives as a view of its own has a graph of another form
    called = statement.arguments[0] if function == "in_place" else function
    if called in ("addcdiv", "_foreach_addcdiv", "_foreach_addcdiv_") and divides_complex_by_zero(statement, run):
        return True  # as for a division by 0
    if function == "div" and any(t.is_complex() for t in operands) and has_zero_divisor(statement, run):
        return True  # PyTorch's loops over vectors and over single numbers differ in infinities and NaN
    if function.startswith("adaptive") and not operands[0].numel():
        return True  # PyTorch pools nothing where there are no channels, but not where there is nothing to pool
    if function == "polygamma" and order_of(statement) > 1 and operands[0].isinf().any():
        return True  # 0 at infinity; PyTorch has NaN there, but 0 for the first
    if is_complex and function in ("pow", "float_power") and has_zero_to_the_zeroth(statement, run):
        return True  # 1, as PyTorch gives for an exponent that is a number; for one in a tensor it has NaN
    is_softmax_of_none = function in ("softmax", "log_softmax") and not operands[0].numel()
    if is_softmax_of_none and not (statement.named.get("dtype") or operands[0].dtype).is_floating_point:
        return True  # PyTorch takes integers where there is nothing to do
    if function == "as_strided" and not operands[0].numel():
        return True  # where a view of nothing begins says nothing
    if function.startswith("conv_transpose") and not getattr(torch.ops.aten, function)(*(
            run.tensors.get(a, a) if isinstance(a, str) else a for a in statement.arguments)).numel():
        return True  # PyTorch refuses to make nothing of something, but for float32 and bfloat16
    if function.startswith("conv_transpose") and operands[0].dtype in SHORT and leaves_out_bias(statement, run):
        return True  # PyTorch's 16-bit results lack the bias in places that nothing else is added to
    if function in NOT_OF_INFINITY and not all(t.isfinite().all() for t in operands):
        return True  # infinity times a weight of 0, or of what a mask hides
    if function == "scaled_dot_product_attention" and is_laid_out_across(operands[0].detach()):
        return True  # PyTorch writes features in a row into a result whose features do not lie in one
    if function in CONVOLUTIONS and not all(t.numel() and t.isfinite().all() for t in operands):
        return True  # infinity times padding is up to the algorithm; of no channels PyTorch makes no examples
    if function == "conv3d" and operands[0].dtype == NAMED["bfloat16"] and is_strided_to_one_column(statement, operands):
        return True  # PyTorch's oneDNN reads memory that nobody wrote there, on one thread: 764 of 5,053 were wrong
    if function == "conv_module" and not operands[0].shape[-len(statement.arguments[3]) - 1]:
        return True  # of no channels PyTorch makes none, whatever the weights make
    if function == "constant_pad_nd" and isinstance(statement.arguments[2], complex) and not operands[0].is_complex():
        return True  # PyTorch takes the number where nothing is padded
    if statement.function == "fill_diagonal_" and statement.arguments[2] and has_gaps_between_rows(operands[0]):
        return True  # where the diagonal wraps, PyTorch steps as if rows lay one after the other
    if statement.function in READ_LATE and any(shares_memory(operands[0], t) for t in operands[1:]):
        return True
    if function in NORMS and not all(t.isfinite().all() for t in operands[1:]):
        return True  # PyTorch multiplies weights by means before it subtracts them
    if function in NORMS and operands[0].numel() and is_flat(statement, operands[0]):
        return True  # PyTorch subtracts products of 1 / sqrt(eps) that cancel
    if function == "batch_norm_module" and any(
            run.tensors[x].numel() and is_flat(statement, run.tensors[x]) for x in statement.arguments[0]):
        return True
    if function == "batch_norm" and statement.arguments[5] and operands[0].numel() == operands[0].shape[1]:
        return True  # at:: takes one value per channel, nn does not
    if function in ("multi_margin_loss", "multilabel_margin_loss") and not all(t.isfinite().all() for t in operands):
        return True  # what is no number, as infinity less infinity, costs nothing in PyTorch
    if function in ("multi_margin_loss", "multilabel_margin_loss") and not operands[1].numel():
        return True  # PyTorch leaves memory as it was for the loss of no samples
    if function == "index_put" and any(
            run.tensors[v].dim() == 0 for v in statement.arguments[1] if v) and writes_nowhere(statement, run):
        return True  # at::index_put takes an index without dims for a tensor, libtorch's for a number in range
    if function == "pad" and min(statement.arguments[1]) < 0 and statement.arguments[2] == "circular":
        return True  # PyTorch leaves memory as it was where nothing is left to go round
    is_product = function in PRODUCTS | ADDED_PRODUCTS
    if is_product and any(t.is_complex() and not t.isfinite().all() for t in operands):
        return True  # infinity times a complex number: PyTorch's too is NaN or not by the size
    if function == "linalg_multi_dot" and not all(t.isfinite().all() for t in operands):
        return True  # whether infinities meet is up to the order of the products
    if re.sub("_(out|into)$", "", function) in PRODUCTS | ADDED_PRODUCTS and operands[0].dtype == DTYPES_BOOL:
        return True  # sums of bools have no meaning of their own; PyTorch computes them for empty operands only
    if statement.writes() is not None and reaches_beyond_its_base(operands[0]):
        return True  # PyTorch's gradient is memory there that nobody wrote
    if statement.writes() is not None and is_made_anew_without_gradient(operands[0]):
        return True  # PyTorch loses the gradient of what as_strided shows beyond the view that it was called on
    if statement.writes() is not None:
        return overlaps_itself(operands[0]) or any(partly_shares(operands[0], t) for t in operands[1:])
    return False


def has_gaps_between_rows(matrix):
    return matrix.dim() == 2 and matrix.stride(0) != matrix.shape[1] * matrix.stride(1)


def is_strided_to_one_column(convolution, operands):
    """Does a kernel of several columns, whose steps are of several, give one column?"""
    if operands[1].shape[-1] == 1 or convolution.arguments[3][-1] == 1:
        return False
    x, weight = (t.detach().double() for t in operands[:2])
    return torch.ops.aten.conv3d(x, weight, None, *convolution.arguments[3:]).shape[-1] == 1


def is_extreme_by_a_digit(norm, x):
    """Is it the largest or least of a matrix' sums, which may be rounded, or of its singular values?"""
    order, dims = norm.arguments[1:3]
    if (x.dim() if dims is None else len(dims)) != 2:
        return False
    return order in (2, -2) or order in (1, -1, math.inf, -math.inf) and not is_of_eighths(x)


def leaves_out_bias(transposed, run):
    """Is any element of a transposed convolution that no element of the input reaches not the bias?"""
    x, weight, bias = (run.tensors[v].detach() if v else None for v in transposed.arguments[:3])
    if bias is None:
        return False
    convolve, geometry = getattr(torch.ops.aten, transposed.function), transposed.arguments[3:]
    is_alone = convolve(torch.ones_like(x), torch.ones_like(weight), None, *geometry) == 0
    is_bias = convolve(x, weight, bias, *geometry) == bias.reshape(-1, *[1] * (weight.dim() - 2))
    return bool((is_alone & ~is_bias).any())


def divides_complex_by_zero(addcdiv, run):
    """Is a divisor 0 where any operand is complex? Those of a function of lists stand in lists."""
    first = addcdiv.function == "in_place"  # whose name stands before them
    lists = [a if isinstance(a, list) else [a] for a in addcdiv.arguments[first:first + 3]]
    triples = [[run.tensors[v] for v in together] for together in zip(*lists)]
    return any(any(t.is_complex() for t in triple) and bool((triple[2] == 0).any()) for triple in triples)


def has_nan_bits(view, run):
    """Is any element of a tensor, or of it as another dtype, NaN?"""
    x = run.tensors[view.arguments[0]].detach()
    return bool(x.isnan().any() or x.view(view.arguments[1]).isnan().any())


def is_coarser_than_out(statement, run):
    """Has what a function with out= computes fewer digits than the tensor that it goes into?"""
    out, *arguments = (run.tensors[a].detach() if a in run.tensors else a for a in statement.arguments)
    result = getattr(torch, statement.function.removesuffix("_out_"))(*arguments, **statement.named)
    if not all(t.is_floating_point() or t.is_complex() for t in (out, result)):
        return False
    return torch.finfo(result.dtype).eps > torch.finfo(out.dtype).eps


def meets_integers(start, end, steps, dtype):
    """Are there whole numbers between the ends of a row of integers whose steps are none?"""
    if dtype is None or dtype.is_floating_point or dtype.is_complex or isinstance(start, complex) or steps < 2:
        return False
    ends = [fractions.Fraction(math.trunc(x)) if math.isfinite(x) else None for x in (start, end)]
    if None in ends:
        return False
    step = (ends[1] - ends[0]) / (steps - 1)
    return step.denominator > 1 and any((step * i).denominator == 1 for i in range(1, steps - 1))


def are_marked(foreach, run):
    """For each result of a function of lists, does what it is made of require grad?"""
    lists = [[run.tensors[v] for v in a] for a in foreach.arguments if isinstance(a, list) and a and isinstance(a[0], str)]
    return [any(t.requires_grad for t in together) for together in zip(*lists)]


def is_any_gradient_cancelled(optimizer, run):
    """Does the decay of a weight cancel its first gradient, but for roundings?"""
    name, params, gradients, options, groups = optimizer.arguments
    if name not in DIVIDES_BY_SIZES:
        return False
    for i, (p, grad) in enumerate(zip(params, gradients[0])):
        own = steps.pairs([*options, *(groups[i] if groups else [])])
        if grad is None or own.get("decoupled_weight_decay"):
            continue
        x = run.tensors[p].detach()
        decay = own.get("weight_decay", 0) * x.double()
        left = run.tensors[grad].detach().double() * (-1 if own.get("maximize") else 1) + decay
        if bool((left.abs() < 4 * torch.finfo(x.dtype).eps * decay.abs()).any()):
            return True
    return False


def overflows_in_soft_margin(x, target):
    x, target = x.detach(), target.detach()
    return not (target * (-x * target).exp()).isfinite().all()


def is_any_at_a_rounded_edge(x, bins, limits):
    """Is an element at an inner edge but for roundings?"""
    if not x.numel():
        return False
    edges = torch.histogram(x.double().flatten(), bins, range=limits)[1][1:-1]
    distances = (x.double().flatten().unsqueeze(-1) - edges).abs()
    is_exact = x.dtype == NAMED["float64"] and limits is not None
    return bool(((distances <= 32 * torch.finfo(x.dtype).eps * edges.abs().clamp_min(1)) & (
        (distances > 0) if is_exact else True)).any())


def is_any_point_at_a_rounded_edge(histogramdd, points):
    bins, limits = histogramdd.arguments[1:3]
    ranges = [limits and limits[2 * d:2 * d + 2] for d in range(len(bins))]
    return any(is_any_at_a_rounded_edge(points[:, d].contiguous(), n, r) for d, (n, r) in enumerate(zip(bins, ranges)))


def is_unsorted(search, run):
    """Are the edges of bins, or the rows that are searched, not in order?"""
    edges = run.tensors[search.arguments[1 if search.function == "bucketize" else 0]]
    return edges.dim() > 0 and bool((edges.detach().diff() < 0).any())


def shows_a_ratio(interpolate, x):
    """Is a dim as large as before, or twice as large, by another factor than 1 or 2?"""
    factors = interpolate.arguments[2]
    if factors is None or interpolate.arguments[5]:
        return False
    return any(math.floor(n * f) == ratio * n and f != ratio for n, f in zip(x.shape[2:], factors) for ratio in (1, 2))


def is_one_wide(interpolate, x):
    """Does an image become one column?"""
    size, scale = interpolate.arguments[1:3]
    return (size[-1] if size else math.floor(x.shape[-1] * scale[-1])) == 1


def hides_all_keys(attention, run):
    """Do masks leave nothing to any query?"""
    hidden, mask, heads = {
        "attention_forward": lambda a: (a[10], a[11], a[3]), "encoder_layer": lambda a: (a[5], a[4], a[2]),
        "decoder_layer": lambda a: (a[6], a[5], a[3])}[attention.function](attention.arguments)
    masks = []
    if mask:
        masks.append(run.tensors[mask])
    if hidden:
        masks.append(run.tensors[hidden].repeat_interleave(heads, 0).unsqueeze(1))
    hiding = [m if m.dtype == DTYPES_BOOL else m.isneginf() for m in masks]
    if not hiding:
        return False
    covered = hiding[0] if len(hiding) == 1 else hiding[0] | hiding[1]
    return bool(covered.all(-1).any())


SHORT = {NAMED["float16"], NAMED["bfloat16"]}
WIDE_INTEGERS = {NAMED["int16"], NAMED["int32"], NAMED["int64"]}
MOST_CONDITION = 100  # by which two of the seven digits of single precision are lost
LARGEST_EXACT = 4  # five of them have eighths in each dtype's digits, bfloat16's eight among them
DTYPES_BOOL = NAMED["bool"]


def writes_nowhere(statement, run):
    """Do the indices of an index_put pick no element?"""
    x, indices = run.tensors[statement.arguments[0]], [v and run.tensors[v] for v in statement.arguments[1]]
    return not x.numel() or not torch.ops.aten.index(x.detach(), indices).numel()


def reaches_beyond_its_base(t):
    """Does a view, of as_strided, have elements that the tensor it is a view of has not?"""
    return t._base is not None and not places(t) <= places(t._base)


def is_made_anew_without_gradient(t):
    """Does a view as complex numbers of real ones, or as real ones of complex ones, which PyTorch makes anew after a write
    by the views that led to it, have a gradient that does not come to its base?"""
    if t._base is None or t._base.is_complex() == t.is_complex() or not t.numel():
        return False
    base = copied(t._base).zero_().requires_grad_()
    view = t._view_func(base)
    if view is None:  # PyTorch cannot tell how it was made
        return False
    grad, = torch.autograd.grad(view, base, torch.full_like(view, 1 + 1j if t.is_complex() else 1))
    parts = torch.view_as_real(grad) if grad.is_complex() else grad
    return int(parts.count_nonzero()) < view.numel() * (1 + t.is_complex())


def is_of_hidden_base(t, run):
    """Is it a view of what is no tensor of the program?"""
    return t._is_view() and all(t._base is not other for other in run.tensors.values())


def places(t):
    """The bytes of its storage that its elements are made of."""
    firsts = [t.storage_offset()]
    for n, stride in zip(t.shape, t.stride()):
        firsts = [first + i * stride for first in firsts for i in range(n)]
    size = t.element_size()
    return {first * size + byte for first in firsts for byte in range(size)}


def partly_shares(target, t):
    """Does it lie in the memory that is written to, but not as the target does? PyTorch reads it late then."""
    same = (t.data_ptr(), t.shape, t.stride()) == (target.data_ptr(), target.shape, target.stride())
    return not same and t.numel() and target.numel() and begin(t) < end(target) and begin(target) < end(t)


def begin(t):
    return t.data_ptr()


def end(t):
    return t.data_ptr() + (sum((n - 1) * s for n, s in zip(t.shape, t.stride())) + 1) * t.element_size()


def order_of(polygamma):
    """Which derivative it is, an argument that stands behind the tensor in the form in place."""
    return next(a for a in polygamma.arguments if not isinstance(a, str))


def is_of_eighths(x):
    """Are all elements small real numbers whose sums are exact in any order?"""
    return not x.is_complex() and bool(((8 * x == (8 * x).round()) & (x.abs() < LARGEST_EXACT)).all())


def is_any_of_nothing(logsumexp, x):
    """Is any sum one of zeros alone, whose logarithm is -inf?"""
    return bool(getattr(torch.ops.aten, logsumexp.function)(x, *logsumexp.arguments[1:]).real.isneginf().any())


def is_any_on_the_cut(logsumexp, x):
    """Is the sum of any exponentials a negative real number?"""
    angles = torch.logsumexp(x, *logsumexp.arguments[1:]).imag.abs()
    return bool(((angles - math.pi).abs() < 1e-5).any())


def jumps_over(x, dilation):
    """Is a window's next element so far off that the whole input may lie between two?"""
    return any(step > size for step, size in zip(dilation, x.shape[-len(dilation):]))


def may_overflow_to_zero(prod, x):
    """Are there a 0 and, in the dtype that is multiplied in, a product of others beyond its largest number?"""
    x = x if prod.named["dtype"] is None else x.to(prod.named["dtype"])
    if not x.is_floating_point() and not x.is_complex():
        return False
    lines = x.flatten() if len(prod.arguments) == 1 else x.movedim(prod.arguments[1], -1) if x.dim() else x.reshape(1)
    largest = lines.abs().double().clamp_min(1).prod(-1)
    return bool(((lines == 0).any(-1) & (largest > torch.finfo(x.dtype).max)).any())


def has_equal_infinities(points):
    """Are two points infinitely far out along one axis?"""
    return any(bool((points == infinity).sum(0).gt(1).any()) for infinity in (math.inf, -math.inf))


def has_small_square(y, x):
    squares = (y.detach().square() + x.detach().square()).reciprocal()
    return bool((squares.isinf() & ((y != 0) | (x != 0))).any())


def is_near_pole(x):
    x = x.double()
    return bool(((x <= 0.1) & ((x - x.round()).abs() <= 0.1)).any())


def is_laid_out_across(queries):
    """Do the features lie in a row, as those of what is laid out as PyTorch's `empty_like` has it do not?"""
    return queries.shape[-1] > 1 and queries.stride(-1) == 1 != torch.empty_like(queries).stride(-1)


def is_any_between(x, low, high):
    return bool(((x > low) & (x < high)).any())


def is_any_beyond_int32(x):
    return bool((x.double().abs() >= 2**31).any())


# Norms of any order, and which of their arguments it is.
POWERS = {"norm": 1, "linalg_vector_norm": 1, "renorm": 1, "normalize": 1, "dist": 2}


def is_power_beyond_half(norm, operands):
    """Is the length of all elements, to the power that its gradient divides by, too large for 16 bits, or so small that
    what is divided by it is?"""
    function = norm.function.rstrip("_")
    order = norm.arguments[POWERS[function]]
    if order is None or not 2 < order < math.inf:
        return False
    x = operands[0].detach().double() - (operands[1].detach().double() if function == "dist" else 0)
    power = x[x.isfinite()].norm(order) ** (order - 1)
    return bool(power > torch.finfo(torch.float16).max or power < 0.01)


def is_any_nuclear_open(norm, x):
    """Is it a nuclear norm, the sum of singular values, of a matrix one of whose is 0?"""
    if norm.function == "linalg_matrix_norm" and norm.arguments[1] != "nuc":
        return False
    return bool((torch.linalg.matrix_rank(x) < min(x.shape[-2:])).any())


def is_of_singular_values(statement, function):
    is_norm = function == "linalg_matrix_norm" and statement.arguments[1] in ("nuc", 2, -2)
    return is_norm or function in ("nuclear_norm", "linalg_svdvals")


def is_any_row_flat_but_for_roundings(x):
    """Do the elements of any row differ, but by no more than roundings of the largest?"""
    if not x.numel() or not x.dim() or not (x.is_floating_point() or x.is_complex()):
        return False
    spread, largest = (x - x[..., :1]).abs().amax(-1), x.abs().amax(-1)
    return bool(((spread > 0) & (spread <= 32 * torch.finfo(x.dtype).eps * largest)).any())


def is_any_singular(matrices):
    return bool((torch.linalg.matrix_rank(matrices) < matrices.shape[-1]).any())


def is_ill_conditioned(matrices):
    """In single precision."""
    return matrices.dtype in (torch.float32, torch.complex64) and not bool((torch.linalg.cond(matrices) < MOST_CONDITION).all())


def is_rough_trigamma(x):
    return x.requires_grad and (x.dtype == NAMED["float64"] or bool((x < 0).any()))


def has_negative_zero(x):
    return bool(((x == 0) & x.signbit()).any())


def has_zero_divisor(statement, run):
    divisor = statement.arguments[1]
    return bool(((run.tensors[divisor] if isinstance(divisor, str) else torch.tensor(divisor)) == 0).any())


def has_zero_to_the_zeroth(statement, run):
    base, exponent = (run.tensors[a] if isinstance(a, str) else a for a in statement.arguments)
    return bool(((base == 0) & (exponent == 0)).any())


def is_any_real_not_finite(statement, run):
    values = [run.tensors.get(a, a) if isinstance(a, str) else a for a in statement.arguments]
    reals = [v for v in values if not (v.is_complex() if isinstance(v, torch.Tensor) else isinstance(v, complex))]
    return any(not torch.as_tensor(v).isfinite().all() for v in reals if isinstance(v, (torch.Tensor, float)))


def is_made_complex(statement, operand):
    dtype = statement.named.get("dtype")
    return dtype is not None and str(dtype).split(".")[-1] in ("complex64", "complex128") and not operand.is_complex()


def has_no_freedom(statement, run):
    """Are there no more values than the correction that is taken from their number?"""
    x, dims, correction = run.tensors[statement.arguments[0]], statement.arguments[1], statement.named["correction"]
    count = math.prod(x.shape[d] for d in (dims or range(x.dim()))) if x.dim() else 1
    return count <= (1 if correction is None else correction)


def groups_of(statement, x):
    """The values that a norm averages over, a row for each mean."""
    if statement.function == "layer_norm":
        return x.reshape(-1, math.prod(statement.arguments[1]))
    if statement.function == "group_norm":
        return x.reshape(x.shape[0] * statement.arguments[1], -1)
    if statement.function == "instance_norm":
        return x.flatten(0, 1).flatten(1)
    return x.transpose(0, 1).reshape(x.shape[1], -1)


def has_two_values(groups):
    return any(len(set(row)) < 3 for row in groups.detach().tolist())


def is_flat(statement, x):
    """Are the values that a norm averages over, or some of them, nearly one?"""
    groups = groups_of(statement, x)
    return groups.shape[1] < 3 or not bool((groups.double().std(1, correction=0) > 0.05).all())


def picks_a_tie(statement, x):
    """Is there an equal element, or another NaN, beside one that a function picks along a dim?"""
    dims = [a for a in statement.arguments[1:] if not isinstance(a, bool)]
    dim = dims[-1] if dims else -1
    if not x.dim():
        return False
    picked = getattr(torch.ops.aten, statement.function)(x, *statement.arguments[1:])[0]
    return is_tied(x, picked if picked.dim() == x.dim() else picked.unsqueeze(dim), dim)


def is_tied(x, picked, dim):
    """Are there elements along a dim that are picked from it, there more than once? NaN is as NaN."""
    x, picked = x.movedim(dim, -1).unsqueeze(-1), picked.movedim(dim, -1).unsqueeze(-2)
    return bool((((x == picked) | x.isnan() & picked.isnan()).sum(-2) > 1).any())


def is_between_ties(statement, run):
    """Is there an equal element beside one that a quantile is made of?"""
    x, q, dim = (run.tensors.get(a, a) if isinstance(a, str) else a for a in statement.arguments[:3])
    x, dim = (x.detach().flatten(), 0) if dim is None or not x.dim() else (x.detach(), dim)
    quantile = torch.quantile if statement.function == "quantile" else torch.nanquantile
    for part in torch.as_tensor(q, dtype=x.dtype).flatten():
        for interpolation in ("lower", "higher"):
            if is_tied(x, quantile(x, part, dim, True, interpolation=interpolation), dim):
                return True
    return False


def is_as_large_as_left_out(statement, run):
    """Is the extreme of what goes somewhere equal to the element that is there, where that takes no part?"""
    if statement.named["include_self"]:
        return False
    x, dim, index, source, reduce = (run.tensors[a].detach() if a in run.tensors else a for a in statement.arguments)
    function = statement.function.rstrip("_")
    result = getattr(torch.ops.aten, function)(x, dim, index, source, reduce, include_self=False)
    nowhere = torch.zeros(x.shape, dtype=torch.bool)
    fill = nowhere.scatter if function == "scatter_reduce" else nowhere.index_fill
    return bool(((result == x) & fill(dim, index.long(), True)).any())


def overlaps_itself(t):
    """May two of a tensor's elements lie in one place?"""
    reach = 1
    for stride, size in sorted((s, n) for s, n in zip(t.stride(), t.shape) if n > 1):
        if stride < reach:
            return True
        reach = stride * (size - 1) + reach
    return False


def is_stale(t):
    """Is it a view made without gradients, of a tensor that was written since? PyTorch refuses even to describe it."""
    try:
        return t.is_leaf and False
    except RuntimeError:
        return True
