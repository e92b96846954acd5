"""SGD with quantized gradients, on problems and on networks: what workers send, and how it is averaged."""
