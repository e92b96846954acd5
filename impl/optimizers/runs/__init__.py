"""What runs of methods share: rounds in batches, results, and what is written down of them."""
