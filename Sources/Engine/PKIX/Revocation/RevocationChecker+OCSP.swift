// SPDX-License-Identifier: Apache-2.0

// Evaluates OCSP responses (RFC 6960 § 3.2). A response must be about this certificate, signed by an authorized
// responder, and current. A revocation also counts with a reservation (RevocationReservation.swift) about the response
// or its responder.

extension RevocationChecker {
    /// Returns the status of a certificate from the available responses, the staple first, or nil if they don't
    /// determine it.
    func ocspAnswer(
        _ target: RevocationTarget, isStapled: Bool, _ obstacles: inout [RevocationObstacle]
    ) -> RevocationAnswer? {
        guard evidence.staple != nil || !evidence.ocspResponses.isEmpty else { return nil }
        let names = target.certificate.storage.fields.issuer.count + target.issuer.storage.fields.spki.key.count
        guard step(forBytes: names) else {
            obstacles.append(.budgetExceeded)
            return nil
        }
        let ids = OCSPHash.allCases.map { OCSPCertificateID(target.certificate, issuer: target.issuer, $0) }
        var statements = OCSPStatements()
        if isStapled, let staple = evidence.staple {
            let known = obstacles.count
            guard step(forBytes: staple.fields.singles.count) else {
                obstacles.append(.budgetExceeded)
                return nil
            }
            add(staple, .staple, target, ids, to: &statements, &obstacles)
            if !isExaminingDelegate {
                self.staple = StapleFinding(
                    staple, ids, statements.revocation ?? statements.status, obstacles[known...])
            }
        }
        for response in evidence.ocspResponses where !statements.isFinal {
            guard step(forBytes: response.fields.singles.count) else {
                obstacles.append(.budgetExceeded)
                return statements.revocation
            }
            add(response, .ocsp, target, ids, to: &statements, &obstacles)
        }
        return statements.revocation ?? statements.status
    }

    /// Adds the statements that a response makes about the certificate.
    private func add(
        _ response: OCSPResponse, _ source: RevocationFinding.Source, _ target: RevocationTarget,
        _ ids: [OCSPCertificateID], to statements: inout OCSPStatements, _ obstacles: inout [RevocationObstacle]
    ) {
        if let obstacle = response.fields.status.obstacle { return obstacles.append(obstacle) }
        let span = response.span
        // A response may cover several certificates, and the same certificate several times.
        let singles = response.fields.singles.filter { single in ids.contains { $0.matches(single, span) } }
        guard !singles.isEmpty else { return }
        let own = reservations(about: response)
        // Such a response can only revoke, and it revokes nothing here.
        if let reservation = own.first, !singles.contains(where: \.isRevoked) {
            return obstacles.append(reservation.obstacle)
        }
        guard step(forBytes: 128 * singles.count) else { return obstacles.append(.budgetExceeded) }
        let key: [UInt8]
        let notes: [RevocationNote]
        var reservations: [RevocationReservation]
        switch authority(of: response, target) {
        case .refused(let obstacle): return obstacles.append(obstacle)
        case .authorized(let signer, let found, let about):
            (key, notes, reservations) = (signer.subjectPublicKeyInfoSHA256, found, own + about)
            // Only the issuer can fully discredit a responder. A statement by another responder, or by the responder
            // itself, only casts doubt. Otherwise a stolen key could silence the responder's statements.
            if isExaminingDelegate, signer != target.issuer { reservations.note(.signerRevoked) }
        }
        var good: [RevocationAnswer] = []
        var isUnknown = false
        for single in singles {
            var reservations = reservations
            if single.hasCriticalExtension { reservations.note(.ocspCriticalExtension) }
            if single.isMalformed { reservations.note(.evidenceMalformed) }
            let start = policy.firstSecond(ofEvidenceFrom: max(single.thisUpdate, response.fields.producedAt))
            if start > time { reservations.note(.ocspNotYetValid) }
            let end = single.nextUpdate ?? single.thisUpdate.advanced(by: policy.maximumAgeWithoutNextUpdate)
            if case .revoked(let date, let reason) = single.status, counts(date, reservations) {
                let isPremature = reservations.contains(where: \.isPremature)
                let isHold = reason == .certificateHold
                if isHold, end < time, !isPremature { reservations.note(.holdExpired) }
                var answer = RevocationAnswer(
                    status: .revoked(at: date, reason: reason), source: source, validFrom: isPremature ? date : start,
                    validUntil: nil, notes: notes + reservations.notes)
                answer.date = single.thisUpdate
                statements.add(
                    answer, signedWith: key, canBeLifted: isHold && reservations.allSatisfy(\.allowsSuperseding))
                continue
            }
            if let reservation = reservations.first {
                obstacles.append(reservation.obstacle(from: single.thisUpdate))
                // The status unknown is evidence against the certificate, however weak the response.
                if single.status == .unknown { obstacles.append(.ocspUnknown) }
                continue
            }
            guard end >= time else {
                obstacles.append(.ocspExpired.dated(end))
                continue
            }
            if single.status == .unknown {
                obstacles.append(.ocspUnknown)
                isUnknown = true
                continue
            }
            let last = lastSecond(ofEvidenceFrom: single.thisUpdate, target) ?? end
            guard last >= time else {
                obstacles.append(.ocspTooOld)
                continue
            }
            var answer = RevocationAnswer(
                status: .good, source: source, validFrom: start, validUntil: min(end, last), notes: notes)
            answer.date = single.thisUpdate
            good.append(answer)
        }
        // A response that says both good and unknown gives no status.
        guard !isUnknown else { return }
        for answer in good { statements.add(answer, signedWith: key) }
    }

