// SPDX-License-Identifier: Apache-2.0

// RFC 5280 § 6.1.3 (d) to (f), § 6.1.4 (a), (b), (h) to (j), § 6.1.5 (g), using the graph of RFC 9618 instead of the
// tree.
//
// The graph has one node per policy and depth, and each node has the nodes above it as parents. The tree of RFC 5280
// repeats a policy for every way of reaching it, so mappings make it grow exponentially. The number of policies in the
// certificates bounds the graph.

/// Checks that no policy mapping maps to or from anyPolicy (RFC 5280 § 6.1.4 (a)), even if no policy is required.
enum PolicyMappingCheck {
    static func run(_ certificate: Certificate, _ meter: inout WorkMeter, _ list: inout FailureList) {
        let extensions = certificate.storage.fields.extensions
        guard extensions.has(.policyMappings),
            meter.charge(work: 16 * extensions.value(.policyMappings).count)
        else { return }
        for mapping in certificate.policyMappings ?? []
        where mapping.issuerDomainPolicy == .anyPolicy || mapping.subjectDomainPolicy == .anyPolicy {
            return list.add(.policyMappingOfAnyPolicy)
        }
    }
}

enum CertificatePoliciesCheck {
    static func run(
        _ path: CandidatePath, _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        // A path fails for its policies only if the caller or a certificate of the path requires a policy.
        guard context.policy.certificatePolicies.requireExplicit || requiresExplicitPolicy(path) else { return }
        switch process(path, context.policy.certificatePolicies, &meter) {
        case .valid, .exhausted: break
        case .invalid(let index, let found):
            list.certificate = index
            list.role = path.role(index)
            let acceptable = context.policy.certificatePolicies.acceptable
            list.add(
                .policyNotAcceptable,
                expected: acceptable.map { .list($0.map(\.description).sorted()) }
                    ?? .text("any policy that is valid for the whole path"),
                found: .list(found.map(\.description)))
        }
    }

    /// The work for each policy, node and edge of the graph. The check copies and hashes them several times.
    private static let workPerNode = 256

    private static func requiresExplicitPolicy(_ path: CandidatePath) -> Bool {
        for index in 0..<path.anchorIndex
        where path.certificates[index].storage.fields.extensions.requireExplicitPolicy != nil {
            return true
        }
        return false
    }

    enum Outcome {
        /// The authority-constrained policies, or nil for any policy.
        case valid(Set<OID>?)
        /// The certificate that made a valid policy impossible, and the policies that it lists.
        case invalid(certificate: Int, found: [OID])
        /// The meter was exhausted before the check had a result.
        case exhausted
    }

    /// Returns the policies that `path` is valid for. Doesn't read the anchor's own policies (for RFC 5280 § 6.1, an
    /// anchor is a name and a key).
    static func process(
        _ path: CandidatePath, _ inputs: ValidationPolicy.CertificatePolicies, _ meter: inout WorkMeter
    ) -> Outcome {
        let length = path.anchorIndex
        // If the leaf is its own anchor, there is no path to process, even if a policy is required. The check doesn't
        // read an anchor's policies.
        guard length > 0 else { return .valid(nil) }
        var explicitPolicy = inputs.requireExplicit ? 0 : length + 1
        var policyMapping = inputs.inhibitMapping ? 0 : length + 1
        var inhibitAny = inputs.inhibitAny ? 0 : length + 1
        var graph = PolicyGraph()

        var index = length - 1
        while index >= 0 {
            let certificate = path.certificates[index]
            let isFinal = index == 0
            let extensions = certificate.storage.fields.extensions
            let bytes = extensions.value(.certificatePolicies).count + extensions.value(.policyMappings).count
            guard meter.charge(work: bytes + graph.lastLevelSize * workPerNode) else { return .exhausted }
            let policies = certificate.policyIdentifiers
            guard meter.charge(work: (policies?.count ?? 0) * workPerNode) else { return .exhausted }
            // § 6.1.3 (d), (e)
            if let policies {
                graph.append(
                    policies, anyPolicyCounts: inhibitAny > 0 || (!isFinal && path.isSelfIssued(index)))
            } else {
                graph.clear()
            }
            // § 6.1.3 (f)
            guard explicitPolicy > 0 || !graph.isEmpty else {
                return .invalid(certificate: index, found: policies ?? [])
            }
            guard !isFinal else {
                // § 6.1.5 (a), (b)
                if explicitPolicy > 0 { explicitPolicy -= 1 }
                if extensions.requireExplicitPolicy == 0 { explicitPolicy = 0 }
                break
            }
            // § 6.1.4 (b)
            if let mappings = certificate.policyMappings {
                guard meter.charge(work: mappings.count * workPerNode) else { return .exhausted }
                graph.map(mappings, isAllowed: policyMapping > 0)
            }
            // § 6.1.4 (h)
            if !path.isSelfIssued(index) {
                if explicitPolicy > 0 { explicitPolicy -= 1 }
                if policyMapping > 0 { policyMapping -= 1 }
                if inhibitAny > 0 { inhibitAny -= 1 }
            }
            // § 6.1.4 (i), (j)
            if let skip = extensions.requireExplicitPolicy { explicitPolicy = min(explicitPolicy, skip) }
            if let skip = extensions.inhibitPolicyMapping { policyMapping = min(policyMapping, skip) }
            if let skip = extensions.inhibitAnyPolicy { inhibitAny = min(inhibitAny, skip) }
            index -= 1
        }

        // § 6.1.5 (g)
        guard meter.charge(work: graph.lastLevelSize * workPerNode) else { return .exhausted }
        let authorityPolicies = graph.authorityPolicies()
        if explicitPolicy > 0 { return .valid(authorityPolicies) }
        let isAcceptable =
            switch (authorityPolicies, inputs.acceptable) {
            case (nil, nil): true
            case (nil, .some(let acceptable)): !acceptable.isEmpty
            case (.some(let found), nil): !found.isEmpty
            case (.some(let found), .some(let acceptable)):
                acceptable.contains(.anyPolicy) ? !found.isEmpty : !found.isDisjoint(with: acceptable)
            }
        guard isAcceptable else {
            return .invalid(certificate: 0, found: path.certificates[0].policyIdentifiers ?? [])
        }
        return .valid(authorityPolicies)
    }
}

