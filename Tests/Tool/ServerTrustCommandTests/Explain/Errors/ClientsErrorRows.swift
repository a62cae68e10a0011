// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustGRPC
import ServerTrustHTTP
import ServerTrustNIO

@testable import ServerTrustWebSocket

extension ErrorRow {
    /// The errors in Clients. Most of them need a server or a connection, and the client tests cover those.
    static let clients: [ErrorRow] = lookups + connections + tls + gates + requests + downloads + webSockets + gRPC

    // MARK: - Connections

    private static let lookups: [ErrorRow] = [
        .connectionNameNotResolved, .connectionNameLookupTimedOut, .connectionNameServerFailed,
    ].map { (code: ErrorCode) in connection(ConnectionFailure(code, name: "a.test")) }

    private static let connections: [ErrorRow] =
        [
            .connectionUnreachable, .connectionTimedOut, .connectionProxyFailed,
            .connectionProxyAuthorizationRequired, .connectionProxyTimedOut, .connectionStartTLSDeclined,
            .connectionStartTLSFailed, .connectionEvaluationTimedOut, .connectionHandshakeFailed, .connectionClosed,
            .connectionPlainHTTP, .connectionNotTLS, .connectionOldTLSOnly, .connectionNameRefused,
            .connectionNotEvaluated, .connectionSentTooEarly,
        ].map { (code: ErrorCode) in connected(code) } + [
            connected(.connectionStartTLSNeeded, startTLS: "smtp"), connected(.connectionHandshakeAlert, alert: 40),
            connected(.connectionClientCertificateRequired, alert: 116),
        ]

    private static func connected(_ code: ErrorCode, startTLS: String? = nil, alert: UInt8? = nil) -> ErrorRow {
        var failure = ConnectionFailure(
            code, host: try? Hostname("a.test"), port: 443, startTLS: startTLS, alert: alert, exactly: "it failed")
        failure.address = "192.0.2.1"
        return connection(failure)
    }

    private static func connection(_ failure: ConnectionFailure) -> ErrorRow {
        ErrorRow(failure) {
            [
                "host": $0.host, "port": $0.port, "address": $0.address, "startTLS": $0.startTLS, "alert": $0.alert,
            ]
        }
    }

    // MARK: - TLS

    private static let tls: [ErrorRow] =
        [
            ServerTrustContextError.refusalIgnored, .hostCheckedTwice, .preSharedKey, .renegotiation, .outdatedVersion,
            .namedTrustRoots,
        ].map { (error: ServerTrustContextError) in ErrorRow(error) { _ in [:] } }
        + [ErrorRow(NIOSSLLayoutError(.symbols)) { _ in [:] }]

    private static let gates: [ErrorRow] = [
        HTTPClientGateError.verificationTurnedOff, .renegotiation, .preSharedKey, .outdatedVersion, .notTLS,
        .noServerName, .clientCertificate, .protocolChanged,
    ].map { (error: HTTPClientGateError) in ErrorRow(error) { _ in [:] } }

    // MARK: - HTTP

    private static let requests: [ErrorRow] =
        [
            .requestMalformedURL, .requestUnsupportedScheme, .requestPlainHTTPRefused, .requestUserInURL,
            .requestMalformed, .responseMalformed, .requestTLSConfiguration, .redirectToPlainHTTP, .redirectMalformed,
            .redirectLimitExceeded, .redirectCycle, .decompressionLimitExceeded,
            .clientShutDown,
        ].map { (code: ErrorCode) in request(code, "http://a.test/") }
        + [.tlsVerificationTurnedOff, .tlsTrustRootsNamed, .clientShared, .trustSettingUnused, .proxyUnsupported].map {
            (code: ErrorCode) in request(code, nil)
        } + [ErrorRow(HTTP2ConnectionError("the server violated HTTP/2")) { _ in [:] }]

    private static func request(_ code: ErrorCode, _ url: String?) -> ErrorRow {
        ErrorRow(TrustedHTTPError(code, url: url)) { ["url": $0.url] }
    }

    private static let downloads: [ErrorRow] =
        [
            .downloadUnusableRequest, .downloadMalformedChecksum, .downloadInUse, .downloadTooLarge,
            .downloadIncomplete, .downloadTooManyBytes, .downloadChecksumMismatch, .downloadFileSystem,
        ].map { (code: ErrorCode) in download(DownloadError(code, path: "file.zip")) } + [
            download(DownloadError(.downloadStatus, path: "file.zip", status: 404))
        ]

    private static func download(_ error: DownloadError) -> ErrorRow {
        ErrorRow(error) { ["path": $0.path, "status": $0.status] }
    }

    // MARK: - Web sockets, gRPC

    private static let webSockets: [ErrorRow] =
        [
            .webSocketUnusableURL, .webSocketUnusableField, .webSocketTimedOut, .webSocketProtocolViolation,
            .webSocketTooLarge, .webSocketCutOff,
        ].map { (code: ErrorCode) in webSocket(WebSocketError(code)) } + [
            webSocket(WebSocketError(.webSocketNotUpgraded, number: 403)),
            webSocket(WebSocketError(WebSocketClosing(code: 1011, reason: "internal error"))),
        ]

    private static func webSocket(_ error: WebSocketError) -> ErrorRow {
        ErrorRow(error) { ["number": $0.number, "closing": $0.closing] }
    }

    private static let gRPC: [ErrorRow] = [
        TrustedGRPCTargetError(.grpcHostMissing), TrustedGRPCTargetError(.grpcHostDiffers, name: "b.test"),
        TrustedGRPCTargetError(.grpcHostUnreadable, name: "a..b"),
    ].map { (error: TrustedGRPCTargetError) in ErrorRow(error) { ["name": $0.name] } }
}
