"""Quantizers that round each coordinate to one of two levels, at random."""
