// SPDX-License-Identifier: Apache-2.0

import PKIX

extension CertificateDescription {
    /// The reasons why Firefox refuses a server certificate that the default policy accepts. Empty if Firefox has none.
    ///
    /// Each reason contains the constant that Firefox shows. The rules are those of mozilla::pkix: pkixcheck.cpp,
    /// pkixcert.cpp and pkixder.cpp of NSS. Rules about other certificates in the chain, and about roots in Mozilla's
    /// list, aren't checked.
    var firefoxRefusals: [Detail] {
        [usageRefusal, criticalRefusal, pathLengthRefusal, authorityRefusal, keyRefusal, dateRefusal].compactMap {
            $0.map { Detail("Firefox", "refuses \($0)") }
        }
    }

    /// Refuses two purposes: a server that may sign OCSP responses could vouch for itself, and anyExtendedKeyUsage has
    /// no meaning in Firefox.
    private var usageRefusal: String? {
        let purposes = Set(first("2.5.29.37")?.details.compactMap(\.oid) ?? [])
        let isForServers = purposes.contains(Self.serverAuth)
        if purposes.contains("1.3.6.1.5.5.7.3.9"), isCA != true, isForServers {
            return "a server that may sign OCSP responses (SEC_ERROR_INADEQUATE_CERT_TYPE)"
        }
        guard purposes.contains("2.5.29.37.0"), !isForServers else { return nil }
        return "anyExtendedKeyUsage instead of serverAuth (SEC_ERROR_INADEQUATE_CERT_TYPE)"
    }

    private static let serverAuth = "1.3.6.1.5.5.7.3.1"

    /// Refuses critical extensions that Firefox doesn't process.
    private var criticalRefusal: String? {
        let names = ["2.5.29.31", "2.5.29.33"].compactMap(first).filter(\.isCritical).map(\.name)
        guard !names.isEmpty else { return nil }
        return "a critical \(names.joined(separator: " and ")) (SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION)"
    }

    /// Firefox parses only numbers up to 127 here.
    private var pathLengthRefusal: String? {
        guard let length = first("2.5.29.19")?.details.first(where: { $0.label == "path length" })?.value,
            Int(length.prefix { $0.isNumber }).map({ $0 > 127 }) ?? true
        else { return nil }
        return "a path length over 127 (SEC_ERROR_EXTENSION_VALUE_INVALID)"
    }

    private var authorityRefusal: String? {
        guard isCA == true, !alternativeNames.isEmpty else { return nil }
        return "a CA as a server (MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY)"
    }

    private var keyRefusal: String? {
        // Ed25519, ML-DSA-44 and ML-DSA-65.
        let unknown: Set = ["1.3.101.112", "2.16.840.1.101.3.4.3.17", "2.16.840.1.101.3.4.3.18"]
        guard let key, let oid = key.oid, unknown.contains(oid) else { return nil }
        return "a key that other browsers also refuse: \(key.words) (SEC_ERROR_UNSUPPORTED_KEYALG)"
    }

    private var dateRefusal: String? {
        let epoch = Time(secondsSinceEpoch: 0)
        guard let start = notBefore?.time, start < epoch else { return nil }
        return "dates before 1970 (SEC_ERROR_INVALID_TIME)"
    }
}
