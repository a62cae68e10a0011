// SPDX-License-Identifier: Apache-2.0

// OCSP responses as evidence (RFC 6960 § 3.2): about this certificate, signed by an authorized responder, current. A revocation counts with
// any reservation (RevocationReservation.swift) about the response or its responder.

extension RevocationChecker {
    /// Returns the status of a certificate by the responses at hand, the staple first; nil if they don't determine it.
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
            add(staple, .staple, target, ids, to: &statements, &obstacles)
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

    /// Adds the statements of a response about the certificate.
    private func add(
        _ response: OCSPResponse, _ source: RevocationFinding.Source, _ target: RevocationTarget,
        _ ids: [OCSPCertificateID], to statements: inout OCSPStatements, _ obstacles: inout [RevocationObstacle]
    ) {
        if let obstacle = response.fields.status.obstacle { return obstacles.append(obstacle) }
        let span = response.span
        // A response may answer for several certificates, and for one several times.
        let singles = response.fields.singles.filter { single in ids.contains { $0.matches(single, span) } }
        guard !singles.isEmpty else { return }
        let own = reservations(about: response)
        // Such a response says nothing else that counts.
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
            // Only the issuer discredits a responder. Another one, or the responder itself, casts a doubt: a stolen key would otherwise
            // silence what the responder has said.
            if isExaminingDelegate, signer != target.issuer { reservations.note(.signerRevoked) }
        }
        var good: [RevocationAnswer] = []
        var isUnknown = false
        for single in singles {
            var reservations = reservations
            if single.hasCriticalExtension { reservations.note(.ocspCriticalExtension) }
            if single.hasMalformedExtensions { reservations.note(.evidenceMalformed) }
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
                // A responder that doesn't know the certificate is evidence against it, however weak.
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
        // A responder that says both good and unknown gives no status.
        guard !isUnknown else { return }
        for answer in good { statements.add(answer, signedWith: key) }
    }

    /// Returns the reservations about a response, with any signer.
    private func reservations(about response: OCSPResponse) -> [RevocationReservation] {
        var reservations: [RevocationReservation] = []
        if response.fields.unhandledCritical.isPresent { reservations.append(.ocspCriticalExtension) }
        if response.fields.hasMalformedExtensions { reservations.append(.evidenceMalformed) }
        return reservations
    }

    /// The result of looking for the signer of a response.
    private enum ResponseAuthority {
        /// An authorized responder has signed it.
        case authorized(Certificate, [RevocationNote], [RevocationReservation])
        /// No authorized responder has.
        case refused(RevocationObstacle)
    }

    /// Returns the signer's authority to answer for the target.
    ///
    /// Authorized by § 4.2.2.2 are the issuer itself, and a responder to which the issuer has given a certificate for
    /// OCSPSigning, directly and with the key with which it issued the target.
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
        // By a certificate with a reservation; another one of the same key may have none.
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
        return reserved ?? .refused(obstacle)
    }

    /// Whether the responder that a response names is the holder of a certificate (§ 4.2.2.3: by name, or by key).
    private func names(_ response: OCSPResponse, _ signer: Certificate) -> Bool {
        let (fields, name) = (signer.storage.fields, response.fields.responderName)
        if name.isPresent { return isSameName(response.span, name, signer.span, fields.subject) }
        return step(forBytes: fields.spki.key.count)
            && equals(
                response.span, response.fields.responderKeyHash, OCSPHash.sha1.digest(signer.span, fields.spki.key))
    }

    /// Returns the reservations about a delegate's certificate, which the issuer's key has signed, for OCSPSigning: none if it is valid at
    /// the verify date. nil for a certificate that authorizes to nothing. Any purpose is not that purpose: CAs authorize by naming it.
    private func reservations(
        aboutResponder delegate: Certificate, authorizedBy target: RevocationTarget, statedAt date: Time
    ) -> [RevocationReservation]? {
        guard delegate.extendedKeyUsage?.contains(.ocspSigning) == true,
            delegate.keyUsage?.isDisjoint(with: [.digitalSignature, .nonRepudiation]) != true,
            isNamed(delegate, asIssuedBy: target.issuer)
        else { return nil }
        return reservations(about: delegate, below: target.issuer, statedAt: date)
    }

    /// Returns the revocation status of a delegate's certificate by CRLs (§ 4.2.2.2.1). With id-pkix-ocsp-nocheck none is asked for.
    /// OCSP responses about the certificate revoke it, and don't vouch for it: the delegate may have signed them.
    ///
    /// An open status doesn't keep the response from counting: few CAs define how a responder's certificate is checked, and none is trusted
    /// for having none. It is told (`ocspSignerUnchecked`), and the delegate is one of ``openSigners`` if its certificate is valid.
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
        // The engine checks the responders of these responses by CRLs only, because two responders may answer about each other.
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
        // One delegate may have signed many responses. A result of an exhausted budget is not kept.
        if !hasExceededBudget { delegateVerdicts[key] = verdict }
        return verdict
    }
}

extension OCSPSingleElement {
    /// Whether the status is revoked.
    fileprivate var isRevoked: Bool { if case .revoked = status { true } else { false } }
}

extension OCSPResponse.Status {
    /// The obstacle to using a response with this status; nil if there is none.
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
