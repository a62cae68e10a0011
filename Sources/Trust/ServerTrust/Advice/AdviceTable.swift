// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The table of advice. It depends on a failure's code, the purpose, the role and source of the certificate that must
/// change, and for some rows on a condition. `Book/Advice` has the texts, the conditions, the parties and the options.
package enum AdviceTable {
    /// An entry of the table.
    package struct Entry: Sendable, Hashable {
        /// The party that can act.
        let party: Advice.Party
        /// The text. Without a verdict, names in braces such as `{place}` and `{issuer}` remain.
        package let text: String
        /// The settings that change the answer.
        let options: [Advice.Option]
        /// Whether the row has a condition.
        let isConditional: Bool
    }

    /// Returns the advice for a failure. Returns nil for a combination that can't occur, and for codes of other
    /// packages.
    /// - Parameters:
    ///   - code: the failure's code.
    ///   - role: the role of the certificate that must change, or nil for a failure of the whole path or search. For
    ///     `signatureInvalid`, it's the issuer whose key didn't make the signature.
    ///   - purpose: the purpose of the verdict.
    ///   - source: the source of that certificate.
    ///   - values: returns the values of the names in a row's text, or nil for a row whose condition isn't met. The
    ///     default is for a failure without a verdict, which meets no condition.
    package static func entry(
        _ code: TrustFailure.Code, role: TrustFailure.Role?, purpose: ValidationPolicy.Purpose,
        source: CertificateSource, values: (Book.Entry) -> [String: String]? = { $0.isConditional ? nil : [:] }
    ) -> Entry? {
        guard let position = Position(role, source) else { return nil }
        for row in rows[code.name] ?? [] where row["purposes"].isEmpty || row.lists(purpose.rawValue, in: "purposes") {
            guard let (field, text) = position.text(in: row), let values = values(row) else { continue }
            let named = Advice.Party.allCases.first { row.lists(field, in: $0.rawValue) }
            let isPresenter = row.lists(field, in: "presenter")
            return Entry(
                party: named ?? (isPresenter ? purpose.presenter : position.party(purpose)),
                text: text.filling(purpose.words.merging(values) { $1 }),
                options: row.all("option").compactMap { options[$0] }, isConditional: row.isConditional)
        }
        return nil
    }

    /// The rows of each code. Those with a condition come first.
    private static let rows: [String: [Book.Entry]] = {
        var rows: [String: [Book.Entry]] = [:]
        for row in Book(packed: PackedBook.advice).entries {
            for code in row["codes"].split(separator: " ") { rows[String(code), default: []].append(row) }
        }
        return rows
    }()

    private static let options: [String: Advice.Option] = [
        "anchors": .anchors, "evidence": .evidence, "fetching": .fetching,
    ]
}

extension Book.Entry {
    /// Whether a field is a list that contains `value`.
    fileprivate func lists(_ value: String, in field: String) -> Bool {
        self[field].split(separator: " ").contains { $0 == value }
    }

    /// Whether the row of advice has a condition.
    package var isConditional: Bool { ["when", "is", "contains"].contains { !all($0).isEmpty } }
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

        /// Returns the text in a row and its field, or the field of its party.
        func text(in row: Book.Entry) -> (field: String, text: String)? {
            // A row about every position has the field `any`.
            let fields = [rawValue] + (self == .storedRoot ? [Position.givenRoot.rawValue] : []) + ["any"]
            return fields.lazy.compactMap { field in
                row.all(field).first.map { (field == "any" ? field : rawValue, $0) }
            }.first
        }

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

    /// The values of names in texts that depend only on the purpose.
    fileprivate var words: [String: String] {
        let isServer = self == .serverAuth
        return [
            "peer": presenter.rawValue, "usage": rawValue, "serve": isServer ? "serve" : "present",
            // Chrome's root program requires hierarchies that are only for serverAuth (policy 1.8).
            "otherCA":
                self == .clientAuth ? " Otherwise have the certificate issued by a CA that is trusted here." : "",
            "publicCAs": isServer
                ? "" : " Use your own CA: root programs ask public CAs to stop issuing client certificates.",
        ]
    }
}
