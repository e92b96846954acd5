"""Checks of MARINA beside other methods with the same quantizers."""
