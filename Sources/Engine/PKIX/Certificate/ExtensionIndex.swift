// SPDX-License-Identifier: Apache-2.0

/// The extensions that this package parses.
enum KnownExtension: UInt8, Sendable, CaseIterable {
    case subjectKeyIdentifier
    case keyUsage
    case subjectAlternativeName
    case issuerAlternativeName
    case basicConstraints
    case nameConstraints
    case crlDistributionPoints
    case certificatePolicies
    case policyMappings
    case authorityKeyIdentifier
    case policyConstraints
    case extendedKeyUsage
    case freshestCRL
    case inhibitAnyPolicy
    case authorityInformationAccess
    case subjectInformationAccess
    case tlsFeature
    case signedCertificateTimestamps
    case ocspNoCheck
    case noRevAvail

    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// Whether an evaluation is just as strict without the extension. If such an extension is malformed and not
    /// critical, the parser treats it as absent.
    ///
    /// The other extensions restrict the certificate, its issuer or its server. Without them, an evaluation could
    /// accept too much. `Documentation/CertificateExtensions.md` explains each of them and the behavior of other
    /// verifiers.
    var canBeLeftOut: Bool {
        switch self {
        case .subjectKeyIdentifier, .authorityKeyIdentifier, .issuerAlternativeName, .crlDistributionPoints,
            .freshestCRL, .certificatePolicies, .authorityInformationAccess, .subjectInformationAccess,
            .signedCertificateTimestamps, .noRevAvail, .ocspNoCheck:
            true
        case .keyUsage, .subjectAlternativeName, .basicConstraints, .nameConstraints, .policyMappings,
            .policyConstraints, .extendedKeyUsage, .inhibitAnyPolicy, .tlsFeature:
            false
        }
    }

    /// The field's name in RFC 5280, for error messages.
    var name: StaticString {
        switch self {
        case .subjectKeyIdentifier: "subjectKeyIdentifier"
        case .keyUsage: "keyUsage"
        case .subjectAlternativeName: "subjectAltName"
        case .issuerAlternativeName: "issuerAltName"
        case .basicConstraints: "basicConstraints"
        case .nameConstraints: "nameConstraints"
        case .crlDistributionPoints: "cRLDistributionPoints"
        case .certificatePolicies: "certificatePolicies"
        case .policyMappings: "policyMappings"
        case .authorityKeyIdentifier: "authorityKeyIdentifier"
        case .policyConstraints: "policyConstraints"
        case .extendedKeyUsage: "extKeyUsage"
        case .freshestCRL: "freshestCRL"
        case .inhibitAnyPolicy: "inhibitAnyPolicy"
        case .authorityInformationAccess: "authorityInfoAccess"
        case .subjectInformationAccess: "subjectInfoAccess"
        case .tlsFeature: "tlsFeature"
        case .signedCertificateTimestamps: "signedCertificateTimestampList"
        case .ocspNoCheck: "ocspNoCheck"
        case .noRevAvail: "noRevAvail"
        }
    }

    /// Creates the extension from the contents of an OID, or nil if this package doesn't parse that extension.
    init?(_ bytes: Span<UInt8>, _ oid: ByteRange) {
        let start = oid.start
        switch oid.count {
        case 3:
            // id-ce, 2.5.29 (RFC 5280 § 4.2.1; RFC 9608 § 2 for noRevAvail)
            guard bytes[start] == 0x55, bytes[start &+ 1] == 0x1d else { return nil }
            switch bytes[start &+ 2] {
            case 14: self = .subjectKeyIdentifier
            case 15: self = .keyUsage
            case 17: self = .subjectAlternativeName
            case 18: self = .issuerAlternativeName
            case 19: self = .basicConstraints
            case 30: self = .nameConstraints
            case 31: self = .crlDistributionPoints
            case 32: self = .certificatePolicies
            case 33: self = .policyMappings
            case 35: self = .authorityKeyIdentifier
            case 36: self = .policyConstraints
            case 37: self = .extendedKeyUsage
            case 46: self = .freshestCRL
            case 54: self = .inhibitAnyPolicy
            case 56: self = .noRevAvail
            default: return nil
            }
        case 8:
            // id-pe, 1.3.6.1.5.5.7.1 (RFC 5280 § 4.2.2; RFC 7633 § 6 for the TLS feature)
            guard matches(bytes, start, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01]) else { return nil }
            switch bytes[start &+ 7] {
            case 1: self = .authorityInformationAccess
            case 11: self = .subjectInformationAccess
            case 24: self = .tlsFeature
            default: return nil
            }
        case 9:
            // id-pkix-ocsp-nocheck, 1.3.6.1.5.5.7.48.1.5 (RFC 6960 § 4.2.2.2.1)
            guard matches(bytes, start, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x05]) else { return nil }
            self = .ocspNoCheck
        case 10:
            // 1.3.6.1.4.1.11129.2.4.2 (RFC 6962 § 3.3). The neighbor …4.3, the poison of precertificates, is unknown on
            // purpose. It is critical, so the engine rejects certificates with it.
            guard matches(bytes, start, [0x2b, 0x06, 0x01, 0x04, 0x01, 0xd6, 0x79, 0x02, 0x04, 0x02]) else {
                return nil
            }
            self = .signedCertificateTimestamps
        default:
            return nil
        }
    }
}

