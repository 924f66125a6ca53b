"""Measures what the project promises in numbers; `make bench` prints the tables."""
