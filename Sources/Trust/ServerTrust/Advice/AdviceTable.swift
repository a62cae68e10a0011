// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The table of advice. It depends only on a failure's code, the purpose, and the role and source of the certificate
/// that must change. `Book/Advice` has the texts, the parties and the options.
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
        guard let row = rows[code.name], let position = Position(role, source),
            row["purposes"].isEmpty || row.lists(purpose.rawValue, in: "purposes"),
            let text = position.fields.lazy.compactMap({ row.all($0).first }).first
        else { return nil }
        let named = Advice.Party.allCases.first { row.lists(position.rawValue, in: $0.rawValue) }
        let isPresenter = row.lists(position.rawValue, in: "presenter")
        return Entry(
            party: named ?? (isPresenter ? purpose.presenter : position.party(purpose)), text: purpose.filled(text),
            option: options[row["option"]])
    }

    private static let rows: [String: Book.Entry] = {
        var rows: [String: Book.Entry] = [:]
        for row in Book(packed: PackedBook.advice).entries {
            for code in row["codes"].split(separator: " ") { rows[String(code)] = row }
        }
        return rows
    }()

    private static let options: [String: Advice.Option] = ["anchors": .anchors, "evidence": .evidence]
}

extension Book.Entry {
    /// Whether a field is a list that contains `value`.
    fileprivate func lists(_ value: String, in field: String) -> Bool {
        self[field].split(separator: " ").contains { $0 == value }
    }
}

extension AdviceTable {
    /// The combinations of role and source that occur. The raw values are the fields with their texts.
    package enum Position: String, CaseIterable {
        case leaf, whole
        case sentIntermediate = "sent"
        case givenIntermediate = "intermediate"
        case fetchedIntermediate = "published"
        case givenRoot = "root"
        case storedRoot = "stored"

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

        /// The fields with the text, the preferred one first.
        var fields: [String] { self == .storedRoot ? [rawValue, Position.givenRoot.rawValue] : [rawValue] }

        /// Returns the party that has the certificate and can replace it.
        func party(_ purpose: ValidationPolicy.Purpose) -> Advice.Party {
            switch self {
            case .leaf, .sentIntermediate, .whole: purpose.presenter
            case .givenIntermediate, .givenRoot: .user
            case .fetchedIntermediate: .authority
            case .storedRoot: .machine
            }
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
