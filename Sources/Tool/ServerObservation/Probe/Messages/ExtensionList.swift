// SPDX-License-Identifier: Apache-2.0

/// The numbers of extensions (RFC 8446 § 4.2 and the IANA registry).
enum ExtensionType {
    static let serverName: UInt16 = 0
    static let statusRequest: UInt16 = 5
    static let supportedGroups: UInt16 = 10
    static let pointFormats: UInt16 = 11
    static let signatureAlgorithms: UInt16 = 13
    static let applicationProtocols: UInt16 = 16
    static let timestamps: UInt16 = 18
    static let padding: UInt16 = 21
    static let extendedMasterSecret: UInt16 = 23
    static let supportedVersions: UInt16 = 43
    static let cookie: UInt16 = 44
    static let certificateAuthorities: UInt16 = 47
    static let keyShare: UInt16 = 51
    static let renegotiationInfo: UInt16 = 0xff01
}

/// The extensions of a message. None may occur twice.
struct ExtensionList {
    /// The maximum number of extensions. The registry contains about sixty.
    static let maximumCount = 64

    private var contents: [UInt16: ArraySlice<UInt8>] = [:]

    /// Creates an empty list.
    init() {}

    /// Reads the list in a message from the server.
    /// - Parameter allowed: the allowed extensions, which are those that the client requested. Nil for a list of
    ///   extensions that don't require a request, such as that of a CertificateRequest. There, unknown extensions are
    ///   ignored, as RFC 8446 § 4.3.2 requires.
    init(
        _ reader: inout WireReader, in name: String, allowed: Set<UInt16>?
    ) throws(HandshakeError) {
        var list = try reader.inside(2)
        while !list.isAtEnd {
            let type = try list.uint16()
            let content = try list.vector(2)
            guard allowed?.contains(type) != false else {
                throw HandshakeError(
                    .extensionUnsolicited, "\(name) contains extension \(type), which wasn't requested")
            }
            guard contents.updateValue(content, forKey: type) == nil else {
                throw HandshakeError(.extensionRepeated, "\(name) contains extension \(type) twice")
            }
            guard contents.count <= Self.maximumCount else { throw .malformed(name) }
        }
    }

    subscript(_ type: UInt16) -> ArraySlice<UInt8>? { contents[type] }

    /// Returns a parser for an extension, or nil if the list doesn't contain it.
    func reader(_ type: UInt16, _ name: String) -> WireReader? { contents[type].map { WireReader($0, name) } }
}
