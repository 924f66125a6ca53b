"""Functions that read the service while a program runs, and the rules that assign policies.

The public names are those in `__all__` of each module.
"""

from pulumi_dataprotection.functions.archives import *
from pulumi_dataprotection.functions.audit import *
from pulumi_dataprotection.functions.coverage import *
from pulumi_dataprotection.functions.installations import *
from pulumi_dataprotection.functions.licences import *
from pulumi_dataprotection.functions.orgs import *
from pulumi_dataprotection.functions.policies import *
from pulumi_dataprotection.functions.protections import *
from pulumi_dataprotection.functions.resources import *
from pulumi_dataprotection.functions.rules import *
from pulumi_dataprotection.functions.subscriptions import *
from pulumi_dataprotection.functions.tasks import *
from pulumi_dataprotection.functions.tenants import *

# Type checkers and griffe take the names from the imports: they understand only a literal list in `__all__`.
globals()["__all__"] = [
    name for name, value in sorted(globals().items()) if getattr(value, "__module__", "").startswith(f"{__name__}.")
]
