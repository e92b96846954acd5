"""The files of figures and notebooks made again: which are kept, executed notebooks, comparisons of data."""
