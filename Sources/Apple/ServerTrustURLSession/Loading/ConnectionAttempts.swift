// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import NIOCore
    import NIOPosix

    /// A connection that no address of a host led to: the parts of NIO's error that determine Foundation's code.
    struct ConnectionAttempts: Sendable {
        /// An address that was tried.
        struct Attempt: Sendable {
            let isIPv4: Bool
            /// The system's error number; nil for another error, such as a time-out.
            let errorNumber: Int32?
        }

        /// The addresses that were tried; empty if the name has none.
        let attempts: [Attempt]
        /// The numbers of failed look-ups of the name (`EAI_…`), nil for another error; empty if none failed.
        let lookups: [Int32?]

        init(attempts: [Attempt], lookups: [Int32?]) {
            self.attempts = attempts
            self.lookups = lookups
        }

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
        /// `notConnectedToInternet` is for a name that no server of names could be asked about (`EAI_AGAIN`), for an IPv4 address to
        /// which there is no route, and for any name or address without a route where this machine has no network but its
        /// own. An IPv6 address alone to which there is no route proves nothing: many networks have IPv4 only.
        func code(isOffline: () -> Bool) -> URLError.Code {
            guard !attempts.isEmpty else {
                guard !lookups.isEmpty else { return .cannotConnectToHost }
                return lookups.contains(EAI_AGAIN) || isOffline() ? .notConnectedToInternet : .cannotFindHost
            }
            // An address that answers, or that is silent, has a route.
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
