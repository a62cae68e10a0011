// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A loopback listener that never answers. Releasing the object closes it.
final class SilentSocket {
    let port: UInt16
    private let descriptor: Int32

    /// - Parameter isListening: false for a port that refuses connections and that no other process can use while the
    ///   socket exists.
    init(isListening: Bool = true) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && (!isListening || listen(descriptor, 8) == 0)
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
