/// Extended key usage along the path: the leaf's and every issuer's, where there is one, names the purpose.
///
/// RFC 5280 § 4.2.1.12 speaks of the certificate's own key. That an issuer's limits what may be issued below it is the
/// rule of the CA/Browser baseline (§ 7.1.5) and of every browser. Without the extension nothing is restricted.
/// `anyExtendedKeyUsage` stands for every purpose; the strict rules refuse it in a leaf. An anchor's counts too, as for Go:
/// a root that is for e-mail alone is no root for servers, whatever store it got into.
enum ExtendedKeyUsageCheck {
    static func run(
        _ certificate: Certificate, _ role: TrustFailure.Role, _ context: EvaluationContext,
        _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        let storage = certificate.storage
        guard storage.fields.extensions.has(.extendedKeyUsage) else { return }
        let wanted: [UInt8]
        switch context.policy.purpose {
        case .any: return
        case .serverAuth: wanted = OID.serverAuth.der
        case .clientAuth: wanted = OID.clientAuth.der
        }
        let value = storage.fields.extensions.value(.extendedKeyUsage)
        guard meter.charge(work: value.count) else { return }
        let span = certificate.span
        var outer = DERReader(span, value)
        if let sequence = try? outer.next(DERTag.sequence, "extKeyUsage") {
            var purposes = outer.inside(sequence)
            while let purpose = try? purposes.nextObjectIdentifier("extKeyUsage") {
                if equals(span, purpose, wanted) || equals(span, purpose, OID.anyExtendedKeyUsage.der) { return }
                if purposes.isAtEnd { break }
            }
        }
        list.add(
            .extendedKeyUsageNotAllowed, expected: .text(context.policy.purpose.rawValue),
            found: .list((certificate.extendedKeyUsage ?? []).map(\.purposeName)))
    }
}

extension OID {
    /// The name of a purpose where it has one that people know.
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
