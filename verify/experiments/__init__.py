"""Runs that claims, figures and `boundcheck plan` share, a folder for each paper."""
