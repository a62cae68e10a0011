// CRLs as evidence: the algorithm of RFC 5280 § 6.3.3, step by step, over the CRLs at hand.

/// The state of § 6.3.2: which reasons are covered so far, and what was found.
private struct CRLProgress {
    var reasons = ReasonSet.none
    var revoked: (date: Time, reason: RevocationReason?)?
    var validFrom: Time?
    var validUntil: Time?

    /// Whether the certificate is judged for having signed a CRL. That CRL may be among those looked at here, and must not be what
    /// keeps an older one that lists its signer from being looked at: so every CRL is.
    let isSigner: Bool

    /// Whether no further CRL needs a look.
    var isDetermined: Bool { revoked != nil || (reasons == .all && !isSigner) }

    /// What was looked at vouches for these reasons in this stretch of time.
    mutating func cover(_ more: ReasonSet, from: Time, until: Time) {
        reasons = reasons.union(more)
        validFrom = max(validFrom ?? from, from)
        validUntil = min(validUntil ?? until, until)
    }
}

/// A distribution point of the certificate, its names completed.
private struct DistributionPointSought {
    /// nil if the field is omitted.
    var name: DistributionPointNames?
    /// nil if the field is omitted.
    var crlIssuer: DistributionPointNames?
    var reasons: ReasonSet?
}

extension RevocationChecker {
    /// Distribution points of one certificate that are looked at. Real ones have one or two.
    private static let maximumPoints = 16

