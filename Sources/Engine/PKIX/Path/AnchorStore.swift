// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A trust anchor: a certificate that is trusted because it is in the store, not because of its signature.
///
/// May be a root, an intermediate, or a leaf. Its own signature is never checked; its dates, key, names and constraints
/// are.
package struct TrustAnchor: Sendable, Hashable {
    /// The trusted certificate.
    package let certificate: Certificate

    /// The conditions of root programs, all of which a path has to meet; empty for an anchor that is trusted without any.
    package let conditions: [AnchorConditions]

    /// Whether the anchor is one of a root program's: of the system's store and not its administrator's own, or named by a complete list. Of
    /// these alone browsers ask for transparency and for short validity.
    package let isPublic: Bool

    /// Whether a path may break ``conditions``.
    let isConditional: Bool

    /// The key, prepared when first needed and kept as long as the anchor.
    let key: PreparedKey

    /// The domains of ``conditions``.
    let preparedConditions = PreparedConditions()

    /// Creates an anchor of a certificate.
    /// - Parameters:
    ///   - certificate: the trusted certificate.
    ///   - conditions: the conditions of root programs, all of which a path has to meet; none by default.
    package init(_ certificate: Certificate, conditions: [AnchorConditions] = []) {
        self.init(certificate, conditions: conditions, isPublic: false)
    }

    /// Creates an anchor of a certificate that may be a root program's.
    package init(_ certificate: Certificate, conditions: [AnchorConditions], isPublic: Bool) {
        self.certificate = certificate
        self.conditions = conditions
        self.isPublic = isPublic
        self.isConditional = conditions.contains { !$0.isUnconditional }
        self.key = PreparedKey()
    }

    /// Creates an anchor that shares its prepared key with another one.
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

    /// Returns an anchor of the same certificate with the conditions of both. One of a root program's stays public.
    fileprivate func merged(with other: TrustAnchor) -> TrustAnchor {
        guard self != other else { return self }
        return TrustAnchor(
            self, conditions: conditions + other.conditions.filter { !conditions.contains($0) },
            isPublic: isPublic || other.isPublic)
    }
}

/// An immutable set of anchors, indexed by subject. One store serves any number of threads.
///
/// Programs use ``PathValidator`` with certificates, or `TrustAnchors` of `ServerTrust`.
package final class AnchorStore: Sendable {
    /// The anchors in the order given. One that is given again is kept once, with the conditions of both.
    package let anchors: [TrustAnchor]

    /// The certificates that no path to the anchors may contain, by the lists of root programs.
    package let distrusted: [DistrustedCertificates]

    /// The hashes of the subjects, ascending, and the anchor of each.
    private let subjects: [(hash: UInt64, anchor: Int)]

    /// The last eight bytes of the certificates, ascending, and the anchor of each.
    private let tails: [(hash: UInt64, anchor: Int)]

    /// The anchors by normalized subject, made when first needed.
    private let names = ManagedAtomicLazyReference<AnchorNames>()

    /// Creates a store of these certificates and no others. It may be empty: then nothing is trusted.
    package convenience init(_ certificates: some Sequence<Certificate>) {
        self.init(certificates.map { TrustAnchor($0) })
    }

    /// Creates a store that shares prepared keys with the stores whose anchors are given.
    package convenience init(_ given: some Sequence<TrustAnchor>) { self.init(given, distrusted: []) }

    /// Creates a store with the certificates that no path to its anchors may contain.
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
        self.tails = anchors.enumerated().map { ($1.certificate.tail, $0) }.sorted { $0 < $1 }
    }

    /// The number of anchors.
    package var count: Int { anchors.count }

    /// Whether the store has no anchor, so that nothing is trusted.
    package var isEmpty: Bool { anchors.isEmpty }

    /// Whether exactly this certificate is an anchor.
    package func contains(_ certificate: Certificate) -> Bool { index(of: certificate) != nil }

    /// Whether exactly this certificate is an anchor, and a public one.
    package func isPublic(_ certificate: Certificate) -> Bool {
        index(of: certificate).map { anchors[$0].isPublic } ?? false
    }

    /// Returns the index of the anchor that is exactly this certificate; nil if there is none.
    func index(of certificate: Certificate) -> Int? {
        let tail = certificate.tail
        var position = Self.firstPosition(of: tail, in: tails)
        while position < tails.count, tails[position].hash == tail {
            if anchors[tails[position].anchor].certificate == certificate { return tails[position].anchor }
            position += 1
        }
        return nil
    }

    /// Returns the anchors whose subject is this name, in the order of the store; nil if the meter refuses the work.
    ///
    /// - Parameters:
    ///   - encoded: the name and its place.
    ///   - hash: its ``nameHash(_:_:)``.
    ///   - normalized: normalizes the name if an anchor has the same hash and other bytes.
    func anchors(
        named encoded: EncodedName, hash: UInt64, _ normalized: inout NormalizedNames, _ meter: inout WorkMeter
    ) -> [Int]? {
        var found: [Int] = []
        var position = Self.firstPosition(of: hash, in: subjects)
        while position < subjects.count, subjects[position].hash == hash {
            guard meter.charge(work: encoded.range.count + 1) else { return nil }
            let anchor = subjects[position].anchor
            let certificate = anchors[anchor].certificate
            guard EncodedName(certificate: certificate, range: certificate.storage.fields.subject) == encoded else {
                return anchorsNamed(normalized.name(encoded, &meter))
            }
            found.append(anchor)
            position += 1
        }
        return found
    }

    private func anchorsNamed(_ name: NormalizedName?) -> [Int]? {
        guard let name else { return nil }
        let names = names.load() ?? names.storeIfNilThenLoad(AnchorNames(anchors))
        return names.anchors[name] ?? []
    }

    /// Returns the first position of a hash by binary search: no table to hash into, no reference to count.
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

/// The anchors of a store by their normalized subjects.
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
