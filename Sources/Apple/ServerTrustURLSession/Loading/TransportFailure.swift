// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import AsyncHTTPClient
import Foundation
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
#endif