/// The extensions of a certificate: which extensions are present, the ranges of their values, and decoded short values.
struct ExtensionIndex: Sendable {
    /// The largest number of extensions in a certificate. Real certificates have up to about 20.
    static let maximumCount = 64

    /// The ``KnownExtension`` bits of present extensions.
    private(set) var present: UInt32 = 0
    /// The ``KnownExtension`` bits of present and critical extensions.
    private(set) var critical: UInt32 = 0
    /// The ``KnownExtension`` bits of malformed extensions in the certificate. Of these, only id-pkix-ocsp-nocheck also
    /// counts as present, because its value has no meaning (RFC 6960 § 4.2.2.2.1).
    private var malformed: UInt32 = 0
    /// The contents of the OID of the first unknown critical extension.
    private(set) var unknownCritical = ByteRange.absent
    /// The values (contents of the OCTET STRING) of the extensions that later code decodes again.
    private var values = ExtensionValues()

    /// False if basic constraints, key usage or an extension's criticality have a form that DER forbids but the parser
    /// accepts.
    private(set) var isCanonical = true
    /// The work of parsing beyond reading each byte once, in units of ``ValidationBudget/work``.
    private(set) var extraWork = 0
    private(set) var basicConstraints = BasicConstraints(isCertificateAuthority: false, maximumPathLength: nil)
    private(set) var keyUsage = KeyUsage([])
    /// The contents of the key identifiers, or absent.
    private(set) var subjectKeyIdentifier = ByteRange.absent
    private(set) var authorityKeyIdentifier = ByteRange.absent
    /// Whether the authority key identifier also contains issuer and serial number.
    private(set) var authorityKeyIdentifierHasIssuer = false
    private(set) var requireExplicitPolicy: Int? = nil
    private(set) var inhibitPolicyMapping: Int? = nil
    private(set) var inhibitAnyPolicy: Int? = nil

    init() {}

    func has(_ known: KnownExtension) -> Bool { present & known.bit != 0 }
    func isCritical(_ known: KnownExtension) -> Bool { critical & known.bit != 0 }
    /// Whether the certificate has this extension with a malformed value.
    func isMalformed(_ known: KnownExtension) -> Bool { malformed & known.bit != 0 }
    /// The extensions whose values are malformed.
    var malformedExtensions: [KnownExtension] { malformed == 0 ? [] : KnownExtension.allCases.filter(isMalformed) }
    /// Returns the value of an extension, or absent if the certificate doesn't have it.
    func value(_ known: KnownExtension) -> ByteRange { values[known] }

    /// Parses the members of the list.
    init(parsing list: consuming DERReader) throws(DERError) {
        var list = list
        let members = ByteRange(list.position, list.end)
        var count = 0
        var unknownCount = 0
        while !list.isAtEnd {
            count += 1
            guard count <= Self.maximumCount else {
                throw DERError(.limitExceeded(limit: Self.maximumCount), in: "extensions", at: list.position)
            }
            let member = try list.nextExtension()
            if member.writesDefault { isCanonical = false }
            guard let known = KnownExtension(list.bytes, member.oid) else {
                unknownCount += 1
                if member.isCritical, !unknownCritical.isPresent { unknownCritical = member.oid }
                continue
            }
            guard (present | malformed) & known.bit == 0 else {
                throw DERError(.duplicate, in: known.name, at: member.start, detail: Self.onceRule)
            }
            present |= known.bit
            if member.isCritical { critical |= known.bit }
            values[known] = member.value
            do throws(DERError) {
                try read(known, DERReader(list.bytes, member.value))
            } catch {
                guard known == .ocspNoCheck || known.canBeLeftOut && !member.isCritical else { throw error }
                leaveOut(known, member.value)
            }
        }
        try refuseRepeated(DERReader(list.bytes, members), unknownCount)
    }

