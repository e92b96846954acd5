"""Claims on the dithered quantizer, its errors and its floating-point and wire forms."""
