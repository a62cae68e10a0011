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
        // The index of each certificate's first copy.
        var first: [Certificate: Int] = [:]
        var places: [Int] = []
        var unrelated: [Certificate] = []
        var copies: [String] = []
        for (index, certificate) in chain.certificates.enumerated() {
            if let original = first[certificate] {
                let numbers = [index, original].map { "number \(chain.place(ofReadable: $0) + 1)" }
                copies.append("\(numbers[0]) is a copy of \(numbers[1])")
                continue
            }
            first[certificate] = index
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
        if !copies.isEmpty {
            let more = copies.count > 4 ? ["and so on"] : []
            advice.append("Send each certificate only once: \((copies.prefix(4) + more).joined(separator: ", ")).")
        }
        if path.count > 1, let anchor = path.last, first[anchor] != nil {
            advice.append(
                "Leave the root, the \(chain.reference(to: anchor)), out of the chain. Clients use their own copy, and every handshake grows by its size."
            )
        }
        // A cross-signed certificate of a CA on the path is for other clients.
        let subjects = Set(path.map(\.subject))
        if let certificate = unrelated.first(where: { !subjects.contains($0.subject) }) {
            let name = certificate.abridgedDescription(toBytes: 256)
            advice.append(
                "Remove the \(chain.reference(to: certificate)) from the chain: \(name). It is not part of the path.")
        }
        // Other clients don't have certificates that this evaluation found elsewhere.
        if path.dropFirst().dropLast().contains(where: { first[$0] == nil }) {
            advice.append(
                "Send the whole chain. An intermediate is missing, and other clients may not have it.")
        }
        if let unreadable = chain.unreadable.first {
            advice.append(
                "Remove the \(CertificateReference.words(place: unreadable.index)) from the chain. It can't be read.")
        }
        return advice
    }

    private func renewalAdvice(_ days: Int) -> String? {
        guard isTrusted, days > 0, let end = firstNotAfter else { return nil }
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
