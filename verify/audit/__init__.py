"""Judge what a list of compressors of others claims; the lists are data, their code is used where it lies."""
