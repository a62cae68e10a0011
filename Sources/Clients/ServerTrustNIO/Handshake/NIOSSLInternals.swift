// SPDX-License-Identifier: Apache-2.0

import CNIOSSLSymbols
import NIOSSL

// Everything in this package that depends on how NIOSSL is written inside, and the C declarations of CNIOSSLSymbols for it. When a version of
// NIOSSL changes it, NIOSSLLayoutTests names the version and the piece. Documentation/Upstream.md has the change to NIOSSL that makes this file
// needless.

/// **Experimental.** The parts of a connection's handshake that NIOSSL has and doesn't publish: the server name it was made with, the chain that
/// the server presented, the OCSP staple and the signed certificate timestamps.
///
/// They are read by reflection and from the BoringSSL that NIOSSL brings. Every step of the way is checked before a pointer is used, and a
/// step that isn't as expected is a ``NIOSSLLayoutError``. To be used on the connection's event loop alone.
@safe
package struct NIOSSLInternals {
    /// The version of swift-nio-ssl whose layout this is.
    package static let testedVersion = "2.37.6"

    /// The names of the fields on the way, which tests change.
    package struct Layout: Sendable, Hashable {
        package var connection = "connection"
        package var connectionType = "NIOSSL.SSLConnection"
        package var pointer = "ssl"
        package var context = "parentContext"
        package var contextPointer = "sslContext"
        package var serverName = "expectedHostname"

        package init() {}
    }

    /// The context that the connection was made with.
    package let context: NIOSSLContext

    private let handler: NIOSSLHandler
    /// The owner of `ssl`, which it frees when it goes.
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
        // Safe: the pointer is the field `ssl` of NIOSSL's own type for a connection, which owns an SSL until it goes, and is alive
        // here. The pointers that are returned are compared, not followed.
        guard unsafe symbols.SSL_get_SSL_CTX?(pointer) == contextPointer else { throw NIOSSLLayoutError(.identity) }
        // Safe: as above; by now two independent fields agree that it is an SSL.
        guard unsafe symbols.SSL_is_server?(pointer) == 0 else { throw NIOSSLLayoutError(.role) }
        self.context = context
        self.handler = handler
        self.connection = connection as AnyObject
        unsafe self.ssl = unsafe pointer
        self.symbols = symbols
        self.layout = layout
    }

    // MARK: - Reflection

    /// Returns the value of a stored property, inherited ones included; nil without such a property.
    private static func field(_ name: String, of subject: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: subject)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == name }) { return child.value }
            mirror = current.superclassMirror
        }
        return nil
    }

    /// Returns the pointer in a stored property of the type `OpaquePointer`; nil for another type, and for one that can't be an object's.
    private static func pointer(_ name: String, of subject: Any) -> UnsafeMutableRawPointer? {
        // Safe: the pointer isn't followed here.
        guard let pointer = unsafe field(name, of: subject) as? OpaquePointer else { return nil }
        let raw = unsafe UnsafeMutableRawPointer(pointer)
        return unsafe UInt(bitPattern: raw) % UInt(MemoryLayout<UInt>.alignment) == 0 ? raw : nil
    }

    private static func isComplete(_ symbols: servertrust_niossl_symbols) -> Bool {
        // Safe: addresses are compared with nil.
        unsafe symbols.SSL_get_SSL_CTX != nil && symbols.SSL_is_server != nil
            && symbols.SSL_enable_ocsp_stapling != nil && symbols.SSL_enable_signed_cert_timestamps != nil
            && symbols.SSL_get0_ocsp_response != nil && symbols.SSL_get0_signed_cert_timestamp_list != nil
            && symbols.SSL_get0_peer_certificates != nil && symbols.SSL_get_servername != nil
            && symbols.OPENSSL_sk_num != nil && symbols.OPENSSL_sk_value != nil
            && symbols.CRYPTO_BUFFER_data != nil && symbols.CRYPTO_BUFFER_len != nil
    }
}

// MARK: - The evidence of the handshake

