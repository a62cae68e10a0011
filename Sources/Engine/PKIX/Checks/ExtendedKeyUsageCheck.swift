// SPDX-License-Identifier: Apache-2.0

/// Extended key usage along the path: the leaf's and every issuer's, where there is one, names the purpose.
///
/// RFC 5280 § 4.2.1.12 is about the certificate's own key. That an issuer's extended key usage limits the certificates
/// below it is the rule of the CA/Browser baseline (§ 7.1.5) and of every browser. Without the extension nothing is
/// restricted. `anyExtendedKeyUsage` stands for every purpose; the strict rules refuse it in a leaf. An anchor's counts
/// too, as for Go: a root for e-mail alone is no root for servers, whichever store it is in.
enum ExtendedKeyUsageCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ context: EvaluationContext,
        _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let storage = certificate.storage
        guard storage.fields.extensions.has(.extendedKeyUsage) else { return }
        let required: OID
        switch context.policy.purpose {
        case .any: return
        case .serverAuth: required = .serverAuth
        case .clientAuth: required = .clientAuth
        }
        // Three passes: for each of the two purposes, and for a list of the purposes found.
        guard meter.charge(work: 3 * storage.fields.extensions.value(.extendedKeyUsage).count) else { return }
        if certificate.hasPurpose(required) || certificate.hasPurpose(.anyExtendedKeyUsage) { return }
        list.add(
            .extendedKeyUsageNotAllowed, expected: .text(context.policy.purpose.rawValue),
            found: certificate.purposes.list)
    }
}

extension Certificate {
    /// The purposes of the extended key usage by name, the first of them; empty if the certificate has no such
    /// extension.
    var purposes: CountedList {
        let span = span
        var purposes = CountedList()
        var outer = DERReader(span, storage.fields.extensions.value(.extendedKeyUsage))
        guard let sequence = try? outer.next(DERTag.sequence, "extKeyUsage") else { return purposes }
        var reader = outer.inside(sequence)
        while !reader.isAtEnd, let purpose = try? reader.next("extKeyUsage") {
            purposes.add(OID(checkedContents: copy(purpose.contents)).purposeName)
        }
        return purposes
    }

    /// Whether the extended key usage has this purpose; false if the certificate has no such extension.
    func hasPurpose(_ required: OID) -> Bool {
        let span = span
        var outer = DERReader(span, storage.fields.extensions.value(.extendedKeyUsage))
        guard let sequence = try? outer.next(DERTag.sequence, "extKeyUsage") else { return false }
        var reader = outer.inside(sequence)
        while !reader.isAtEnd, let purpose = try? reader.next("extKeyUsage") {
            if equals(span, purpose.contents, required.der) { return true }
        }
        return false
    }
}

extension OID {
    /// The common name of a purpose, or its OID.
    var purposeName: String {
        switch self {
        case .serverAuth: return "serverAuth"
        case .clientAuth: return "clientAuth"
        case .ocspSigning: return "OCSPSigning"
        case .anyExtendedKeyUsage: return "anyExtendedKeyUsage"
        default: break
        }
        return switch description {
        case "1.3.6.1.5.5.7.3.3": "codeSigning"
        case "1.3.6.1.5.5.7.3.4": "emailProtection"
        case "1.3.6.1.5.5.7.3.8": "timeStamping"
        default: description
        }
    }
}
