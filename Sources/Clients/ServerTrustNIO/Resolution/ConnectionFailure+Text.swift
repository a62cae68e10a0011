// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOCore
import NIOPosix
import PKIX

extension NIOConnectionError {
    /// The error of ``ConcurrentNameResolver``. Nil with another resolver.
    package var nameLookupFailure: ConnectionFailure? { (dnsAError ?? dnsAAAAError) as? ConnectionFailure }
}

extension ConnectionFailure {
    /// Whether no connection to an address was established: the lookup failed, or no address answered in time.
    var isOfAddresses: Bool { isOfNameLookup || code == .connectionTimedOut }

    /// Returns the failure of a server. The failed lookup may have been for another name to connect to.
    package func of(_ host: Hostname, _ port: Int?) -> ConnectionFailure {
        var failure = self
        failure.host = host
        failure.port = port
        return failure
    }

    /// Returns the message for a connection error.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            (error.nameLookupFailure ?? ConnectionFailure(.connectionNameNotResolved, name: error.host)).detail
        case let error as NIOConnectionError:
            error.connectionErrors.map { "\(text($0.target)): \(text($0.error))" }.joined(separator: "; ")
        case ChannelError.connectTimeout: "no answer within the time allowed"
        // Safe: the message for an error number ends with a zero byte, and is copied here.
        case let error as IOError: unsafe String(cString: strerror(error.errnoCode)).lowercased()
        case let error as ConnectionFailure: error.detail
        default: "\(error)"
        }
    }

    static func text(_ address: SocketAddress) -> String {
        guard let ip = address.ipAddress, let port = address.port else { return address.description }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}

extension ConnectionFailure {
    /// Creates the failure for an error of NIO or NIOSSL.
    package init(_ error: any Error, host: Hostname, port: Int?) {
        switch error {
        case let error as ConnectionFailure:
            self = error.of(host, port)
        case let error as NIOConnectionError:
            let timedOut = error.connectionErrors.contains { Self.isTimeout($0.error) }
            self.init(
                timedOut ? .connectionTimedOut : .connectionUnreachable, host: host, port: port,
                exactly: Self.text(error))
            let addresses = error.connectionErrors.map(\.target.ipAddress)
            self.address = addresses.count == 1 ? addresses[0] : nil
        case let error as ChannelError where Self.isTimeout(error):
            self.init(.connectionTimedOut, host: host, port: port, exactly: Self.text(error))
        case let error as IOError:
            self.init(.connectionUnreachable, host: host, port: port, exactly: Self.text(error))
        case is CancellationError:
            self.init(.connectionClosed, host: host, port: port, exactly: "the probe was canceled")
        default:
            let fault = ConnectionFailure(ServerRecords(), error, host: host)
            let text = fault?.detail ?? "the connection failed: \(type(of: error))"
            self.init(.connectionHandshakeFailed, host: host, port: port, exactly: text)
        }
    }

    private static func isTimeout(_ error: any Error) -> Bool {
        if case .connectTimeout = error as? ChannelError { true } else { false }
    }
}

#endif
