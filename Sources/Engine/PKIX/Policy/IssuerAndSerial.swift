// SPDX-License-Identifier: Apache-2.0

/// The issuer and serial number that lists use to refer to a certificate they don't contain (RFC 5652 § 10.2.4).
package struct IssuerAndSerial: Sendable, Hashable {
    /// The issuer's name, in DER.
    private let issuer: [UInt8]
    /// The contents of the serial number, without redundant leading octets.
    let serialNumber: [UInt8]

    /// Creates a name from an issuer's name and the contents of a serial number.
    init(issuer: [UInt8], serialNumber: [UInt8]) {
        self.issuer = issuer
        self.serialNumber = Self.canonical(serialNumber)
    }

    /// Creates a name from an issuer's name and a serial number in DER. Returns nil if one is missing or the serial
    /// number isn't an INTEGER.
    package init?(issuer: [UInt8], serialNumberDER der: [UInt8]) {
        guard !issuer.isEmpty, der.count > 2, der[0] == 0x02, der[1] < 0x80, Int(der[1]) == der.count - 2 else {
            return nil
        }
        self.init(issuer: issuer, serialNumber: Array(der.dropFirst(2)))
    }

    /// Creates the name that refers to a certificate.
    package init(_ certificate: Certificate) {
        self.init(issuer: certificate.issuer.der, serialNumber: certificate.serialNumber.bytes)
    }

    /// Returns the shortest contents of an INTEGER (X.690 § 8.3.2) with the same value.
    package static func canonical(_ contents: [UInt8]) -> [UInt8] {
        var start = 0
        while start + 1 < contents.count {
            let (first, next) = (contents[start], contents[start + 1])
            guard first == 0 && next < 0x80 || first == 0xff && next >= 0x80 else { break }
            start += 1
        }
        return contents.isEmpty ? [0] : Array(contents[start...])
    }
}
