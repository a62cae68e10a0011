// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A trust anchor: a certificate that is trusted because the store contains it, not because of its signature.
///
/// An anchor can be a root, an intermediate, or a leaf. The engine never checks its signature, but does check its
/// dates, key, names and constraints.
package struct TrustAnchor: Sendable, Hashable {
    /// The trusted certificate.
    package let certificate: Certificate

    /// The root programs' conditions. A path must meet all of them. Empty for an anchor without conditions.
    package let conditions: [AnchorConditions]

    /// Whether the anchor belongs to a root program: the system's store contains it and the administrator didn't add
    /// it, or a complete list names it. Browsers require transparency and short validity only for such anchors.
    package let isPublic: Bool

    /// Whether ``conditions`` contains a condition that a path can violate.
    let isConditional: Bool

    /// The key. The engine prepares it on first use and keeps it as long as the anchor.
    let key: PreparedKey

    /// The domains of ``conditions``.
    let preparedConditions = PreparedConditions()

    /// Creates an anchor from a certificate.
    /// - Parameters:
    ///   - certificate: the trusted certificate.
    ///   - conditions: the root programs' conditions. A path must meet all of them. Empty by default.
    package init(_ certificate: Certificate, conditions: [AnchorConditions] = []) {
        self.init(certificate, conditions: conditions, isPublic: false)
    }

    /// Creates an anchor from a certificate that may belong to a root program.
    package init(_ certificate: Certificate, conditions: [AnchorConditions], isPublic: Bool) {
        self.certificate = certificate
        self.conditions = conditions
        self.isPublic = isPublic
        self.isConditional = conditions.contains { !$0.isUnconditional }
        self.key = PreparedKey()
    }

    /// Creates an anchor that shares the prepared key of another anchor.
    package init(_ anchor: TrustAnchor, conditions: [AnchorConditions], isPublic: Bool) {
        self.certificate = anchor.certificate
        self.conditions = conditions
        self.isPublic = isPublic
        self.isConditional = conditions.contains { !$0.isUnconditional }
        self.key = anchor.key
    }

    /// Compares certificates, conditions and origin.
    package static func == (left: TrustAnchor, right: TrustAnchor) -> Bool {
        left.certificate == right.certificate && left.conditions == right.conditions
            && left.isPublic == right.isPublic
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(certificate) }

    /// Returns an anchor for the same certificate with the conditions of both. The result is public if one of them is.
    fileprivate func merged(with other: TrustAnchor) -> TrustAnchor {
        TrustAnchor(
            self, conditions: conditions + other.conditions.filter { !conditions.contains($0) },
            isPublic: isPublic || other.isPublic)
    }
}

