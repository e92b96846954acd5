"""Exact second moments of MARINA on quadratics: what `cq_marina/marina-exact-oracle` is proved from."""
