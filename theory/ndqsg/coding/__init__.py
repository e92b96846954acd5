"""Claims on the bits of indices: entropies, codes and messages."""
