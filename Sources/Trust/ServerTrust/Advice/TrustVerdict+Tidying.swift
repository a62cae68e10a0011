// SPDX-License-Identifier: Apache-2.0

import PKIX

// Advice about the presented chain and about dates that are near, for trusted verdicts too.

extension TrustVerdict {
    /// Returns advice about the presented chain, compared with the path that was found, and about the end of the path.
    func tidying(of chain: PresentedChain, suggestedEnd: Time?) -> [Advice] {
        var advice = chainAdvice(chain).map {
            Advice(subject: .presentedChain, party: purpose.presenter, text: $0)
        }
        if let renewal = renewalAdvice(suggestedEnd) {
            advice.append(Advice(subject: .renewal, party: purpose.presenter, text: renewal))
        }
        return advice
    }

    private func chainAdvice(_ chain: PresentedChain) -> [String] {
        // A server's certificate that isn't first makes the path another one's.
        guard reachesAnchor, !path.isEmpty, chain.misplacedLeaf(for: referenceName ?? host) == nil else { return [] }
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
        let needless = unrelated.compactMap { certificate in
            reason(against: certificate, chain).map {
                let name = certificate.abridgedDescription(toBytes: 256)
                return "Remove the \(chain.reference(to: certificate)) from the chain: \(name). \($0)"
            }
        }
        advice += needless.prefix(4)
        let rest = needless.count - 4
        if rest > 0 { advice.append("Remove \(counted(rest, "more certificate")) from the chain.") }
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

    /// Returns the reason why no client needs a certificate that was sent beside the path. Returns nil for a
    /// cross-signed certificate of a CA on the path, which is for other clients.
    private func reason(against certificate: Certificate, _ chain: PresentedChain) -> String? {
        guard certificate.notAfter >= evaluationDate else { return "It expired at \(certificate.notAfter)." }
        guard let used = path.first(where: { $0.subject == certificate.subject }) else {
            return "It is not part of the path."
        }
        guard used.hasSameKey(as: certificate) else {
            return "It has the name of the \(chain.reference(to: used)), but another key."
        }
        let isCopy = used.issuer == certificate.issuer && chain.certificates.contains(used)
        return isCopy ? "The \(chain.reference(to: used)) replaces it." : nil
    }

    private func renewalAdvice(_ suggestedEnd: Time?) -> String? {
        guard isTrusted, let end = firstNotAfter else { return nil }
        let isLeaf = path.first?.notAfter == end
        let measure =
            isLeaf ? "Renew the certificate" : "Have the chain replaced, because one of its CA certificates expires"
        guard path.contains(where: { $0.renewalDate < evaluationDate }) else {
            guard let suggestedEnd, suggestedEnd < evaluationDate else { return nil }
            return "Renew the certificate: the CA suggested to do it by \(suggestedEnd)."
        }
        let seconds = end.secondsSinceEpoch - evaluationDate.secondsSinceEpoch
        let unit = seconds < 86_400 ? (3_600, "hour") : (86_400, "day")
        let left = Int(clamping: seconds / Int64(unit.0))
        let span = left < 1 ? "less than an hour is" : counted(left, unit.1) + (left == 1 ? " is" : " are")
        return "\(measure): " + (seconds < 0 ? "it has expired." : "\(span) left.")
    }
}

/// A rule for dates of renewal: less than 14 days or a sixth of the lifetime remain, whichever is shorter. ACME clients
/// renew earlier by themselves, most when a third remains, so a healthy server doesn't reach the date.
package enum Renewal {
    /// Returns the date after which a certificate should have been renewed.
    package static func date(from notBefore: Time, to notAfter: Time) -> Time {
        let end = notAfter.secondsSinceEpoch
        let (lifetime, isOverflow) = end.subtractingReportingOverflow(notBefore.secondsSinceEpoch)
        return notAfter.advanced(by: -min(14 * 86_400, isOverflow ? .max : max(0, lifetime / 6)))
    }
}

extension Certificate {
    /// The date after which the certificate should have been renewed.
    fileprivate var renewalDate: Time { Renewal.date(from: notBefore, to: notAfter) }
}