/// An immutable set of anchors, indexed by subject. Any number of threads can share a store.
///
/// Programs use ``PathValidator`` with certificates, or `TrustAnchors` of `ServerTrust`.
package final class AnchorStore: Sendable {
    /// The anchors in their original order. A repeated anchor appears once, with the conditions of all its occurrences.
    package let anchors: [TrustAnchor]

    /// The certificates that a path to the anchors must not contain, according to the root programs' lists.
    package let distrusted: [DistrustedCertificates]

    /// The hashes of the subjects in ascending order, and the anchor of each.
    private let subjects: [(hash: UInt64, anchor: Int)]
    /// The anchors of ``subjects``.
    private let anchorsBySubject: [Int]

    /// The last eight bytes of the certificates in ascending order, and the anchor of each.
    private let tails: [(hash: UInt64, anchor: Int)]

    /// The anchors by normalized subject, computed on first use.
    private let names = ManagedAtomicLazyReference<AnchorNames>()

    /// Creates a store of only these certificates. An empty store trusts nothing.
    package convenience init(_ certificates: some Sequence<Certificate>) {
        self.init(certificates.map { TrustAnchor($0) })
    }

    /// Creates a store that shares the prepared keys of the given anchors.
    package convenience init(_ given: some Sequence<TrustAnchor>) { self.init(given, distrusted: []) }

    /// Creates a store with certificates that a path to its anchors must not contain.
    package init(_ given: some Sequence<TrustAnchor>, distrusted: [DistrustedCertificates]) {
        self.distrusted = distrusted
        var anchors: [TrustAnchor] = []
        var byTail: [UInt64: [Int]] = [:]
        for anchor in given {
            let alike = byTail[anchor.certificate.tail] ?? []
            if let index = alike.first(where: { anchors[$0].certificate == anchor.certificate }) {
                anchors[index] = anchors[index].merged(with: anchor)
                continue
            }
            byTail[anchor.certificate.tail, default: []].append(anchors.count)
            anchors.append(anchor)
        }
        self.anchors = anchors
        self.subjects = anchors.enumerated().map { index, anchor in
            let certificate = anchor.certificate
            return (nameHash(certificate.span, certificate.storage.fields.subject), index)
        }.sorted { $0 < $1 }
        self.anchorsBySubject = subjects.map(\.anchor)
        self.tails = anchors.enumerated().map { ($1.certificate.tail, $0) }.sorted { $0 < $1 }
    }

    /// The number of anchors.
    package var count: Int { anchors.count }

    /// Whether the store has no anchors and so trusts nothing.
    package var isEmpty: Bool { anchors.isEmpty }

    /// Whether the store contains this exact certificate.
    package func contains(_ certificate: Certificate) -> Bool { index(of: certificate) != nil }

    /// Whether this exact certificate is a public anchor.
    package func isPublic(_ certificate: Certificate) -> Bool {
        index(of: certificate).map { anchors[$0].isPublic } ?? false
    }

    /// Returns the index of the anchor with this exact certificate, or nil if the store doesn't contain it.
    func index(of certificate: Certificate) -> Int? {
        let tail = certificate.tail
        var position = Self.firstPosition(of: tail, in: tails)
        while position < tails.count, tails[position].hash == tail {
            if anchors[tails[position].anchor].certificate == certificate { return tails[position].anchor }
            position += 1
        }
        return nil
    }

    /// Returns the anchors with this subject, in the order of the store. Returns nil if the meter refuses the work.
    ///
    /// - Parameters:
    ///   - encoded: the name and its place.
    ///   - hash: its ``nameHash(_:_:)``.
    ///   - normalized: normalizes the name if an anchor has the same hash but other bytes.
    func anchors(
        named encoded: EncodedName, hash: UInt64, _ normalized: inout NormalizedNames, _ meter: inout WorkMeter
    ) -> ArraySlice<Int>? {
        let first = Self.firstPosition(of: hash, in: subjects)
        var position = first
        while position < subjects.count, subjects[position].hash == hash {
            guard meter.charge(work: encoded.range.count + 1) else { return nil }
            let anchor = subjects[position].anchor
            let certificate = anchors[anchor].certificate
            guard EncodedName(certificate: certificate, range: certificate.storage.fields.subject) == encoded else {
                return anchorsNamed(normalized.name(encoded, &meter))
            }
            position += 1
        }
        return anchorsBySubject[first..<position]
    }

    private func anchorsNamed(_ name: NormalizedName?) -> ArraySlice<Int>? {
        guard let name else { return nil }
        let names = names.load() ?? names.storeIfNilThenLoad(AnchorNames(anchors))
        return names.anchors[name]?[...] ?? []
    }

    /// Returns the first position of a hash. A binary search needs no hash table and no reference counting.
    private static func firstPosition(of hash: UInt64, in list: [(hash: UInt64, anchor: Int)]) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The anchors of a store by normalized subject.
private final class AnchorNames: Sendable, AtomicReference {
    let anchors: [NormalizedName: [Int]]

    init(_ given: [TrustAnchor]) {
        var anchors: [NormalizedName: [Int]] = [:]
        for (index, anchor) in given.enumerated() {
            let certificate = anchor.certificate
            let name = NormalizedName(certificate.span, certificate.storage.fields.subject)
            anchors[name, default: []].append(index)
        }
        self.anchors = anchors
    }
}
