"""The public names of the package, as it lists them at run time."""

from importlib import import_module

PUBLIC: list[str] = import_module("pulumi_dataprotection").__all__
"""All public names."""

FUNCTIONS = [name for name in PUBLIC if name.startswith("get_") and not name.endswith("_output")]
"""The functions that read the service, without their variants for outputs."""
