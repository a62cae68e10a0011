// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Checks the kinds of pinned objects: keys of servers or CAs, whole certificates, denied keys.

extension PinLintContext {
    mutating func checkPinnedKinds(_ rule: PinRule) {
        guard rule.mode != .unpinned else { return }
        let misplaced = checkAuthoritiesAsLeaves(rule)
        let comparesLeavesAlone = format?.leafPinAlternative != nil
        if isLeafOnly(rule), misplaced < rule.pins.count {
            // These formats have only leaf pins, which are workable with a backup.
            let isCareful = rule.isForAnyHost || Set(rule.pins.map(\.key)).count > 1
            add(
                .leafOnly, isCareful ? .note : nil, on: rule,
                "only server keys are pinned" + (comparesLeavesAlone ? "" : ", expected a CA's key too"),
                fix: comparesLeavesAlone
                    ? "keep the backup's key safe, and publish the next pin with every change" : nil)
        }
        if rule.scopes.contains(.leaf), rule.scopes.contains(.authority) {
            // In formats other than ATS you choose each scope separately. A backup in each scope makes the rule
            // workable.
            let isCareful = [PinScope.leaf, .authority].allSatisfy { scope in
                Set(rule.pins.filter { $0.scope == scope && !isDud($0) }.map(\.key)).count > 1
            }
            add(
                .leafAndAuthority, format != .ats || isCareful ? .note : nil, on: rule,
                "both the server's key and a CA's key must match a pin")
        }
        for pin in rule.pins {
            guard case .certificate(let certificate) = pin.value else { continue }
            checkCertificate(certificate, pin, rule)
        }
    }

    /// Reports the keys of CAs whose pins are compared only with the server's key.
    /// - Returns: the number of these pins.
    private mutating func checkAuthoritiesAsLeaves(_ rule: PinRule) -> Int {
        var count = 0
        for pin in rule.pins where pin.scope == .leaf {
            guard let authority = authority(withKeyOf: pin) else { continue }
            count += 1
            add(
                .authorityAsLeaf, on: rule, at: pin,
                "\(pin.value) is the key of \(authority), but is compared only with the server's key",
                fix: format?.leafPinAlternative.map {
                    "pin the server's own key: servertrust pins make HOST. To trust only that CA, \($0)"
                })
        }
        return count
    }

    /// Returns the CA that has the key of a pin, or nil unless the key is known to belong to a CA and to no server.
    ///
    /// A self-signed certificate may also be a server's, unless it is a public root.
    func authority(withKeyOf pin: Pin) -> String? {
        if case .key(let key) = pin.value, case .rotating(let name)? = KnownPins.kind(of: key) { return name }
        let certificates = known.certificates(for: pin)
        let areAuthorities = certificates.allSatisfy { certificate in
            guard certificate.isAuthority else { return false }
            return !certificate.isSelfIssued
                || linter.anchorsArePublic && linter.anchorSet.contains(certificate)
                || !authorities.certificates(withKey: pin.key).isEmpty
        }
        guard areAuthorities, let certificate = certificates.first ?? authorities.certificates(withKey: pin.key).first
        else { return nil }
        return certificate.abridgedDescription(toBytes: 256)
    }

    private func isLeafOnly(_ rule: PinRule) -> Bool {
        rule.pins.allSatisfy { pin in
            switch pin.scope {
            case .leaf: return true
            case .authority: return false
            case .anywhere:
                let certificates = known.certificates(for: pin)
                return !certificates.isEmpty && !certificates.contains(where: \.isAuthority)
            }
        }
    }

    private mutating func checkCertificate(_ certificate: Certificate, _ pin: Pin, _ rule: PinRule) {
        if !certificate.isAuthority {
            add(
                .wholeCertificate, on: rule, at: pin,
                "the certificate \(certificate) is pinned byte for byte, expected its key or a CA's certificate")
        }
        let notAfter = certificate.notAfter
        if notAfter < linter.time {
            add(.certificateExpired, on: rule, at: pin, "the pinned certificate \(certificate) expired \(notAfter)")
        } else if notAfter < linter.horizonEnd {
            add(.certificateExpires, on: rule, at: pin, "the pinned certificate \(certificate) expires \(notAfter)")
        }
    }

    mutating func checkDenied(_ rule: PinRule) {
        guard !linter.denied.isEmpty else { return }
        for pin in rule.pins {
            guard let entry = linter.denied.entry(denying: pin.key) else { continue }
            add(
                .denied, on: rule, at: pin,
                "\(pin.value) is on the deny list" + (entry.reason.isEmpty ? "" : ": \(entry.reason)"))
        }
    }
}

extension PinFormat {
    /// A human-readable description of the setting that makes the format's software trust only one CA. Nil unless the
    /// format compares pins only with the server's key.
    ///
    /// Sources: curl, docs/cmdline-opts/pinnedpubkey.md and cacert.md; git, Documentation/config/http.txt; Envoy,
    /// common.proto (CertificateValidationContext).
    var leafPinAlternative: String? {
        switch self {
        case .curl: "pass its root to curl: --cacert FILE"
        case .git: "pass its root to git: http.sslCAInfo FILE"
        case .envoy: "pass its root to Envoy: trusted_ca"
        default: nil
        }
    }
}
