// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A source of keys to pin: a file, or a live server.
package protocol PinCandidateSource: Sendable {
    /// The name of the source, for people.
    var name: String { get }
    /// The host that the keys belong to; nil if unknown, as for a file.
    var host: Hostname? { get }
    /// Returns certificates, keys and certificate requests in order, a server's leaf first.
    /// - Throws: ``PinCandidateSourceError`` with every object that can't be read.
    func objects() throws(PinCandidateSourceError) -> [PinSource.Origin]
}

/// The reasons why a source can't be read.
package struct PinCandidateSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line for each reason; never empty.
    package let reasons: [String]

    /// Creates an error from its reasons, of which there has to be one.
    package init(reasons: [String]) { self.reasons = reasons }

    /// One line for each reason.
    package var description: String { reasons.joined(separator: "\n") }
}

/// The contents of a file with certificates, chains, public keys or certificate requests, in PEM or DER.
package struct PinCandidateFile: PinCandidateSource {
    /// The file's name.
    package let name: String
    /// nil, as a file names no host.
    package var host: Hostname? { nil }
    private let bytes: [UInt8]

    /// Creates a source from the contents of a file.
    package init(name: String, bytes: [UInt8]) {
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