    /// Removes a malformed extension.
    private mutating func leaveOut(_ known: KnownExtension, _ value: ByteRange) {
        malformed |= known.bit
        extraWork += value.count
        guard known != .ocspNoCheck else { return }
        present &= ~known.bit
        values[known] = .absent
        switch known {
        case .subjectKeyIdentifier: subjectKeyIdentifier = .absent
        case .authorityKeyIdentifier: (authorityKeyIdentifier, authorityKeyIdentifierHasIssuer) = (.absent, false)
        default: break
        }
    }

    private static let onceRule = "a certificate may have each extension only once (RFC 5280 § 4.2)"

    /// Rejects a repeated extension (RFC 5280 § 4.2). The parser finds repeated known extensions while reading.
    private mutating func refuseRepeated(_ list: consuming DERReader, _ unknownCount: Int) throws(DERError) {
        guard unknownCount > 1 else { return }
        let bytes = list.bytes
        let start = list.position
        if unknownCount > RepeatedIdentifier.directCount {
            extraWork += unknownCount * RepeatedIdentifier.workPerEntry
            var identifiers = RepeatedIdentifier()
            while !list.isAtEnd {
                let oid = try list.nextExtension().oid
                guard identifiers.add(oid, of: bytes) else {
                    throw DERError(.duplicate, in: "extensions", at: oid.start, detail: Self.onceRule)
                }
            }
            return
        }
        while !list.isAtEnd {
            let member = try list.nextExtension()
            guard KnownExtension(bytes, member.oid) == nil else { continue }
            var earlier = DERReader(bytes, ByteRange(start, member.start))
            while !earlier.isAtEnd {
                guard !bytesEqual(bytes, try earlier.nextExtension().oid, bytes, member.oid) else {
                    throw DERError(.duplicate, in: "extensions", at: member.oid.start, detail: Self.onceRule)
                }
            }
        }
    }

    /// Checks every byte of a known extension's value and stores the fields that evaluation needs.
    private mutating func read(_ known: KnownExtension, _ value: consuming DERReader) throws(DERError) {
        var reader = value
        switch known {
        case .basicConstraints: basicConstraints = try BasicConstraints(&reader, isCanonical: &isCanonical)
        case .keyUsage: keyUsage = try KeyUsage(&reader, isCanonical: &isCanonical)
        case .subjectKeyIdentifier:
            subjectKeyIdentifier = try reader.next(DERTag.octetString, "subjectKeyIdentifier").contents
        case .authorityKeyIdentifier:
            (authorityKeyIdentifier, authorityKeyIdentifierHasIssuer) = try reader.nextAuthorityKeyIdentifier()
        case .subjectAlternativeName, .issuerAlternativeName:
            let list = try reader.next(DERTag.sequence, known.name)
            // § 4.2.1.6 requires at least one name, but an intermediate in use has none. An empty list names nothing.
            // The strict rules reject it, and so does the identity check of the leaf.
            if list.contentCount > 0 { try reader.inside(list).checkGeneralNames(known.name, form: .name) }
        case .nameConstraints: try reader.checkNameConstraints()
        case .certificatePolicies: extraWork += try reader.checkCertificatePolicies()
        case .policyMappings: try reader.checkPolicyMappings()
        case .policyConstraints: (requireExplicitPolicy, inhibitPolicyMapping) = try reader.nextPolicyConstraints()
        case .inhibitAnyPolicy: inhibitAnyPolicy = try reader.nextSmallNumber("inhibitAnyPolicy")
        case .extendedKeyUsage: try reader.checkExtendedKeyUsage()
        case .crlDistributionPoints, .freshestCRL: try reader.checkDistributionPoints(known.name)
        case .authorityInformationAccess, .subjectInformationAccess: try reader.checkAccessDescriptions(known.name)
        case .tlsFeature: try reader.checkTLSFeatures()
        case .signedCertificateTimestamps: try reader.checkTimestampList()
        case .ocspNoCheck, .noRevAvail:
            let null = try reader.next(DERTag.null, known.name)
            guard null.contentCount == 0 else { throw DERError(.trailingBytes, in: known.name, at: null.content) }
        }
        try reader.finish(known.name)
    }
}

