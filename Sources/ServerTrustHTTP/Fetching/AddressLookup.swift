// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustFetching

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The addresses of a host, each as the value that is then connected to: the resolver isn't asked again in between.
struct AddressLookup: Sendable {
    /// Blocks its thread.
    var resolve: @Sendable (_ name: String) throws -> [IPAddress] = { try Self.systemAddresses($0) }

    /// Names from unverified certificates may keep the resolver waiting; look-ups for revocation
    /// don't queue up behind them, nor does anything else in the program. The threads start with the first name.
    private static let issuerThreads = makeThreads()
    private static let revocationThreads = makeThreads()

    private static func makeThreads() -> NIOThreadPool {
        let threads = NIOThreadPool(numberOfThreads: 4)
        threads.start()
        return threads
    }

    /// - Throws: the resolver's error; `TimedOut` if it takes too long, which it may: it can't be interrupted.
    func addresses(
        of host: Hostname, for resource: TrustResource.Kind, before deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) async throws -> [IPAddress] {
        if case .ip(let address) = host.kind { return [address] }
        let promise = eventLoop.makePromise(of: [IPAddress].self)
        let limit = eventLoop.scheduleTask(deadline: deadline) { promise.fail(TimedOut()) }
        let name = host.description
        let threads = resource == .issuer ? Self.issuerThreads : Self.revocationThreads
        threads.submit { state in
            guard case .active = state else { return promise.fail(CancellationError()) }
            // It waited too long for a thread: the answer isn't wanted any more, and others wait.
            guard .now() < deadline else { return promise.fail(TimedOut()) }
            promise.completeWith(Result { try resolve(name) })
        }
        defer { limit.cancel() }
        return try await promise.futureResult.get()
    }

    struct TimedOut: Error {}

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// The addresses of the system's resolver, in its order, which is the one to try them in (RFC 6724); none twice.
    private static func systemAddresses(_ name: String) throws -> [IPAddress] {
        var first: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, nil, &first)
        guard status == 0 else { throw Failed(description: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next {
            next = entry.pointee.ai_next
            guard let raw = entry.pointee.ai_addr else { continue }
            let bytes =
                switch entry.pointee.ai_family {
                case AF_INET:
                    UnsafeRawPointer(raw).withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
                    }
                case AF_INET6:
                    UnsafeRawPointer(raw).withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
                    }
                default: [UInt8]()
                }
            guard let address = IPAddress(bytes: bytes), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        return addresses
    }
}
