// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A small writer of DER, and on request of invalid DER, for certificates that no library would create.
///
/// It shares no code with the engine, so that tests compare two independent implementations.
enum ASN1 {
    /// A value with its tag, its shortest length and its contents.
    static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + length(contents.count) + contents
    }

    static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    static func sequence(_ members: [[UInt8]]) -> [UInt8] { value(0x30, members.flatMap { $0 }) }
    static func sequence(_ members: [UInt8]...) -> [UInt8] { sequence(members) }

    /// The members in DER order.
    static func set(_ members: [[UInt8]]) -> [UInt8] {
        value(0x31, members.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    /// `[n]` EXPLICIT, or `[n]` IMPLICIT of a constructed value.
    static func explicit(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] { value(0xa0 | number, contents) }
    /// `[n]` IMPLICIT of a primitive value.
    static func implicit(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] { value(0x80 | number, contents) }

    static let null: [UInt8] = [0x05, 0x00]

    static func boolean(_ flag: Bool) -> [UInt8] { value(0x01, [flag ? 0xff : 0x00]) }

    /// The contents of a nonnegative INTEGER.
    static func number(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = number
        repeat {
            bytes.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        } while rest > 0
        return bytes[0] < 0x80 ? bytes : [0] + bytes
    }

    static func integer(_ value: Int) -> [UInt8] { self.value(0x02, number(value)) }

    /// An INTEGER from the bytes of a nonnegative number.
    static func unsigned(_ magnitude: [UInt8]) -> [UInt8] {
        let bytes = Array(magnitude.drop { $0 == 0 })
        return value(0x02, (bytes.first ?? 0x80) < 0x80 ? bytes : [0] + bytes)
    }

    static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }
    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { value(0x03, [unused] + bytes) }

    /// The contents of an OBJECT IDENTIFIER in dotted decimal.
    static func arcs(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        return ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { arc in
            var groups = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
                rest >>= 7
            }
            return groups
        }
    }

    static func oid(_ dotted: String) -> [UInt8] { value(0x06, arcs(dotted)) }

    static func utf8(_ text: String) -> [UInt8] { value(0x0c, Array(text.utf8)) }
    static func printable(_ text: String) -> [UInt8] { value(0x13, Array(text.utf8)) }
    static func ia5(_ text: String) -> [UInt8] { value(0x16, Array(text.utf8)) }
    /// Latin-1 in a TeletexString, as is common.
    static func teletex(_ text: String) -> [UInt8] { value(0x14, text.unicodeScalars.map { UInt8($0.value & 0xff) }) }
    static func bmp(_ text: String) -> [UInt8] {
        value(0x1e, text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
    }
    static func universal(_ text: String) -> [UInt8] {
        value(
            0x1c,
            text.unicodeScalars.flatMap { scalar in
                [24, 16, 8, 0].map { UInt8(scalar.value >> UInt32($0) & 0xff) }
            })
    }

    /// `Time` in the form that RFC 5280 § 4.1.2.5 requires of CAs.
    static func time(_ time: Time) -> [UInt8] {
        let digits = time.description.filter(\.isNumber)
        return time.description < "2050" ? utcTime(digits.dropFirst(2) + "Z") : generalizedTime(digits + "Z")
    }

    static func utcTime(_ text: some StringProtocol) -> [UInt8] { value(0x17, Array(text.utf8)) }
    static func generalizedTime(_ text: some StringProtocol) -> [UInt8] { value(0x18, Array(text.utf8)) }
}

// MARK: - Names

extension ASN1 {
    /// A Name with one attribute in each relative name.
    static func name(_ attributes: [(type: String, value: [UInt8])]) -> [UInt8] {
        sequence(attributes.map { set([attribute($0.type, $0.value)]) })
    }

    static func attribute(_ type: String, _ value: [UInt8]) -> [UInt8] { sequence(oid(type), value) }

    static func name(_ commonName: String) -> [UInt8] { name([(cn, utf8(commonName))]) }

    static let emptyName: [UInt8] = [0x30, 0x00]
    static let cn = "2.5.4.3"
    static let o = "2.5.4.10"
    static let ou = "2.5.4.11"
    static let c = "2.5.4.6"
    static let emailAddress = "1.2.840.113549.1.9.1"

    // GeneralName
    static func dns(_ name: String) -> [UInt8] { implicit(2, Array(name.utf8)) }
    static func email(_ name: String) -> [UInt8] { implicit(1, Array(name.utf8)) }
    static func uri(_ name: String) -> [UInt8] { implicit(6, Array(name.utf8)) }
    static func ip(_ bytes: [UInt8]) -> [UInt8] { implicit(7, bytes) }
    static func directory(_ name: [UInt8]) -> [UInt8] { explicit(4, name) }
    static func registered(_ dotted: String) -> [UInt8] { implicit(8, arcs(dotted)) }
    static func other(_ type: String, _ value: [UInt8]) -> [UInt8] { explicit(0, oid(type) + explicit(0, value)) }
}

// MARK: - Algorithms

extension ASN1 {
    static func algorithm(_ dotted: String, _ parameters: [UInt8] = []) -> [UInt8] { sequence(oid(dotted), parameters) }

    static func publicKey(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] { sequence(algorithm, bits(key)) }

