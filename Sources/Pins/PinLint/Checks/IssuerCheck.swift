// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustPins

// Checks whether all pins of a rule depend on one CA.

extension PinLintContext {
    /// Checks rules whose pins all have known certificates. A key held in reserve has no certificate.
    mutating func checkIssuers(_ rule: PinRule) {
        guard rule.mode != .unpinned, Set(rule.pins.map(\.key)).count > 1 else { return }
        var common: Set<DistinguishedName>?
        for pin in rule.pins {
            let certificates = known.certificates(for: pin)
            guard !certificates.isEmpty else { return }
            // Any certificate with the key matches the pin, so the pin depends only on CAs that all of these
            // certificates depend on.
            for certificate in certificates {
                let names = known.authorities(of: certificate)
                common = common.map { $0.intersection(names) } ?? names
            }
            if common?.isEmpty == true { return }
        }
        guard let name = common?.min(by: { "\($0)" < "\($1)" }) else { return }
        add(.backupSameIssuer, on: rule, "all \(rule.pins.count) pins depend on \(name), expected one that doesn't")
    }
}

extension KnownCertificates {
    /// Returns the known CAs that a certificate depends on. If the certificate belongs to a CA, this CA is included. A
    /// root depends only on itself.
    func authorities(of certificate: Certificate) -> Set<DistinguishedName> {
        var names: Set<DistinguishedName> = certificate.isAuthority ? [certificate.subject] : []
        guard !certificate.isSelfIssued else { return names }
        names.insert(certificate.issuer)
        var seen: Set<Certificate> = [certificate]
        addAuthorities(above: certificate, to: &names, &seen)
        return names
    }

    /// Adds the CAs that all certificates of an issuer depend on. A cross-signed issuer doesn't depend on any single
    /// one.
    private func addAuthorities(
        above certificate: Certificate, to names: inout Set<DistinguishedName>, _ seen: inout Set<Certificate>
    ) {
        var common: Set<DistinguishedName>?
        for issuer in named(certificate.issuer) where seen.insert(issuer).inserted && seen.count < 64 {
            var above: Set<DistinguishedName> = [issuer.subject]
            if !issuer.isSelfIssued {
                above.insert(issuer.issuer)
                addAuthorities(above: issuer, to: &above, &seen)
            }
            common = common.map { $0.intersection(above) } ?? above
        }
        names.formUnion(common ?? [])
    }
}
