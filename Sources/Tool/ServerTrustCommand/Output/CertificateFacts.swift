// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

/// The facts about a certificate in the JSON of `check` and `verify`, with the names of `servertrust inspect`.
struct CertificateFacts: Encodable {
    private let facts: [Fact]
    /// The maximum number of bytes for a text, and for all values of a list.
    private let size: Int

    /// Creates the facts about a certificate.
    /// - Parameters:
    ///   - count: the number of certificates in the report, which share its bytes. Only `inspect` shows a certificate
    ///     with a thousand names in full.
    ///   - names: the names of facts to leave out.
    ///   - now: the time from which to count days.
    init(_ certificate: Certificate, of count: Int, without names: Set<String> = [], at now: Time) {
        facts = CertificateDescription(der: certificate.der).facts(at: now).filter { !names.contains($0.name) }
        size = max(128, 3072 / max(1, count))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for fact in facts {
            let key = Key(stringValue: fact.name)
            switch fact.value {
            case .text(let text): try container.encode(text?.abridged(toBytes: size), forKey: key)
            case .number(let number): try container.encode(number, forKey: key)
            case .flag(let flag): try container.encode(flag, forKey: key)
            case .list(let list):
                let kept = kept(list)
                try container.encode(kept, forKey: key)
                guard kept.count < list.count else { continue }
                try container.encode(list.count - kept.count, forKey: Key(stringValue: fact.name + "Omitted"))
            }
        }
    }

    /// Returns the first values that fit, at least one.
    private func kept(_ list: [String]) -> [String] {
        var left = size
        let values = list.prefix { value in
            left -= value.utf8.count
            return left >= 0
        }
        return values.isEmpty ? list.prefix(1).map { $0.abridged(toBytes: size) } : Array(values)
    }
}

/// A certificate's record, with the facts about the certificate as additional members.
struct WithFacts<Base: Encodable>: Encodable {
    let base: Base
    let facts: CertificateFacts

    func encode(to encoder: any Encoder) throws {
        try base.encode(to: encoder)
        try facts.encode(to: encoder)
    }
}

/// The record of a verdict. Additional members contain the places of the path's certificates in the order sent (0 for the
/// first, null for one that wasn't sent), the facts about them, and the leaf's names that don't match the host.
struct VerdictRecord: Encodable {
    let verdict: TrustVerdict
    let presented: PresentedChain

    private enum Key: String, CodingKey {
        case presented, certificateFacts, rejectedNames, rejectedNamesOmitted
    }

    func encode(to encoder: any Encoder) throws {
        try verdict.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(verdict.path.map(presented.place), forKey: .presented)
        let facts = verdict.path.map { CertificateFacts($0, of: verdict.path.count, at: verdict.evaluationDate) }
        try container.encode(facts, forKey: .certificateFacts)
        guard let mismatch = verdict.nameMismatch else { return }
        try container.encode(mismatch.names, forKey: .rejectedNames)
        if mismatch.omitted > 0 { try container.encode(mismatch.omitted, forKey: .rejectedNamesOmitted) }
    }
}
