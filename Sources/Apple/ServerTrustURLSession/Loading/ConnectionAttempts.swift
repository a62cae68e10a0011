// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix

/// A failed connection, after every address of the host failed: the parts of NIO's error that determine
/// Foundation's code.
struct ConnectionAttempts: Sendable {
    /// An address that was tried.
    struct Attempt: Sendable {
        let isIPv4: Bool
        /// The system's error number, or nil for another error such as a timeout.
        let errorNumber: Int32?
    }

    /// The addresses that were tried. Empty if the name has none.
    let attempts: [Attempt]
    /// The error numbers of failed lookups of the name (`EAI_…`), or nil for another error. Empty if no lookup
    /// failed.
    let lookups: [Int32?]

}

extension ConnectionAttempts {
    init(_ error: NIOConnectionError) {
        self.attempts = error.connectionErrors.map { failure in
            let isIPv4 = if case .v4 = failure.target { true } else { false }
            return Attempt(isIPv4: isIPv4, errorNumber: (failure.error as? IOError)?.errnoCode)
        }
        self.lookups = [error.dnsAError, error.dnsAAAAError].compactMap { $0 }.map { failure in
            (failure as? SocketAddressError.UnknownHost).map { Int32(truncatingIfNeeded: $0.errorCode) }
        }
    }

    /// Returns Foundation's code.
    ///
    /// The code is `notConnectedToInternet` if no name server could be reached (`EAI_AGAIN`) or if an IPv4 address
    /// has no route. If this machine has no network beyond the loopback, the code also applies to every name that
    /// isn't found and every address without a route. An IPv6 address without a route proves nothing when it is the
    /// only sign, because many networks only have IPv4.
    func code(isOffline: () -> Bool) -> URLError.Code {
        guard !attempts.isEmpty else {
            guard !lookups.isEmpty else { return .cannotConnectToHost }
            return lookups.contains(EAI_AGAIN) || isOffline() ? .notConnectedToInternet : .cannotFindHost
        }
        // An address that answers, or doesn't respond at all, has a route.
        guard attempts.allSatisfy(\.lacksRoute) else { return .cannotConnectToHost }
        return attempts.contains(where: \.lacksNetwork) || isOffline()
            ? .notConnectedToInternet : .cannotConnectToHost
    }
}

extension ConnectionAttempts.Attempt {
    fileprivate var lacksRoute: Bool {
        [ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL].contains { $0 == errorNumber }
    }
    fileprivate var lacksNetwork: Bool { isIPv4 && (errorNumber == ENETUNREACH || errorNumber == ENETDOWN) }
}
#endif
