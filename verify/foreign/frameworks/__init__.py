"""Vectors of other frameworks: numpy, torch, jax, and any module whose arrays numpy can read."""

from verify.foreign.frameworks.choice import framework_of
from verify.foreign.frameworks.framework import Framework
from verify.foreign.frameworks.global_generators import kept_global_generators
from verify.foreign.frameworks.numpy_arrays import NumpyArrays

__all__ = ["Framework", "NumpyArrays", "framework_of", "kept_global_generators"]
