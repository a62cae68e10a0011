# SPDX-License-Identifier: Apache-2.0
"""Validates one path: RFC 5280 § 6.1.2 to § 6.1.5, one function a rule, and the rules that the profiles add."""
import path_extensions as extensions
import path_identity as identity
import path_signatures as signatures
import path_usages as usages
from path_constraints import Subtrees
from path_extensions import ANY_POLICY
from path_policies import PolicyState


class Refused(Exception):
    """The first rule that refuses the path. `certificate` counts from the leaf."""

    def __init__(self, rule, section, certificate, reason=""):
        super().__init__(reason)
        self.rule, self.section, self.certificate, self.reason = rule, section, certificate, reason


class State:
    """The state of § 6.1.2. `path` has the leaf first and the anchor last; certificate i of the RFC is path[n - i]."""

    def __init__(self, path, inputs):
        self.path, self.inputs = path, inputs
        self.n = len(path) - 1
        self.policies = PolicyState(self.n, inputs)
        self.subtrees = Subtrees()
        self.issuer = path[-1]
        self.max_path_length = self.n

    def need(self, condition, rule, section, certificate, reason=""):
        if not condition:
            raise Refused(rule, section, certificate, reason)


def validate(path, inputs):
    """Raises `Refused` if a rule refuses the path."""
    state = State(path, inputs)
    if state.n:
        check_anchor(state, path[-1], state.n)
    for i in range(1, state.n + 1):
        index = state.n - i
        certificate = path[index]
        process(state, certificate, i, index)
        if i < state.n:
            prepare(state, certificate, i, index)
    wrap_up(state)
    check_whole_path(state)


def check_anchor(state, anchor, index):
    """The batch contract: an anchor is checked like any issuer, but for its signature and its policies."""
    check_dates(state, anchor, index)
    check_kind(state, anchor, index)
    check_issuer(state, anchor, index)
    limit_path_length(state, anchor)
    add_constraints(state, anchor)


def process(state, certificate, i, index):
    """§ 6.1.3 for certificate i."""
    check_signature(state, certificate, index)
    check_dates(state, certificate, index)
    check_issuer_name(state, certificate, index)
    check_kind(state, certificate, index)
    check_constraints(state, certificate, i, index)
    check_policies(state, certificate, i, index)
    state.issuer = certificate


def prepare(state, certificate, i, index):
    """§ 6.1.4 for certificate i."""
    process_mappings(state, certificate, i, index)
    add_constraints(state, certificate)
    state.policies.count(certificate.self_issued)
    state.policies.constrain(certificate.get(extensions.POLICY_CONSTRAINTS), certificate.get(extensions.INHIBIT_ANY))
    check_issuer(state, certificate, index)
    count_path_length(state, certificate, index)
    limit_path_length(state, certificate)


def check_signature(state, certificate, index):
    """§ 6.1.3 (a)(1), and the algorithms that the profile refuses."""
    problem = signatures.algorithm_problem(certificate, state.inputs.profile)
    state.need(problem is None, "signatureAlgorithm", "4.1.1.2", index, problem)
    state.need(signatures.signed_by(certificate, state.issuer), "signature", "6.1.3 (a)(1)", index)


def check_dates(state, certificate, index):
    """§ 6.1.3 (a)(2), § 4.1.2.5: from notBefore through notAfter, inclusive."""
    valid = certificate.not_before <= state.inputs.time <= certificate.not_after
    state.need(valid, "validity", "6.1.3 (a)(2)", index)


def check_issuer_name(state, certificate, index):
    """§ 6.1.3 (a)(4)."""
    state.need(certificate.issuer == state.issuer.subject, "issuerName", "6.1.3 (a)(4)", index)


def check_constraints(state, certificate, i, index):
    """§ 6.1.3 (b) and (c). A self-issued certificate is skipped, unless it is the final one."""
    if certificate.self_issued and i < state.n:
        return
    reason = state.subtrees.outside_permitted(certificate)
    state.need(reason is None, "permittedSubtrees", "6.1.3 (b)", index, reason)
    reason = state.subtrees.inside_excluded(certificate)
    state.need(reason is None, "excludedSubtrees", "6.1.3 (c)", index, reason)


