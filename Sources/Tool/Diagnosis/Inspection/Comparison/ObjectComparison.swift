// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The relation between two objects: a key and its certificate, a request and its key, a certificate and its CA, or a
/// renewal and its predecessor.
///
/// ```swift
/// let comparison = ObjectComparison(certificate, key, at: now)
/// comparison.belongTogether      // true: the certificate is for the key
/// comparison.relation            // .sameKey
/// ```
///
/// A comparison only verifies signatures. A relation is never a trust verdict.
package struct ObjectComparison: Sendable {
    /// The strongest relation. Raw values are stable. The list is complete.
    package enum Relation: String, Sendable, Hashable, CaseIterable {
        /// Both have the same bytes.
        case identical
        /// The second's key signed the first, which is a certificate.
        case signedBySecond
        /// The first's key signed the second, which is a certificate.
        case signedByFirst
        /// Both are for the same public key.
        case sameKey
        /// The keys differ, and neither key signed the other object.
        case unrelated
        /// Neither object has a known key.
        case notComparable
    }
    /// A field with different values in the two objects.
    package struct Difference: Sendable, Hashable {
        /// The field's name.
        package let field: String
        package let first: String
        package let second: String
    }
    package let relation: Relation
    /// The relation in a sentence.
    package let words: String
    /// The facts that differ, for objects of the same kind.
    package let differences: [Difference]

    /// Whether the objects are the same or belong together.
    package var belongTogether: Bool { relation != .unrelated && relation != .notComparable }

    init(_ first: InspectedObject, _ second: InspectedObject, at now: Time) {
        let relation = Self.relation(first, second)
        self.relation = relation
        self.words = Self.words(relation, first, second)
        let left = ObjectDescription(first, at: now)
        let right = ObjectDescription(second, at: now)
        guard relation != .identical, left.kind == right.kind, relation != .notComparable else {
            differences = []
            return
        }
        let others = Dictionary(right.facts.map { ($0.name, $0) }) { $1 }
        differences = left.facts.compactMap { fact in
            guard let other = others[fact.name], other.value != fact.value else { return nil }
            return Difference(field: fact.name, first: Self.text(fact), second: Self.text(other))
        }
    }

    /// Returns the object in `objects` with the strongest relation to an object of another file, and that relation.
    package static func best(
        _ first: InspectedObject, among objects: [InspectedObject], at now: Time
    ) -> (object: InspectedObject, comparison: ObjectComparison)? {
        // Verifying signatures takes most of the time. The limit is enough for a bundle of all public CAs.
        let candidates = objects.prefix(2000).filter { $0.problem == nil }
        let order = Relation.allCases
        let ranked = candidates.map { ($0, order.firstIndex(of: relation(first, $0)) ?? order.count) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return (best.0, ObjectComparison(first, best.0, at: now))
    }

    private static func text(_ fact: Fact) -> String {
        let texts = fact.texts
        return texts.isEmpty ? "none" : texts.prefix(50).joined(separator: ", ")
    }

    // MARK: Relations

    private static func relation(_ first: InspectedObject, _ second: InspectedObject) -> Relation {
        if !first.der.isEmpty, first.der == second.der { return .identical }
        let left = first.publicKey
        let right = second.publicKey
        if let child = first.certificate, let key = right, left != right, isSigned(child, by: key, of: second) {
            return .signedBySecond
        }
        if let child = second.certificate, let key = left, left != right, isSigned(child, by: key, of: first) {
            return .signedByFirst
        }
        guard let left, let right else { return .notComparable }
        return left == right ? .sameKey : .unrelated
    }

    /// Whether a key signed a certificate. If the key's owner is a certificate, its subject must be the child's issuer.
    /// This condition avoids most verifications.
    private static func isSigned(_ child: Certificate, by key: SubjectPublicKeyInfo, of owner: InspectedObject) -> Bool
    {
        if let issuer = owner.certificate, issuer.subject != child.issuer { return false }
        return child.signatureStatus(by: key) == .valid
    }

    private static func words(_ relation: Relation, _ first: InspectedObject, _ second: InspectedObject) -> String {
        switch relation {
        case .identical: return "they are the same, byte for byte"
        case .signedBySecond: return "the second's key signed the first"
        case .signedByFirst: return "the first's key signed the second"
        case .sameKey: return first.kind == second.kind ? "they have the same key" : "they belong together: same key"
        case .notComparable: return "they can't be compared: \(unknownKey(first) ?? unknownKey(second) ?? "no key")"
        case .unrelated:
            if let child = first.certificate, let issuer = second.certificate, issuer.subject == child.issuer,
                child != issuer, child.subject != issuer.subject
            {
                return "the second has the issuer's name but another key: the first's signature doesn't verify"
            }
            return "they don't belong together: the keys differ, and neither key signed the other"
        }
    }

    private static func unknownKey(_ object: InspectedObject) -> String? {
        guard object.publicKey == nil else { return nil }
        return "\(object.kind?.words ?? "an object of no known kind") without a known public key"
    }
}

extension InspectedObject {
    /// The public key of a certificate, request or key, or nil for other objects and for encrypted keys.
    var publicKey: SubjectPublicKeyInfo? {
        switch content {
        case .parsed(.certificateRequest(let request)): request.subjectPublicKeyInfo
        case .parsed(.publicKey(let key)): key
        case .privateKey(let facts): facts.publicKey
        default: certificate?.subjectPublicKeyInfo
        }
    }
}
