"""Exact laws: enumeration of outcomes, exact expectations of one step, weighted errors."""
