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

#endif
