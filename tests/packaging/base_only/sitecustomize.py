"""Python as it is where Dragoman was installed without extras: whatever else is installed cannot be found.

`PYTHONPATH=tests/packaging/base_only dragoman …`
"""

import importlib.machinery
import re
import sys
from importlib import metadata


def base_packages() -> frozenset[str]:
    """What may be imported: Dragoman, its dependencies, and theirs."""
    waiting, names = ["dragoman"], set()
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in names:
            continue
        names.add(name)
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # for another system or Python
            continue
        waiting += [re.match(r"[\w.-]+", each)[0] for each in needs if "extra ==" not in each]
    tops = metadata.packages_distributions().items()
    return frozenset(top for top, owners in tops if names & {re.sub(r"[-_.]+", "-", each).lower() for each in owners})


class _BaseFinder(importlib.machinery.PathFinder):
    """Finds on the path what is of Python or of the base, and nothing else."""

    known = base_packages() | {"dragoman", "tests", "sitecustomize"}

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):  # type: ignore[no-untyped-def]
        top = fullname.partition(".")[0]
        if top in cls.known or top in sys.stdlib_module_names or fullname.startswith("_sysconfigdata"):
            return super().find_spec(fullname, path, target)
        return None


sys.meta_path[:] = [_BaseFinder if each is importlib.machinery.PathFinder else each for each in sys.meta_path]
own = {"__main__", *sys.stdlib_module_names, *_BaseFinder.known}
for each in [name for name in sys.modules if name.partition(".")[0] not in own]:
    del sys.modules[each]
