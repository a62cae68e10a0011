// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A condition of a row in the table of advice. Most depend on the whole verdict: a row without a condition would answer
/// each failure separately and miss the common cause. The raw values are those in `Book/Advice`.
package enum AdviceCondition: String, CaseIterable {
    /// The path becomes valid within a day.
    case startsSoon
    /// Every certificate of the path becomes valid later, as on a device that hasn't set its clock yet.
    case clockBehind
    /// A self-signed certificate was created again, and the anchor is the old one.
    case recreated
    /// A self-signed certificate isn't valid for the name. No anchor makes it valid.
    case nameless
    /// The CA replaced the revoked certificate, or the path's other certificates are known under another one.
    case superseded
    /// The leaf's bytes are complete, but break a rule of the encoding.
    case misencoded
    /// With a current list of logs, enough timestamps might count.
    case unlistedLogs
    /// The pin is the hash of something other than a key.
    case hashedWrongly
    /// The rule compares the pin with other keys of the path.
    case comparedElsewhere
    /// The peer sent another certificate of a CA on the path, whose issuer isn't trusted here.
    case crossSigned
    /// The host is near a name of the certificate.
    case nearName
    // The reasons for a missing revocation status.
    case noAddress, otherScheme, notObtained, noSource, uselessEvidence
}

extension TrustVerdict {
    /// Returns the values of names in a row's text, or nil if the row's condition isn't met.
    func values(
        _ row: Book.Entry, for failure: TrustFailure, _ chain: PresentedChain
    ) -> [String: String]? {
        if !row.all("is").isEmpty || !row.all("contains").isEmpty { return names(row) ? [:] : nil }
        guard let condition = row.all("when").first else { return [:] }
        return AdviceCondition(rawValue: condition).flatMap { values($0, failure, chain) }
    }

    /// Whether a row lists a name of the last certificate's issuer, which is the certificate itself if it is
    /// self-signed.
    ///
    /// Not checked: whether the CA really belongs to the product. A name isn't proof.
    private func names(_ row: Book.Entry) -> Bool {
        guard let name = path.last?.issuer else { return false }
        let types: [OID] = [.organizationName, .organizationalUnitName, .commonName]
        let texts = types.flatMap { name.values(of: $0).prefix(4) }.map { $0.abridged(toBytes: 256).lowercased() }
        return row.all("is").contains { texts.contains($0.lowercased()) }
            || row.all("contains").contains { part in texts.contains { $0.contains(part.lowercased()) } }
    }

