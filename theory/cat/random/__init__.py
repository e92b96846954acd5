"""Claims on entries that are kept at random."""
