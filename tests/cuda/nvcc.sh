# Sourced by every test that wants nvcc: $nvcc is the one in PATH, in $CUDA_PATH or where it installs
# itself, and $cuda the folder with its headers and libraries; both empty where there is none.
nvcc=$(command -v nvcc || ls "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc 2>/dev/null |
    head -n 1)
cuda=${nvcc:+$(dirname "$(dirname "$(readlink -f "$nvcc")")")}
