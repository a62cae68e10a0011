// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The linked NIOSSL has another internal layout than the one that this package was tested with, so that a connection's handshake can't
/// be read. Experimental, as the reading is.
///
/// A gate for an `HTTPClient` refuses every connection with it. Other adapters go on without OCSP staple and timestamps, and their
/// verdicts have a warning.
public struct NIOSSLLayoutError: TrustError, Hashable {
    public var code: ErrorCode { .tlsLayoutUnknown }

    /// A piece of the layout, in the order in which they are checked.
    package enum Piece: String, Sendable, Hashable, CaseIterable {
        /// A function of BoringSSL isn't linked, or has another name.
        case symbols
        /// `NIOSSLHandler` has no field for its connection.
        case connection
        /// The connection has another type.
        case connectionType
        /// The connection has no field for its `SSL *`, or none that is a pointer.
        case pointer
        /// The connection has no field for its `NIOSSLContext`.
        case context
        /// The context has no field for its `SSL_CTX *`, or none that is a pointer.
        case contextPointer
        /// The `SSL *` isn't one of that `SSL_CTX *`.
        case identity
        /// The `SSL *` is a server's.
        case role
        /// The connection has no field for the name that NIOSSL expects, or another name than the `SSL *`.
        case serverName
        /// The chain of the `SSL *` doesn't begin with the certificate that NIOSSL reports.
        case leaf
    }

    /// The piece that differs.
    package let piece: Piece

    package init(_ piece: Piece) { self.piece = piece }

    public var message: String {
        "the layout of the linked swift-nio-ssl is unknown (\(piece.rawValue)); expected that of \(NIOSSLInternals.testedVersion)"
    }
}

/// The code of ``NIOSSLLayoutError``.
extension ErrorCode {
    /// The linked NIOSSL has another internal layout than the tested one.
    package static let tlsLayoutUnknown = ErrorCode("tlsLayoutUnknown")
}