def check_policies(state, certificate, i, index):
    """§ 6.1.3 (d), (e) and (f)."""
    policies = state.policies
    policies.process_policies(i, state.n, certificate.get(extensions.POLICIES), certificate.self_issued)
    state.need(policies.explicit_policy > 0 or policies.root is not None, "explicitPolicy", "6.1.3 (f)", index)


def process_mappings(state, certificate, i, index):
    """§ 6.1.4 (a) and (b)."""
    mappings = certificate.get(extensions.MAPPINGS)
    if mappings is None:
        return
    state.need(all(ANY_POLICY not in pair for pair in mappings), "policyMappings", "6.1.4 (a)", index)
    state.policies.process_mappings(i, mappings, certificate.get(extensions.POLICIES))


def add_constraints(state, certificate):
    """§ 6.1.4 (g)."""
    constraints = certificate.get(extensions.NAME_CONSTRAINTS)
    if constraints is not None:
        state.subtrees.add(constraints)


def check_issuer(state, certificate, index):
    """§ 6.1.4 (k) and (n). Of the versions 1 and 2, the profile rfc5280 accepts an anchor only."""
    if certificate.version == 3:
        state.need(usages.is_authority(certificate), "basicConstraints", "6.1.4 (k)", index)
    else:
        state.need(index == state.n, "version", "6.1.4 (k)", index)
    state.need(usages.may_sign_certificates(certificate), "keyUsage", "6.1.4 (n)", index)


def count_path_length(state, certificate, index):
    """§ 6.1.4 (l)."""
    if not certificate.self_issued:
        state.need(state.max_path_length > 0, "pathLength", "6.1.4 (l)", index)
        state.max_path_length -= 1


def limit_path_length(state, certificate):
    """§ 6.1.4 (m)."""
    limit = usages.path_length(certificate)
    if limit is not None:
        state.max_path_length = min(state.max_path_length, limit)


def check_kind(state, certificate, index):
    """§ 6.1.4 (o), § 6.1.5 (f), § 4.2.1.12, and the profile's versions and keys: the checks that every certificate passes."""
    inputs, is_anchor = state.inputs, index == len(state.path) - 1
    problem = usages.critical_problem(certificate, is_anchor)
    section = "6.1.4 (o)" if index else "6.1.5 (f)"
    state.need(problem is None, "criticalExtension", section, index, problem)
    state.need(inputs.profile != "webPKI" or certificate.version == 3, "version", "4.1.2.1", index)
    problem = signatures.key_problem(certificate, index == 0, inputs.profile)
    state.need(problem is None, "key", "4.1.2.7", index, problem)
    state.need(usages.allows_purpose(certificate, inputs.purpose), "extendedKeyUsage", "4.2.1.12", index)


def wrap_up(state):
    """§ 6.1.5, the leaf's key usage under webPKI (§ 4.2.1.3), and its identity (RFC 9525 § 6)."""
    leaf, inputs = state.path[0], state.inputs
    if state.n == 0:
        check_dates(state, leaf, 0)
        check_kind(state, leaf, 0)
    constraints = leaf.get(extensions.POLICY_CONSTRAINTS) if state.n else None
    valid = state.policies.wrap_up(state.n, constraints, inputs.acceptable)
    state.need(valid, "explicitPolicy", "6.1.5 (g)", 0)
    if inputs.profile == "webPKI" and inputs.purpose != "any":
        state.need(usages.may_serve_tls(leaf), "leafKeyUsage", "4.2.1.3", 0)
    if inputs.host is not None:
        state.need(identity.identity_matches(leaf, inputs.host), "identity", "RFC 9525, 6", 0)


def check_whole_path(state):
    """The batch contract: maximumIntermediates and pins."""
    inputs = state.inputs
    if inputs.maximum is not None:
        count = sum(not one.self_issued for one in state.path[1:-1])
        state.need(count <= inputs.maximum, "maximumIntermediates", "6.2", 0)
    if inputs.pins is not None:
        state.need(any(one.spki_hash in inputs.pins for one in state.path), "pins", "6.2", 0)
