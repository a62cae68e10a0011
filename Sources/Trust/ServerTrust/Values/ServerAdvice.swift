// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Advice for the server's administrator about a verdict: the first measures to try, before any client is changed.
package struct ServerAdvice: Sendable, Hashable {
    /// The subject of the advice.
    package enum Subject: Sendable, Hashable {
        /// A failure of the verdict.
        case failure(TrustFailure.Code)
        /// The presented chain, which may be untidy even if it is trusted.
        case presentedChain
        /// A date that approaches.
        case renewal
    }

    /// The subject of the advice.
    package let subject: Subject

    /// One or two sentences; the wording may change.
    package let text: String
}

extension TrustVerdict {
    /// Returns advice for the server's configuration, the most specific first; empty if there is none.
    ///
    /// Each code is answered once, however many failures have it. A trusted verdict can have advice as well: certificates that are sent
    /// and not needed, in the wrong order or twice, and a path that ends soon.
    ///
    /// Not considered: everything outside the handshake's certificates, such as the server's protocol versions or its other names.
    /// - Parameters:
    ///   - chain: the chain that the server presented.
    ///   - days: the number of days before the end of the path at which renewal is advised; 14 by default, 0 for never.
    package func serverAdvice(presented chain: PresentedChain, renewalWithinDays days: Int = 14) -> [ServerAdvice] {
        var advice: [ServerAdvice] = []
        var answered: Set<TrustFailure.Code> = []
        if failures.contains(where: { $0.code == .issuerUnreadable }) { answered.insert(.unknownIssuer) }
        for failure in failures where answered.insert(failure.code).inserted {
            let order = failure.certificate == 0 ? chain.misplacedLeaf(for: referenceName ?? host)?.advice : nil
            guard
                let text = order ?? pinAdvice(failure) ?? failure.nameRemedy ?? anchorAdvice(failure)
                    ?? failure.code.serverAdvice(certificate: failure.certificate)
            else { continue }
            advice.append(ServerAdvice(subject: .failure(failure.code), text: text))
        }
        advice += chainAdvice(chain).map { ServerAdvice(subject: .presentedChain, text: $0) }
        if let renewal = renewalAdvice(days) { advice.append(ServerAdvice(subject: .renewal, text: renewal)) }
        return advice
    }

    /// Returns advice for a chain that ends without an anchor although it may be complete, as under a private CA; nil for other failures,
    /// and for a leaf of a public CA that came alone.
    ///
    /// Public CAs name their issuer's address in every certificate below the root (CA/Browser baseline § 7.1.2). Without it, or above the
    /// leaf, the issuer may as well be a root that isn't trusted here, which no server has to send.
    private func anchorAdvice(_ failure: TrustFailure) -> String? {
        let trusting = "name it with --anchors FILE, or install it in this machine's store of roots"
        switch failure.code {
        case .untrustedRoot:
            return "The chain is complete, and its root isn't trusted here: if it is your CA's, \(trusting)."
        case .unknownIssuer:
            guard let index = failure.certificate, path.indices.contains(index) else { return nil }
            let last = path[index]
            guard index > 0 || !last.authorityInformationAccess.contains(where: { $0.method == .caIssuersAccess })
            else { return nil }
            let issuer = last.abridgedIssuer(toBytes: 256)
            let missing = "If it is an intermediate of its CA, have the server send it as well."
            return "\(issuer) isn't trusted here: if it is a root of yours, \(trusting). \(missing)"
        default: return nil
        }
    }

    /// Returns advice about the presented chain, compared with the path that was found.
    private func chainAdvice(_ chain: PresentedChain) -> [String] {
        guard reachesAnchor, !path.isEmpty else { return [] }
        var advice: [String] = []
        var seen: Set<Certificate> = []
        var places: [Int] = []
        var unrelated: [Certificate] = []
        var hasDuplicate = false
        for certificate in chain.certificates {
            guard seen.insert(certificate).inserted else {
                hasDuplicate = true
                continue
            }
            if let place = path.firstIndex(of: certificate) {
                places.append(place)
            } else {
                unrelated.append(certificate)
            }
        }
        if places != places.sorted() {
            advice.append(
                "Send the chain in order, each certificate followed by its issuer (RFC 8446 § 4.4.2); strict clients refuse this one."
            )
        }
        if hasDuplicate { advice.append("Send each certificate once; one is sent twice.") }
        if path.count > 1, let anchor = path.last, seen.contains(anchor) {
            advice.append(
                "Leave the root out of the chain: clients have it or don't trust it, and it costs every handshake bytes."
            )
        }
        // A cross-signed certificate of a CA on the path is there for other clients.
        let subjects = Set(path.map(\.subject))
        if let certificate = unrelated.first(where: { !subjects.contains($0.subject) }) {
            let name = certificate.abridgedDescription(toBytes: 256)
            advice.append("Take \(name) out of the chain: it is not part of the path.")
        }
        // Other clients don't have certificates that were found elsewhere.
        if path.dropFirst().dropLast().contains(where: { !seen.contains($0) }) {
            advice.append(
                "Send the whole chain: an intermediate is missing, and was found here only because this client has it.")
        }
        if !chain.unreadable.isEmpty {
            advice.append("Take out the bytes that are not a certificate; one that was sent can't be read.")
        }
        return advice
    }

