"""Verbs about single claims: list, show, cite, prove, pin, new."""
