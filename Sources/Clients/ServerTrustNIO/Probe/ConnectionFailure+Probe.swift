// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix
import PKIX

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
