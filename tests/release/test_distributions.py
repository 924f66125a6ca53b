"""The files of the distributions."""

import tarfile
import zipfile
from pathlib import Path

import pytest

from support import ROOT
from support.release.installing import Distributions, Uv


@pytest.fixture(scope="module")
def package() -> set[str]:
    """Return the files of the package by their paths in it."""
    source = ROOT / "provider" / "pulumi_dataprotection"
    paths = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_package_and_its_metadata(distributions: Distributions, package: set[str]) -> None:
    with zipfile.ZipFile(distributions.wheel) as archive:
        names = set(archive.namelist())
    about = f"{'-'.join(distributions.wheel.name.split('-')[:2])}.dist-info"
    described = {f"{about}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")}
    assert {f"pulumi_dataprotection/{name}" for name in package} | described == names


def test_the_source_distribution_holds_the_sources_of_the_wheel(
    distributions: Distributions, package: set[str]
) -> None:
    with tarfile.open(distributions.sdist) as archive:
        names = set(archive.getnames())
    top = {"PKG-INFO", "pyproject.toml", ".gitignore", "README.md", "CHANGELOG.md", "LICENSE"}
    root = distributions.sdist.name.removesuffix(".tar.gz")
    expected = top | {f"provider/pulumi_dataprotection/{name}" for name in package}
    assert {f"{root}/{name}" for name in expected} == names


def test_the_source_distribution_builds_the_wheel(distributions: Distributions, uv: Uv, tmp_path: Path) -> None:
    uv("build", "--quiet", "--wheel", "--out-dir", tmp_path, distributions.sdist)
    assert distributions.wheel.read_bytes() == (tmp_path / distributions.wheel.name).read_bytes()


def test_a_second_build_gives_the_same_files(
    distributions: Distributions, checkout: Path, uv: Uv, tmp_path: Path
) -> None:
    for path in checkout.joinpath("provider").rglob("*"):
        path.touch()
    uv("build", "--quiet", "--sdist", "--wheel", "--out-dir", tmp_path, checkout)
    assert [path.read_bytes() for path in distributions] == [
        (tmp_path / path.name).read_bytes() for path in distributions
    ]
