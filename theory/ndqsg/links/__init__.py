"""Claims on real processes and links."""