    /// An RSA key (RFC 3279 § 2.3.1), or one only for PSS without parameters (RFC 4055 § 1.2).
    static func rsaKey(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1], isPSS: Bool = false) -> [UInt8] {
        publicKey(
            isPSS ? algorithm("1.2.840.113549.1.1.10") : algorithm("1.2.840.113549.1.1.1", null),
            sequence(unsigned(modulus), unsigned(exponent)))
    }

    /// An odd number of this many bits.
    static func odd(bits: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0x5b, count: (bits + 7) / 8)
        let top = UInt8(1) << UInt8((bits - 1) % 8)
        bytes[0] = top | (bytes[0] & (top - 1))
        return bytes
    }

    static let sha256 = "2.16.840.1.101.3.4.2.1"
    static let sha384 = "2.16.840.1.101.3.4.2.2"

    /// `RSASSA-PSS-params`. A nil argument leaves a field at its DEFAULT.
    static func pssParameters(hash: String?, maskHash: String?, salt: Int?, trailer: Int? = nil) -> [UInt8] {
        sequence(
            hash.map { explicit(0, algorithm($0, null)) } ?? [],
            maskHash.map { explicit(1, algorithm("1.2.840.113549.1.1.8", algorithm($0, null))) } ?? [],
            salt.map { explicit(2, integer($0)) } ?? [],
            trailer.map { explicit(3, integer($0)) } ?? [])
    }
}

// MARK: - Extensions

extension ASN1 {
    static func ext(_ identifier: [UInt8], critical: [UInt8] = [], _ value: [UInt8]) -> [UInt8] {
        sequence(identifier, critical, octets(value))
    }
}

extension Extension {
    private static func make(_ dotted: String, _ isCritical: Bool, _ value: [UInt8]) -> Extension {
        Extension(identifier: OID(dotted) ?? .anyPolicy, isCritical: isCritical, value: value)
    }

    var encoded: [UInt8] {
        ASN1.ext(
            ASN1.value(0x06, identifier.der), critical: isCritical ? ASN1.boolean(true) : [], value)
    }

    static func unknown(_ dotted: String = "1.2.3.4.5", critical: Bool, _ value: [UInt8] = ASN1.null) -> Extension {
        make(dotted, critical, value)
    }

    static func basicConstraints(
        isAuthority: Bool = true, pathLength: Int? = nil, critical: Bool = true
    ) -> Extension {
        make(
            "2.5.29.19", critical,
            ASN1.sequence(isAuthority ? ASN1.boolean(true) : [], pathLength.map(ASN1.integer) ?? []))
    }

    static func keyUsage(_ bits: [UInt8], unused: UInt8, critical: Bool = true) -> Extension {
        make("2.5.29.15", critical, ASN1.bits(bits, unused: unused))
    }

    /// keyCertSign and cRLSign.
    static let authorityKeyUsage = keyUsage([0x06], unused: 1)

    static func extendedKeyUsage(_ purposes: String..., critical: Bool = false) -> Extension {
        make("2.5.29.37", critical, ASN1.sequence(purposes.map(ASN1.oid)))
    }

    static func alternativeNames(_ names: [UInt8]..., critical: Bool = false) -> Extension {
        make("2.5.29.17", critical, ASN1.sequence(names))
    }

    static func alternativeNames(_ names: [[UInt8]]) -> Extension { make("2.5.29.17", false, ASN1.sequence(names)) }

    static func nameConstraints(
        permitted: [[UInt8]] = [], excluded: [[UInt8]] = [], critical: Bool = true
    ) -> Extension {
        func subtrees(_ number: UInt8, _ bases: [[UInt8]]) -> [UInt8] {
            bases.isEmpty ? [] : ASN1.explicit(number, bases.flatMap { ASN1.sequence($0) })
        }
        return make("2.5.29.30", critical, ASN1.sequence(subtrees(0, permitted), subtrees(1, excluded)))
    }

    static func policies(_ policies: String..., critical: Bool = false) -> Extension { self.policies(policies) }

    static func policies(_ policies: [String], critical: Bool = false) -> Extension {
        make("2.5.29.32", critical, ASN1.sequence(policies.map { ASN1.sequence(ASN1.oid($0)) }))
    }

    static func policyMappings(_ mappings: [(String, String)], critical: Bool = false) -> Extension {
        make(
            "2.5.29.33", critical, ASN1.sequence(mappings.map { ASN1.sequence(ASN1.oid($0.0), ASN1.oid($0.1)) }))
    }

    static func policyConstraints(
        requireExplicit: Int? = nil, inhibitMapping: Int? = nil, critical: Bool = true
    ) -> Extension {
        make(
            "2.5.29.36", critical,
            ASN1.sequence(
                requireExplicit.map { ASN1.implicit(0, ASN1.number($0)) } ?? [],
                inhibitMapping.map { ASN1.implicit(1, ASN1.number($0)) } ?? []))
    }

    static func inhibitAnyPolicy(_ skip: Int, critical: Bool = true) -> Extension {
        make("2.5.29.54", critical, ASN1.integer(skip))
    }

    static func subjectKeyIdentifier(_ identifier: [UInt8], critical: Bool = false) -> Extension {
        make("2.5.29.14", critical, ASN1.octets(identifier))
    }

    static func authorityKeyIdentifier(_ identifier: [UInt8], critical: Bool = false) -> Extension {
        make("2.5.29.35", critical, ASN1.sequence(ASN1.implicit(0, identifier)))
    }

    static func named(_ dotted: String, critical: Bool = false, _ value: [UInt8]) -> Extension {
        make(dotted, critical, value)
    }
}
