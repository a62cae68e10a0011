# SPDX-License-Identifier: Apache-2.0
"""RFC 5280 § 6.1, only for policies, with the RFC's tree: a second opinion on the graph of RFC 9618 that the package uses."""

ANY = "2.5.29.32.0"


class Node:
    def __init__(self, policy, expected, parent):
        self.policy, self.expected, self.parent, self.children = policy, expected, parent, []
        if parent:
            parent.children.append(self)

    def at(self, depth):
        if depth == 0:
            return [self]
        return [node for child in self.children for node in child.at(depth - 1)]


def prune(root, depth):
    """§ 6.1.3 (d)(3): removes nodes above `depth` without children. Returns None if no node remains."""
    for level in range(depth - 1, -1, -1):
        for node in root.at(level):
            if not node.children:
                if node.parent is None:
                    return None
                node.parent.children.remove(node)
    return root


def is_valid(certificates, inputs):
    """Whether a path is valid for its policies.

    `certificates` starts below the anchor and ends with the leaf. Each is (policies or None, mappings, requireExplicitPolicy,
    inhibitPolicyMapping, inhibitAnyPolicy), with None for an absent extension. None of them is self-issued.
    """
    n = len(certificates)
    explicit = 0 if inputs.get("requireExplicit") else n + 1
    inhibit_any = 0 if inputs.get("inhibitAny") else n + 1
    mapping = 0 if inputs.get("inhibitMapping") else n + 1
    root = Node(ANY, {ANY}, None)
    for i, (policies, mappings, require, inhibit_mapping, inhibit) in enumerate(certificates, 1):
        is_final = i == n
        if root is not None and policies is not None:
            above = root.at(i - 1)
            for policy in policies:  # (d)(1)
                if policy == ANY:
                    continue
                matching = [node for node in above if policy in node.expected]
                for node in matching or [node for node in above if node.policy == ANY]:
                    Node(policy, {policy}, node)
            if ANY in policies and inhibit_any > 0:  # (d)(2)
                for node in above:
                    for policy in node.expected:
                        if all(child.policy != policy for child in node.children):
                            Node(policy, {policy}, node)
            root = prune(root, i)
        elif policies is None:
            root = None  # (e)
        if explicit == 0 and root is None:  # (f)
            return False
        if is_final:
            break
        subjects = {}
        for issuer, subject in mappings or []:
            subjects.setdefault(issuer, set()).add(subject)
        for policy, mapped in subjects.items() if root else []:  # § 6.1.4 (b)
            nodes = [node for node in root.at(i) if node.policy == policy] if root else []
            if mapping > 0:
                for node in nodes:
                    node.expected = mapped
                if not nodes:
                    for node in [node for node in root.at(i) if node.policy == ANY]:
                        Node(policy, mapped, node.parent)
            elif root:
                for node in nodes:
                    node.parent.children.remove(node)
                root = prune(root, i)
        explicit, mapping, inhibit_any = (max(0, value - 1) for value in (explicit, mapping, inhibit_any))  # (h)
        if require is not None:
            explicit = min(explicit, require)
        if inhibit_mapping is not None:
            mapping = min(mapping, inhibit_mapping)
        if inhibit is not None:
            inhibit_any = min(inhibit_any, inhibit)
    explicit = max(0, explicit - 1)  # § 6.1.5 (a)
    if certificates[-1][2] == 0:  # (b)
        explicit = 0
    if explicit > 0:
        return True
    if root is None:
        return False
    acceptable = inputs.get("acceptable")
    if acceptable is None or ANY in acceptable:
        return bool(root.at(n))
    # (g)(iii): the nodes whose parent is anyPolicy contain the authorities' policies.
    authority = [node for depth in range(1, n + 1) for node in root.at(depth) if node.parent.policy == ANY]
    return any(node.policy in acceptable for node in authority) or any(node.policy == ANY for node in root.at(n))
