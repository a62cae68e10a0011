// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOCore

/// The system's resolver, which uses files, DNS and the machine's other sources.
package enum SystemNames {
    /// Returns the addresses of a name without duplicates, in the order to try them (RFC 6724), with port 0.
    ///
    /// Blocks its thread until the resolver answers. This takes as long as the resolver's configuration allows, and
    /// can't be interrupted.
    /// - Throws: ``ConnectionFailure`` if there is no address.
    package static func addresses(of name: String) throws(ConnectionFailure) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        // Safe: the call copies the name, and the list is freed once, below.
        let status = unsafe getaddrinfo(name, nil, &hints, &first)
        guard status == 0 else { throw error(status, name) }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = unsafe first
        while let entry = unsafe next {
            unsafe next = entry.pointee.ai_next
            guard let address = unsafe address(entry.pointee), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw ConnectionFailure(.connectionNameNotResolved, name: name) }
        return addresses
    }

    private static func error(_ status: Int32, _ name: String) -> ConnectionFailure {
        switch status {
        case EAI_NONAME: ConnectionFailure(.connectionNameNotResolved, name: name)
        case EAI_AGAIN: ConnectionFailure(.connectionNameServerFailed, name: name)
        // Safe: the message for a status ends with a zero byte, and is copied here.
        default:
            unsafe ConnectionFailure(
                .connectionNameNotResolved, name: name, detail: String(cString: gai_strerror(status)))
        }
    }

    /// Copies an address if its family is IPv4 or IPv6.
    private static func address(_ entry: addrinfo) -> SocketAddress? {
        guard let raw = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
        // Safe: the family identifies the structure, and the length shows that it is complete.
        let size = unsafe Int(entry.ai_addrlen)
        switch unsafe entry.ai_family {
        case AF_INET where size >= MemoryLayout<sockaddr_in>.size:
            return unsafe SocketAddress(raw.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6 where size >= MemoryLayout<sockaddr_in6>.size:
            return unsafe SocketAddress(raw.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }
}

#endif
