"""Claims on quantization on grids, and on which grid a constant or a code belongs to."""