    private func renewalAdvice(_ days: Int) -> String? {
        guard isTrusted, days > 0, let end = path.map(\.notAfter).min() else { return nil }
        let seconds = end.secondsSinceEpoch - evaluationDate.secondsSinceEpoch
        let left = seconds / 86_400
        guard left < days else { return nil }
        let isLeaf = path.first?.notAfter == end
        return "\(isLeaf ? "Renew the certificate" : "Have the chain replaced; one of its CA certificates ends"): "
            + (seconds < 0
                ? "it has expired."
                : left < 1 ? "less than a day is left." : left == 1 ? "one day is left." : "\(left) days are left.")
    }
}

extension TrustFailure.Code {
    /// Returns a measure for the server; nil if nothing on the server is wrong, or no measure is known.
    /// - Parameter certificate: the index in the path of the certificate that failed, 0 for the leaf.
    fileprivate func serverAdvice(certificate: Int?) -> String? {
        let isLeaf = certificate == 0
        switch self {
        case .certificateExpired:
            return isLeaf
                ? "Renew the server's certificate, and automate the renewal and the reload of the server."
                : "Send the CA's current chain: one of its CA certificates has expired, and the CA offers a newer one."
        case .certificateNotYetValid:
            return "Put the certificate into service later, or correct the clock of the machine that issued it."
        case .hostMismatch:
            return
                "Add the name to the certificate's subject alternative names, or serve the right certificate for the requested name (SNI)."
        case .subjectAlternativeNameMissing:
            return "Have the certificate reissued with the name in the subject alternative name."
        // See `anchorAdvice`: this is for a leaf alone.
        case .unknownIssuer:
            return
                "Send the whole chain: the server's certificate followed by every intermediate that its CA delivered."
        case .issuerUnreadable:
            return
                "Have the CA issue the certificate again that can't be read, and install the new one in its place; trusting it as a root doesn't help."
        case .selfSignedLeaf:
            return "Give the server a certificate of a CA that its clients trust."
        case .signatureInvalid:
            return "Send the chain that belongs to this certificate, as its CA delivered it."
        case .signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA, .rsaKeyTooSmall, .keyUsesDSA,
            .keyUsesExplicitCurve, .keyUsesUnsupportedCurve:
            return isLeaf
                ? "Make a new key (P-256, or RSA with 2048 bits or more) and have a certificate issued for it with SHA-256."
                : "Move to a chain whose CAs have strong keys and signatures."
        case .extendedKeyUsageNotAllowed:
            return "Have a certificate issued for TLS servers (extended key usage serverAuth)."
        case .keyUsageNotForTLS:
            return
                "Have the certificate reissued with key usage digitalSignature, which TLS 1.3 and all suites with forward secrecy need."
        case .stapleMissing:
            return
                "Turn OCSP stapling on in the server's configuration, or have a certificate issued that doesn't demand a staple."
        case .presentedChainEmpty: return "Configure a certificate and its key on the server."
        case .certificateMalformed:
            return "Install the certificate again as the CA delivered it; the one that is sent can't be read."
        case .notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign, .certificateVersionNotAllowed:
            return isLeaf
                ? nil : "Send the CA's own certificates after the server's; one that is sent there is not a CA's."
        case .nameExcluded, .nameNotPermitted:
            return "Have the name certified by another CA: a CA of this chain is constrained to other names."
        case .pathLengthExceeded:
            return "Have the certificate issued through fewer CAs: a CA of this chain limits their number."
        case .pinNotMatched, .certificateNotPinned, .authorityNotMatched:
            return
                "If the server's key or CA was changed on purpose, put the pinned key back into service until the clients have the new pin. If not, an attacker may be intercepting the connection."
        default: return nil
        }
    }
}