extension NIOSSLInternals {
    /// Has the ClientHello ask for an OCSP staple (RFC 6066 § 8) and for timestamps (RFC 6962 § 3.3.1). Without effect once it is sent.
    package func requestEvidence() {
        // Safe: `connection` owns the SSL and is alive; both functions set a flag of its configuration, and nothing once that is gone.
        withExtendedLifetime(connection) {
            unsafe symbols.SSL_enable_ocsp_stapling?(ssl)
            unsafe symbols.SSL_enable_signed_cert_timestamps?(ssl)
        }
    }

    /// The OCSP response of the handshake; nil if none came. There when the server's certificates are verified, in TLS 1.2 and 1.3, and
    /// no longer than a message of the handshake (100 KiB).
    package var staple: [UInt8]? { unsafe bytes(symbols.SSL_get0_ocsp_response) }

    /// The `SignedCertificateTimestampList` of the handshake; nil if none came. BoringSSL has checked its framing.
    package var timestampList: [UInt8]? { unsafe bytes(symbols.SSL_get0_signed_cert_timestamp_list) }

    private typealias Getter =
        @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>) ->
        Void

    /// Returns a copy of the bytes that a function of BoringSSL lends; nil for none.
    private func bytes(_ get: Getter?) -> [UInt8]? {
        // Safe: `connection` owns the SSL and is alive; the bytes belong to its session, which can't change before the copy is made, as
        // all of this is on the connection's event loop.
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
    /// Returns the certificates that the server presented, leaf first; empty before it did.
    /// - Throws: ``NIOSSLLayoutError`` if the first isn't the one that NIOSSL reports.
    package func presentedCertificates() throws(NIOSSLLayoutError) -> [[UInt8]] {
        let certificates = withExtendedLifetime(connection) { () -> [[UInt8]] in
            // Safe: `connection` owns the SSL and is alive; the stack belongs to its session, which can't change before the copies are
            // made, as all of this is on the connection's event loop.
            unsafe symbols.SSL_get0_peer_certificates?(ssl).map { unsafe buffers($0) } ?? []
        }
        guard certificates.first == (try? handler.peerCertificate?.toDERBytes()) else { throw NIOSSLLayoutError(.leaf) }
        return certificates
    }

    /// Returns copies of the buffers of a stack that BoringSSL lends.
    private func buffers(_ stack: UnsafeRawPointer) -> [[UInt8]] {
        // Safe: the caller keeps the stack alive. It is asked for indices below its count alone, and has the length of each buffer.
        let count = unsafe symbols.OPENSSL_sk_num?(stack) ?? 0
        return (0..<count).map { index in
            guard let buffer = unsafe symbols.OPENSSL_sk_value?(stack, index),
                let start = unsafe symbols.CRYPTO_BUFFER_data?(buffer),
                let length = unsafe symbols.CRYPTO_BUFFER_len?(buffer)
            else { return [] }
            return unsafe Array(UnsafeBufferPointer(start: start, count: length))
        }
    }

    /// The names in DER of the CAs that the server accepts client certificates of (RFC 5246 § 7.4.4, RFC 8446 § 4.2.4); empty if it names none.
    /// There while the server's request is answered, and no longer than its message. nil at another time, and with a BoringSSL that doesn't
    /// say.
    package var requestedAuthorities: [[UInt8]]? {
        guard let get = unsafe symbols.SSL_get0_server_requested_CAs else { return nil }
        // Safe: `connection` owns the SSL and is alive; the stack belongs to its handshake, which can't go on before the copies are made, as
        // all of this is on the connection's event loop.
        return withExtendedLifetime(connection) { unsafe get(ssl).map { unsafe buffers($0) } }
    }

    /// Returns the name that the connection has sent in SNI and that NIOSSL verifies; nil for a connection without one, as to an address.
    /// - Throws: ``NIOSSLLayoutError`` if NIOSSL and BoringSSL have different names.
    package func serverName() throws(NIOSSLLayoutError) -> String? {
        // Safe: `connection` owns the SSL and is alive; the text ends with a zero byte and is copied here. Zero is the type of a host name.
        let sent = withExtendedLifetime(connection) {
            unsafe symbols.SSL_get_servername?(ssl, 0).map { unsafe String(cString: $0) }
        }
        guard let expected = Self.field(layout.serverName, of: connection), let expected = expected as? String?,
            expected == sent
        else { throw NIOSSLLayoutError(.serverName) }
        return sent
    }
}
