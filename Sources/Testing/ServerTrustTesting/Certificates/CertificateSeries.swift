// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1

/// Certificates that differ from a given certificate only in serial number and host name. The issuer's key signs each
/// certificate.
///
/// Creating a member takes only a copy and a signature, so creating a million members is fast. Threads can share a
/// series.
///
/// Not checked: embedded log timestamps. They aren't signed again.
package struct CertificateSeries: Sendable {
    /// The number of members. The first labels of their hosts are `h000000000` to `h999999999`.
    package static let capacity = 1_000_000_000

    /// The host of member 0.
    private let firstHost: [UInt8]
    /// The signed part of member 0.
    private let signedPart: [UInt8]
    /// The AlgorithmIdentifier next to the signature.
    private let algorithm: [UInt8]
    private let signer: TestSigner
    /// The index after the serial number in ``signedPart``.
    private let serialNumberEnd: Int
    /// The indices of the host in ``signedPart``.
    private let hostOffsets: [Int]

    /// The number of digits in a host's first label.
    private static let digits = 9

    /// - Parameters:
    ///   - certificate: the certificate. Its serial number needs at least five bytes.
    ///   - signer: the signer of the certificate. Nil causes an error.
    ///   - host: the DNS name whose first label changes: in the subject, the alternative names, and the issuer of a
    ///     self-signed certificate. A wildcard for a part of this label (`ap*.lab.test`) becomes one for `h*`.
    /// - Throws: errors from swift-asn1, or ``TestInputError`` for a certificate that doesn't meet these conditions.
    package init(_ certificate: Certificate, signer: TestSigner?, host: String) throws {
        let names = SeriesNames(host)
        let parts = try TestEncoding.members(try DER.parse(certificate.der))
        guard let signer, parts.count == 3, certificate.serialNumber.bytes.count >= 5 else {
            throw TestInputError(text: "", expected: "a certificate of a test authority, with its serial number")
        }
        let fields = try TestEncoding.members(parts[0]).map { try names.renamed($0) }
        let signedPart = DERWriter.sequence(of: fields)
        guard let serialNumber = fields.firstIndex(where: { $0.first == 0x02 }) else {
            throw TestInputError(text: "", expected: "a certificate")
        }
        let header = signedPart.count - fields.reduce(0) { $0 + $1.count }
        self.firstHost = names.replacement
        self.signedPart = signedPart
        self.algorithm = Array(parts[1].encodedBytes)
        self.signer = signer
        self.serialNumberEnd = fields[...serialNumber].reduce(header) { $0 + $1.count }
        self.hostOffsets = signedPart.indices.dropLast(names.replacement.count - 1).filter {
            signedPart[$0..<$0 + names.replacement.count] == names.replacement[...]
        }
    }

    /// Returns the host of a member: `h000000123.lab.test`.
    package func host(_ number: Int) -> String {
        var host = firstHost
        Self.write(number, into: &host, at: 0)
        return String(decoding: host, as: UTF8.self)
    }

    /// Returns a member in DER. Its serial number ends with the member's number, and has a bit set that no authority's
    /// counter reaches.
    /// - Parameter number: 0 or more, below ``capacity``.
    /// - Throws: errors from swift-certificates for a key that can't sign.
    package func certificate(_ number: Int) throws -> [UInt8] {
        var signed = signedPart
        for offset in hostOffsets { Self.write(number, into: &signed, at: offset) }
        let count = UInt32(truncatingIfNeeded: number) | 0x8000_0000
        for index in 0..<4 {
            signed[serialNumberEnd - 1 - index] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(index)))
        }
        return DERWriter.sequence(signed, algorithm, DERWriter.bits(try signer.key.sign(signed, signer.algorithm)))
    }

    /// Writes the digits after the `h` of a host.
    private static func write(_ number: Int, into bytes: inout [UInt8], at offset: Int) {
        var rest = number
        for index in (1...digits).reversed() {
            bytes[offset + index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    /// The names to replace in a certificate.
    private struct SeriesNames {
        /// The first label of the host.
        private let label: [UInt8]
        /// The rest of the host, with its dot.
        private let domain: [UInt8]
        /// The host of member 0.
        let replacement: [UInt8]

        init(_ host: String) {
            label = Array(host.utf8.prefix { $0 != UInt8(ascii: ".") })
            domain = Array(host.utf8.dropFirst(label.count))
            replacement =
                Array("h".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: CertificateSeries.digits) + domain
        }

        /// Returns the encoding of a value with the host replaced, including inside an OCTET STRING that contains DER
        /// with the domain.
        func renamed(_ node: ASN1Node) throws -> [UInt8] {
            switch node.content {
            case .constructed(let members):
                return DERWriter.constructed(node.identifier, try members.map(renamed))
            case .primitive(let contents):
                if node.identifier == .octetString, has(contents), let inner = try? DER.parse(contents) {
                    return DERWriter.octets(try renamed(inner))
                }
                return name(for: contents).map { DERWriter.primitive(node.identifier, $0) } ?? Array(node.encodedBytes)
            }
        }

        private func has(_ contents: ArraySlice<UInt8>) -> Bool {
            contents.indices.dropLast(domain.count - 1).contains { contents[$0...].starts(with: domain) }
        }

        /// Returns the replacement for a name, or nil for any other value.
        private func name(for contents: ArraySlice<UInt8>) -> [UInt8]? {
            guard contents.count > domain.count, contents.suffix(domain.count).elementsEqual(domain) else { return nil }
            let first = contents.dropLast(domain.count)
            if first.elementsEqual(label) { return replacement }
            let isPartialWildcard =
                first.count > 1 && first.last == UInt8(ascii: "*") && label.starts(with: first.dropLast())
            return isPartialWildcard ? Array("h*".utf8) + domain : nil
        }
    }
}

#endif
