// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An address on loopback that answers no connection attempt. Its listener accepts no connection, and its queue is
/// full.
///
/// On Linux, a listener with a full queue drops the packets of further attempts.
package final class BlackHole: Sendable {
    package let address: SocketAddress
    private let sockets: [CInt]

    package struct Failed: Error { let call: String, number: CInt }

    /// - Parameter port: the port, or 0 for any.
    package init(_ address: String = "127.0.0.2", port: Int = 0) throws {
        let address = try SocketAddress(ipAddress: address, port: port)
        let family = address.ipAddress?.contains(":") == true ? AF_INET6 : AF_INET
        #if canImport(Glibc)
        let kind = CInt(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let sockets = [socket(family, kind, 0), socket(family, kind, 0)]
        func check(_ call: String, _ result: CInt) throws {
            guard result < 0 else { return }
            let number = errno
            for socket in sockets { close(socket) }
            throw Failed(call: call, number: number)
        }
        try check("socket", sockets.min() ?? -1)
        try check("bind", unsafe address.withSockAddr { unsafe bind(sockets[0], $0, socklen_t($1)) })
        try check("listen", listen(sockets[0], 0))
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        var bound = sockaddr_in6()
        try check(
            "getsockname",
            unsafe withUnsafeMutablePointer(to: &bound) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(sockets[0], $0, &size)
                }
            })
        var full = address
        // The port is at the same place for both families.
        full.port = Int(UInt16(bigEndian: bound.sin6_port))
        try check("connect", unsafe full.withSockAddr { unsafe connect(sockets[1], $0, socklen_t($1)) })
        // The listener is readable when the connection is in its queue.
        var wait = pollfd(fd: sockets[0], events: Int16(POLLIN), revents: 0)
        try check("poll", unsafe poll(&wait, 1, -1))
        self.address = full
        self.sockets = sockets
    }

    package var port: Int { address.port ?? 0 }

    deinit { for socket in sockets { close(socket) } }
}