    /// Returns the reservations about a response, regardless of its signer.
    private func reservations(about response: OCSPResponse) -> [RevocationReservation] {
        var reservations: [RevocationReservation] = []
        if response.fields.unhandledCritical.isPresent { reservations.append(.ocspCriticalExtension) }
        if response.fields.isMalformed { reservations.append(.evidenceMalformed) }
        return reservations
    }

    /// The result of the search for the signer of a response.
    private enum ResponseAuthority {
        /// An authorized responder has signed the response.
        case authorized(Certificate, [RevocationNote], [RevocationReservation])
        /// No authorized responder has signed the response.
        case refused(RevocationObstacle)
    }

    /// Returns the signer's authority to answer for the target.
    ///
    /// § 4.2.2.2 authorizes the issuer itself, and a responder with a certificate for OCSPSigning. The issuer must have
    /// issued that certificate directly, with the key that also signed the target.
    private func authority(of response: OCSPResponse, _ target: RevocationTarget) -> ResponseAuthority {
        var obstacle = RevocationObstacle.ocspResponderNotAuthorized
        if names(response, target.issuer) {
            switch check(response, signedBy: target.issuer) {
            case .valid: return .authorized(target.issuer, [], [])
            case .weak: return .authorized(target.issuer, [], [.signatureWeak])
            case .invalid: obstacle = .ocspSignatureInvalid
            case .unsupported: obstacle = .signatureUnsupported
            case .undecided: return .refused(.budgetExceeded)
            }
        }
        // Authorized by a certificate with a reservation. Another certificate for the same key may have no reservation.
        var reserved: ResponseAuthority?
        for delegate in response.certificates where names(response, delegate) && delegate != target.issuer {
            guard step() else { return .refused(.budgetExceeded) }
            guard
                var reservations = reservations(
                    aboutResponder: delegate, authorizedBy: target, statedAt: response.fields.producedAt)
            else { continue }
            switch check(response, signedBy: delegate) {
            case .valid: break
            case .weak: reservations.note(.signatureWeak)
            case .invalid:
                obstacle = .ocspSignatureInvalid
                continue
            case .unsupported:
                obstacle = .signatureUnsupported
                continue
            case .undecided: return .refused(.budgetExceeded)
            }
            var notes: [RevocationNote] = []
            switch delegateStatus(delegate, target, isValid: reservations.isEmpty) {
            case .good(let found): notes = found
            case .revoked:
                obstacle = .signerRevoked
                continue
            case .doubtful: reservations.note(.signerRevoked)
            case .unknown: notes = [.ocspSignerUnchecked]
            }
            if reservations.isEmpty { return .authorized(delegate, notes, []) }
            reserved = reserved ?? .authorized(delegate, notes, reservations)
        }
        // A certificate that wasn't read may be the signer's.
        return reserved ?? .refused(response.fields.hasUnreadCertificates ? .budgetExceeded : obstacle)
    }

