"""
Builds the wheel and the source package (PEP 517) with the standard library. The package is Python files alone: a wheel
is these files and three small ones in a zip archive, so a build needs no tool that would have to be fetched first.
Archives of equal sources are equal byte for byte.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "tmds_client"
_TAG = "py3-none-any"
# The earliest time that a zip archive can state.
_TIME = (1980, 1, 1, 0, 0, 0)
_SOURCES = ("pyproject.toml", "README.md", "LICENSE", "packaging/backend.py")


def read_version() -> str:
    scope: dict[str, Any] = {}
    exec((ROOT / "src" / PACKAGE / "version.py").read_text(encoding="utf-8"), scope)
    return str(scope["VERSION"])


def _render_metadata() -> bytes:
    """As pyproject.toml states it; a test compares the two."""
    head = [
        "Metadata-Version: 2.4",
        "Name: tmds-client",
        f"Version: {read_version()}",
        "Summary: Typed client of the trademark data service.",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.10",
        "Classifier: Operating System :: OS Independent",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Programming Language :: Python :: 3 :: Only",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return ("\n".join(head) + "\n\n" + readme).encode()


def _list_modules() -> list[Path]:
    folder = ROOT / "src" / PACKAGE
    return sorted(path for path in folder.iterdir() if path.suffix == ".py" or path.name == "py.typed")


def _information_folder() -> str:
    return f"{PACKAGE}-{read_version()}.dist-info"


def _list_information() -> dict[str, bytes]:
    folder = _information_folder()
    wheel = f"Wheel-Version: 1.0\nGenerator: {PACKAGE}\nRoot-Is-Purelib: true\nTag: {_TAG}\n"
    return {
        f"{folder}/METADATA": _render_metadata(),
        f"{folder}/WHEEL": wheel.encode(),
        f"{folder}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }


def _write_wheel(directory: str, modules: dict[str, bytes]) -> str:
    files = {**modules, **_list_information()}
    record = f"{_information_folder()}/RECORD"
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    name = f"{PACKAGE}-{read_version()}-{_TAG}.whl"
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return name


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    return _write_wheel(wheel_directory, {f"{PACKAGE}/{path.name}": path.read_bytes() for path in _list_modules()})


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    return _write_wheel(wheel_directory, {f"{PACKAGE}.pth": f"{ROOT / 'src'}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    base = f"{PACKAGE}-{read_version()}"
    files = {name: (ROOT / name).read_bytes() for name in _SOURCES}
    files |= {f"src/{PACKAGE}/{path.name}": path.read_bytes() for path in _list_modules()}
    files["PKG-INFO"] = _render_metadata()
    unpacked = io.BytesIO()
    with tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    (Path(sdist_directory) / f"{base}.tar.gz").write_bytes(gzip.compress(unpacked.getvalue(), mtime=0))
    return f"{base}.tar.gz"
