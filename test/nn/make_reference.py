"""Makes reference.safetensors and sequence.safetensors: inputs, outputs and gradients of PyTorch's modules in float64.

For a module NAME: x (and x1, ... for further inputs), the parameters and buffers p.*, the output y, its cotangent gy,
and the gradients gx and g.*; after.* holds the buffers after the call. Run with a Python that has torch.
"""

import os
import sys

import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from safetensors import save

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
out = {}


def randomise(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.randn_like(p) * 0.5)
        for name, b in module.named_buffers():
            if "var" in name:
                b.copy_(torch.rand_like(b) + 0.5)
            elif "mean" in name:
                b.copy_(torch.randn_like(b))


def flat(*tensors):
    return torch.cat([t.flatten() for t in tensors])


def case(name, module, *inputs, train=True, call=lambda m, *x: m(*x)):
    module.train(train)
    randomise(module)
    for key, value in module.state_dict().items():
        out[f"{name}.p.{key}"] = value.clone()
    inputs = [x.clone() for x in inputs]
    if inputs[0].dtype.is_floating_point:
        inputs[0].requires_grad_()
    y = call(module, *inputs)
    gy = torch.randn_like(y)
    y.backward(gy)
    for i, x in enumerate(inputs):
        out[f"{name}.x{i or ''}"] = x
    out[f"{name}.y"] = y
    out[f"{name}.gy"] = gy
    if inputs[0].dtype.is_floating_point:
        out[f"{name}.gx"] = inputs[0].grad
    for key, p in module.named_parameters():
        out[f"{name}.g.{key}"] = p.grad
    for key, b in module.named_buffers():
        out[f"{name}.after.{key}"] = b


def r(*shape):
    return torch.randn(*shape)


case("linear", nn.Linear(4, 3), r(2, 5, 4))
case("linear_nobias", nn.Linear(4, 3, bias=False), r(5, 4))
case("bilinear", nn.Bilinear(3, 4, 2), r(5, 3), r(5, 4))
case("conv1d", nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2), r(2, 4, 11))
case("conv2d", nn.Conv2d(2, 3, (3, 2), stride=(1, 2), padding=(2, 1)), r(2, 2, 5, 6))
case("conv2d_same", nn.Conv2d(2, 2, (4, 3), padding="same"), r(1, 2, 5, 6))
case("conv2d_reflect", nn.Conv2d(2, 2, 3, padding=2, padding_mode="reflect"), r(1, 2, 5, 6))
case("conv2d_circular", nn.Conv2d(2, 2, 3, padding=(1, 2), padding_mode="circular"), r(1, 2, 5, 6))
case("conv2d_same_replicate", nn.Conv2d(1, 2, (4, 3), padding="same", padding_mode="replicate"), r(1, 1, 5, 6))
case("conv_transpose1d", nn.ConvTranspose1d(4, 2, 3, stride=2, padding=1, output_padding=1, groups=2), r(2, 4, 5))
case("conv_transpose2d", nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1, dilation=2), r(2, 3, 4, 3))
case("max_pool1d", nn.MaxPool1d(3, stride=2, padding=1), r(2, 2, 7))
case("max_pool2d", nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True), r(2, 2, 7, 6))
case("avg_pool1d", nn.AvgPool1d(3, stride=2, padding=1), r(2, 2, 7))
case("avg_pool2d", nn.AvgPool2d((2, 3), stride=2, padding=1, count_include_pad=False), r(2, 2, 7, 6))
case("adaptive_avg_pool1d", nn.AdaptiveAvgPool1d(3), r(2, 2, 7))
case("adaptive_avg_pool2d", nn.AdaptiveAvgPool2d((3, None)), r(2, 2, 7, 4))
case("adaptive_max_pool2d", nn.AdaptiveMaxPool2d((3, 2)), r(2, 2, 7, 5))
case("batch_norm1d", nn.BatchNorm1d(3), r(6, 3))
case("batch_norm2d", nn.BatchNorm2d(3, momentum=0.3), r(2, 3, 4, 2))
case("batch_norm2d_eval", nn.BatchNorm2d(3), r(2, 3, 4, 2), train=False)
case("batch_norm2d_average", nn.BatchNorm2d(2, momentum=None), r(3, 2, 2, 2))
case("batch_norm3d_plain", nn.BatchNorm3d(2, affine=False, track_running_stats=False), r(2, 2, 2, 3, 2))
case("instance_norm1d", nn.InstanceNorm1d(3, affine=True), r(2, 3, 5))
case("instance_norm2d_tracked", nn.InstanceNorm2d(2, track_running_stats=True), r(2, 2, 3, 3))
case("layer_norm", nn.LayerNorm([3, 4]), r(2, 3, 4))
case("group_norm", nn.GroupNorm(2, 4), r(2, 4, 3))
case("embedding", nn.Embedding(5, 3, padding_idx=1), torch.tensor([[0, 1, 4], [4, 2, 0]]))
case("prelu", nn.PReLU(3), r(2, 3, 4))
case("zero_pad2d", nn.ZeroPad2d((1, 2, 0, 1)), r(1, 2, 3, 3))
case("reflection_pad1d", nn.ReflectionPad1d((2, 1)), r(1, 2, 4))
case("replication_pad2d", nn.ReplicationPad2d(2), r(1, 1, 3, 3))
case("constant_pad1d", nn.ConstantPad1d((1, 2), 3.5), r(2, 3))
case("cosine_similarity", nn.CosineSimilarity(dim=1), r(3, 4), r(3, 4))
case("pairwise_distance", nn.PairwiseDistance(), r(3, 4), r(3, 4))

