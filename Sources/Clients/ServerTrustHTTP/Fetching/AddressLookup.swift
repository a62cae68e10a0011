// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustFetching
import ServerTrustNIO

/// The addresses of a host, each as the value that is then connected to: the resolver isn't asked again in between.
struct AddressLookup: Sendable {
    private let issuers: NameLookup
    private let revocation: NameLookup

    // Names from unverified certificates may keep the resolver waiting, and few of them at a time: look-ups for revocation don't queue up
    // behind them, nor does anything else in the program.
    private static let issuers = NameLookup(maximumThreads: 16)
    private static let revocation = NameLookup(maximumThreads: 16)

    /// Creates a look-up that the system's resolver answers.
    init() {
        self.issuers = Self.issuers
        self.revocation = Self.revocation
    }

    /// Creates a look-up that a function answers, which may block its thread.
    init(_ resolve: @escaping @Sendable (_ name: String) throws -> [IPAddress]) {
        let answer: NameLookup.Resolve = { name throws(ConnectionFailure) in
            do {
                return try resolve(name).map {
                    try SocketAddress(packedIPAddress: ByteBuffer(bytes: $0.bytes), port: 0)
                }
            } catch {
                throw ConnectionFailure(.connectionNameNotResolved, name: name, detail: "\(error)")
            }
        }
        self.issuers = NameLookup(maximumThreads: 16, resolve: answer)
        self.revocation = NameLookup(maximumThreads: 16, resolve: answer)
    }

    /// - Throws: `ConnectionFailure`, also if it takes too long; `CancellationError`.
    func addresses(
        of host: Hostname, for resource: TrustResource.Kind, before deadline: NIODeadline, on eventLoop: any EventLoop
    ) async throws -> [IPAddress] {
        if case .ip(let address) = host.kind { return [address] }
        let lookup = resource == .issuer ? issuers : revocation
        return try await lookup.addresses(of: host.description, before: deadline, on: eventLoop)
            .compactMap { IPAddress($0) }
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }
}

extension IPAddress {
    /// The address of a socket; nil for one that isn't of IP.
    fileprivate init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let parsed = IPAddress(text.prefix { $0 != "%" }) else { return nil }
        self = parsed
    }
}
