"""gemm(M, N, K, alpha, beta, A, B, C): C = beta C + alpha A B, arrays of numpy or of the standard library."""
import os

from .bindings import Kernels

_kernels = Kernels(os.path.join(os.path.dirname(os.path.abspath(__file__)), "gemm.so"))
gemm = _kernels.gemm
