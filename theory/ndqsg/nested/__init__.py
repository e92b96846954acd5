"""Claims on nested quantization: decoding, gains, overload and side information."""
