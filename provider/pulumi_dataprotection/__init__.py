"""Pulumi resources and functions for a SaaS data-protection service."""
