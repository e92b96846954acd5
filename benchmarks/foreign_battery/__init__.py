"""Faulty compressors that `check` must refute, with the size of each fault; right ones that it must not."""
