"""What carries frames between the server and its workers: one process, TCP, MPI, links of packets."""
