"""Claims on convergence of SGD with dithered gradients."""
