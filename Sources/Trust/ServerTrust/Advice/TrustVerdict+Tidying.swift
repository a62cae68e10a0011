// SPDX-License-Identifier: Apache-2.0

import PKIX

// Advice about the presented chain and about dates that are near, for trusted verdicts too.

extension TrustVerdict {
    /// Returns advice about the presented chain, compared with the path that was found, and about the end of the path.
    func tidying(of chain: PresentedChain, renewalWithinDays days: Int) -> [Advice] {
        var advice = chainAdvice(chain).map {
            Advice(subject: .presentedChain, party: purpose.presenter, text: $0)
        }
        if let renewal = renewalAdvice(days) {
            advice.append(Advice(subject: .renewal, party: purpose.presenter, text: renewal))
        }
        return advice
    }

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
                "Send the chain in order, each certificate followed by its issuer (RFC 8446 § 4.4.2). Strict clients refuse this order."
            )
        }
        if hasDuplicate { advice.append("Send each certificate only once.") }
        if path.count > 1, let anchor = path.last, seen.contains(anchor) {
            advice.append(
                "Leave the root out of the chain. Clients use their own copy, and every handshake grows by its size."
            )
        }
        // A cross-signed certificate of a CA on the path is for other clients.
        let subjects = Set(path.map(\.subject))
        if let certificate = unrelated.first(where: { !subjects.contains($0.subject) }) {
            let name = certificate.abridgedDescription(toBytes: 256)
            advice.append("Remove \(name) from the chain. It is not part of the path.")
        }
        // Other clients don't have certificates that this evaluation found elsewhere.
        if path.dropFirst().dropLast().contains(where: { !seen.contains($0) }) {
            advice.append(
                "Send the whole chain. An intermediate is missing, and other clients may not have it.")
        }
        if !chain.unreadable.isEmpty {
            advice.append("Remove the unreadable certificate from the chain.")
        }
        return advice
    }

    private func renewalAdvice(_ days: Int) -> String? {
        guard isTrusted, days > 0, let end = path.map(\.notAfter).min() else { return nil }
        let seconds = end.secondsSinceEpoch - evaluationDate.secondsSinceEpoch
        let left = seconds / 86_400
        guard left < days else { return nil }
        let isLeaf = path.first?.notAfter == end
        return
            "\(isLeaf ? "Renew the certificate" : "Have the chain replaced, because one of its CA certificates expires"): "
            + (seconds < 0
                ? "it has expired."
                : left < 1 ? "less than a day is left." : left == 1 ? "one day is left." : "\(left) days are left.")
    }
}