    /// What the CRLs at hand say about a certificate; nil if they don't determine it.
    func crlAnswer(_ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]) -> RevocationAnswer? {
        guard !evidence.crls.isEmpty else { return nil }
        let isSigner = underway.contains(target.certificate)
        var progress = CRLProgress(isSigner: isSigner)
        for point in points(of: target.certificate) where !progress.isDetermined {
            apply(point, target, &progress, &obstacles)
        }
        // "… any available CRLs not specified in a distribution point but issued by the certificate issuer".
        if !progress.isDetermined {
            let issuer = target.certificate.copy(target.certificate.storage.fields.issuer)
            let assumed = DistributionPointSought(name: DistributionPointNames(directoryName: issuer))
            apply(assumed, target, &progress, &obstacles)
        }
        if let (date, reason) = progress.revoked {
            return RevocationAnswer(
                status: .revoked(at: date, reason: reason), source: .crl, validFrom: progress.validFrom ?? time,
                validUntil: nil)
        }
        guard progress.reasons == .all, let from = progress.validFrom, let until = progress.validUntil else {
            if progress.reasons != .none { obstacles.append(.crlReasonsNotCovered) }
            return nil
        }
        // What wasn't looked at could have listed it.
        guard !isSigner || (budget.steps > 0 && !obstacles.contains(.budgetExceeded)) else { return nil }
        return RevocationAnswer(status: .good, source: .crl, validFrom: from, validUntil: until)
    }

    private func points(of certificate: Certificate) -> [DistributionPointSought] {
        guard certificate.storage.fields.extensions.has(.crlDistributionPoints) else { return [] }
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.crlDistributionPoints))
        guard let sequence = try? outer.next(DERTag.sequence, "cRLDistributionPoints"),
            step(forBytes: sequence.contentCount)
        else { return [] }
        var members = outer.inside(sequence)
        var points: [DistributionPointSought] = []
        while !members.isAtEnd, points.count < Self.maximumPoints,
            let element = try? members.nextDistributionPoint("cRLDistributionPoints")
        {
            var point = DistributionPointSought()
            if element.crlIssuer.isPresent { point.crlIssuer = DistributionPointNames(span, names: element.crlIssuer) }
            if element.fullName.isPresent {
                point.name = DistributionPointNames(span, names: element.fullName)
            } else if element.relativeName.isPresent {
                // § 4.2.1.13: relative to cRLIssuer if there is one, else to the certificate's issuer.
                let issuer = point.crlIssuer?.directoryName ?? certificate.copy(certificate.storage.fields.issuer)
                point.name = DistributionPointNames(relativeName: span.copy(element.relativeName), under: issuer)
            }
            point.reasons = element.reasons.map { ReasonSet(flags: $0) }
            points.append(point)
        }
        return points
    }

    /// § 6.3.3 (a) to (l) for one distribution point and every complete CRL at hand.
    private func apply(
        _ point: DistributionPointSought, _ target: RevocationTarget, _ progress: inout CRLProgress,
        _ obstacles: inout [RevocationObstacle]
    ) {
        for crl in evidence.crls where !crl.isDelta && !progress.isDetermined {
            guard step(forBytes: crl.fields.issuer.count) else { return obstacles.append(.budgetExceeded) }
            guard isOfIssuer(crl, point, target.certificate) else { continue }
            // (b)(2)
            guard isInScope(crl, point, target.certificate) else {
                obstacles.append(.crlScopeMismatch)
                continue
            }
            // (d), (e): a CRL that brings no reason that isn't covered yet needs no look, unless a signer is judged.
            let reasons = interimReasons(crl, point)
            guard progress.isSigner || !reasons.isSubset(of: progress.reasons) else { continue }
            apply(crl, reasons, target, &progress, &obstacles)
        }
    }

    private func apply(
        _ crl: CertificateRevocationList, _ reasons: ReasonSet, _ target: RevocationTarget,
        _ progress: inout CRLProgress, _ obstacles: inout [RevocationObstacle]
    ) {
        // §§ 5.2, 5.3: whoever doesn't understand a critical extension, of the list or of any entry, must not use the list.
        guard !crl.fields.extensions.unhandledCritical.isPresent, !crl.index.unhandledCritical.isPresent else {
            return obstacles.append(.crlCriticalExtension)
        }
        let start = crl.fields.thisUpdate.advanced(by: -rules.futureTolerance)
        guard start <= time else { return obstacles.append(.crlNotYetValid) }
        // (f), (g)
        let signer: Certificate
        switch self.signer(of: crl, target) {
        case .found(let certificate): signer = certificate
        case .missing(let obstacle): return obstacles.append(obstacle)
        }
        // (c), (h)
        let delta = delta(to: crl, signedBy: signer)
        // § 6.3.3 (a): a complete CRL that has run out does if a delta CRL brings it up to date.
        let until = [crl.fields.nextUpdate, delta?.fields.nextUpdate].compactMap { $0 }.max()
        let isCurrent = until.map { $0 >= time } ?? false
        // Newer CRLs have said it all, and may have lifted a hold.
        let isCovered = reasons.isSubset(of: progress.reasons)
        // (i), (j), (k)
        switch status(of: target.certificate, crl, delta) {
        case .revoked(let date, let reason)? where (isCurrent && !isCovered) || reason != .certificateHold:
            progress.revoked = (date, reason)
            progress.validFrom = max(progress.validFrom ?? start, start)
            return
        default: break
        }
        guard !isCovered else { return }
        guard crl.hasUsableNumber else { return obstacles.append(.crlNumberMalformed) }
        guard let until, isCurrent else { return obstacles.append(.crlExpired) }
        // (l)
        let deltaStart = delta?.fields.thisUpdate.advanced(by: -rules.futureTolerance)
        // With a delta CRL, what was found holds for as long as that does.
        progress.cover(reasons, from: max(start, deltaStart ?? start), until: delta?.fields.nextUpdate ?? until)
    }

    /// (i) to (k): the entry on the delta CRL, else the one on the complete CRL; nil for neither, and for one that was lifted.
    private func status(
        of certificate: Certificate, _ crl: CertificateRevocationList, _ delta: CertificateRevocationList?
    ) -> RevocationFinding.Status? {
        guard let entry = delta?.entry(for: certificate) ?? crl.entry(for: certificate),
            entry.reason != .removeFromCRL
        else { return nil }
        return .revoked(at: entry.revocationDate, reason: entry.reason)
    }
}

// MARK: - (b): issuer and scope

extension RevocationChecker {
    /// (b)(1): with cRLIssuer in the distribution point one of its names and an indirect CRL, else the certificate's issuer.
    private func isOfIssuer(
        _ crl: CertificateRevocationList, _ point: DistributionPointSought, _ certificate: Certificate
    ) -> Bool {
        guard let names = point.crlIssuer else {
            return namesMatch(
                crl.span, crl.fields.issuer, certificate.span, certificate.storage.fields.issuer)
        }
        return crl.fields.extensions.issuingDistributionPoint?.isIndirect == true
            && names.contains(crl.span, crl.fields.issuer)
    }

