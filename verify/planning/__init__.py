"""Predict what methods cost to an accuracy, from their verified bounds, and measure it."""
