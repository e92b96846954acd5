"""Claims on nonzeros and bits."""
