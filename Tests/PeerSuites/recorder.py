# SPDX-License-Identifier: Apache-2.0
"""Runs a test file of pyca/cryptography's verifier with a verifier that only records its calls.

The test expects a refusal for a call of `verify` inside `pytest.raises(VerificationError)`, and acceptance for any other call.
The peer's verifier doesn't run, so the test file doesn't need the same version of the library.
"""
import ast
import contextlib
import itertools
import sys
import types
from unittest import mock


class VerificationError(Exception):
    pass


class Asked:
    """A call of `verify`."""

    def __init__(self, builder, kind, subject, leaf, intermediates, is_refused):
        self.settings, self.kind, self.subject = dict(builder.settings), kind, subject
        self.leaf, self.intermediates, self.is_refused = leaf, list(intermediates), is_refused


class Recorder:
    def __init__(self, load):
        self.asked = []
        self.raised = []
        self.load = load

    # pytest

    @contextlib.contextmanager
    def raises(self, kind, match=None):
        self.raised.append((kind, match))
        try:
            yield mock.MagicMock()
        except Exception:
            pass
        finally:
            self.raised.pop()

    def pytest(self):
        module = types.ModuleType("pytest")
        module.raises = self.raises
        module.fixture = lambda *arguments, **settings: (lambda function: function)
        module.skip = lambda *arguments: None
        module.mark = types.SimpleNamespace(parametrize=parametrize)
        return module

    # cryptography.x509.verification

    def verification(self):
        recorder = self

        class Builder:
            def __init__(self, settings=()):
                self.settings = dict(settings)

            def __getattr__(self, name):
                return lambda *values, **named: Builder({**self.settings, name: values or named})

            def build_server_verifier(self, subject):
                return Verifier(self, "server", subject)

            def build_client_verifier(self):
                return Verifier(self, "client", None)

        class Verifier:
            def __init__(self, builder, kind, subject):
                self.builder, self.kind, self.subject = builder, kind, subject
                self.policy = self.store = mock.MagicMock()

            def verify(self, leaf, intermediates):
                is_refused = any(kind is VerificationError for kind, _ in recorder.raised)
                recorder.asked.append(Asked(self.builder, self.kind, self.subject, leaf, intermediates, is_refused))
                if is_refused:
                    raise VerificationError
                return mock.MagicMock()

        module = types.ModuleType("cryptography.x509.verification")
        module.PolicyBuilder, module.VerificationError = Builder, VerificationError
        module.Store = lambda certificates: list(certificates)
        for name in ("Criticality", "ExtensionPolicy", "Policy", "ServerVerifier", "ClientVerifier"):
            setattr(module, name, mock.MagicMock())
        return module

    # The file

    def run(self, source, filename):
        """Runs each test. Yields its name, the calls of `verify`, and the error that ended it early."""
        replaced = {"pytest": self.pytest(), "cryptography.x509.verification": self.verification()}
        certificates = types.ModuleType("tests.x509.test_x509")
        certificates._load_cert = self.load
        replaced |= {"tests": types.ModuleType("tests"), "tests.x509": types.ModuleType("tests.x509"), "tests.x509.test_x509": certificates}
        tree = ast.fix_missing_locations(WithoutAsserts().visit(ast.parse(source)))
        names = {"__name__": "peer_tests"}
        with mock.patch.dict(sys.modules, replaced):
            # `from cryptography import x509` also finds the replaced module as an attribute.
            import cryptography.x509
            with mock.patch.object(cryptography.x509, "verification", replaced["cryptography.x509.verification"], create=True):
                exec(compile(tree, filename, "exec"), names)
                for name, function in tests(names):
                    for shown, arguments in combinations(function):
                        self.asked, self.raised, error = [], [], None
                        try:
                            function(**arguments)
                        except Exception as problem:
                            error = problem
                        yield name + shown, self.asked, error


class WithoutAsserts(ast.NodeTransformer):
    """Drops assertions about answers, which would fail. Their expressions still run, because they may call `verify`."""

    def visit_Assert(self, node):
        return ast.copy_location(ast.Expr(node.test), node)


def parametrize(names, values, **settings):
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def decorate(function):
        function.parameters = [*getattr(function, "parameters", []),
                               [dict(zip(names, value if len(names) > 1 else [value])) for value in values]]
        return function

    return decorate


def tests(names):
    for owner_name, owner in list(names.items()):
        if isinstance(owner, type) and owner_name.startswith("Test"):
            for name in vars(owner):
                if name.startswith("test_"):
                    yield f"{owner_name}.{name}", getattr(owner(), name)
        elif owner_name.startswith("test_") and callable(owner):
            yield owner_name, owner


def combinations(function):
    groups = getattr(function, "parameters", [])
    for parts in itertools.product(*groups):
        arguments = {name: value for part in parts for name, value in part.items()}
        shown = ", ".join(getattr(value, "__name__", str(value)) for value in arguments.values())
        yield (f" ({shown})" if shown else ""), arguments
