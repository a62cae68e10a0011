// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

extension SessionError {
    /// Returns the `URLError` for an error of the transport.
    /// - Parameters:
    ///   - numbers: how to choose the code for a refused server.
    ///   - isOffline: whether this machine has no network beyond the loopback.
    static func make(
        _ error: any Error, at url: URL?, _ numbers: ServerTrustErrorNumbers = .byMeaning,
        isOffline: () -> Bool = { NetworkState.isOffline }
    ) -> any Error {
        switch error {
        case let error as URLError: error
        case let refusal as TrustRefusal: URLError(refused: refusal.verdict, at: url, errorNumbers: numbers)
        // A proxy dictionary was read earlier. Only the environment is read for each request.
        case let error as TrustedHTTPError where error.code == .proxyUnsupported:
            unsupported(.proxyEnvironment, at: url, error.detail)
        case is CancellationError: make(.cancelled, at: url)
        case let body as RequestBody.Unreadable:
            make(.fileDoesNotExist, at: body.url, "the file to upload can't be read")
        case is BodyStream.Failure: make(.requestBodyStreamExhausted, at: url, "the body's stream failed")
        default: make(code(of: error, isOffline: isOffline), at: url, String(describing: error))
        }
    }

    private static func code(of error: any Error, isOffline: () -> Bool) -> URLError.Code {
        switch error {
        case let error as ConnectionFailure: code(of: error)
        case let error as TrustedHTTPError: code(of: error)
        case let error as HTTPClientError: code(of: error)
        case let error as NIOConnectionError: ConnectionAttempts(error).code(isOffline: isOffline)
        case let error as ChannelError:
            if case .connectTimeout = error { .timedOut } else { .networkConnectionLost }
        case let error as IOError:
            switch error.errnoCode {
            case ENETUNREACH, ENETDOWN: .notConnectedToInternet
            case EHOSTUNREACH: isOffline() ? .notConnectedToInternet : .cannotConnectToHost
            case ECONNREFUSED, EADDRNOTAVAIL: .cannotConnectToHost
            case ETIMEDOUT: .timedOut
            default: .networkConnectionLost
            }
        case let error as HTTPParserError:
            // The connection ended in the middle of a message.
            error == .invalidEOFState ? .networkConnectionLost : .badServerResponse
        case is ContentDecodingError: .cannotDecodeContentData
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
        // An HTTP/2 stream.
        default: error.isCutOff ? .networkConnectionLost : .unknown
        }
    }

    private static func code(of error: ConnectionFailure) -> URLError.Code {
        switch error.code {
        case .connectionNameLookupTimedOut, .connectionTimedOut, .connectionEvaluationTimedOut,
            .connectionProxyTimedOut:
            .timedOut
        case .connectionNameServerFailed: .notConnectedToInternet
        case .connectionNameNotResolved: .cannotFindHost
        case .connectionProxyAuthorizationRequired: .userAuthenticationRequired
        case .connectionProxyFailed, .connectionUnreachable: .cannotConnectToHost
        default: .secureConnectionFailed
        }
    }

    private static func code(of error: TrustedHTTPError) -> URLError.Code {
        switch error.code {
        case .requestMalformedURL, .requestUserInURL, .redirectMalformed, .requestMalformed: .badURL
        case .requestUnsupportedScheme: .unsupportedURL
        case .requestPlainHTTPRefused, .redirectToPlainHTTP: .appTransportSecurityRequiresSecureConnection
        case .redirectLimitExceeded, .redirectCycle: .httpTooManyRedirects
        case .responseMalformed: .badServerResponse
        default: .unknown
        }
    }

    private static func code(of error: HTTPClientError) -> URLError.Code {
        switch error {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            .timedOut
        case .remoteConnectionClosed, .uncleanShutdown: .networkConnectionLost
        case .cancelled, .alreadyShutdown, .requestStreamCancelled: .cancelled
        case .invalidURL, .emptyHost, .emptyScheme: .badURL
        default: .unknown
        }
    }
}

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

/// The state of this machine's networks.
enum NetworkState {
    /// Whether no interface except the loopback has an IPv4 or IPv6 address beyond the link. False if the
    /// interfaces can't be read.
    static var isOffline: Bool {
        guard let devices = try? System.enumerateDevices() else { return false }
        return !devices.contains { device in
            guard let address = device.address?.ipAddress else { return false }
            return !address.hasPrefix("127.") && address != "::1" && !address.hasPrefix("fe80:")
                && !address.hasPrefix("169.254.")
        }
    }
}

#endif
