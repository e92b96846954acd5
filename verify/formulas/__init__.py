"""Formulas of claims as numbers."""
