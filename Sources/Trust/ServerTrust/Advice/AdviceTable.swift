// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The table of advice: a pure function of a failure's code, the role and source of the certificate that has to change, and the purpose.
package enum AdviceTable {
    /// An entry of the table.
    package struct Entry: Sendable, Hashable {
        /// The party that can act.
        package let party: Advice.Party
        /// The text with `{place}` and `{issuer}`, which the verdict's certificates fill in.
        package let text: String
        /// The setting that changes the answer; nil for none.
        package let option: Advice.Option?
    }

    /// Returns the advice for a failure; nil for a combination that can't occur, and for codes of other packages.
    /// - Parameters:
    ///   - code: the failure's code.
    ///   - role: the role of the certificate that has to change; nil for a failure of the whole path or search. For `signatureInvalid`
    ///     it is the issuer, whose key didn't make the signature.
    ///   - purpose: the purpose that the verdict is about.
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

        /// nil for a combination that can't occur: the peer presents the leaf, anchors are given or in the store, and no path has an
        /// intermediate of the store.
        package init?(_ role: TrustFailure.Role?, _ source: CertificateSource) {
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

        /// The party that has the certificate, and can put another in its place.
        var actor: Actor {
            switch self {
            case .leaf, .sentIntermediate, .whole: .presenter
            case .givenIntermediate, .givenRoot: .party(.user)
            case .fetchedIntermediate: .party(.authority)
            case .storedRoot: .party(.machine)
            }
        }
    }

    /// A party, or the one that presents the chain, which depends on the purpose.
    enum Actor: Hashable {
        case presenter
        case party(Advice.Party)
    }

    /// The texts for a group of codes.
    ///
    /// In them `{otherCA}` is a further measure for clients, `{peer}` is server, client or peer, `{serve}` its verb, `{usage}` the purpose's extended key usage, `{place}` the file or
    /// store that has the certificate, `{issuer}` the name of the issuer that wasn't found.
    struct Row: Sendable {
        var texts: [Position: String] = [:]
        var parties: [Position: Actor] = [:]
        var option: Advice.Option?
        var purposes = Set(ValidationPolicy.Purpose.allCases)

        /// Creates a row.
        /// - Parameters:
        ///   - leaf: for the leaf.
        ///   - sent: for an intermediate that the peer presents.
        ///   - intermediate: for an intermediate that the user gave.
        ///   - root: for an anchor, given or of the store.
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

        /// Creates a row for a fault of a certificate, whose CA has to issue another.
        /// - Parameters:
        ///   - leaf: the measure for the leaf; nil for a fault that a leaf can't have.
        ///   - sent: the measure for an intermediate that the peer presents.
        ///   - replacement: the properties of the certificate that the CA has to issue: `one that is signed with SHA-256`.
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

        /// Returns the row with other parties, or with another option.
        func with(_ party: Advice.Party? = nil, at positions: Position..., option: Advice.Option? = nil) -> Row {
            var row = self
            if let party { for position in positions { row.parties[position] = .party(party) } }
            row.option = option ?? row.option
            return row
        }

        /// Returns the row with the presenter as the party, although it doesn't have the certificate.
        func withPresenter(at positions: Position...) -> Row {
            var row = self
            for position in positions { row.parties[position] = .presenter }
            return row
        }

        /// Returns the row for the purposes that an extended key usage names.
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
            // Chrome's root program demands hierarchies that are for serverAuth and nothing else (policy 1.8).
            "otherCA":
                self == .clientAuth ? " Otherwise have the certificate issued by a CA that is trusted here." : "",
            "publicCAs": isServer
                ? "" : " Use your own CA: root programs ask public CAs to stop issuing client certificates.",
        ])
    }
}

extension String {
    /// Returns the text with values in the place of names in braces. Values aren't searched for further names.
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
