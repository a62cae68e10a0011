// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX

/// The linked NIOSSL has a different internal layout than the version this package was tested with, so this package
/// can't read the handshake. Experimental.
///
/// A gate for an `HTTPClient` refuses every connection with this error. Other adapters continue without the OCSP staple
/// and the timestamps, and their verdicts contain a warning.
public struct NIOSSLLayoutError: TrustError, Hashable {
    public var code: ErrorCode { ErrorCode("tlsLayoutUnknown") }

    /// A piece of the layout. The cases are in the order of the checks.
    package enum Piece: String, Sendable, Hashable, CaseIterable {
        /// A function of BoringSSL isn't linked, or has a different name.
        case symbols
        /// `NIOSSLHandler` has no field for its connection.
        case connection
        /// The connection has a different type.
        case connectionType
        /// The connection has no field for its `SSL *`, or the field isn't a pointer.
        case pointer
        /// The connection has no field for its `NIOSSLContext`.
        case context
        /// The context has no field for its `SSL_CTX *`, or the field isn't a pointer.
        case contextPointer
        /// The `SSL *` doesn't belong to that `SSL_CTX *`.
        case identity
        /// The `SSL *` belongs to a server.
        case role
        /// The connection has no field for the name that NIOSSL expects, or its name differs from the name in the `SSL
        /// *`.
        case serverName
        /// The chain of the `SSL *` doesn't begin with the certificate that NIOSSL reports.
        case leaf
    }

    /// The piece that differs.
    package let piece: Piece

    package init(_ piece: Piece) { self.piece = piece }

    public var message: String {
        "the layout of the linked swift-nio-ssl is unknown (\(piece.rawValue)); expected the layout of \(NIOSSLInternals.testedVersion)"
    }
}

#endif
