// SPDX-License-Identifier: Apache-2.0

// Finds the CRLs for a certificate by issuer and scope (RFC 5280 § 6.3.3 (b)).

/// A distribution point of the certificate, with relative names completed.
private struct ResolvedDistributionPoint {
    /// The names of the distribution point, or nil if the field is omitted.
    var name: DistributionPointNames?
    /// The issuers of the CRL, or nil if the field is omitted.
    var crlIssuer: DistributionPointNames?
    var reasons: ReasonSet?
}

extension RevocationChecker {
    /// The largest number of distribution points that are read from one certificate. Real certificates have one or two.
    private static let maximumPoints = 16

    /// The largest issuing distribution point that is read, in bytes. Real ones have about 100 bytes.
    private static let maximumScopeSize = 16 << 10

    /// Returns the available CRLs, complete and delta, that may cover a certificate. A CRL qualifies if its issuer is
    /// the certificate's issuer, or an issuer of indirect CRLs that one of the certificate's distribution points names.
    /// CRLs that list the certificate come first, then the smallest, so that large forged CRLs don't use up the budget
    /// of the others.
    ///
    /// The result leaves out lists with another scope unless a list with that scope names the certificate. It leaves
    /// out lists with a reservation unless they name the certificate themselves.
    func relevantLists(
        _ target: RevocationTarget, _ obstacles: inout [RevocationObstacle]
    ) -> [RelevantList] {
        let certificate = target.certificate
        let points = points(of: certificate)
        var lists: [RelevantList] = []
        var namingScopes: Set<[UInt8]> = []
        for crl in crlsByCost(certificate, points) {
            guard step() else { break }
            guard var list = relevantList(crl, points, certificate) else { continue }
            // The scope is copied because lists are compared by it.
            guard crl.scopeSize < 128 || step(forBytes: crl.scopeSize) else { break }
            if !list.isInScope, !crl.isDelta { obstacles.append(.crlScopeMismatch) }
            if let reservation = list.ownReservations.first, list.isInScope, !crl.isDelta {
                obstacles.append(reservation.obstacle(from: crl.fields.thisUpdate))
            }
            // A serial number on a list for attribute certificates belongs to an attribute certificate.
            guard crl.fields.extensions.issuingDistributionPoint?.onlyContainsAttributeCertificates != true else {
                continue
            }
            // Searching an indirect CRL compares names, so the engine does that only after it has verified the
            // signature.
            if !crl.index.namesIssuers { list.entry = entry(of: crl, certificate) }
            guard list.ownReservations.isEmpty || list.entry != nil || crl.index.namesIssuers else { continue }
            if !list.isInScope, list.entry != nil || crl.index.namesIssuers { namingScopes.insert(crl.scope) }
            lists.append(list)
        }
        lists.removeAll { !$0.isInScope && !namingScopes.contains($0.crl.scope) }
        lists.sort { left, right in
            (left.entry == nil ? 1 : 0, left.crl.size) < (right.entry == nil ? 1 : 0, right.crl.size)
        }
        return lists
    }

    /// Returns the CRLs whose issuer may be the certificate's or one that its distribution points name, ordered by the
    /// cost of comparing names. CRLs with the certificate's issuer, byte for byte, come first. The others follow, ordered
    /// by the length of the issuer's name. Lists of other CAs cost nothing, so they can't use up the budget.
    private func crlsByCost(
        _ certificate: Certificate, _ points: [ResolvedDistributionPoint]
    ) -> [CertificateRevocationList] {
        let issuer = certificate.storage.fields.issuer
        var hashes: Set<UInt64> = [nameHash(certificate.span, issuer)]
        for point in points {
            guard let names = point.crlIssuer else { continue }
            for name in names.directoryNames {
                guard step() else { break }
                hashes.insert(nameHash(names.bytes.span, name))
            }
        }
        let found = hashes.flatMap { crlsByIssuer[$0] ?? [] }.sorted()
        let crls = found.map { evidence.crls[$0] }
        let isSame = crls.map { bytesEqual($0.span, $0.fields.issuer, certificate.span, issuer) }
        let others = zip(crls, isSame).filter { !$1 }.map(\.0)
        return zip(crls, isSame).filter(\.1).map(\.0)
            + others.sorted { $0.fields.issuer.count < $1.fields.issuer.count }
    }

    /// Returns the reservations about a list, regardless of its signer. If the list or an entry has a critical
    /// extension that the engine doesn't process, the list must not be used to determine that a certificate is good (§§
    /// 5.2, 5.3). The issuer's statement that a certificate is revoked stays authentic.
    private func reservations(about crl: CertificateRevocationList) -> [RevocationReservation] {
        var reservations: [RevocationReservation] = []
        if crl.fields.extensions.unhandledCritical.isPresent || crl.index.unhandledCritical.isPresent {
            reservations.append(.crlCriticalExtension)
        }
        if crl.problem != nil { reservations.append(.evidenceMalformed) }
        if policy.firstSecond(ofEvidenceFrom: crl.fields.thisUpdate) > time { reservations.append(.crlNotYetValid) }
        return reservations
    }

    /// Returns the entry for a certificate, or nil if the CRL has no entry or the budget has run out.
    func entry(of crl: CertificateRevocationList, _ certificate: Certificate) -> RevokedCertificate? {
        let key = IndirectEntryKey(crl: ObjectIdentifier(crl), certificate: certificate)
        if let known = indirectEntries[key] { return known }
        let issuer = certificate.storage.fields.issuer
        let isSameEncoding = bytesEqual(crl.span, crl.fields.issuer, certificate.span, issuer)
        guard step(forBytes: isSameEncoding ? 0 : 32 * issuer.count) else { return nil }
        let entry = crl.entry(for: certificate, paying: pay(hashedBytes:))
        // Searching an indirect CRL may be expensive. A direct CRL answers at once.
        if crl.index.namesIssuers, !hasExceededBudget { indirectEntries[key] = .some(entry) }
        return entry
    }

