"""Which papers and claims there are, read from their sources without importing them."""
