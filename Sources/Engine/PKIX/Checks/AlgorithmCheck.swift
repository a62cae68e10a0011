// SPDX-License-Identifier: Apache-2.0

/// Checks that signatures and keys use accepted algorithms and sizes. The engine never checks the signature of an
/// anchor.
enum AlgorithmCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, isAnchor: Bool, _ context: EvaluationContext,
        _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let span = certificate.span
        let storage = certificate.storage
        let algorithms = storage.fields.tbsAlgorithm.whole.count + storage.fields.signatureAlgorithm.whole.count
        guard meter.charge(work: algorithms + storage.fields.spki.algorithm.whole.count) else { return }
        if !isAnchor { checkSignatureAlgorithm(certificate, span, context.policy.profile, &list) }
        let form = KeyForm.read(span, storage.fields.spki)
        switch form {
        case .p256, .p384, .p521, .ed25519, .mldsa65, .mldsa87: break
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _):
            if numbers.bits < RSAKeyLimits.minimumBits {
                list.add(.rsaKeyTooSmall, expected: .number(RSAKeyLimits.minimumBits), found: .number(numbers.bits))
            } else if numbers.bits > RSAKeyLimits.maximumBits {
                list.add(.rsaKeyTooLarge, expected: .number(RSAKeyLimits.maximumBits), found: .number(numbers.bits))
            } else if context.policy.isStrict, numbers.bits % 8 != 0 {
                list.add(.strictKeySize, expected: .number(8), found: .number(numbers.bits))
            }
        case .explicitCurve: list.add(.keyUsesExplicitCurve)
        case .otherCurve:
            list.add(.keyUsesUnsupportedCurve, found: .text(curveName(span, storage.fields.spki.algorithm.parameters)))
        case .dsa: list.add(.keyUsesDSA)
        case .other:
            // A leaf's key verifies nothing in the path, so the plain profile allows any kind of key.
            guard role != .leaf || context.policy.profile == .webPKI else { break }
            let algorithm = certificate.subjectPublicKeyInfo.algorithm
            list.add(
                .keyAlgorithmUnsupported, expected: expected(algorithm, "RSA, P-256, P-384, P-521"),
                found: .text(algorithm.description))
        case .malformed: list.addMalformedKey(of: certificate)
        }
        // The engine checks an issuer's key when it uses it. The plain profile accepts leaf keys that the engine can't
        // check.
        if role == .leaf, context.policy.profile == .webPKI,
            !PublicKeyCheck.isWellFormed(span, storage.fields.spki, form)
        {
            list.addMalformedKey(of: certificate)
        }
    }

    private static func checkSignatureAlgorithm(
        _ certificate: Certificate, _ span: Span<UInt8>, _ profile: ValidationPolicy.Profile, _ list: inout FailureList
    ) {
        let storage = certificate.storage
        // § 4.1.1.2: the identifiers are the same, including parameters.
        guard bytesEqual(span, storage.fields.tbsAlgorithm.whole, span, storage.fields.signatureAlgorithm.whole) else {
            let signed = OID(checkedContents: certificate.copy(storage.fields.tbsAlgorithm.oid)).description
            let outside = certificate.signatureAlgorithm.description
            func text(_ name: String, _ parameters: ByteRange) -> TrustFailure.Value {
                // If the algorithms are equal, their parameters differ.
                guard signed == outside else { return .text(name) }
                let hex = Hex.encode(Array(certificate.copy(parameters).prefix(32)))
                return .text(hex.isEmpty ? "\(name) without parameters" : "\(name) with parameters \(hex)")
            }
            list.add(
                .signatureAlgorithmMismatch, expected: text(signed, storage.fields.tbsAlgorithm.parameters),
                found: text(outside, storage.fields.signatureAlgorithm.parameters))
            return
        }
        let algorithm = storage.fields.signatureAlgorithm
        switch SignatureScheme.read(span, algorithm, ecdsaMayHaveNull: profile.acceptsNullOfECDSA) {
        case .supported: break
        case .sha1: list.add(.signatureUsesSHA1)
        case .md5: list.add(.signatureUsesMD5)
        case .dsa: list.add(.signatureUsesDSA)
        case .malformedParameters:
            let name = certificate.signatureAlgorithm.description
            var found = name
            if case .supported = SignatureScheme.read(span, algorithm, ecdsaMayHaveNull: true) {
                found = "\(name) with NULL, expected none (RFC 5758 § 3.2)"
            }
            list.add(.signatureParametersUnsupported, found: .text(found))
        case .unsupported:
            let algorithm = certificate.signatureAlgorithm
            list.add(
                .signatureAlgorithmUnsupported,
                expected: expected(algorithm, "RSA or ECDSA with SHA-256, SHA-384 or SHA-512"),
                found: .text(algorithm.description))
        }
    }

    /// Returns the supported algorithms. For a size of ML-DSA, returns the other sizes.
    private static func expected(_ algorithm: OID, _ classical: String) -> TrustFailure.Value {
        let sizes = "ML-DSA-65 or ML-DSA-87"
        guard algorithm.description == "2.16.840.1.101.3.4.3.17" else {
            return .text("\(classical), Ed25519, \(sizes)")
        }
        return .text("\(sizes), because the crypto library has no ML-DSA-44")
    }

    private static func curveName(_ span: Span<UInt8>, _ parameters: ByteRange) -> String {
        var reader = DERReader(span, parameters)
        guard let oid = try? reader.nextObjectIdentifier("namedCurve") else { return "?" }
        var contents: [UInt8] = []
        for index in oid.indices { contents.append(span[index]) }
        return OID(checkedContents: contents).description
    }
}

extension FailureList {
    /// Adds the failure of a key whose bytes aren't a valid key of its algorithm.
    mutating func addMalformedKey(of certificate: Certificate) {
        add(
            .keyMalformed, expected: .text(certificate.subjectPublicKeyInfo.algorithm.description),
            found: .text(KeyForm.fault(certificate.span, certificate.storage.fields.spki)))
    }
}

extension ValidationPolicy.Profile {
    /// Whether the engine accepts ECDSA with NULL parameters. The web PKI profile doesn't, because browsers reject it.
    var acceptsNullOfECDSA: Bool { self == .rfc5280 }
}
