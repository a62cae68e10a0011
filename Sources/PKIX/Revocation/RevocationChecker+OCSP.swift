// SPDX-License-Identifier: Apache-2.0

// OCSP responses as evidence (RFC 6960 § 3.2): about this certificate, signed by an authorized responder, current.

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
        var good: RevocationAnswer?
        if isStapled, let staple = evidence.staple,
            let answer = answer(staple, .staple, target, ids, &obstacles)
        {
            if answer.isRevoked { return answer }
            good = answer
        }
        for response in evidence.ocspResponses {
            guard step(forBytes: response.fields.singles.count) else {
                obstacles.append(.budgetExceeded)
                return nil
            }
            guard let answer = answer(response, .ocsp, target, ids, &obstacles) else { continue }
            if answer.isRevoked { return answer }
            // Of several good ones the one that holds longest; a good staple before all others.
            if let known = good, known.source == .staple || known.validUntil ?? time >= answer.validUntil ?? time {
                continue
            }
            good = answer
        }
        return good
    }

    private func answer(
        _ response: OCSPResponse, _ source: RevocationFinding.Source, _ target: RevocationTarget,
        _ ids: [OCSPCertificateID], _ obstacles: inout [RevocationObstacle]
    ) -> RevocationAnswer? {
        if let obstacle = response.fields.status.obstacle {
            obstacles.append(obstacle)
            return nil
        }
        let span = response.span
        // A response may answer for several certificates, and for one several times.
        let singles = response.fields.singles.filter { single in ids.contains { $0.matches(single, span) } }
        guard !singles.isEmpty else { return nil }
        let notes: [RevocationNote]
        switch authority(of: response, target) {
        case .refused(let obstacle):
            obstacles.append(obstacle)
            return nil
        case .authorized(let reservations): notes = reservations
        }
        var good: RevocationAnswer?
        var isUnknown = false
        for single in singles {
            guard !single.hasCriticalExtension else {
                obstacles.append(.ocspCriticalExtension)
                continue
            }
            let start = max(single.thisUpdate, response.fields.producedAt).advanced(by: -rules.futureTolerance)
            guard start <= time else {
                obstacles.append(.ocspNotYetValid)
                continue
            }
            let end = single.nextUpdate ?? single.thisUpdate.advanced(by: rules.maximumAgeWithoutNextUpdate)
            if case .revoked(let date, let reason) = single.status, end >= time || reason != .certificateHold {
                return RevocationAnswer(
                    status: .revoked(at: date, reason: reason), source: source, validFrom: start, validUntil: nil,
                    notes: notes)
            }
            guard end >= time else {
                obstacles.append(.ocspExpired)
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
            if let known = good, known.validUntil ?? end >= min(end, last) { continue }
            good = RevocationAnswer(
                status: .good, source: source, validFrom: start, validUntil: min(end, last), notes: notes)
        }
        // A responder that says both good and unknown gives no status.
        return isUnknown ? nil : good
    }

    /// The result of looking for the signer of a response.
    private enum ResponseAuthority {
        /// An authorized responder has signed it, with reservations about the responder.
        case authorized([RevocationNote])
        /// No authorized responder has.
        case refused(RevocationObstacle)
    }

    /// Returns the signer's authority to answer for the target.
    ///
    /// Authorized by § 4.2.2.2 are the issuer itself, and a responder to which the issuer has given a certificate for
    /// OCSPSigning, directly and with the key with which it issued the target.
    private func authority(of response: OCSPResponse, _ target: RevocationTarget) -> ResponseAuthority {
        guard !response.fields.unhandledCritical.isPresent else { return .refused(.ocspCriticalExtension) }
        var obstacle = RevocationObstacle.ocspResponderNotAuthorized
        if names(response, target.issuer) {
            switch check(response, signedBy: target.issuer) {
            case .valid: return .authorized([])
            case .invalid: obstacle = .ocspSignatureInvalid
            case .undecided: return .refused(.budgetExceeded)
            }
        }
        for delegate in response.certificates where names(response, delegate) && delegate != target.issuer {
            guard step() else { return .refused(.budgetExceeded) }
            guard isAuthorizedResponder(delegate, by: target) else { continue }
            switch check(response, signedBy: delegate) {
            case .valid:
                switch verdict(onDelegate: delegate, target) {
                case .good(let notes): return .authorized(notes)
                case .revoked: return .refused(.signerRevoked)
                case .unknown: return .authorized([.ocspSignerUnchecked])
                }
            case .invalid: obstacle = .ocspSignatureInvalid
            case .undecided: return .refused(.budgetExceeded)
            }
        }
        return .refused(obstacle)
    }

    /// Whether the responder that a response names is the holder of a certificate (§ 4.2.2.3: by name, or by key).
    private func names(_ response: OCSPResponse, _ signer: Certificate) -> Bool {
        let (fields, name) = (signer.storage.fields, response.fields.responderName)
        if name.isPresent { return isSameName(response.span, name, signer.span, fields.subject) }
        return step(forBytes: fields.spki.key.count)
            && equals(
                response.span, response.fields.responderKeyHash, OCSPHash.sha1.digest(signer.span, fields.spki.key))
    }

    /// Whether the issuer's key has signed the delegate's certificate, which is valid at the verify date and for
    /// OCSPSigning. Any purpose is not that purpose: CAs authorize by naming it.
    private func isAuthorizedResponder(_ delegate: Certificate, by target: RevocationTarget) -> Bool {
        guard delegate.extendedKeyUsage?.contains(.ocspSigning) == true,
            delegate.keyUsage?.isDisjoint(with: [.digitalSignature, .nonRepudiation]) != true,
            isNamed(delegate, asIssuedBy: target.issuer),
            let path = path(of: delegate, below: target.issuer)
        else { return false }
        return path.certificates.count == 2
    }

    /// Returns the revocation status of a delegate's certificate by CRLs (§ 4.2.2.2.1). With id-pkix-ocsp-nocheck none is asked for.
    ///
    /// An open status doesn't keep the response from counting: few CAs define how a responder's certificate is checked, and none is trusted
    /// for having none. It is told (`ocspSignerUnchecked`), and the delegate is one of ``openSigners``.
    private func verdict(onDelegate delegate: Certificate, _ target: RevocationTarget) -> SignerVerdict {
        guard !delegate.hasOCSPNoCheck else { return .good([]) }
        guard rules.usesCRLs, let below = path(of: delegate, below: target.issuer), below.certificates.count == 2
        else { return .unknown }
        let path = ValidatedPath(
            certificates: [delegate] + target.path.certificates.dropFirst(target.index + 1),
            anchorFacts: target.path.anchorFacts)
        var obstacles: [RevocationObstacle] = []
        guard let answer = crlAnswer(RevocationTarget(path, 0), &obstacles) else {
            noteOpenSigner(path, isResponder: true)
            return .unknown
        }
        return answer.isRevoked ? .revoked : .good(answer.notes)
    }
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
