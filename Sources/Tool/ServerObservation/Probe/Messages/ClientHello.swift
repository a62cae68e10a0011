// SPDX-License-Identifier: Apache-2.0

/// A probe's ClientHello (RFC 8446 § 4.1.2).
struct ClientHello {
    var offer: ProbeOffer
    /// The groups that have a key share.
    var shares: [NamedGroup]
    /// The cookie of a HelloRetryRequest.
    var cookie: ArraySlice<UInt8>?

    /// Returns the message with its header.
    func message(_ secrets: inout ProbeSecrets) -> [UInt8] {
        let body = body(&secrets, padding: nil)
        // Some servers stall on a ClientHello of 256 to 511 bytes, including its four-byte header (RFC 7685 § 1).
        let size = body.count + 4
        guard (256..<512).contains(size) else { return Self.message(body) }
        return Self.message(self.body(&secrets, padding: max(512 - size - 4, 1)))
    }

    private static func message(_ body: [UInt8]) -> [UInt8] {
        var writer = WireWriter()
        writer.uint8(Message.Kind.clientHello.rawValue)
        writer.vector(3) { $0.append(body) }
        return writer.bytes
    }

    private func body(_ secrets: inout ProbeSecrets, padding: Int?) -> [UInt8] {
        var writer = WireWriter()
        writer.uint16(ProtocolVersion.tls12.rawValue)
        writer.append(secrets.random)
        writer.vector(1) { $0.append(secrets.sessionID) }
        writer.vector(2) { list in
            for suite in offer.cipherSuites { list.uint16(suite.rawValue) }
        }
        writer.append([1, 0])
        let keys = shares.compactMap { group in secrets.publicKey(of: group).map { (group, $0) } }
        writer.vector(2) { list in
            writeNames(&list)
            writeAlgorithms(&list)
            if offer.versions.contains(.tls13) { writeForTLS13(&list, keys) }
            if let padding {
                list.extension(ExtensionType.padding) { $0.append(repeatElement(0, count: padding)) }
            }
        }
        return writer.bytes
    }

    private func writeNames(_ list: inout WireWriter) {
        if let name = offer.serverName {
            list.extension(ExtensionType.serverName) {
                $0.vector(2) {
                    $0.uint8(0); $0.vector(2) { $0.append(name.utf8) }
                }
            }
        }
        guard !offer.applicationProtocols.isEmpty else { return }
        list.extension(ExtensionType.applicationProtocols) {
            $0.vector(2) { names in
                for name in offer.applicationProtocols { names.vector(1) { $0.append(name.utf8) } }
            }
        }
    }

    private func writeAlgorithms(_ list: inout WireWriter) {
        list.extension(ExtensionType.extendedMasterSecret) { _ in }
        list.extension(ExtensionType.renegotiationInfo) { $0.uint8(0) }
        list.extension(ExtensionType.supportedGroups) {
            $0.vector(2) { for group in offer.groups { $0.uint16(group.rawValue) } }
        }
        list.extension(ExtensionType.pointFormats) { $0.append([1, 0]) }
        // OCSP without responder names and without extensions (RFC 6066 § 8).
        list.extension(ExtensionType.statusRequest) { $0.append([1, 0, 0, 0, 0]) }
        list.extension(ExtensionType.signatureAlgorithms) {
            $0.vector(2) { for scheme in offer.signatureSchemes { $0.uint16(scheme.rawValue) } }
        }
        list.extension(ExtensionType.timestamps) { _ in }
    }

    private func writeForTLS13(_ list: inout WireWriter, _ keys: [(NamedGroup, [UInt8])]) {
        list.extension(ExtensionType.keyShare) {
            $0.vector(2) { shares in
                for (group, key) in keys {
                    shares.uint16(group.rawValue)
                    shares.vector(2) { $0.append(key) }
                }
            }
        }
        list.extension(ExtensionType.supportedVersions) {
            $0.vector(1) { for version in offer.versions { $0.uint16(version.rawValue) } }
        }
        if let cookie {
            list.extension(ExtensionType.cookie) { $0.vector(2) { $0.append(cookie) } }
        }
    }
}