    /// (b)(2): what the issuing distribution point, if there is one, limits the CRL to.
    private func isInScope(
        _ crl: CertificateRevocationList, _ point: DistributionPointSought, _ certificate: Certificate
    ) -> Bool {
        guard let scope = crl.fields.extensions.issuingDistributionPoint else { return true }
        let constraints = certificate.basicConstraints
        let isAuthority = constraints?.isCertificateAuthority == true
        // (ii), (iii), (iv)
        guard !(scope.onlyContainsUserCertificates && isAuthority),
            !(scope.onlyContainsCACertificates && !isAuthority), !scope.onlyContainsAttributeCertificates
        else { return false }
        // (i)
        guard scope.hasName else { return true }
        let names =
            scope.fullName.isPresent
            ? DistributionPointNames(crl.span, names: scope.fullName)
            : DistributionPointNames(relativeName: crl.copy(scope.relativeName), under: crl.copy(crl.fields.issuer))
        guard let names, let wanted = point.name ?? point.crlIssuer,
            step(forBytes: DistributionPointNames.maximumCount * (names.bytes.count + wanted.bytes.count))
        else { return false }
        return names.shares(with: wanted)
    }

    /// (d)
    private func interimReasons(_ crl: CertificateRevocationList, _ point: DistributionPointSought) -> ReasonSet {
        let some = crl.fields.extensions.issuingDistributionPoint?.onlySomeReasons.map { ReasonSet(flags: $0) }
        return (some ?? .all).intersection(point.reasons ?? .all)
    }
}

// MARK: - (c), (h): delta CRLs

extension RevocationChecker {
    /// The newest delta CRL at hand that adds to this complete one and is current; nil for none.
    private func delta(to crl: CertificateRevocationList, signedBy signer: Certificate) -> CertificateRevocationList? {
        guard crl.hasUsableNumber, let number = crl.number else { return nil }
        var newest: (crl: CertificateRevocationList, number: [UInt8])?
        for delta in evidence.crls where delta.isDelta {
            guard step() else { return nil }
            guard let base = delta.deltaBaseNumber, let own = delta.number, delta.hasUsableNumber,
                // § 5.2.4: it starts from this one or an older one, and is itself newer.
                !Self.isLess(number, base), Self.isLess(number, own),
                newest.map({ Self.isLess($0.number, own) }) ?? true, isSameScope(delta, crl),
                !delta.fields.extensions.unhandledCritical.isPresent, !delta.index.unhandledCritical.isPresent,
                delta.fields.thisUpdate.advanced(by: -rules.futureTolerance) <= time,
                let next = delta.fields.nextUpdate, next >= time,
                // (h)
                case .valid = check(delta, signedBy: signer)
            else { continue }
            newest = (delta, own)
        }
        return newest?.crl
    }

    /// (c): the same issuer, the same issuing distribution point or none, the same authority key identifier or none.
    private func isSameScope(_ delta: CertificateRevocationList, _ complete: CertificateRevocationList) -> Bool {
        func isSame(_ left: ByteRange, _ right: ByteRange) -> Bool {
            left.isPresent == right.isPresent
                && (!left.isPresent || bytesEqual(delta.span, left, complete.span, right))
        }
        let (left, right) = (delta.fields.extensions, complete.fields.extensions)
        return namesMatch(delta.span, delta.fields.issuer, complete.span, complete.fields.issuer)
            && isSame(
                left.issuingDistributionPoint?.whole ?? .absent, right.issuingDistributionPoint?.whole ?? .absent)
            && isSame(left.authorityKeyIdentifier, right.authorityKeyIdentifier)
    }

    /// Of two numbers that aren't negative, as contents of an INTEGER.
    private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let (left, right) = (left.drop { $0 == 0 }, right.drop { $0 == 0 })
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }
}

extension CertificateRevocationList {
    /// § 5.2.3: every v2 CRL has a number, and it isn't critical. One without can't be told from an older one.
    fileprivate var hasUsableNumber: Bool {
        fields.version == 1 || (fields.extensions.number.isPresent && !fields.extensions.isNumberCritical)
    }
}
