// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A source of keys to pin: a file, or a live server.
package protocol PinCandidateSource: Sendable {
    /// A human-readable name of the source.
    var name: String { get }
    /// The host that the keys belong to, or nil if it isn't known, as for a file.
    var host: Hostname? { get }
    /// Returns certificates, keys and certificate requests in order. A server's leaf comes first.
    /// - Throws: ``PinCandidateSourceError`` with every object that can't be read.
    func objects() throws(PinCandidateSourceError) -> [PinSource.Origin]
}

/// The reasons why a source can't be read.
package struct PinCandidateSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reasons, one line each. Never empty.
    package let reasons: [String]

    /// Creates an error from its reasons. There has to be at least one.
    package init(reasons: [String]) { self.reasons = reasons }

    /// The reasons, one line each.
    package var description: String { reasons.joined(separator: "\n") }
}