/// The `valid_policy_graph` of RFC 9618 § 5.1.
struct PolicyGraph {
    private struct Node {
        let policy: OID
        /// The indices of nodes in the level above.
        var parents: [Int]
        /// The `expected_policy_set`: the names that the policy may have in the next certificate.
        var expected: Set<OID>
        /// Whether an inhibited mapping has deleted the node.
        var isDeleted = false
    }

    /// The nodes by depth. Level 0 is the anchor's level, with a single anyPolicy. Empty if the graph is NULL.
    private var levels: [[Node]] = [[Node(policy: .anyPolicy, parents: [], expected: [.anyPolicy])]]

    var isEmpty: Bool { levels.isEmpty }

    /// The number of nodes in the last level, plus their parents and expected policies. This is the cost of creating
    /// the next level.
    var lastLevelSize: Int {
        guard let level = levels.last else { return 0 }
        return level.reduce(0) { $0 + 1 + $1.parents.count + $1.expected.count }
    }

    mutating func clear() { levels = [] }

    /// Appends the level of the next certificate, which lists `policies` (§ 6.1.3 (d)).
    mutating func append(_ policies: [OID], anyPolicyCounts: Bool) {
        guard let above = levels.last else { return }
        var expecting: [OID: [Int]] = [:]
        var anyParent: Int?
        for (index, node) in above.enumerated() where !node.isDeleted {
            for policy in node.expected { expecting[policy, default: []].append(index) }
            if node.policy == .anyPolicy { anyParent = index }
        }
        var level: [Node] = []
        var present: Set<OID> = []
        // (1)
        for policy in policies where policy != .anyPolicy {
            guard let parents = expecting[policy] ?? anyParent.map({ [$0] }) else { continue }
            level.append(Node(policy: policy, parents: parents, expected: [policy]))
            present.insert(policy)
        }
        // (2)
        if anyPolicyCounts, policies.contains(.anyPolicy) {
            for (policy, parents) in expecting where !present.contains(policy) {
                level.append(Node(policy: policy, parents: parents, expected: [policy]))
            }
        }
        // (3): nodes above without children stay, because ``authorityPolicies()`` starts at the bottom.
        if level.isEmpty { clear() } else { levels.append(level) }
    }

    /// Applies the mappings of the certificate whose level was appended last (§ 6.1.4 (b)). They don't contain
    /// anyPolicy (see (a)).
    mutating func map(_ mappings: [PolicyMapping], isAllowed: Bool) {
        guard var level = levels.popLast() else { return }
        var subjects: [OID: Set<OID>] = [:]
        for mapping in mappings {
            subjects[mapping.issuerDomainPolicy, default: []].insert(mapping.subjectDomainPolicy)
        }
        var indices: [OID: Int] = [:]
        for (index, node) in level.enumerated() { indices[node.policy] = index }
        let anyNode = indices[.anyPolicy]
        for (issuerPolicy, subjectPolicies) in subjects {
            if let index = indices[issuerPolicy] {
                // (1), or (2) if mappings are inhibited
                if isAllowed { level[index].expected = subjectPolicies } else { level[index].isDeleted = true }
            } else if isAllowed, let anyNode {
                // (1), second case: a child of the anyPolicy above, next to this level's anyPolicy.
                level.append(Node(policy: issuerPolicy, parents: level[anyNode].parents, expected: subjectPolicies))
            }
        }
        if level.allSatisfy(\.isDeleted) { clear() } else { levels.append(level) }
    }

    /// Returns the policies in the anchor's domain that a chain of nodes connects with the last level (RFC 9618, §
    /// 6.1.5 (g)). Returns nil for any policy.
    func authorityPolicies() -> Set<OID>? {
        guard var level = levels.last else { return [] }
        if level.contains(where: { $0.policy == .anyPolicy && !$0.isDeleted }) { return nil }
        var policies: Set<OID> = []
        var reachable = Set(level.indices.filter { !level[$0].isDeleted })
        for depth in stride(from: levels.count - 1, to: 0, by: -1) {
            let above = levels[depth - 1]
            var next: Set<Int> = []
            for index in reachable {
                for parent in level[index].parents {
                    if above[parent].policy == .anyPolicy {
                        policies.insert(level[index].policy)
                    } else {
                        next.insert(parent)
                    }
                }
            }
            level = above
            reachable = next
        }
        return policies
    }
}
