"""Verbs about compressors and methods: check, audit, plan, run."""
