// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Where keys to pin are found: a file, and whatever else can show certificates, a live host.
public protocol PinCandidateSource: Sendable {
    /// As it was named, for people.
    var name: String { get }
    /// The host that it speaks for; nil for one that doesn't say, a file.
    var host: Hostname? { get }
    /// Certificates, keys and certificate requests in order, a server's leaf first.
    /// - Throws: ``PinCandidateSourceError`` with everything that can't be read.
    func objects() throws(PinCandidateSourceError) -> [PinSource.Origin]
}

/// Why a source yields nothing.
public struct PinCandidateSourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One line for each thing that is wrong; never empty.
    public let reasons: [String]

    public init(reasons: [String]) { self.reasons = reasons }

    public var description: String { reasons.joined(separator: "\n") }
}

/// A file's bytes: certificates, chains, public keys, certificate requests, in PEM or DER.
public struct PinCandidateFile: PinCandidateSource {
    public let name: String
    public var host: Hostname? { nil }
    private let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    public func objects() throws(PinCandidateSourceError) -> [PinSource.Origin] {
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
