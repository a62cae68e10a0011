// SPDX-License-Identifier: Apache-2.0

/// The request fields that a response depends on (RFC 9111 § 4.1, RFC 9110 § 12.5.5).
package enum Vary: Sendable, Hashable {
    /// The names in lower case, in byte order and without duplicates. Empty for a response that depends on no field.
    case fields([String])
    /// `*`: the response must not answer any other request.
    case everything

    /// Parses `Vary` fields.
    /// - Parameter fields: the values of all `Vary` fields.
    package init(_ fields: [String]) {
        let names = fields.flatMap { $0.split(separator: ",") }.map { $0.withoutOuterSpace.asciiLowercased }
            .filter { !$0.isEmpty }
        self = names.contains("*") ? .everything : .fields(Set(names).sorted())
    }
}
