"""Claims on rates and exact moments of MARINA."""
