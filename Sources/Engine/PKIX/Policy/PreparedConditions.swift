// SPDX-License-Identifier: Apache-2.0

import Atomics

/// The domains in an anchor's conditions, converted to lower case on first use and kept as long as the anchor. A list
/// may have tens of thousands of domains, and a search may check them on any number of paths.
final class PreparedConditions: Sendable {
    /// The maximum number of sets of constraints that are tried. Chrome's lists have at most two.
    static let maximumAlternatives = 16

    /// The domains in each set of constraints, for each of the conditions. A set without domains has nil.
    private final class Table: Sendable, AtomicReference {
        let domains: [[ConditionDomains?]]

        init(_ conditions: [AnchorConditions]) {
            domains = conditions.map { conditions in
                conditions.alternatives.prefix(PreparedConditions.maximumAlternatives).map {
                    ConditionDomains($0)
                }
            }
        }
    }

    private let table = ManagedAtomicLazyReference<Table>()

    /// Returns the domains in each set of `conditions`. Pass the same conditions in all calls.
    func domains(of conditions: [AnchorConditions]) -> [[ConditionDomains?]] {
        (table.load() ?? table.storeIfNilThenLoad(Table(conditions))).domains
    }
}

/// The domains in one set of constraints, in lower case.
struct ConditionDomains: Sendable {
    private let permitted: Set<[UInt8]>?
    private let excluded: Set<[UInt8]>
    /// The work of comparing a name with all of ``excluded``.
    private let excludedWork: Int
    /// The expected domains for a failure: those that names must be in, or must not be in.
    let expected: TrustFailure.Value

    /// Converts the domains of constraints to lower case. Returns nil if the constraints have no domains.
    init?(_ constraints: AnchorConstraints) {
        guard constraints.permittedDomains != nil || !constraints.excludedDomains.isEmpty else { return nil }
        permitted = constraints.permittedDomains.map { Set($0.map(Self.folded)) }
        excluded = Set(constraints.excludedDomains.map(Self.folded))
        excludedWork = excluded.reduce(0) { $0 + $1.count + 16 }
        var list = CountedList()
        for domain in constraints.permittedDomains ?? [] { list.add(domain) }
        if permitted == nil { for domain in constraints.excludedDomains { list.add("not \(domain)") } }
        expected = list.list
    }

    private static func folded(_ domain: String) -> [UInt8] {
        domain.utf8.drop { $0 == UInt8(ascii: ".") }.map(lowercased)
    }

    /// Returns the first alternative name of the leaf that isn't permitted, or nil if all names are permitted. If there
    /// are permitted domains, a leaf without a name is a violation.
    func firstViolation(of leaf: Certificate, _ meter: inout WorkMeter) -> String? {
        let names = leaf.storage.fields.extensions.value(.subjectAlternativeName)
        guard names.isPresent else { return permitted == nil ? nil : "no name" }
        var outer = DERReader(leaf.span, names)
        guard var reader = try? outer.nextSequence("subjectAltName"), !reader.isAtEnd else {
            return permitted == nil ? nil : "no name"
        }
        while !reader.isAtEnd {
            guard let name = try? reader.next("subjectAltName"),
                let isPermitted = isPermitted(leaf.span, name, &meter)
            else { return "?" }
            guard isPermitted else { return leaf.shortName(name) }
        }
        return nil
    }

    /// Whether a name is permitted, or nil if the meter refuses the work.
    private func isPermitted(_ bytes: Span<UInt8>, _ name: DERElement, _ meter: inout WorkMeter) -> Bool? {
        guard meter.charge(work: 16 + 4 * name.contentCount) else { return nil }
        guard name.tag == GeneralNameTag.dnsName else { return permitted == nil }
        // A wildcard only matches names below its domain.
        let isWildcard = matches(bytes, name.content, [0x2a, 0x2e])
        let text = bytes.copy(ByteRange(isWildcard ? name.content + 2 : name.content, name.end)).map(lowercased)
        if let permitted {
            // The empty domain is the root. As a permitted domain it permits nothing, because a mistake in the list is
            // more likely. As an excluded domain it excludes everything.
            guard let isBelow = isBelow(permitted, text, &meter) else { return nil }
            guard isBelow else { return false }
        }
        guard !excluded.isEmpty else { return true }
        guard !excluded.contains([]) else { return false }
        guard let isBelow = isBelow(excluded, text, &meter) else { return nil }
        guard !isBelow, isWildcard else { return !isBelow }
        // A wildcard above an excluded domain may match it: *.example.org matches a.example.org.
        guard meter.charge(work: excludedWork) else { return nil }
        let end = [UInt8(ascii: ".")] + text
        return !excluded.contains { $0.count >= end.count && $0[($0.count - end.count)...].elementsEqual(end) }
    }

    /// Whether a DNS name equals a domain of a set or is below it, at a label boundary. nil if the meter refuses the
    /// work.
    private func isBelow(_ domains: Set<[UInt8]>, _ name: [UInt8], _ meter: inout WorkMeter) -> Bool? {
        var start = 0
        while start < name.count {
            // The loop copies and hashes each suffix of the name.
            guard meter.charge(work: 32 + 2 * (name.count - start)) else { return nil }
            if domains.contains(Array(name[start...])) { return true }
            guard let dot = name[start...].firstIndex(of: UInt8(ascii: ".")) else { return false }
            start = dot + 1
        }
        return false
    }
}

private func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
