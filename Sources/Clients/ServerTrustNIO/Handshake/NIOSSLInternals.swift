// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import CNIOSSLSymbols
import NIOSSL
import PKIX

// This file and the C declarations of CNIOSSLSymbols contain everything in this package that depends on NIOSSL's
// internals. When a version of NIOSSL changes them, NIOSSLLayoutTests names the version and the piece.
// Documentation/Upstream.md describes the change to NIOSSL that would replace this file.

/// **Experimental.** The parts of a connection's handshake that NIOSSL has but doesn't expose: the connection's server
/// name, the chain that the server presented, the OCSP staple and the signed certificate timestamps.
///
/// The type reads them by reflection and from NIOSSL's own copy of BoringSSL. It checks every step before it uses a
/// pointer, and throws ``NIOSSLLayoutError`` if a step isn't as expected. Use it only on the connection's event loop.
@safe
package struct NIOSSLInternals {
    /// The version of swift-nio-ssl that has this layout.
    package static let testedVersion = "2.37.6"

    /// The names of the fields that lead to the data. Tests change them.
    package struct Layout: Sendable, Hashable {
        package var connection = "connection"
        package var connectionType = "NIOSSL.SSLConnection"
        package var pointer = "ssl"
        package var context = "parentContext"
        package var contextPointer = "sslContext"
        package var serverName = "expectedHostname"

        package init() {}
    }

    /// The context that created the connection.
    package let context: NIOSSLContext

    private let handler: NIOSSLHandler
    /// The owner of `ssl`. Releasing the owner frees `ssl`.
    private let connection: AnyObject
    private let ssl: UnsafeMutableRawPointer
    private let symbols: servertrust_niossl_symbols
    private let layout: Layout

    /// Finds the `SSL *` of a client's handler.
    /// - Throws: ``NIOSSLLayoutError`` with the first piece of the layout that isn't as expected.
    package init(_ handler: NIOSSLHandler, layout: Layout = Layout()) throws(NIOSSLLayoutError) {
        let symbols = servertrust_niossl_load_symbols()
        guard Self.isComplete(symbols) else { throw NIOSSLLayoutError(.symbols) }
        guard let connection = Self.field(layout.connection, of: handler) else { throw NIOSSLLayoutError(.connection) }
        guard type(of: connection) is AnyClass, String(reflecting: type(of: connection)) == layout.connectionType else {
            throw NIOSSLLayoutError(.connectionType)
        }
        guard let pointer = unsafe Self.pointer(layout.pointer, of: connection) else {
            throw NIOSSLLayoutError(.pointer)
        }
        guard let context = Self.field(layout.context, of: connection) as? NIOSSLContext else {
            throw NIOSSLLayoutError(.context)
        }
        guard let contextPointer = unsafe Self.pointer(layout.contextPointer, of: context) else {
            throw NIOSSLLayoutError(.contextPointer)
        }
        // Safe: the pointer is the field `ssl` of NIOSSL's own connection type, which owns an SSL for its lifetime, and
        // is alive here. The returned pointers are compared, not dereferenced.
        guard unsafe symbols.SSL_get_SSL_CTX?(pointer) == contextPointer else { throw NIOSSLLayoutError(.identity) }
        // Safe: as above. At this point, two independent fields show that this is an SSL.
        guard unsafe symbols.SSL_is_server?(pointer) == 0 else { throw NIOSSLLayoutError(.role) }
        self.context = context
        self.handler = handler
        self.connection = connection as AnyObject
        unsafe self.ssl = unsafe pointer
        self.symbols = symbols
        self.layout = layout
    }

    // MARK: - Reflection

    /// Returns the value of a stored property, including inherited ones. Nil if there is no such property.
    private static func field(_ name: String, of subject: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: subject)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == name }) { return child.value }
            mirror = current.superclassMirror
        }
        return nil
    }

    /// Returns the pointer in a stored property of type `OpaquePointer`. Nil for another type, and for a pointer that
    /// can't be an object's.
    private static func pointer(_ name: String, of subject: Any) -> UnsafeMutableRawPointer? {
        // Safe: the pointer isn't dereferenced here.
        guard let pointer = unsafe field(name, of: subject) as? OpaquePointer else { return nil }
        let raw = unsafe UnsafeMutableRawPointer(pointer)
        return unsafe UInt(bitPattern: raw) % UInt(MemoryLayout<UInt>.alignment) == 0 ? raw : nil
    }

    private static func isComplete(_ symbols: servertrust_niossl_symbols) -> Bool {
        // Safe: the addresses are only compared with nil.
        unsafe symbols.SSL_get_SSL_CTX != nil && symbols.SSL_is_server != nil
            && symbols.SSL_enable_ocsp_stapling != nil && symbols.SSL_enable_signed_cert_timestamps != nil
            && symbols.SSL_get0_ocsp_response != nil && symbols.SSL_get0_signed_cert_timestamp_list != nil
            && symbols.SSL_get0_peer_certificates != nil && symbols.SSL_get_servername != nil
            && symbols.OPENSSL_sk_num != nil && symbols.OPENSSL_sk_value != nil
            && symbols.CRYPTO_BUFFER_data != nil && symbols.CRYPTO_BUFFER_len != nil
    }
}