    /// Returns a list for a certificate if the name of the list's issuer allows the list to cover it.
    private func relevantList(
        _ crl: CertificateRevocationList, _ points: [ResolvedDistributionPoint], _ certificate: Certificate
    ) -> RelevantList? {
        let isIssuers = isSameName(
            crl.span, crl.fields.issuer, certificate.span, certificate.storage.fields.issuer)
        var (isDesignated, isInScope, reasons) = (false, false, ReasonSet.none)
        for point in points {
            guard point.crlIssuer.map({ isIndirectList(crl, of: $0) }) ?? isIssuers else { continue }
            if point.crlIssuer != nil, !isIssuers { isDesignated = true }
            guard self.isInScope(crl, point, certificate) else { continue }
            isInScope = true
            reasons = reasons.union(interimReasons(crl, point))
        }
        guard isIssuers || isDesignated else { return nil }
        return RelevantList(
            crl, isInScope: isInScope, reasons: reasons, isDesignated: isDesignated,
            reservations: reservations(about: crl), at: time)
    }

    private func points(of certificate: Certificate) -> [ResolvedDistributionPoint] {
        // "… any available CRLs not specified in a distribution point but issued by the certificate issuer".
        let issuer = certificate.copy(certificate.storage.fields.issuer)
        let assumed = ResolvedDistributionPoint(name: DistributionPointNames(directoryName: issuer))
        guard certificate.storage.fields.extensions.has(.crlDistributionPoints) else { return [assumed] }
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.extensions.value(.crlDistributionPoints))
        guard let sequence = try? outer.next(DERTag.sequence, "cRLDistributionPoints"),
            step(forBytes: sequence.contentCount)
        else { return [assumed] }
        var members = outer.inside(sequence)
        var points: [ResolvedDistributionPoint] = []
        while !members.isAtEnd, points.count < Self.maximumPoints,
            let element = try? members.nextDistributionPoint("cRLDistributionPoints")
        {
            var point = ResolvedDistributionPoint()
            if element.crlIssuer.isPresent { point.crlIssuer = DistributionPointNames(span, names: element.crlIssuer) }
            if element.fullName.isPresent {
                point.name = DistributionPointNames(span, names: element.fullName)
            } else if element.relativeName.isPresent {
                // § 4.2.1.13: the name is relative to cRLIssuer if present, otherwise to the certificate's issuer.
                let issuer = point.crlIssuer?.directoryName ?? issuer
                point.name = DistributionPointNames(relativeName: span.copy(element.relativeName), under: issuer)
            }
            point.reasons = element.reasons.map { ReasonSet(flags: $0) }
            points.append(point)
        }
        // A point that wasn't read could name the issuer of the list that revokes.
        if !members.isAtEnd { hasExceededBudget = true }
        return points + [assumed]
    }

    /// Whether a list is an indirect CRL from one of the names in cRLIssuer, (b)(1).
    private func isIndirectList(_ crl: CertificateRevocationList, of names: DistributionPointNames) -> Bool {
        guard crl.fields.extensions.issuingDistributionPoint?.isIndirect == true else { return false }
        let span = names.bytes.span
        return names.directoryNames.contains { isSameName(span, $0, crl.span, crl.fields.issuer) }
    }

    /// Whether the issuing distribution point of a CRL covers the certificate, (b)(2). True if the CRL has no issuing
    /// distribution point.
    private func isInScope(
        _ crl: CertificateRevocationList, _ point: ResolvedDistributionPoint, _ certificate: Certificate
    ) -> Bool {
        guard let scope = crl.fields.extensions.issuingDistributionPoint else { return true }
        guard scope.whole.count <= Self.maximumScopeSize else { return false }
        let constraints = certificate.basicConstraints
        let isAuthority = constraints?.isCertificateAuthority == true
        // (ii), (iii), (iv)
        guard !(scope.onlyContainsUserCertificates && isAuthority),
            !(scope.onlyContainsCACertificates && !isAuthority), !scope.onlyContainsAttributeCertificates
        else { return false }
        // (i)
        guard scope.hasName else { return true }
        let size = scope.fullName.isPresent ? scope.fullName.count : scope.relativeName.count + crl.fields.issuer.count
        guard size <= Self.maximumScopeSize, let wanted = point.name ?? point.crlIssuer else { return false }
        let names =
            scope.fullName.isPresent
            ? DistributionPointNames(crl.span, names: scope.fullName)
            : DistributionPointNames(relativeName: crl.copy(scope.relativeName), under: crl.copy(crl.fields.issuer))
        guard let names else { return false }
        // If both sides have a directory name, comparing them folds the names.
        let factor = names.directoryName != nil && wanted.directoryName != nil ? 4 : 1
        return step(
            forBytes: factor * DistributionPointNames.maximumCount * (names.bytes.count + wanted.bytes.count))
            && names.shares(with: wanted)
    }

    /// Returns the reasons that a list covers at a distribution point, (d).
    private func interimReasons(_ crl: CertificateRevocationList, _ point: ResolvedDistributionPoint) -> ReasonSet {
        let some = crl.fields.extensions.issuingDistributionPoint?.onlySomeReasons.map { ReasonSet(flags: $0) }
        return (some ?? .all).intersection(point.reasons ?? .all)
    }
}