/// A range for each extension that later code reads. Works like an array but needs no allocation.
private struct ExtensionValues: Sendable {
    private var subjectAlternativeName = ByteRange.absent
    private var issuerAlternativeName = ByteRange.absent
    private var nameConstraints = ByteRange.absent
    private var crlDistributionPoints = ByteRange.absent
    private var certificatePolicies = ByteRange.absent
    private var policyMappings = ByteRange.absent
    private var authorityKeyIdentifier = ByteRange.absent
    private var extendedKeyUsage = ByteRange.absent
    private var freshestCRL = ByteRange.absent
    private var authorityInformationAccess = ByteRange.absent
    private var subjectInformationAccess = ByteRange.absent
    private var tlsFeature = ByteRange.absent
    private var signedCertificateTimestamps = ByteRange.absent

    subscript(_ known: KnownExtension) -> ByteRange {
        get {
            switch known {
            case .subjectAlternativeName: subjectAlternativeName
            case .issuerAlternativeName: issuerAlternativeName
            case .nameConstraints: nameConstraints
            case .crlDistributionPoints: crlDistributionPoints
            case .certificatePolicies: certificatePolicies
            case .policyMappings: policyMappings
            case .authorityKeyIdentifier: authorityKeyIdentifier
            case .extendedKeyUsage: extendedKeyUsage
            case .freshestCRL: freshestCRL
            case .authorityInformationAccess: authorityInformationAccess
            case .subjectInformationAccess: subjectInformationAccess
            case .tlsFeature: tlsFeature
            case .signedCertificateTimestamps: signedCertificateTimestamps
            // The parser already decodes these values.
            case .subjectKeyIdentifier, .keyUsage, .basicConstraints, .policyConstraints, .inhibitAnyPolicy,
                .ocspNoCheck, .noRevAvail:
                .absent
            }
        }
        set {
            switch known {
            case .subjectAlternativeName: subjectAlternativeName = newValue
            case .issuerAlternativeName: issuerAlternativeName = newValue
            case .nameConstraints: nameConstraints = newValue
            case .crlDistributionPoints: crlDistributionPoints = newValue
            case .certificatePolicies: certificatePolicies = newValue
            case .policyMappings: policyMappings = newValue
            case .authorityKeyIdentifier: authorityKeyIdentifier = newValue
            case .extendedKeyUsage: extendedKeyUsage = newValue
            case .freshestCRL: freshestCRL = newValue
            case .authorityInformationAccess: authorityInformationAccess = newValue
            case .subjectInformationAccess: subjectInformationAccess = newValue
            case .tlsFeature: tlsFeature = newValue
            case .signedCertificateTimestamps: signedCertificateTimestamps = newValue
            case .subjectKeyIdentifier, .keyUsage, .basicConstraints, .policyConstraints, .inhibitAnyPolicy,
                .ocspNoCheck, .noRevAvail:
                break
            }
        }
    }
}

/// One member of the extension list.
struct ExtensionElement {
    var start: Int
    /// The contents of the OID.
    var oid: ByteRange
    var isCritical: Bool
    /// Whether the certificate encodes `critical` although it is FALSE.
    var writesDefault: Bool
    /// The contents of the OCTET STRING.
    var value: ByteRange
}

extension DERReader {
    /// Reads `Extension ::= SEQUENCE { extnID OBJECT IDENTIFIER, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING
    /// }`.
    ///
    /// An encoded FALSE violates X.690 § 11.5. Three intermediates of a CA in use have one and are valid until 2033,
    /// and some private CAs have one, too. The parser accepts it as FALSE.
    @_lifetime(self: copy self)
    @inline(__always)
    mutating func nextExtension() throws(DERError) -> ExtensionElement {
        let element = try next(DERTag.sequence, "extension")
        var inner = inside(element)
        let oid = try inner.nextObjectIdentifier("extnID")
        let (isCritical, writesDefault) = try inner.nextFlagDefaultFalse("critical")
        let value = try inner.next(DERTag.octetString, "extnValue")
        try inner.finish("extension")
        return ExtensionElement(
            start: element.start, oid: oid, isCritical: isCritical, writesDefault: writesDefault,
            value: value.contents)
    }
}
