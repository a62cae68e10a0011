// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import SwiftASN1

/// Functions that return the DER encoding of one value, with swift-asn1's serializer.
///
/// They share no code with the engine's reader, and don't check any values.
package enum DERWriter {
    package static func sequence(_ members: [UInt8]...) -> [UInt8] { constructed(.sequence, members) }
    static func sequence(of members: [[UInt8]]) -> [UInt8] { constructed(.sequence, members) }

    /// `[n]` EXPLICIT, or `[n]` IMPLICIT of a constructed value.
    package static func tagged(_ number: UInt, _ contents: [UInt8]...) -> [UInt8] {
        constructed(context(number), contents)
    }

    /// `[n]` IMPLICIT of a primitive value.
    package static func implicit(_ number: UInt, _ contents: [UInt8]) -> [UInt8] {
        primitive(context(number), contents)
    }

    package static let null: [UInt8] = [0x05, 0x00]

    package static func octets(_ bytes: [UInt8]) -> [UInt8] { primitive(.octetString, bytes) }

    /// A BIT STRING of whole bytes.
    package static func bits(_ bytes: [UInt8]) -> [UInt8] { primitive(.bitString, [0] + bytes) }

    /// The contents of an INTEGER, in the fewest bytes.
    static func contents(of number: UInt64) -> [UInt8] {
        let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0.drop { $0 == 0 }) }
        return (bytes.first ?? 0x80) >= 0x80 ? [0] + bytes : bytes
    }

    package static func integer(_ number: UInt64) -> [UInt8] { integer(contents: contents(of: number)) }

    /// An INTEGER with these bytes in two's complement, written unchanged.
    package static func integer(contents: [UInt8]) -> [UInt8] { primitive(.integer, contents) }

    static func enumerated(_ number: Int) -> [UInt8] { primitive(.enumerated, contents(of: UInt64(number))) }

    /// The contents of a named-bit list. DER drops zero bits at its end (X.690 § 11.2.2).
    static func namedBits(_ numbers: some Sequence<Int>) -> [UInt8] {
        let numbers = Set(numbers)
        guard let last = numbers.max() else { return [0] }
        var bytes = [UInt8](repeating: 0, count: last / 8 + 1)
        for number in numbers { bytes[number / 8] |= 0x80 >> UInt8(number % 8) }
        return [UInt8(7 - last % 8)] + bytes
    }

    package static func oid(_ oid: ASN1ObjectIdentifier) -> [UInt8] {
        var serializer = DER.Serializer()
        // This call never throws. If it did, the value would be missing, and the code that reads the certificate would
        // report that.
        try? serializer.serialize(oid)
        return serializer.serializedBytes
    }

    static func oid(_ oid: OID) throws -> [UInt8] {
        Self.oid(try ASN1ObjectIdentifier(dotRepresentation: oid.description))
    }

    /// UTCTime through 2049 and GeneralizedTime afterward (RFC 5280 §§ 4.1.2.5, 5.1.2.4).
    static func time(_ time: Time) -> [UInt8] {
        let digits = digits(time)
        // UTCTime has no century. It covers 1950 to 2049.
        return time.description < "2050" && time.description >= "1950"
            ? primitive(.utcTime, Array(digits.dropFirst(2))) : primitive(.generalizedTime, digits)
    }

    static func generalizedTime(_ time: Time) -> [UInt8] { primitive(.generalizedTime, digits(time)) }

    /// `SEQUENCE { extnID, critical DEFAULT FALSE, extnValue }`
    static func ext(_ identifier: ASN1ObjectIdentifier, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        sequence(oid(identifier), isCritical ? [0x01, 0x01, 0xff] : [], octets(value))
    }

    static func ext(_ added: Extension) throws -> [UInt8] {
        ext(
            try ASN1ObjectIdentifier(dotRepresentation: added.identifier.description), isCritical: added.isCritical,
            added.value)
    }

    package static func constructed(_ identifier: ASN1Identifier, _ members: [[UInt8]]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: identifier) { serializer in
            for member in members { serializer.serializeRawBytes(member) }
        }
        return serializer.serializedBytes
    }

    static func primitive(_ identifier: ASN1Identifier, _ contents: [UInt8]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendPrimitiveNode(identifier: identifier) { $0.append(contentsOf: contents) }
        return serializer.serializedBytes
    }

    private static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    /// `yyyyMMddHHmmssZ`
    private static func digits(_ time: Time) -> [UInt8] {
        time.description.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } + [UInt8(ascii: "Z")]
    }
}

#endif
