// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The listening socket for a lab server or repository.
enum LabListener {
    /// Creates the socket, binds it and starts to listen.
    ///
    /// Child processes inherit NIO's own sockets, and a port stays in use as long as one of them runs. Test suites
    /// start processes. This function therefore creates the socket itself, with FD_CLOEXEC.
    static func start(
        _ bootstrap: ServerBootstrap, _ address: LoopbackAddress, port: Int
    ) async throws(LabPortError) -> any Channel {
        let socket = try bound(address, port)
        do {
            let channel = try await bootstrap.withBoundSocket(socket).get()
            // NIO always asks for a queue of 128 waiting connections on a socket that it didn't create. Linux takes the
            // number of the last call. If the queue is full, some clients believe that they are connected.
            guard listen(socket, 1024) == 0 else { throw LabPortError(address, port, errno) }
            return channel
        } catch let error as LabPortError {
            throw error
        } catch {
            throw LabPortError(address, port, (error as? IOError)?.errnoCode, String(describing: error))
        }
    }

    private static func bound(_ address: LoopbackAddress, _ port: Int) throws(LabPortError) -> CInt {
        guard (0...65_535).contains(port) else { throw LabPortError(address, port, EINVAL) }
        #if canImport(Glibc)
        let stream = CInt(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(address == .v4 ? AF_INET : AF_INET6, stream, 0)
        guard descriptor >= 0 else { throw LabPortError(address, port, errno) }
        var yes: CInt = 1
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size)) == 0,
            let loopback = try? SocketAddress(ipAddress: address.rawValue, port: port),
            loopback.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0
        else {
            let error = LabPortError(address, port, errno)
            close(descriptor)
            throw error
        }
        return descriptor
    }
}

extension LabPortError {
    fileprivate init(_ address: LoopbackAddress, _ port: Int, _ code: CInt?, _ text: String? = nil) {
        switch code {
        case EADDRINUSE: self.init(.labPortInUse, address: address, port: port)
        case EACCES: self.init(.labPortNotPermitted, address: address, port: port)
        default:
            let detail = text ?? code.map { String(cString: strerror($0)) } ?? ""
            self.init(.labPortFailed, address: address, port: port, detail: detail)
        }
    }
}

#endif
