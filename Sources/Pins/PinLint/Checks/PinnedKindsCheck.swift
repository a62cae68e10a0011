// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

// The kinds of pinned objects: keys of servers or of CAs, whole certificates, denied keys.

extension PinLintContext {
    mutating func checkPinnedKinds(_ rule: PinRule) {
        guard rule.mode != .unpinned else { return }
        let misplaced = checkAuthoritiesAsLeaves(rule)
        let comparesLeavesAlone = format?.leafPinAlternative != nil
        if isLeafOnly(rule), misplaced < rule.pins.count {
            // These owners have no other pins, and with a backup they are workable.
            let isCareful = rule.isForAnyHost || Set(rule.pins.map(\.key)).count > 1
            add(
                .leafOnly, isCareful ? .note : nil, at: rule.location, subject: rule.subject,
                "\(rule.subject): only keys of servers are pinned"
                    + (comparesLeavesAlone ? "" : ", expected one of a CA too"),
                fix: comparesLeavesAlone
                    ? "keep the backup's key safe, and publish the next pin with every change" : nil)
        }
        if rule.scopes.contains(.leaf), rule.scopes.contains(.authority) {
            // In other formats than ATS the scopes are chosen one by one, and with a backup in each, it is workable.
            let isCareful = [PinScope.leaf, .authority].allSatisfy { scope in
                Set(rule.pins.filter { $0.scope == scope && !isDud($0) }.map(\.key)).count > 1
            }
            add(
                .leafAndAuthority, format != .ats || isCareful ? .note : nil, at: rule.location, subject: rule.subject,
                "\(rule.subject): the server's key and a CA's key have to be pinned, both")
        }
        for pin in rule.pins {
            guard case .certificate(let certificate) = pin.value else { continue }
            checkCertificate(certificate, pin, rule)
        }
    }

    /// Reports the pins that are compared with the server's key alone, and are the key of a CA.
    /// - Returns: the number of such pins.
    private mutating func checkAuthoritiesAsLeaves(_ rule: PinRule) -> Int {
        var count = 0
        for pin in rule.pins where pin.scope == .leaf {
            guard let authority = authority(withKeyOf: pin) else { continue }
            count += 1
            add(
                .authorityAsLeaf, at: pin.location ?? rule.location, subject: rule.subject,
                "\(rule.subject): \(pin.value) is the key of \(authority), and is compared with the server's key alone",
                fix: format?.leafPinAlternative.map {
                    "pin the server's own key: servertrust pins make HOST. To trust that CA and no other, \($0)"
                })
        }
        return count
    }

    /// Returns the CA that has the key of a pin; nil unless the key is known to be a CA's and no server's.
    ///
    /// A self-signed certificate may be a server's as well, unless it is a public root.
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
        let location = pin.location ?? rule.location
        if !certificate.isAuthority {
            add(
                .wholeCertificate, at: location, subject: rule.subject,
                "\(rule.subject): the certificate \(certificate) is pinned byte for byte, expected its key or a CA's certificate"
            )
        }
        let notAfter = certificate.notAfter
        if notAfter < linter.time {
            add(
                .certificateExpired, at: location, subject: rule.subject,
                "\(rule.subject): the pinned certificate \(certificate) expired \(notAfter)")
        } else if notAfter < linter.horizonEnd {
            add(
                .certificateExpires, at: location, subject: rule.subject,
                "\(rule.subject): the pinned certificate \(certificate) expires \(notAfter)")
        }
    }

    mutating func checkDenied(_ rule: PinRule) {
        guard !linter.denied.isEmpty else { return }
        for pin in rule.pins {
            guard let entry = linter.denied.entry(denying: pin.key) else { continue }
            add(
                .denied, at: pin.location ?? rule.location, subject: rule.subject,
                "\(rule.subject): \(pin.value) is on the deny list" + (entry.reason.isEmpty ? "" : ": \(entry.reason)"))
        }
    }
}

extension PinFormat {
    /// The setting that makes the format's software trust only one CA, for people. It is for formats whose pins are compared only with the
    /// server's key; nil for others.
    ///
    /// Sources: curl, docs/cmdline-opts/pinnedpubkey.md and cacert.md; git, Documentation/config/http.txt; Envoy, common.proto
    /// (CertificateValidationContext).
    var leafPinAlternative: String? {
        switch self {
        case .curl: "give curl its root: --cacert FILE"
        case .git: "give git its root: http.sslCAInfo FILE"
        case .envoy: "give Envoy its root: trusted_ca"
        default: nil
        }
    }
}
