"""Writes reference.safetensors: metrics of drawn examples by scikit-learn, and FLOPs of models by PyTorch's counter.

    python3 test/train/make_reference.py    (scikit-learn 1.9, torch 2.15, safetensors)
"""
import pathlib

import numpy as np
import torch
from safetensors.numpy import save_file
from sklearn import metrics as sk
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

random = np.random.default_rng(3)
out = {}


def number(value):
    return np.array(value, dtype=np.float64)


# Five classes of six: class 5 never occurs and is guessed by nobody, class 4 is only guessed.
scores = random.normal(size=(200, 6)).astype(np.float32)
scores[:, 5] = -9
target = random.integers(0, 4, 200)
scores[np.arange(200), target] += 1
guess = scores.argmax(1)
out["scores"], out["target"] = scores, target
out["accuracy"] = number(sk.accuracy_score(target, guess))
out["top2"] = number(sk.top_k_accuracy_score(target, scores, k=2, labels=range(6)))
out["ignoring_2"] = number(sk.accuracy_score(target[target != 2], guess[target != 2]))
out["confusion"] = sk.confusion_matrix(target, guess, labels=range(6)).astype(np.int64)
out["balanced"] = number(sk.balanced_accuracy_score(target, guess))
for average in ["macro", "weighted", "micro"]:
    options = dict(average=average, zero_division=0)
    out[f"precision_{average}"] = number(sk.precision_score(target, guess, **options))
    out[f"recall_{average}"] = number(sk.recall_score(target, guess, **options))
    out[f"f1_{average}"] = number(sk.f1_score(target, guess, **options))
    out[f"f2_{average}"] = number(sk.fbeta_score(target, guess, beta=2, **options))
precision, recall, f1, _ = sk.precision_recall_fscore_support(target, guess, labels=range(6), zero_division=0)
out["precisions"], out["recalls"], out["f1s"] = precision, recall, f1

# Scores of one digit, so that many are equal.
binary = random.integers(0, 2, 300)
soft = np.round(random.normal(size=300) + 0.8 * binary, 1).astype(np.float32)
out["binary_scores"], out["binary_target"] = soft, binary
out["roc_auc"] = number(sk.roc_auc_score(binary, soft))
out["average_precision"] = number(sk.average_precision_score(binary, soft))
fpr, tpr, thresholds = sk.roc_curve(binary, soft, drop_intermediate=False)
out["fpr"], out["tpr"], out["thresholds"] = fpr, tpr, thresholds
precision, recall, _ = sk.precision_recall_curve(binary, soft)
out["curve_precision"], out["curve_recall"] = precision[::-1][1:].copy(), recall[::-1][1:].copy()
out["binary_f1"] = number(sk.f1_score(binary, soft > 0.5))
chances = torch.softmax(torch.tensor(scores[:, :4]), 1).double().numpy()
chances /= chances.sum(1, keepdims=True)
out["chances"] = chances
out["multiclass_auc"] = number(sk.roc_auc_score(target, chances, multi_class="ovr", average="macro"))
out["multiclass_precision"] = number(np.mean([sk.average_precision_score(target == c, chances[:, c]) for c in range(4)]))

# Regression far from 0, where sums of squares lose their digits, with a constant output.
truth = 1e6 + random.normal(size=(150, 3))
truth[:, 2] = 5
predicted = truth + 0.5 * random.normal(size=(150, 3))
out["truth"], out["predicted"] = truth, predicted
out["r2"] = number(sk.r2_score(truth, predicted))
out["r2_first"] = number(sk.r2_score(truth[:, 0], predicted[:, 0]))
out["mean"], out["std"] = number(truth[:, 0].mean()), number(truth[:, 0].std(ddof=1))
out["population_std"] = number(truth[:, 0].std())


def flops(model, *inputs):
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model.eval()(*inputs)
    return np.array(counter.get_total_flops(), dtype=np.int64)


convolutions = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, groups=4),
                             nn.ConvTranspose2d(8, 4, 2, stride=2), nn.Flatten(), nn.Linear(4 * 14 * 14, 10))
out["flops_convolutions"] = flops(convolutions, torch.zeros(2, 3, 18, 18))
out["flops_mlp"] = flops(nn.Sequential(nn.Linear(20, 30), nn.Tanh(), nn.Linear(30, 5)), torch.zeros(4, 7, 20))
q, k, v = torch.zeros(2, 3, 5, 8), torch.zeros(2, 3, 6, 8), torch.zeros(2, 3, 6, 8)
out["flops_attention"] = np.array(2 * 3 * (2 * 5 * 6 * 8 + 2 * 5 * 6 * 8), dtype=np.int64)


class Attend(nn.Module):
    def forward(self, q, k, v):
        return nn.functional.scaled_dot_product_attention(q, k, v)


assert flops(Attend(), q, k, v) in (0, out["flops_attention"]), flops(Attend(), q, k, v)
save_file({k: np.ascontiguousarray(v) for k, v in out.items()}, pathlib.Path(__file__).parent / "reference.safetensors")
