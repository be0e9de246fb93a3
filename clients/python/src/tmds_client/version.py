"""The client's version; a test holds it to pyproject.toml and to the package of the TypeScript client."""

VERSION = "0.1.0"
