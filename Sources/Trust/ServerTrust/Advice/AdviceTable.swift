// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The table of advice. It depends only on a failure's code, the purpose, and the role and source of the certificate
/// that must change.
package enum AdviceTable {
    /// An entry of the table.
    package struct Entry: Sendable, Hashable {
        /// The party that can act.
        let party: Advice.Party
        /// The text with `{place}` and `{issuer}`, which are filled in from the verdict's certificates.
        package let text: String
        /// The setting that changes the answer, or nil for none.
        let option: Advice.Option?
    }

    /// Returns the advice for a failure. Returns nil for a combination that can't occur, and for codes of other
    /// packages.
    /// - Parameters:
    ///   - code: the failure's code.
    ///   - role: the role of the certificate that must change, or nil for a failure of the whole path or search. For
    ///     `signatureInvalid`, it's the issuer whose key didn't make the signature.
    ///   - purpose: the purpose of the verdict.
    ///   - source: the source of that certificate.
    package static func entry(
        _ code: TrustFailure.Code, role: TrustFailure.Role?, purpose: ValidationPolicy.Purpose,
        source: CertificateSource
    ) -> Entry? {
        guard let row = rows[code.name], row.purposes.contains(purpose),
            let position = Position(role, source), let text = row.texts[position]
        else { return nil }
        let party =
            switch row.parties[position] ?? position.actor {
            case .presenter: purpose.presenter
            case .party(let party): party
            }
        return Entry(party: party, text: purpose.filled(text), option: row.option)
    }

    private static let rows: [String: Row] = {
        var rows: [String: Row] = [:]
        for (codes, row) in certificateRows + nameRows + searchRows + ruleRows {
            for code in codes { rows[code.name] = row }
        }
        return rows
    }()
}

extension AdviceTable {
    /// The combinations of role and source that occur.
    package enum Position: Hashable, CaseIterable {
        case leaf, sentIntermediate, givenIntermediate, fetchedIntermediate, givenRoot, storedRoot, whole

        /// Returns nil for a combination that can't occur: the peer presents the leaf, anchors are supplied or in the
        /// root store, and no path has an intermediate from the store.
        init?(_ role: TrustFailure.Role?, _ source: CertificateSource) {
            switch (role, source) {
            case (nil, .presented): self = .whole
            case (.leaf, .presented): self = .leaf
            case (.intermediate, .presented): self = .sentIntermediate
            case (.intermediate, .given): self = .givenIntermediate
            case (.intermediate, .fetched): self = .fetchedIntermediate
            case (.anchor, .given): self = .givenRoot
            case (.anchor, .store): self = .storedRoot
            default: return nil
            }
        }

        /// The party that has the certificate and can replace it.
        var actor: Actor {
            switch self {
            case .leaf, .sentIntermediate, .whole: .presenter
            case .givenIntermediate, .givenRoot: .party(.user)
            case .fetchedIntermediate: .party(.authority)
            case .storedRoot: .party(.machine)
            }
        }
    }

    /// A party. `presenter` depends on the purpose.
    enum Actor: Hashable {
        case presenter
        case party(Advice.Party)
    }

    /// The texts for a group of codes. They contain these names:
    ///
    /// - `{otherCA}`: an additional measure for clients
    /// - `{peer}`: server, client or peer
    /// - `{serve}`: the peer's verb
    /// - `{usage}`: the purpose's extended key usage
    /// - `{place}`: the file or store with the certificate
    /// - `{issuer}`: the name of the issuer that wasn't found
    struct Row: Sendable {
        var texts: [Position: String] = [:]
        var parties: [Position: Actor] = [:]
        var option: Advice.Option?
        var purposes = Set(ValidationPolicy.Purpose.allCases)

        /// Creates a row.
        /// - Parameters:
        ///   - leaf: for the leaf.
        ///   - sent: for an intermediate that the peer presents.
        ///   - intermediate: for an intermediate that the user supplied.
        ///   - root: for an anchor, whether the user supplied it or the root store has it.
        ///   - published: for an intermediate that was fetched.
        ///   - whole: for the whole path or search.
        init(
            leaf: String? = nil, sent: String? = nil, intermediate: String? = nil, root: String? = nil,
            published: String? = nil, whole: String? = nil
        ) {
            texts[.leaf] = leaf
            texts[.sentIntermediate] = sent
            texts[.givenIntermediate] = intermediate
            texts[.fetchedIntermediate] = published
            texts[.givenRoot] = root
            texts[.storedRoot] = root
            texts[.whole] = whole
        }

        /// Creates a row for a fault of a certificate that its CA has to replace.
        /// - Parameters:
        ///   - leaf: the measure for the leaf, or nil for a fault that a leaf can't have.
        ///   - sent: the measure for an intermediate that the peer presents.
        ///   - replacement: the certificate that the CA has to issue, such as `one that is signed with SHA-256`.
        static func fault(leaf: String?, sent: String, replacement: String) -> Row {
            var row = Row(
                leaf: leaf, sent: sent,
                intermediate: "Replace the intermediate in {place} with \(replacement). Ask its CA for it.",
                root: "Replace the root in {place} with \(replacement). Ask its CA for it.",
                published:
                    "Ask the CA that publishes this intermediate to publish \(replacement)."
            )
            row.texts[.storedRoot] =
                "Replace the root in {place} with \(replacement). Update this system's CA certificates, or ask the CA."
            return row
        }

        /// Returns the row with other parties or another option.
        func with(_ party: Advice.Party? = nil, at positions: Position..., option: Advice.Option? = nil) -> Row {
            var row = self
            if let party { for position in positions { row.parties[position] = .party(party) } }
            row.option = option ?? row.option
            return row
        }

        /// Returns the row with the presenter as the party, although the presenter doesn't have the certificate.
        func withPresenter(at positions: Position...) -> Row {
            var row = self
            for position in positions { row.parties[position] = .presenter }
            return row
        }

        /// Returns the row for the purposes that have an extended key usage.
        var forUsages: Row {
            var row = self
            row.purposes = [.serverAuth, .clientAuth]
            return row
        }
    }
}

extension ValidationPolicy.Purpose {
    /// The party that presents the chain.
    var presenter: Advice.Party {
        switch self {
        case .serverAuth: .server
        case .clientAuth: .client
        case .any: .peer
        }
    }

    fileprivate func filled(_ text: String) -> String {
        guard text.contains("{") else { return text }
        let isServer = self == .serverAuth
        return text.filling([
            "peer": presenter.rawValue, "usage": rawValue, "serve": isServer ? "serve" : "present",
            // Chrome's root program requires hierarchies that are only for serverAuth (policy 1.8).
            "otherCA":
                self == .clientAuth ? " Otherwise have the certificate issued by a CA that is trusted here." : "",
            "publicCAs": isServer
                ? "" : " Use your own CA: root programs ask public CAs to stop issuing client certificates.",
        ])
    }
}

extension String {
    /// Returns the text with names in braces replaced by their values. Names inside the values aren't replaced.
    func filling(_ values: [String: String]) -> String {
        var filled = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            filled += values[String(rest[rest.index(after: start)..<end])] ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}
