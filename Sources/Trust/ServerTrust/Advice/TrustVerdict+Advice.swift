// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns advice, the most specific first. Empty if there isn't one.
    ///
    /// Failures with the same code get one answer if their certificates have the same role and source. A trusted
    /// verdict can have advice too: for certificates that the peer sends unnecessarily, in the wrong order or twice,
    /// and for a path that ends soon.
    ///
    /// Not considered: everything outside the handshake's certificates, such as the server's protocol versions or its
    /// other names.
    /// - Parameters:
    ///   - chain: the chain that the peer presented.
    ///   - places: the places of the other certificates.
    ///   - profile: a profile with which an evaluation of the same chain succeeds. nil if there isn't one, or if you
    ///     tried none.
    ///   - suggestedEnd: the end of the window in which the CA suggests a renewal (RFC 9773), or nil if you didn't ask.
    package func advice(
        presented chain: PresentedChain, places: CertificatePlaces = CertificatePlaces(),
        trustedUnder profile: ValidationPolicy.Profile? = nil, renewalSuggestedBy suggestedEnd: Time? = nil
    ) -> [Advice] {
        var advice: [Advice] = []
        let hasUnreadableIssuer = failures.contains { $0.code == .issuerUnreadable }
        for failure in failures where !isBeyondTheChain(failure) {
            // The issuer's certificate was sent or supplied, but can't be read.
            if failure.code == .unknownIssuer, hasUnreadableIssuer { continue }
            guard let found = self.advice(on: failure, chain, places) else { continue }
            if let known = advice.firstIndex(where: { $0.subject == found.subject && $0.text == found.text }) {
                advice[known].certificates += found.certificates
            } else {
                advice.append(found)
            }
        }
        if !advice.isEmpty {
            if let time = timeOfTrust { advice[0].options.append(.time(time)) }
            if let profile { advice[0].options.append(.profile(profile)) }
        }
        return advice + tidying(of: chain, suggestedEnd: suggestedEnd)
    }

    private func advice(on failure: TrustFailure, _ chain: PresentedChain, _ places: CertificatePlaces) -> Advice? {
        let subject = Advice.Subject.failure(failure.code)
        if failure.certificate == 0, let misplaced = chain.misplacedLeaf(for: referenceName ?? host) {
            return Advice(
                subject: subject, certificates: [0], party: purpose.presenter, text: misplaced.advice)
        }
        // The certificate that must change is the issuer whose key didn't make the signature.
        var index = failure.certificate
        if failure.code == .signatureInvalid, let signed = index, path.indices.contains(signed + 1) {
            index = signed + 1
        }
        var role = index.map { path.indices.contains($0) ? self.role(at: $0) : failure.role ?? .leaf }
        let source = source(of: index, role, chain, places)
        var options: [Advice.Option] = []
        if failure.code == .unknownIssuer, let last = index.flatMap({ path.indices.contains($0) ? path[$0] : nil }) {
            // Public CAs put their issuer's address into every certificate below the root (CA/Browser baseline §
            // 7.1.2). Without the address, or above the leaf, the issuer could also be a root that isn't trusted here,
            // which no server has to send.
            let namesIssuer = last.authorityInformationAccess.contains { $0.method == .caIssuersAccess }
            if role == .leaf, !namesIssuer { role = .intermediate }
            if role != .leaf { options.append(.anchors) }
            if namesIssuer, fetched.isEmpty { options.append(.fetching) }
        }
        let usual = [
            "place": places.words(role, source), "issuer": path.last?.abridgedIssuer(toBytes: 256) ?? "the issuer",
        ]
        let purpose = failure.missingUsage ?? purpose
        let entry = AdviceTable.entry(failure.code, role: role, purpose: purpose, source: source) {
            values($0, for: failure, chain).map { usual.merging($0) { $1 } }
        }
        guard let entry else { return nil }
        var advice = Advice(
            subject: subject, certificates: [failure.certificate], party: entry.party, text: entry.text,
            options: entry.isConditional ? entry.options : entry.options + options)
        advice.revocationGap = revocationGap(of: failure)
        return advice
    }

    /// Returns the source of a certificate of the path.
    private func source(
        of index: Int?, _ role: TrustFailure.Role?, _ chain: PresentedChain, _ places: CertificatePlaces
    ) -> CertificateSource {
        guard let index, path.indices.contains(index) else { return .presented }
        switch role {
        case .anchor:
            guard let files = places.anchors else { return anchor?.isPublic == true ? .store : .given }
            return files.isEmpty ? .store : .given
        case .intermediate:
            if chain.certificates.contains(path[index]) { return .presented }
            return fetched.contains { $0.resource == .issuer && $0.source != nil } ? .fetched : .given
        case .leaf, nil: return .presented
        }
    }

    /// Whether no other chain can fix a failure, because a CA certificate that the peer sends has expired and so has
    /// the anchor above it.
    private func isBeyondTheChain(_ failure: TrustFailure) -> Bool {
        failure.code == .certificateExpired && failure.role == .intermediate
            && failures.contains { $0.code == .certificateExpired && $0.role == .anchor }
    }

    /// A date at which the path was or will be valid, if nothing else is wrong with it. nil if its certificates are
    /// never valid together.
    private var timeOfTrust: Time? {
        guard reachesAnchor, !failures.isEmpty,
            failures.allSatisfy({ $0.code == .certificateExpired || $0.code == .certificateNotYetValid }),
            let start = path.map(\.notBefore).max(), let end = path.map(\.notAfter).min(), start <= end
        else { return nil }
        return evaluationDate > end ? end : start
    }
}

extension TrustFailure {
    /// The purpose that an extended key usage lacks, or nil for other failures. A rule may require it for a purpose
    /// other than the verdict's.
    fileprivate var missingUsage: ValidationPolicy.Purpose? {
        guard code == .extendedKeyUsageNotAllowed, case .text(let expected) = expected else { return nil }
        return [.serverAuth, .clientAuth].first { expected.hasPrefix($0.rawValue) }
    }
}

// MARK: - Revocation

extension TrustVerdict {
    /// Returns the reason why a refused certificate has no revocation status. Returns nil for other failures, and if
    /// there is evidence that doesn't count.
    func revocationGap(of failure: TrustFailure) -> RevocationGap? {
        guard failure.code == .revocationUnavailable, let index = failure.certificate, path.indices.contains(index)
        else { return nil }
        let obstacles = obstacles(failure).map(\.name)
        if obstacles.contains(where: RevocationTerm.fetchFailures.contains) { return .notObtained }
        guard obstacles.contains(RevocationObstacle.noEvidence.name) else { return nil }
        guard RevocationNeed.hasAddress(path[index], RevocationPolicy(.required)) else { return .noAddress }
        return fetched.contains { $0.resource != .issuer } ? .notObtained : .noSource
    }

    /// Returns the obstacles. Only the findings contain those of fetches.
    func obstacles(_ failure: TrustFailure) -> [RevocationObstacle] {
        let finding = revocation.first { $0.certificate == failure.certificate }
        if case .unobtainable(let obstacles) = finding?.status { return obstacles }
        if case .list(let names) = failure.found { return names.map { RevocationObstacle(name: $0) } }
        return []
    }
}