case("upsample_nearest", nn.Upsample(size=(5, 7)), r(1, 2, 3, 4))
case("upsample_nearest_exact", nn.Upsample(scale_factor=1.7, mode="nearest-exact"), r(1, 1, 6))
case("upsample_linear", nn.Upsample(size=3, mode="linear"), r(1, 2, 7))
case("upsample_bilinear", nn.Upsample(scale_factor=2, mode="bilinear"), r(1, 2, 3, 4))
case("upsample_bilinear_corners", nn.Upsample(size=(5, 1), mode="bilinear", align_corners=True), r(1, 2, 3, 4))
case("upsample_bicubic", nn.Upsample(scale_factor=(2, 1.5), mode="bicubic"), r(1, 1, 4, 5))
case("upsample_trilinear", nn.Upsample(scale_factor=2, mode="trilinear"), r(1, 1, 2, 3, 2))
case("pixel_shuffle", nn.PixelShuffle(2), r(2, 8, 3, 2))
case("pixel_unshuffle", nn.PixelUnshuffle(2), r(2, 1, 4, 6))

x = torch.cat([r(12) * 3, torch.tensor([0.1, -0.1, 25.0, -25.0])]).view(4, 4)
for name, module in {
    "relu": nn.ReLU(), "relu6": nn.ReLU6(), "leaky_relu": nn.LeakyReLU(0.2), "elu": nn.ELU(0.7), "selu": nn.SELU(),
    "celu": nn.CELU(1.3), "gelu": nn.GELU(), "gelu_tanh": nn.GELU("tanh"), "silu": nn.SiLU(), "mish": nn.Mish(),
    "sigmoid": nn.Sigmoid(), "log_sigmoid": nn.LogSigmoid(), "tanh": nn.Tanh(), "tanhshrink": nn.Tanhshrink(),
    "softsign": nn.Softsign(), "hardsigmoid": nn.Hardsigmoid(), "hardswish": nn.Hardswish(),
    "hardtanh": nn.Hardtanh(-0.5, 2.0), "softplus": nn.Softplus(1.5, 10), "softshrink": nn.Softshrink(0.3),
    "hardshrink": nn.Hardshrink(0.3), "threshold": nn.Threshold(0.2, -1.0), "glu": nn.GLU(),
    "softmax": nn.Softmax(1), "softmin": nn.Softmin(0), "log_softmax": nn.LogSoftmax(-1), "rrelu_eval": nn.RReLU(),
}.items():
    case(name, module, x, train=not name.endswith("eval"))

a, b, w = r(3, 4), r(3, 4), torch.rand(4) + 0.5
sign = torch.tensor([1.0, -1.0, 1.0])
classes = torch.tensor([2, 0, 3])
for name, module, inputs in [
    ("l1_loss", nn.L1Loss(), (a, b)),
    ("mse_loss", nn.MSELoss(), (a, b)),
    ("mse_loss_sum", nn.MSELoss(reduction="sum"), (a, b)),
    ("mse_loss_none", nn.MSELoss(reduction="none"), (a, b)),
    ("smooth_l1_loss", nn.SmoothL1Loss(beta=0.5), (a, b)),
    ("huber_loss", nn.HuberLoss(delta=0.7), (a, b)),
    ("soft_margin_loss", nn.SoftMarginLoss(), (a, b.sign())),
    ("kl_div_batchmean", nn.KLDivLoss(reduction="batchmean"), (a.log_softmax(1), b.softmax(1))),
    ("kl_div_log", nn.KLDivLoss(reduction="sum", log_target=True), (a.log_softmax(1), b.log_softmax(1))),
    ("hinge_embedding_loss", nn.HingeEmbeddingLoss(0.8), (a, b.sign())),
    ("poisson_nll_loss", nn.PoissonNLLLoss(full=True), (a, b.abs() * 5)),
    ("margin_ranking_loss", nn.MarginRankingLoss(0.3), (a[:, 0], b[:, 0], sign)),
    ("cosine_embedding_loss", nn.CosineEmbeddingLoss(0.1), (a, b, sign)),
    ("triplet_margin_loss", nn.TripletMarginLoss(swap=True), (a, b, r(3, 4))),
    ("bce_loss", nn.BCELoss(weight=w), (a.sigmoid(), b.sigmoid())),
    ("bce_with_logits_loss", nn.BCEWithLogitsLoss(pos_weight=w), (a, b.sigmoid())),
    ("nll_loss", nn.NLLLoss(weight=w), (a.log_softmax(1), classes)),
    ("nll_loss_2d", nn.NLLLoss(ignore_index=1), (r(2, 3, 2, 2), torch.tensor([[[0, 1], [2, 1]], [[1, 1], [0, 2]]]))),
    ("cross_entropy", nn.CrossEntropyLoss(weight=w, label_smoothing=0.1), (a, classes)),
    ("cross_entropy_prob", nn.CrossEntropyLoss(), (a, b.softmax(1))),
    ("multi_margin_loss", nn.MultiMarginLoss(p=2, margin=0.9, weight=w), (a, classes)),
    ("multilabel_soft_margin_loss", nn.MultiLabelSoftMarginLoss(), (a, (b > 0).double())),
]:
    case(name, module, *inputs)

