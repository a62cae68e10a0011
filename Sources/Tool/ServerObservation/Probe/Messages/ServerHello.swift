// SPDX-License-Identifier: Apache-2.0

/// A ServerHello, or a server's request for another ClientHello (RFC 8446 § 4.1.3 and § 4.1.4, RFC 5246 § 7.4.1.3).
struct ServerHello {
    let version: ProtocolVersion
    let random: [UInt8]
    let sessionID: [UInt8]
    let cipherSuite: CipherSuite
    let extensions: ExtensionList
    let isRetryRequest: Bool

    private static let name = "ServerHello"

    init(_ message: Message) throws(HandshakeError) {
        var reader = WireReader(message.body, Self.name)
        let legacy = ProtocolVersion(rawValue: try reader.uint16())
        random = Array(try reader.take(32))
        sessionID = Array(try reader.vector(1))
        guard sessionID.count <= 32 else { throw .malformed(Self.name) }
        cipherSuite = CipherSuite(rawValue: try reader.uint16())
        guard try reader.uint8() == 0 else { throw .malformed(Self.name) }
        isRetryRequest = random == Self.retryRandom
        var extensions = ExtensionList()
        // TLS 1.2 servers may omit the list (RFC 5246 § 7.4.1.4).
        if !reader.isAtEnd {
            extensions = try ExtensionList(
                &reader, in: Self.name, allowed: isRetryRequest ? Self.allowedInRetry : Self.allowed)
        }
        try reader.finish()
        self.extensions = extensions
        if var versions = extensions.reader(ExtensionType.supportedVersions, Self.name) {
            version = ProtocolVersion(rawValue: try versions.uint16())
            try versions.finish()
            guard legacy == .tls12, version >= .tls13 else {
                throw HandshakeError(
                    .versionNotOffered, "the server chose \(version) in an extension that is only for TLS 1.3")
            }
        } else {
            version = legacy
        }
        if version == .tls13 { try requireTLS13() } else { try requireOlder() }
    }

    private func requireTLS13() throws(HandshakeError) {
        for type in Self.allowed where extensions[type] != nil {
            guard Self.allowedInTLS13.contains(type) else {
                throw HandshakeError(.extensionUnsolicited, "the TLS 1.3 ServerHello contains extension \(type)")
            }
        }
    }

    private func requireOlder() throws(HandshakeError) {
        guard !isRetryRequest, extensions[ExtensionType.keyShare] == nil else {
            throw HandshakeError(.extensionUnsolicited, "the \(version) ServerHello contains parts of TLS 1.3")
        }
    }

    /// Whether the server indicates that it supports a newer version than it chose (RFC 8446 § 4.1.3).
    var marksDowngrade: Bool {
        let mark = Array("DOWNGRD".utf8)
        guard Array(random[24..<31]) == mark else { return false }
        return version == .tls12 ? random[31] == 1 : version < .tls12 && random[31] <= 1
    }

    /// Returns the group and the key in a ServerHello.
    func keyShare() throws(HandshakeError) -> (NamedGroup, ArraySlice<UInt8>) {
        guard var reader = extensions.reader(ExtensionType.keyShare, Self.name) else { throw .malformed(Self.name) }
        let group = NamedGroup(rawValue: try reader.uint16())
        let key = try reader.vector(2)
        try reader.finish()
        return (group, key)
    }

    /// Returns the group that a request for another ClientHello selects, if any.
    func selectedGroup() throws(HandshakeError) -> NamedGroup? {
        guard var reader = extensions.reader(ExtensionType.keyShare, "HelloRetryRequest") else { return nil }
        let group = NamedGroup(rawValue: try reader.uint16())
        try reader.finish()
        return group
    }

    /// Returns the cookie in a request for another ClientHello, if any.
    func cookie() throws(HandshakeError) -> ArraySlice<UInt8>? {
        guard var reader = extensions.reader(ExtensionType.cookie, "HelloRetryRequest") else { return nil }
        let cookie = try reader.vector(2)
        try reader.finish()
        guard !cookie.isEmpty else { throw .malformed("HelloRetryRequest") }
        guard cookie.count <= Self.maximumCookie else {
            throw HandshakeError(
                .tooLarge, "the server's cookie is \(cookie.count) bytes long, expected at most \(Self.maximumCookie)")
        }
        return cookie
    }

    /// The maximum size of a cookie. With this limit the second ClientHello fits into one record.
    static let maximumCookie = 8 << 10

    /// SHA-256 of `HelloRetryRequest` (RFC 8446 § 4.1.3).
    static let retryRandom: [UInt8] = [
        0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
        0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
    ]

    private static let allowedInTLS13: Set<UInt16> = [ExtensionType.keyShare, ExtensionType.supportedVersions]
    private static let allowedInRetry: Set<UInt16> = [
        ExtensionType.keyShare, ExtensionType.supportedVersions, ExtensionType.cookie,
    ]
    private static let allowed: Set<UInt16> = allowedInTLS13.union([
        ExtensionType.serverName, ExtensionType.statusRequest, ExtensionType.pointFormats,
        ExtensionType.applicationProtocols, ExtensionType.timestamps, ExtensionType.extendedMasterSecret,
        // Some servers send their own list, although RFC 8422 § 5.1 defines it only for clients.
        ExtensionType.renegotiationInfo, ExtensionType.supportedGroups,
    ])
}
