"""Prints the gradients that strided.cpp expects: PyTorch's as_strided of leaves that are not row-major."""
import torch


def counted(n):
    return torch.arange(n, dtype=torch.float64)


def gradient(leaf, sizes, strides, offset):
    x = leaf.detach().requires_grad_()
    y = x.as_strided(sizes, strides, offset)
    (y * (counted(y.numel()) + 1).view(y.shape)).sum().backward()
    return x.grad.flatten().tolist()


transposed = counted(12).view(3, 4).t()
print(gradient(transposed, (2, 3), (1, 4), 0))
print(gradient(transposed, (3,), (2,), 1))
print(gradient(transposed, (2, 3, 2), (1, 4, 0), 0))
print(gradient(transposed, (3, 4), (1, 2), 0))
print(gradient(counted(12)[1::2], (5,), (1,), 1))
print(gradient(counted(12)[1::2], (3, 2), (3, 2), 2))
print(gradient(counted(12)[4::2], (8,), (1,), 0))
print(gradient(counted(3).expand(2, 3), (3,), (1,), 0))
print(gradient(counted(3).view(3, 1).expand(3, 2), (2, 2), (1, 1), 0))
x = transposed.detach().requires_grad_()
(first,) = torch.autograd.grad((x.as_strided((3,), (2,), 1) ** 3).sum(), x, create_graph=True)
print(torch.autograd.grad(first.sum(), x)[0].flatten().tolist())
