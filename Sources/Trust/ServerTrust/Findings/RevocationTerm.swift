// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A name that appears in revocation findings, with an explanation for people. The words are in `Book/Revocation`.
package struct RevocationTerm: Sendable, Hashable {
    /// The kinds of names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The kind of evidence that supplied the status.
        case source
        /// The reason why the certificate needs no evidence.
        case exemption
        /// An obstacle that kept the evaluation from finding a status.
        case obstacle
        /// A reservation about a status.
        case note
        /// The reason why a trusted verdict lacks a status.
        case gap
    }

    /// The stable name, as in JSON.
    package let name: String
    /// The kind. Most names are obstacles.
    package let kind: Kind
    /// The meaning, as the rest of a sentence without a full stop.
    package let words: String

    /// All names, by kind. A name is unique within its kind.
    package static let all: [RevocationTerm] =
        terms(.source, PackedBook.sources) + terms(.exemption, PackedBook.exemptions)
        + terms(.obstacle, PackedBook.obstacles) + fetchObstacles + terms(.note, PackedBook.notes)
        + RevocationGap.allCases.map { RevocationTerm(name: $0.rawValue, kind: .gap, words: $0.reason) }

    /// Returns the term with a name, or nil if the name isn't known.
    static func named(_ name: String, _ kind: Kind) -> RevocationTerm? {
        all.first { $0.name == name && $0.kind == kind }
    }

    /// Returns `words (name)` for each name, separated by semicolons. For an unknown name, the result contains only the
    /// name.
    package static func words(_ names: some Sequence<String>, _ kind: Kind) -> String {
        names.map { name in named(name, kind).map { "\($0.words) (\(name))" } ?? name }.joined(separator: "; ")
    }

    /// Returns `words (name)` for each obstacle, with the date of its evidence or the failed addresses after the name.
    package static func words(_ obstacles: some Sequence<RevocationObstacle>) -> String {
        obstacles.map { obstacle in
            let name = [obstacle.name, obstacle.date?.description, obstacle.detail].compactMap(\.self).joined(
                separator: ", ")
            return named(obstacle.name, .obstacle).map { "\($0.words) (\(name))" } ?? name
        }.joined(separator: "; ")
    }

    /// The obstacles of evidence that the source couldn't obtain: the names that `TrustFetchError` reports.
    private static let fetchObstacles = terms(.obstacle, PackedBook.fetches)

    /// The names of ``fetchObstacles``.
    static let fetchFailures = Set(fetchObstacles.map(\.name))

    private static func terms(_ kind: Kind, _ packed: String) -> [RevocationTerm] {
        Book(packed: packed).entries.map { RevocationTerm(name: $0.name, kind: kind, words: $0["words"]) }
    }
}

extension RevocationExemption {
    /// The exemption in words, for people.
    package var words: String { RevocationTerm.words([rawValue], .exemption) }
}

extension RevocationFinding.Source {
    /// The kind of evidence as a title, for people.
    package var title: String {
        switch self {
        case .staple: "OCSP response from the handshake"
        case .ocsp: "OCSP response"
        case .crl: "CRL"
        case .filter: "filter of revoked certificates"
        case .deniedList: "list of denied certificates"
        }
    }
}

extension RevocationFinding {
    /// The obstacles, the exemption or the kind of evidence in words, followed by the reservations. nil if there is
    /// nothing to report.
    var words: String? {
        let told: String? =
            switch status {
            case .unobtainable(let obstacles): RevocationTerm.words(obstacles.prefix(16))
            case .exempt(let exemption): exemption.words
            case .good, .revoked, .unchecked: source.flatMap { RevocationTerm.named($0.rawValue, .source)?.words }
            }
        let parts = [told].compactMap { $0 } + notes.prefix(16).map { RevocationTerm.words([$0.name], .note) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
