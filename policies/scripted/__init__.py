"""Scripted players, one module per game; a class under `@script` is a policy."""
