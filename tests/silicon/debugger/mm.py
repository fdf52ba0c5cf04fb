"""A product of two matrices by PyTorch. The numbers say where they stand.

cuBLASLt's kernel is the only one; with ``cuda`` others make the matrices before.
"""

import sys

import torch

SIZE = 4096

line = torch.arange(SIZE, device=sys.argv[1] if sys.argv[1:] else "cpu")
rows, columns = line[:, None], line
a = (10 * (rows % 10) + columns % 10).to(torch.bfloat16).cuda()
b = (100 + 10 * (rows % 10) + columns % 10).to(torch.bfloat16).cuda()
print(torch.matmul(a, b.T)[0, 0].item())
