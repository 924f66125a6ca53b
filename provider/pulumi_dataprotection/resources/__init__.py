"""What a program declares: organizations and protections."""

from pulumi_dataprotection.resources.org import Org
from pulumi_dataprotection.resources.protection import Protection
from pulumi_dataprotection.resources.protection_set import ProtectionSet

__all__ = ["Org", "Protection", "ProtectionSet"]
