// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX

/// The codes of ``ConnectionFailure``.
extension ErrorCode {
    // MARK: - Before a connection

    /// The name has no address.
    public static let connectionNameNotResolved = ErrorCode("connectionNameNotResolved")
    /// No name server answered for the name in time.
    package static let connectionNameLookupTimedOut = ErrorCode("connectionNameLookupTimedOut")
    /// The client couldn't reach the name servers, or none of them had an answer for the name.
    package static let connectionNameServerFailed = ErrorCode("connectionNameServerFailed")
    /// The server refuses the connection, or there is no route to it.
    public static let connectionUnreachable = ErrorCode("connectionUnreachable")
    /// The server doesn't answer in time, or TLS isn't established in time.
    public static let connectionTimedOut = ErrorCode("connectionTimedOut")
    /// The proxy can't be reached, or doesn't open a tunnel.
    public static let connectionProxyFailed = ErrorCode("connectionProxyFailed")
    /// The proxy requires credentials, or different ones than the client sent.
    public static let connectionProxyAuthorizationRequired = ErrorCode("connectionProxyAuthorizationRequired")
    /// The client can't reach the proxy in time, or the proxy doesn't answer in time.
    package static let connectionProxyTimedOut = ErrorCode("connectionProxyTimedOut")
    /// The server doesn't offer TLS in the protocol that begins in the clear, or declines TLS.
    public static let connectionStartTLSDeclined = ErrorCode("connectionStartTLSDeclined")
    /// The server speaks a different protocol before TLS, or sends more in the clear than it may.
    public static let connectionStartTLSFailed = ErrorCode("connectionStartTLSFailed")

    // MARK: - During the handshake

    /// The server presented certificates, but there was no verdict on them in time.
    public static let connectionEvaluationTimedOut = ErrorCode("connectionEvaluationTimedOut")
    /// The client can't use the server's handshake messages.
    public static let connectionHandshakeFailed = ErrorCode("connectionHandshakeFailed")
    /// The server ends the handshake with an alert that has no separate code here.
    package static let connectionHandshakeAlert = ErrorCode("connectionHandshakeAlert")
    /// The server, or a machine along the way, ended the connection.
    public static let connectionClosed = ErrorCode("connectionClosed")
    /// The server speaks HTTP without TLS on this port.
    package static let connectionPlainHTTP = ErrorCode("connectionPlainHTTP")
    /// The server speaks a protocol that begins in the clear and switches to TLS on request, as with `STARTTLS`.
    package static let connectionStartTLSNeeded = ErrorCode("connectionStartTLSNeeded")
    /// The server speaks a protocol other than TLS on this port.
    public static let connectionNotTLS = ErrorCode("connectionNotTLS")
    /// The server supports only TLS 1.1 and older.
    package static let connectionOldTLSOnly = ErrorCode("connectionOldTLSOnly")
    /// The server doesn't recognize the name that the client sent.
    package static let connectionNameRefused = ErrorCode("connectionNameRefused")
    /// The server requires a client certificate, but received none that it accepts.
    public static let connectionClientCertificateRequired = ErrorCode("connectionClientCertificateRequired")

    // MARK: - Guards

    /// TLS was established without a verdict, which must not happen. The connection was closed.
    package static let connectionNotEvaluated = ErrorCode("connectionNotEvaluated")
    /// A handler wrote data before there was a good verdict. The data wasn't sent, and the connection was closed.
    package static let connectionSentTooEarly = ErrorCode("connectionSentTooEarly")
}

#endif
