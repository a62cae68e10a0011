// SPDX-License-Identifier: Apache-2.0

import Atomics

/// The domains of an anchor's conditions, folded when first needed and kept as long as the anchor: a list may have tens of thousands, and a
/// search may check them on any number of paths.
final class PreparedConditions: Sendable {
    /// The maximum number of sets of constraints that are tried; Chrome's lists have at most two.
    static let maximumAlternatives = 16

    /// The domains of each set of constraints of each conditions; nil for a set without domains.
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

    /// Returns the domains of each set of `conditions`, which are the same in all calls.
    func domains(of conditions: [AnchorConditions]) -> [[ConditionDomains?]] {
        (table.load() ?? table.storeIfNilThenLoad(Table(conditions))).domains
    }
}

/// The domains of one set of constraints, in lower case.
struct ConditionDomains: Sendable {
    private let permitted: Set<[UInt8]>?
    private let excluded: Set<[UInt8]>
    /// The work of a comparison with each of ``excluded``.
    private let excludedWork: Int
    /// The domains that names have to be in, or not to be in, for a failure.
    let expected: TrustFailure.Value

    /// Folds the domains of constraints; nil for constraints without any.
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

    /// Returns the first alternative name of the leaf that isn't permitted; nil if all are. A leaf without a name isn't permitted.
    func firstViolation(of leaf: Certificate, _ meter: inout WorkMeter) -> String? {
        let names = leaf.storage.fields.extensions.value(.subjectAlternativeName)
        guard names.isPresent else { return permitted == nil ? nil : "no name" }
        var outer = DERReader(leaf.span, names)
        guard let sequence = try? outer.next(DERTag.sequence, "subjectAltName"), sequence.contentCount > 0 else {
            return permitted == nil ? nil : "no name"
        }
        var reader = outer.inside(sequence)
        while !reader.isAtEnd {
            guard let name = try? reader.next("subjectAltName"),
                let isPermitted = isPermitted(leaf.span, name, &meter)
            else { return "?" }
            guard isPermitted else { return leaf.shortName(name) }
        }
        return nil
    }

    /// Whether a name is permitted; nil if the meter refuses the work.
    private func isPermitted(_ bytes: Span<UInt8>, _ name: DERElement, _ meter: inout WorkMeter) -> Bool? {
        guard meter.charge(work: 16 + 4 * name.contentCount) else { return nil }
        guard name.tag == GeneralNameTag.dnsName else { return permitted == nil }
        // A wildcard stands for names below its domain, and for no other.
        let isWildcard = matches(bytes, name.content, [0x2a, 0x2e])
        let text = bytes.copy(ByteRange(isWildcard ? name.content + 2 : name.content, name.end)).map(lowercased)
        if let permitted {
            // The empty domain is the root: it permits none, as a mistake in a list is more likely, and excludes all.
            guard let isBelow = isBelow(permitted, text, &meter) else { return nil }
            guard isBelow else { return false }
        }
        guard !excluded.isEmpty else { return true }
        guard !excluded.contains([]) else { return false }
        guard let isBelow = isBelow(excluded, text, &meter) else { return nil }
        guard !isBelow, isWildcard else { return !isBelow }
        // A wildcard above an excluded domain may stand for it: *.example.org for a.example.org.
        guard meter.charge(work: excludedWork) else { return nil }
        let end = [UInt8(ascii: ".")] + text
        return !excluded.contains { $0.count >= end.count && $0[($0.count - end.count)...].elementsEqual(end) }
    }

    /// Whether a DNS name is a domain of a set, or ends in a label boundary before one; nil if the meter refuses the work.
    private func isBelow(_ domains: Set<[UInt8]>, _ name: [UInt8], _ meter: inout WorkMeter) -> Bool? {
        var start = 0
        while start < name.count {
            // Each end of the name is copied and hashed.
            guard meter.charge(work: 32 + 2 * (name.count - start)) else { return nil }
            if domains.contains(Array(name[start...])) { return true }
            guard let dot = name[start...].firstIndex(of: UInt8(ascii: ".")) else { return false }
            start = dot + 1
        }
        return false
    }
}

private func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
