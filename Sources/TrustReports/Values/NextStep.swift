// SPDX-License-Identifier: Apache-2.0

extension TrustReport {
    /// A measure to take.
    public struct NextStep: Sendable, Hashable, Codable {
        /// The kinds of measures; raw values are stable.
        public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            /// A change on the server, or by its CA.
            case server
            /// A narrow change of the client's settings, for a server that can't be mended.
            case client
            /// A measure that is wrong: it looks like a remedy and removes the protection.
            case never
        }

        /// The kind of measure.
        public let kind: Kind
        /// The code of the failure that it is for; nil for measures without one.
        public let code: String?
        /// The measure in a sentence or two.
        public let text: String

        /// Creates a measure; the text is cut after 2,048 characters.
        package init(_ kind: Kind, code: String? = nil, _ text: String) {
            self.kind = kind
            self.code = code
            self.text = ReportText.shown(text)
        }
    }
}
