// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The codes of ``ConnectionFailure``.
extension ErrorCode {
    // MARK: - Before a connection

    /// The name has no address.
    public static let connectionNameNotResolved = ErrorCode("connectionNameNotResolved")
    /// No name server gave an answer about the name in time.
    package static let connectionNameLookupTimedOut = ErrorCode("connectionNameLookupTimedOut")
    /// No name server could be asked about the name, or none knew an answer.
    package static let connectionNameServerFailed = ErrorCode("connectionNameServerFailed")
    /// The server refuses the connection, or no route leads to it.
    public static let connectionUnreachable = ErrorCode("connectionUnreachable")
    /// The server doesn't answer in time, or TLS isn't up in time.
    public static let connectionTimedOut = ErrorCode("connectionTimedOut")
    /// The proxy can't be reached, or doesn't open a tunnel.
    public static let connectionProxyFailed = ErrorCode("connectionProxyFailed")
    /// The proxy requires credentials, or other credentials.
    public static let connectionProxyAuthorizationRequired = ErrorCode("connectionProxyAuthorizationRequired")
    /// The proxy can't be reached in time, or doesn't answer in time.
    package static let connectionProxyTimedOut = ErrorCode("connectionProxyTimedOut")
    /// The server doesn't offer TLS in the protocol that begins in the clear, or declines it.
    public static let connectionStartTLSDeclined = ErrorCode("connectionStartTLSDeclined")
    /// The server speaks another protocol than the one before TLS, or sends more in the clear than it may.
    public static let connectionStartTLSFailed = ErrorCode("connectionStartTLSFailed")

    // MARK: - During the handshake

    /// The server presents certificates, and there is no verdict on them in time.
    public static let connectionEvaluationTimedOut = ErrorCode("connectionEvaluationTimedOut")
    /// The client can't use the server's part of the handshake.
    public static let connectionHandshakeFailed = ErrorCode("connectionHandshakeFailed")
    /// The server ends the handshake with an alert that has no code here.
    package static let connectionHandshakeAlert = ErrorCode("connectionHandshakeAlert")
    /// The server, or a machine on the way, ends the connection.
    public static let connectionClosed = ErrorCode("connectionClosed")
    /// The server speaks HTTP without TLS on this port.
    package static let connectionPlainHTTP = ErrorCode("connectionPlainHTTP")
    /// The server speaks a protocol that begins in the clear and goes over to TLS on request, as with `STARTTLS`.
    package static let connectionStartTLSNeeded = ErrorCode("connectionStartTLSNeeded")
    /// The server speaks another protocol than TLS on this port.
    public static let connectionNotTLS = ErrorCode("connectionNotTLS")
    /// The server only has TLS 1.1 and older.
    package static let connectionOldTLSOnly = ErrorCode("connectionOldTLSOnly")
    /// The server has nothing under the name that was sent.
    package static let connectionNameRefused = ErrorCode("connectionNameRefused")
    /// The server requires a client certificate, and got none that it accepts.
    public static let connectionClientCertificateRequired = ErrorCode("connectionClientCertificateRequired")

    // MARK: - Guards

    /// TLS came up without a verdict, which must not happen. The connection was closed.
    package static let connectionNotEvaluated = ErrorCode("connectionNotEvaluated")
    /// Data was written before there was a good verdict. It was kept back, and the connection closed.
    package static let connectionSentTooEarly = ErrorCode("connectionSentTooEarly")
}