    /// Whether a response names the holder of a certificate as its responder, by name or by key (§ 4.2.2.3).
    private func names(_ response: OCSPResponse, _ signer: Certificate) -> Bool {
        let (fields, name) = (signer.storage.fields, response.fields.responderName)
        if name.isPresent { return isSameName(response.span, name, signer.span, fields.subject) }
        return step(forBytes: fields.spki.key.count)
            && equals(
                response.span, response.fields.responderKeyHash, OCSPHash.sha1.digest(signer.span, fields.spki.key))
    }

    /// Returns the reservations about a delegate's certificate, which the issuer's key has signed, for OCSPSigning. The
    /// result is empty if the certificate is valid at the verify date, or nil if the certificate grants no authority.
    /// anyExtendedKeyUsage isn't enough: a CA authorizes a responder by naming OCSPSigning.
    private func reservations(
        aboutResponder delegate: Certificate, authorizedBy target: RevocationTarget, statedAt date: Time
    ) -> [RevocationReservation]? {
        guard delegate.extendedKeyUsage?.contains(.ocspSigning) == true,
            delegate.keyUsage?.isDisjoint(with: [.digitalSignature, .nonRepudiation]) != true,
            isNamed(delegate, asIssuedBy: target.issuer)
        else { return nil }
        return reservations(about: delegate, below: target.issuer, statedAt: date)
    }

    /// Returns the revocation status of a delegate's certificate from CRLs (§ 4.2.2.2.1). A certificate with
    /// id-pkix-ocsp-nocheck needs no status. OCSP responses about the certificate can revoke it but can't show that
    /// it's good, as the delegate may have signed them.
    ///
    /// A response still counts if the delegate's status is unknown, because few CAs define how to check a responder's
    /// certificate. The finding then has the note `ocspSignerUnchecked`. If the delegate's certificate is valid, the
    /// delegate is also added to ``openSigners``.
    private func delegateStatus(
        _ delegate: Certificate, _ target: RevocationTarget, isValid: Bool
    ) -> SignerVerdict {
        guard !delegate.hasOCSPNoCheck else { return .good([]) }
        let path = ValidatedPath(
            certificates: [delegate] + target.path.certificates.dropFirst(target.index + 1),
            anchorFacts: target.path.anchorFacts)
        let verdict = delegateStatus(path)
        if isValid, policy.usesCRLs, case .unknown = verdict { noteOpenSigner(path, isResponder: true) }
        return verdict
    }

    private func delegateStatus(_ path: ValidatedPath) -> SignerVerdict {
        let key = SignerVerdictKey(
            path: path.certificates, signersInProgress: signersInProgress, isExaminingDelegate: isExaminingDelegate)
        if let known = delegateVerdicts[key] { return known }
        var obstacles: [RevocationObstacle] = []
        let target = RevocationTarget(path, 0)
        let crl = crlAnswer(target, &obstacles)
        var answers = [crl].compactMap(\.self)
        // The engine checks the responders of these responses only with CRLs, because two responders may answer about
        // each other.
        if !isExaminingDelegate {
            isExaminingDelegate = true
            let ocsp = ocspAnswer(target, isStapled: true, &obstacles)
            isExaminingDelegate = false
            answers += [ocsp].compactMap(\.self).filter(\.isRevoked)
        }
        let verdict: SignerVerdict =
            if let revoked = answers.firstRevocation {
                revoked.isReserved ? .doubtful : .revoked
            } else if let crl, policy.usesCRLs { .good(crl.notes) } else { .unknown }
        // One delegate may have signed many responses. The engine doesn't store a result after the budget has run out.
        if !hasExceededBudget { delegateVerdicts[key] = verdict }
        return verdict
    }
}

extension OCSPSingleElement {
    /// Whether the status is revoked.
    fileprivate var isRevoked: Bool { if case .revoked = status { true } else { false } }
}

extension OCSPResponse.Status {
    /// The obstacle to using a response with this status, or nil if the status is no obstacle.
    fileprivate var obstacle: RevocationObstacle? {
        switch self {
        case .successful: nil
        case .malformedRequest: .ocspMalformedRequest
        case .internalError: .ocspInternalError
        case .tryLater: .ocspTryLater
        case .sigRequired: .ocspSignatureRequired
        case .unauthorized: .ocspUnauthorized
        }
    }
}
