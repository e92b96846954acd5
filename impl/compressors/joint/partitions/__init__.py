"""Partitions of the coordinates: each is sent by one client, or by one group of clients."""
