# SPDX-License-Identifier: Apache-2.0
"""Certificate policies: the valid_policy_tree of RFC 5280 § 6.1, exactly as written, the plain exponential tree.

RFC 9618 § 5 describes an equivalent graph. The oracle keeps the tree, because it follows the text that the engine must agree with.
"""
from path_extensions import ANY_POLICY

MAXIMUM_NODES = 20_000


class TooManyNodes(RuntimeError):
    """The tree exceeds `MAXIMUM_NODES`."""


class Node:
    """A node of the tree (§ 6.1.2 (a))."""
    __slots__ = ("valid_policy", "qualifier_set", "expected_policy_set", "parent", "children", "depth")

    def __init__(self, policy, qualifiers, expected, parent):
        self.valid_policy, self.qualifier_set, self.expected_policy_set = policy, qualifiers, expected
        self.parent, self.children = parent, []
        self.depth = parent.depth + 1 if parent else 0
        if parent:
            parent.children.append(self)


class PolicyState:
    """valid_policy_tree, explicit_policy, inhibit_anyPolicy and policy_mapping (§ 6.1.2 (a), (d), (e), (f))."""

    def __init__(self, n, inputs):
        self.root = Node(ANY_POLICY, b"", {ANY_POLICY}, None)
        self.explicit_policy = 0 if inputs.require_explicit else n + 1
        self.inhibit_any = 0 if inputs.inhibit_any else n + 1
        self.policy_mapping = 0 if inputs.inhibit_mapping else n + 1
        self.created = 0

    def at(self, depth):
        """The nodes of one depth."""
        level = [self.root] if self.root else []
        for _ in range(depth):
            level = [child for node in level for child in node.children]
        return level

    def create(self, policy, qualifiers, expected, parent):
        self.created += 1
        if self.created > MAXIMUM_NODES:
            raise TooManyNodes
        return Node(policy, qualifiers, expected, parent)

    def delete(self, node):
        if node.parent:
            node.parent.children.remove(node)
        else:
            self.root = None

    def prune(self, depth):
        """§ 6.1.3 (d)(3): deletes the nodes of `depth` or less that have no children, and repeats."""
        for level in range(depth, -1, -1):
            for node in self.at(level):
                if not node.children:
                    self.delete(node)

    def process_policies(self, i, n, policies, self_issued):
        """§ 6.1.3 (d) and (e)."""
        if policies is None:
            self.root = None
            return
        if self.root is None:
            return
        above = self.at(i - 1)
        for policy, qualifiers, _ in policies:
            if policy != ANY_POLICY:
                self.match_policy(above, policy, qualifiers)
        for policy, qualifiers, _ in policies:
            if policy == ANY_POLICY and (self.inhibit_any > 0 or i < n and self_issued):
                self.match_any(above, qualifiers)
        self.prune(i - 1)

    def match_policy(self, above, policy, qualifiers):
        """§ 6.1.3 (d)(1)."""
        matches = [node for node in above if policy in node.expected_policy_set]
        if not matches:
            matches = [node for node in above if node.valid_policy == ANY_POLICY]
        for node in matches:
            self.create(policy, qualifiers, {policy}, node)

    def match_any(self, above, qualifiers):
        """§ 6.1.3 (d)(2)."""
        for node in above:
            present = {child.valid_policy for child in node.children}
            for policy in sorted(node.expected_policy_set - present):
                self.create(policy, qualifiers, {policy}, node)

    def process_mappings(self, i, mappings, policies):
        """§ 6.1.4 (b)."""
        for issuer_policy in dict.fromkeys(issuer for issuer, _ in mappings):
            equivalent = {subject for issuer, subject in mappings if issuer == issuer_policy}
            if self.policy_mapping > 0:
                self.map_policy(i, issuer_policy, equivalent, policies)
            else:
                for node in self.at(i):
                    if node.valid_policy == issuer_policy:
                        self.delete(node)
                self.prune(i - 1)

    def map_policy(self, i, issuer_policy, equivalent, policies):
        """§ 6.1.4 (b)(1)."""
        level = self.at(i)
        named = [node for node in level if node.valid_policy == issuer_policy]
        for node in named:
            node.expected_policy_set = set(equivalent)
        if not named and any(node.valid_policy == ANY_POLICY for node in level):
            qualifiers = next((q for policy, q, _ in policies or () if policy == ANY_POLICY), b"")
            for parent in self.at(i - 1):
                if parent.valid_policy == ANY_POLICY:
                    self.create(issuer_policy, qualifiers, set(equivalent), parent)

    def count(self, self_issued):
        """§ 6.1.4 (h)."""
        if not self_issued:
            self.explicit_policy = max(self.explicit_policy - 1, 0)
            self.policy_mapping = max(self.policy_mapping - 1, 0)
            self.inhibit_any = max(self.inhibit_any - 1, 0)

    def constrain(self, constraints, inhibit_any):
        """§ 6.1.4 (i) and (j)."""
        explicit, mapping = constraints or (None, None)
        if explicit is not None:
            self.explicit_policy = min(self.explicit_policy, explicit)
        if mapping is not None:
            self.policy_mapping = min(self.policy_mapping, mapping)
        if inhibit_any is not None:
            self.inhibit_any = min(self.inhibit_any, inhibit_any)

    def wrap_up(self, n, constraints, acceptable):
        """§ 6.1.5 (a), (b) and (g). The answer tells whether path processing succeeds."""
        self.explicit_policy = max(self.explicit_policy - 1, 0)
        if constraints and constraints[0] == 0:
            self.explicit_policy = 0
        if self.root and acceptable is not None and n:
            self.intersect(n, acceptable)
        return self.explicit_policy > 0 or self.root is not None

    def intersect(self, n, acceptable):
        """§ 6.1.5 (g)(iii)."""
        valid = [node for depth in range(1, n + 1) for node in self.at(depth) if node.parent.valid_policy == ANY_POLICY]
        for node in valid:
            if node.valid_policy not in acceptable and node.valid_policy != ANY_POLICY:
                self.delete(node)
        last = next((node for node in self.at(n) if node.valid_policy == ANY_POLICY), None)
        if last:
            for policy in sorted(acceptable - {node.valid_policy for node in valid}):
                self.create(policy, last.qualifier_set, {policy}, last.parent)
            self.delete(last)
        self.prune(n - 1)
