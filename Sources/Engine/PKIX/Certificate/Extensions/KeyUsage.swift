// SPDX-License-Identifier: Apache-2.0

/// The operations that a certificate allows for its key (RFC 5280 § 4.2.1.3).
public struct KeyUsage: OptionSet, Sendable, Hashable {
    /// The bits. Bit n is bit n of the extension's named bits.
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Verifying signatures other than those on certificates and CRLs.
    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    /// Verifying signatures that their author can't deny (`contentCommitment` since X.509 2005).
    public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    /// Encrypting keys.
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    /// Encrypting data directly.
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    /// Key agreement.
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    /// Verifying signatures on certificates.
    public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    /// Verifying signatures on CRLs.
    public static let cRLSign = KeyUsage(rawValue: 1 << 6)
    /// Only encrypting, in combination with ``keyAgreement``.
    public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    /// Only decrypting, in combination with ``keyAgreement``.
    public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

    private static let names = [
        "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
        "cRLSign", "encipherOnly", "decipherOnly",
    ]

    /// The names of the bits in RFC 5280, in its order.
    public var names: [String] {
        Self.names.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { Self.names[$0] }
    }
}

extension KeyUsage {
    /// - Parameter isCanonical: set to false if trailing zero bits are encoded.
    init(_ reader: inout DERReader, isCanonical: inout Bool) throws(DERError) {
        let bits = try reader.next(DERTag.bitString, "keyUsage")
        self.init(rawValue: try reader.namedBits(bits, "keyUsage"))
        // § 4.2.1.3: at least one bit must be set.
        guard rawValue != 0 else { throw DERError(.empty, in: "keyUsage", at: bits.start) }
        if reader.hasTrailingZeroBits(bits) { isCanonical = false }
    }
}

extension Certificate {
    /// The key usage. Nil if the certificate doesn't have the extension and so allows all operations.
    public var keyUsage: KeyUsage? {
        storage.fields.extensions.has(.keyUsage) ? storage.fields.extensions.keyUsage : nil
    }
}
