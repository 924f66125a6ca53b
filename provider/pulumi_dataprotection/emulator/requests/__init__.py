"""Requests: their operation, key, rate, parameters and log."""
