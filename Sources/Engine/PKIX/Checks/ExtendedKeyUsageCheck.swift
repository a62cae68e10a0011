// SPDX-License-Identifier: Apache-2.0

/// Checks that the extended key usage of every certificate in the path, if present, contains the purpose.
///
/// RFC 5280 § 4.2.1.12 is only about the certificate's own key. The CA/Browser baseline (§ 7.1.5) and every browser
/// also apply an issuer's extended key usage to the certificates below it. Without the extension, there is no
/// restriction. `anyExtendedKeyUsage` allows every purpose, but the strict rules reject it in a leaf. As in Go, the
/// check includes the anchor: a root for only email isn't a root for servers, regardless of its store.
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
        // Three passes: one for each of the two purposes, and one for a list of the purposes found.
        guard meter.charge(work: 3 * storage.fields.extensions.value(.extendedKeyUsage).count) else { return }
        if certificate.hasPurpose(required) || certificate.hasPurpose(.anyExtendedKeyUsage) { return }
        list.add(
            .extendedKeyUsageNotAllowed, expected: .text(context.policy.purpose.rawValue),
            found: certificate.purposes.list)
    }
}

extension Certificate {
    /// The names of the first purposes in the extended key usage. Empty if the certificate doesn't have the extension.
    var purposes: CountedList {
        let span = span
        var purposes = CountedList()
        var outer = DERReader(span, storage.fields.extensions.value(.extendedKeyUsage))
        guard var reader = try? outer.nextSequence("extKeyUsage") else { return purposes }
        while !reader.isAtEnd, let purpose = try? reader.next("extKeyUsage") {
            purposes.add(OID(checkedContents: copy(purpose.contents)).purposeName)
        }
        return purposes
    }

    /// Whether the extended key usage contains this purpose. False if the certificate doesn't have the extension.
    func hasPurpose(_ required: OID) -> Bool {
        let span = span
        var outer = DERReader(span, storage.fields.extensions.value(.extendedKeyUsage))
        guard var reader = try? outer.nextSequence("extKeyUsage") else { return false }
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
