// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What whoever runs the server can do about a verdict: the first thing to try, before any client is changed.
public struct ServerAdvice: Sendable, Hashable {
    /// What it is about.
    public enum Subject: Sendable, Hashable {
        /// A failure of the verdict.
        case failure(TrustFailure.Code)
        /// The chain that was presented, which may be untidy and trusted all the same.
        case presentedChain
        /// A date that comes near.
        case renewal
    }

    public let subject: Subject

    /// One or two sentences; wording may change.
    public let text: String
}

extension TrustVerdict {
    /// What to change on the server, the most specific first; empty if there is nothing.
    ///
    /// Each failure is answered once however often it occurs. A trusted verdict can have advice as well: certificates that are sent
    /// and not needed, in the wrong order or twice, and a path that ends soon.
    ///
    /// Not looked at: anything that isn't in the handshake, such as the server's protocol versions or its other names.
    /// - Parameters:
    ///   - chain: what the server presented.
    ///   - days: how near the end of the path is told; 14 unless given, 0 for never.
    public func serverAdvice(presented chain: PresentedChain, renewalWithinDays days: Int = 14) -> [ServerAdvice] {
        var advice: [ServerAdvice] = []
        var told: Set<TrustFailure.Code> = []
        for failure in failures where told.insert(failure.code).inserted {
            guard let text = failure.code.serverAdvice(certificate: failure.certificate) else { continue }
            advice.append(ServerAdvice(subject: .failure(failure.code), text: text))
        }
        advice += chainAdvice(chain).map { ServerAdvice(subject: .presentedChain, text: $0) }
        if let renewal = renewalAdvice(days) { advice.append(ServerAdvice(subject: .renewal, text: renewal)) }
        return advice
    }

    /// What is untidy about the presented chain, held against the path that was found.
    private func chainAdvice(_ chain: PresentedChain) -> [String] {
        guard reachesAnchor, !path.isEmpty else { return [] }
        var advice: [String] = []
        var seen: Set<Certificate> = []
        var places: [Int] = []
        var strangers: [Certificate] = []
        var hasDuplicate = false
        for certificate in chain.certificates {
            guard seen.insert(certificate).inserted else {
                hasDuplicate = true
                continue
            }
            if let place = path.firstIndex(of: certificate) {
                places.append(place)
            } else {
                strangers.append(certificate)
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
        // A cross-signed sibling is there for other clients.
        let subjects = Set(path.map(\.subject))
        if let stranger = strangers.first(where: { !subjects.contains($0.subject) }) {
            let name = stranger.abridgedDescription(toBytes: 256)
            advice.append("Take \(name) out of the chain: it is no part of the path.")
        }
        // What was found elsewhere, other clients will miss.
        if path.dropFirst().dropLast().contains(where: { !seen.contains($0) }) {
            advice.append(
                "Send the whole chain: an intermediate is missing, and was found here only because this client has it.")
        }
        if !chain.unreadable.isEmpty {
            advice.append("Take out what is no certificate; one that was sent can't be read.")
        }
        return advice
    }

    private func renewalAdvice(_ days: Int) -> String? {
        guard isTrusted, days > 0, let end = path.map(\.notAfter).min() else { return nil }
        let left = (end.secondsSinceEpoch - evaluationDate.secondsSinceEpoch) / 86_400
        guard left < days else { return nil }
        let isLeaf = path.first?.notAfter == end
        return "\(isLeaf ? "Renew the certificate" : "Have the chain replaced; a CA of it ends"): "
            + (left < 1 ? "less than a day is left." : left == 1 ? "one day is left." : "\(left) days are left.")
    }
}

extension TrustFailure.Code {
    /// What to do on the server; nil where nothing on it is wrong, or nobody knows.
    /// - Parameter certificate: the index in the path of the certificate that failed, 0 for the leaf.
    fileprivate func serverAdvice(certificate: Int?) -> String? {
        let isLeaf = certificate == 0
        switch self {
        case .certificateExpired:
            return isLeaf
                ? "Renew the server's certificate, and have the renewal run by itself and reload the server."
                : "Send the CA's current chain: a CA certificate of this one has expired, and the CA offers a newer one."
        case .certificateNotYetValid:
            return "Put the certificate into service later, or set the clock right of the machine that issued it."
        case .hostMismatch:
            return
                "Add the name to the certificate's subject alternative names, or serve the right certificate for the name that is asked for (SNI)."
        case .subjectAlternativeNameMissing:
            return "Have the certificate issued anew with the name in the subject alternative name."
        case .unknownIssuer:
            return "Send the whole chain: the server's certificate followed by every intermediate its CA delivered."
        case .selfSignedLeaf:
            return "Give the server a certificate of a CA that its clients trust."
        case .untrustedRoot:
            return "Use a CA that its clients trust; for a private CA, hand its root to the clients as an anchor."
        case .signatureInvalid:
            return "Send the chain that belongs to this certificate: the one that its CA delivered with it."
        case .signatureUsesMD5, .signatureUsesSHA1, .signatureUsesDSA, .rsaKeyTooSmall, .keyUsesDSA,
            .keyUsesExplicitCurve, .keyUsesUnsupportedCurve:
            return isLeaf
                ? "Make a new key (P-256, or RSA with 2048 bits or more) and have a certificate issued for it with SHA-256."
                : "Move to a chain whose CAs have strong keys and signatures."
        case .extendedKeyUsageNotAllowed, .keyUsageNotForTLS:
            return "Have a certificate issued for TLS servers (extended key usage serverAuth)."
        case .presentedChainEmpty: return "Configure a certificate and its key on the server."
        case .certificateMalformed:
            return "Install the certificate again as the CA delivered it; what is sent can't be read."
        case .notCertificateAuthority, .basicConstraintsMissing, .keyUsageLacksCertSign, .certificateVersionNotAllowed:
            return isLeaf ? nil : "Send the CA's own certificates after the server's; what is sent there is no CA's."
        case .nameExcluded, .nameNotPermitted:
            return "Have the name certified by a CA that may: a CA of this chain is constrained to other names."
        case .pathLengthExceeded: return "Have the certificate issued by a CA that may have none or fewer CAs below it."
        case .pinNotMatched, .certificateNotPinned, .authorityNotMatched:
            return
                "If the server's key or CA was changed on purpose, put the pinned key back into service until the clients have the new pin; else somebody stands between."
        default: return nil
        }
    }
}