    private func values(
        _ condition: AdviceCondition, _ failure: TrustFailure, _ chain: PresentedChain
    ) -> [String: String]? {
        let certificate = failure.certificate.flatMap { path.indices.contains($0) ? path[$0] : nil }
        var isMet = false
        var values: [String: String] = [:]
        switch condition {
        case .startsSoon:
            guard let start = path.map(\.notBefore).max() else { return nil }
            let seconds = start.secondsSinceEpoch.subtractingReportingOverflow(evaluationDate.secondsSinceEpoch)
            isMet = !seconds.overflow && (1...86_400).contains(seconds.partialValue)
            values = ["start": "\(start)", "span": Self.span(seconds.partialValue)]
        case .clockBehind:
            isMet = path.count > 1 && path.allSatisfy { evaluationDate < $0.notBefore }
            values = ["date": "\(evaluationDate)"]
        case .recreated:
            isMet =
                path.count == 2 && reachesAnchor && path[0].subject == path[0].issuer
                && path[1].subject == path[0].subject
                && failures.contains { $0.code == .signatureInvalid && $0.certificate == 0 }
        case .nameless:
            isMet = failures.contains { [.hostMismatch, .subjectAlternativeNameMissing].contains($0.code) }
        case .superseded:
            guard let certificate, let place = failure.certificate, place > 0,
                case .revoked(_, let reason)? = revocation.first(where: { $0.certificate == place })?.status
            else { return nil }
            // Without a reason, another certificate of the same CA shows that its key is still in use.
            let others = chain.certificates + rejectedPaths.flatMap(\.certificates)
            isMet =
                reason == .superseded
                || [nil, .unspecified, .cessationOfOperation].contains(reason)
                    && others.contains { $0 != certificate && $0.isCrossSigned(with: certificate) }
            values = ["certificate": chain.reference(to: certificate)]
        case .misencoded:
            guard let leaf = chain.unreadable.first, leaf.index == 0 else { return nil }
            isMet = leaf.isComplete
            values = ["fault": DistinguishedName.printable(leaf.error.description)]
        case .unlistedLogs:
            guard let transparency, let date = transparency.listDate else { return nil }
            let unlisted = transparency.timestamps.count { $0.reason == .unknownLog }
            isMet = unlisted > 0 && unlisted + transparency.count >= transparency.required
            values = [
                "date": "\(date)", "count": "\(unlisted)", "total": counted(transparency.timestamps.count, "timestamp"),
            ]
        case .hashedWrongly:
            let mistakes = PinMistakes(path + chain.certificates.prefix(32))
            for pin in expectedPins(failure) {
                guard let mistake = mistakes.mistake(of: pin) else { continue }
                let name = mistake.certificate.abridgedDescription(toBytes: 256)
                return ["pin": "\(pin)", "hashed": mistake.hashed, "which": name, "key": "\(mistake.meant)"]
            }
        case .comparedElsewhere:
            // Only the validated path counts, because a certificate outside it may be another server's.
            for pin in expectedPins(failure) {
                guard let index = path.firstIndex(where: { SPKIPin($0) == pin }), path.count > 1 else { continue }
                let (compared, owner) = index > 0 ? ("the server's key", "server") : ("the keys of CAs", "CA")
                return [
                    "pin": "\(pin)", "which": path[index].abridgedDescription(toBytes: 256), "compared": compared,
                    "owner": owner, "key": "\(SPKIPin(path[index > 0 ? 0 : 1]))",
                ]
            }
        case .crossSigned:
            guard reachesAnchor, let other = chain.certificates.first(where: { isBeside($0) }) else { return nil }
            // Its issuer may have been sent, too.
            var top = other
            for _ in 0..<8 {
                top = chain.certificates.first { $0.subject == top.issuer && $0.subject != $0.issuer } ?? top
            }
            values = ["certificate": chain.reference(to: other), "issuer": top.abridgedIssuer(toBytes: 256)]
            isMet = !path.contains { $0.subject == top.issuer }
        case .nearName:
            return failure.nameRemedy.map { ["remedy": $0] }
        case .noAddress, .otherScheme:
            guard let certificate, revocationGap(of: failure) == .noAddress else { return nil }
            let address = certificate.otherAddress
            isMet = (address != nil) == (condition == .otherScheme)
            values = ["address": address ?? "", "scheme": address.map { $0.prefix { $0 != ":" }.uppercased() } ?? ""]
        case .notObtained:
            isMet = revocationGap(of: failure) == .notObtained
            values = ["reasons": RevocationTerm.words(obstacles(failure).prefix(4))]
        case .noSource:
            isMet = revocationGap(of: failure) == .noSource
        case .uselessEvidence:
            guard let certificate, let index = failure.certificate else { return nil }
            let issuer = path.indices.contains(index + 1) ? path[index + 1] : nil
            let text = EvidenceAdvice.text(obstacles(failure), for: certificate, issuer: issuer)
            return text.map { ["remedy": $0] }
        }
        return isMet ? values : nil
    }

    /// Whether a certificate isn't on the path, but has the name and key of a CA there and another issuer.
    private func isBeside(_ certificate: Certificate) -> Bool {
        !path.contains(certificate) && certificate.subject != certificate.issuer
            && path.dropFirst().contains { $0.isCrossSigned(with: certificate) && $0.issuer != certificate.issuer }
    }

    private func expectedPins(_ failure: TrustFailure) -> [SPKIPin] {
        guard case .list(let texts)? = failure.expected, !path.isEmpty else { return [] }
        return texts.compactMap { try? SPKIPin($0) }
    }

    /// Returns `4 minutes` or `5 hours`, rounded up.
    private static func span(_ seconds: Int64) -> String {
        let minutes = Int(clamping: (seconds + 59) / 60)
        return minutes < 120 ? counted(minutes, "minute") : counted((minutes + 59) / 60, "hour")
    }
}

extension Certificate {
    /// Whether another certificate has the same name and key, but maybe another issuer.
    func isCrossSigned(with other: Certificate) -> Bool { subject == other.subject && hasSameKey(as: other) }

    /// The first address of revocation data, if it isn't `http` or `https`. The caller knows that no other is.
    fileprivate var otherAddress: String? {
        let responders = authorityInformationAccess.filter { $0.method == .ocspAccess }.map(\.location)
        for case .uniformResourceIdentifier(let url) in crlDistributionPoints.flatMap(\.fullName) + responders {
            return DistinguishedName.printable(url.abridged(toBytes: 256))
        }
        return nil
    }
}
