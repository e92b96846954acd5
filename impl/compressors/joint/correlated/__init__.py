"""Correlated quantization: thresholds that are stratified over the clients."""