case("conv3d", nn.Conv3d(4, 6, (2, 3, 2), stride=(2, 1, 2), padding=(1, 2, 0), dilation=(2, 1, 1), groups=2),
     r(2, 4, 5, 4, 5))
case("conv3d_same_circular", nn.Conv3d(2, 2, (2, 3, 3), padding="same", padding_mode="circular"), r(1, 2, 3, 4, 3))
case("conv_transpose3d", nn.ConvTranspose3d(4, 6, (3, 2, 2), stride=(3, 2, 1), padding=(2, 1, 0), dilation=(1, 1, 2),
                                            output_padding=(2, 1, 0), groups=2), r(2, 4, 3, 3, 2))

save(out, os.path.join(os.path.dirname(__file__), "reference.safetensors"))
out = {}


def rnn(m, *x):
    return flat(*m(*x))


def lstm(m, x, h=None, c=None):
    y, (h, c) = m(x, None if h is None else (h, c))
    return flat(y, h, c)


case("rnn", nn.RNN(3, 4, num_layers=2, nonlinearity="relu", bidirectional=True), r(5, 2, 3), r(4, 2, 4), call=rnn)
case("rnn_unbatched", nn.RNN(3, 2, bias=False), r(5, 3), call=rnn)
case("lstm", nn.LSTM(3, 4, num_layers=2), r(5, 2, 3), call=lstm)
case("lstm_proj", nn.LSTM(3, 4, batch_first=True, bidirectional=True, proj_size=2), r(2, 5, 3), r(2, 2, 2), r(2, 2, 4), call=lstm)
case("gru", nn.GRU(3, 4, num_layers=2, bidirectional=True), r(5, 2, 3), r(4, 2, 4), call=rnn)
case("rnn_cell", nn.RNNCell(3, 4), r(2, 3), r(2, 4))
case("lstm_cell", nn.LSTMCell(3, 4), r(2, 3), r(2, 4), r(2, 4), call=lambda m, x, h, c: flat(*m(x, (h, c))))
case("gru_cell", nn.GRUCell(3, 4), r(2, 3), r(2, 4))

hidden = torch.tensor([[False, False, True], [False, False, False]])
causal = torch.triu(torch.ones(4, 3, dtype=torch.bool), 1)
case("attention", nn.MultiheadAttention(4, 2), r(4, 2, 4), r(3, 2, 4), r(3, 2, 4),
     call=lambda m, q, k, v: flat(*m(q, k, v, key_padding_mask=hidden, attn_mask=causal)))
case("attention_extra", nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True, add_zero_attn=True), r(4, 2, 4), r(3, 2, 3), r(3, 2, 5),
     call=lambda m, q, k, v: flat(*m(q, k, v, key_padding_mask=hidden, average_attn_weights=False)))
mask = nn.Transformer.generate_square_subsequent_mask(3)
case("encoder_layer", nn.TransformerEncoderLayer(4, 2, 6, dropout=0, activation="gelu"), r(3, 2, 4), call=lambda m, x: m(x, mask))
case("decoder_layer", nn.TransformerDecoderLayer(4, 2, 6, dropout=0), r(3, 2, 4), r(5, 2, 4), call=lambda m, x, y: m(x, y, mask))
case("transformer", nn.Transformer(4, 2, 2, 1, 6, dropout=0), r(3, 2, 4), r(3, 2, 4), call=lambda m, x, y: m(x, y, tgt_mask=mask))

save(out, os.path.join(os.path.dirname(__file__), "sequence.safetensors"))
