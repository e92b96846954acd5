"""Fused kernels, compiled by numba (extra `fast`): one mechanism a file, each with the form it stands for."""
