"""Training runs that claims and figures on dithered quantization share."""