// MARK: - Handshake evidence

extension NIOSSLInternals {
    /// Adds requests for an OCSP staple (RFC 6066 § 8) and for timestamps (RFC 6962 § 3.3.1) to the ClientHello.
    /// Calling it after the ClientHello was sent has no effect.
    package func requestEvidence() {
        // Safe: `connection` owns the SSL and is alive. Both functions set a flag of its configuration, and do nothing
        // when the configuration is gone.
        withExtendedLifetime(connection) {
            unsafe symbols.SSL_enable_ocsp_stapling?(ssl)
            unsafe symbols.SSL_enable_signed_cert_timestamps?(ssl)
        }
    }

    /// The OCSP response of the handshake, or nil if the server sent none.
    ///
    /// It is available while the server's certificates are verified, in TLS 1.2 and 1.3. It is at most as long as a
    /// handshake message (100 KiB).
    package var staple: [UInt8]? { unsafe bytes(symbols.SSL_get0_ocsp_response) }

    /// The `SignedCertificateTimestampList` of the handshake, or nil if the server sent none. BoringSSL has checked its
    /// framing.
    package var timestampList: [UInt8]? { unsafe bytes(symbols.SSL_get0_signed_cert_timestamp_list) }

    private typealias Getter =
        @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>) ->
        Void

    /// Returns a copy of the bytes that a BoringSSL function points to, or nil for no bytes.
    private func bytes(_ get: Getter?) -> [UInt8]? {
        // Safe: `connection` owns the SSL and is alive. The bytes belong to its session, which can't change before they
        // are copied, because all of this runs on the connection's event loop.
        withExtendedLifetime(connection) {
            var start: UnsafePointer<UInt8>?
            var count = 0
            unsafe get?(ssl, &start, &count)
            guard let start = unsafe start, count > 0 else { return nil }
            return unsafe Array(UnsafeBufferPointer(start: start, count: count))
        }
    }
}

// MARK: - Chain and name

extension NIOSSLInternals {
    /// Returns the certificates that the server presented, leaf first. Empty before the server presents them.
    /// - Throws: ``NIOSSLLayoutError`` if the first certificate isn't the one that NIOSSL reports.
    package func presentedCertificates() throws(NIOSSLLayoutError) -> [[UInt8]] {
        let certificates = withExtendedLifetime(connection) { () -> [[UInt8]] in
            // Safe: `connection` owns the SSL and is alive. The stack belongs to its session, which can't change before
            // the buffers are copied, because all of this runs on the connection's event loop.
            unsafe symbols.SSL_get0_peer_certificates?(ssl).map { unsafe buffers($0) } ?? []
        }
        guard certificates.first == (try? handler.peerCertificate?.toDERBytes()) else { throw NIOSSLLayoutError(.leaf) }
        return certificates
    }

    /// Returns copies of the buffers in a stack that BoringSSL owns.
    private func buffers(_ stack: UnsafeRawPointer) -> [[UInt8]] {
        // Safe: the caller keeps the stack alive. The indices are below its count, and the length of each buffer comes
        // from BoringSSL.
        let count = unsafe symbols.OPENSSL_sk_num?(stack) ?? 0
        return (0..<count).map { index in
            guard let buffer = unsafe symbols.OPENSSL_sk_value?(stack, index),
                let start = unsafe symbols.CRYPTO_BUFFER_data?(buffer),
                let length = unsafe symbols.CRYPTO_BUFFER_len?(buffer)
            else { return [] }
            return unsafe Array(UnsafeBufferPointer(start: start, count: length))
        }
    }

    /// The DER names of the CAs whose client certificates the server accepts (RFC 5246 § 7.4.4, RFC 8446 § 4.2.4).
    /// Empty if the server names none.
    ///
    /// They are available while NIOSSL answers the server's request, and are at most as long as its message. Nil at any
    /// other time, and if BoringSSL doesn't expose them.
    package var requestedAuthorities: [[UInt8]]? {
        guard let get = unsafe symbols.SSL_get0_server_requested_CAs else { return nil }
        // Safe: `connection` owns the SSL and is alive. The stack belongs to its handshake, which can't continue before
        // the buffers are copied, because all of this runs on the connection's event loop.
        return withExtendedLifetime(connection) { unsafe get(ssl).map { unsafe buffers($0) } }
    }

    /// Returns the name that the connection has sent in SNI and that NIOSSL verifies. Nil if there is no name, for
    /// example for a connection to an address.
    /// - Throws: ``NIOSSLLayoutError`` if NIOSSL and BoringSSL have different names.
    package func serverName() throws(NIOSSLLayoutError) -> String? {
        // Safe: `connection` owns the SSL and is alive. The string ends with a zero byte and is copied here. Zero is
        // the type of a host name.
        let sent = withExtendedLifetime(connection) {
            unsafe symbols.SSL_get_servername?(ssl, 0).map { unsafe String(cString: $0) }
        }
        guard let expected = Self.field(layout.serverName, of: connection), let expected = expected as? String?,
            expected == sent
        else { throw NIOSSLLayoutError(.serverName) }
        return sent
    }
}

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
