// SPDX-License-Identifier: Apache-2.0

import PKIX

extension CertificateDescription {
    /// The algorithms of the key and the signature that have a name but that the crypto library doesn't verify.
    var missingAlgorithms: [Detail] {
        let names = Set([signed.key?.oid, signed.algorithm.oid].compactMap { $0.flatMap(OIDNames.words) })
        let families = ["ML-DSA-44", "HashML-DSA", "SLH-DSA", "composite", "Falcon", "Ed448"]
        return names.sorted().filter { name in families.contains(where: name.hasPrefix) }.map { name in
            let sizes = name.hasPrefix("ML-DSA") ? "; ML-DSA-65 and ML-DSA-87 are verified" : ""
            return Detail("support", "the crypto library has no \(name)\(sizes)")
        }
    }

    /// The reasons why Firefox refuses a server certificate that the default policy accepts. Empty if Firefox has none.
    ///
    /// Each reason contains the constant that Firefox shows. The rules are those of mozilla::pkix: pkixcheck.cpp,
    /// pkixcert.cpp and pkixder.cpp of NSS. Rules about other certificates in the chain, and about roots in Mozilla's
    /// list, aren't checked.
    var firefoxRefusals: [Detail] {
        let isForServers = purposes.contains("1.3.6.1.5.5.7.3.1")
        let critical = ["2.5.29.31", "2.5.29.33"].compactMap(signed.first).filter(\.isCritical).map(\.name)
        let length = pathLength.map { Int($0.prefix { $0.isNumber }) ?? .max } ?? 0
        let hasNames = signed.first("2.5.29.17")?.details.isEmpty == false
        // Ed25519, ML-DSA-44 and ML-DSA-65.
        let unknownKeys: Set = ["1.3.101.112", "2.16.840.1.101.3.4.3.17", "2.16.840.1.101.3.4.3.18"]
        let unknownKey = signed.key.flatMap { key in unknownKeys.contains(key.oid ?? "") ? key.words : nil }
        let rules: [(isBroken: Bool, refused: String)] = [
            // A server that may sign OCSP responses could vouch for itself.
            (
                isForServers && purposes.contains("1.3.6.1.5.5.7.3.9") && isCA != true,
                "a server that may sign OCSP responses (SEC_ERROR_INADEQUATE_CERT_TYPE)"
            ),
            // anyExtendedKeyUsage has no meaning in Firefox.
            (
                !isForServers && purposes.contains("2.5.29.37.0"),
                "anyExtendedKeyUsage instead of serverAuth (SEC_ERROR_INADEQUATE_CERT_TYPE)"
            ),
            // Firefox doesn't process these extensions.
            (
                !critical.isEmpty,
                "a critical \(critical.joined(separator: " and ")) (SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION)"
            ),
            // Firefox parses only numbers up to 127 here.
            (length > 127, "a path length over 127 (SEC_ERROR_EXTENSION_VALUE_INVALID)"),
            (isCA == true && hasNames, "a CA as a server (MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY)"),
            (
                unknownKey != nil,
                "a key that other browsers also refuse: \(unknownKey ?? "") (SEC_ERROR_UNSUPPORTED_KEYALG)"
            ),
            (
                notBefore.map { $0 < Time(secondsSinceEpoch: 0) } ?? false,
                "dates before 1970 (SEC_ERROR_INVALID_TIME)"
            ),
        ]
        return rules.filter(\.isBroken).map { Detail("Firefox", "refuses \($0.refused)") }
    }
}
