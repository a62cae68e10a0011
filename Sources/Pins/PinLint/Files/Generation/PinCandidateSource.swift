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

/// The contents of a file with certificates, chains, public keys or certificate requests, in PEM or DER.
struct PinCandidateFile: PinCandidateSource {
    /// The file's name.
    package let name: String
    /// Nil, because a file names no host.
    package var host: Hostname? { nil }
    private let bytes: [UInt8]

    /// Creates a source from the contents of a file.
    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Returns the objects in the order of the file.
    /// - Throws: ``PinCandidateSourceError`` with every object that can't be read.
    package func objects() throws(PinCandidateSourceError) -> [PinSource.Origin] {
        var objects: [PinSource.Origin] = []
        var reasons: [String] = []
        for entry in PinSource.entries(in: bytes, name: name) {
            switch entry {
            case .success(let source): objects.append(source.origin)
            case .failure(let error): reasons.append(error.description)
            }
        }
        guard reasons.isEmpty else { throw PinCandidateSourceError(reasons: reasons) }
        return objects
    }
}
