// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

// Whether all pins of a rule stand and fall with one CA.

extension PinLintScope {
    /// Says nothing where a pin's certificate isn't known: a key of one's own that is kept in a safe has none.
    mutating func checkIssuers(_ rule: PinRule) {
        guard rule.mode != .unpinned, Set(rule.pins.map(\.key)).count > 1 else { return }
        var common: Set<DistinguishedName>?
        for pin in rule.pins {
            let certificates = known.certificates(for: pin)
            guard !certificates.isEmpty else { return }
            // With any one of its certificates the pin is met: it depends on what all of them depend on.
            for certificate in certificates {
                let names = known.authorities(of: certificate)
                common = common.map { $0.intersection(names) } ?? names
            }
            if common?.isEmpty == true { return }
        }
        guard let name = common?.min(by: { "\($0)" < "\($1)" }) else { return }
        add(
            .backupSameIssuer, at: rule.place, subject: rule.subject,
            "\(rule.subject): all \(rule.pins.count) pins depend on \(name), expected one that doesn't")
    }
}

extension KnownCertificates {
    /// The CAs that the certificate depends on, itself if it is one's, as far as they are known; a root depends on itself alone.
    func authorities(of certificate: Certificate) -> Set<DistinguishedName> {
        var names: Set<DistinguishedName> = certificate.isAuthority ? [certificate.subject] : []
        guard !certificate.isSelfIssued else { return names }
        names.insert(certificate.issuer)
        var seen: Set<Certificate> = [certificate]
        addAuthorities(above: certificate, to: &names, &seen)
        return names
    }

    /// What all of an issuer's certificates depend on: where it is cross-signed there is a way around one of them.
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
