// SPDX-License-Identifier: Apache-2.0

/// The OCSP response of a handshake: its claim about the leaf, and whether the evaluation verified the claim.
///
/// Reports show a claim that isn't verified only as a claim. A server, or anyone who can change its staple, chooses what
/// such a response says.
package struct StapleFinding: Sendable, Hashable {
    /// The statement of a response about the leaf.
    package enum Claim: String, Sendable, Hashable, CaseIterable, Codable {
        case good, revoked, unknown
        /// The response is about other certificates.
        case otherCertificate
        /// The bytes aren't an OCSP response.
        case malformed
        /// The responder's error, which isn't signed.
        case malformedRequest, internalError, tryLater, sigRequired, unauthorized
    }

    /// The statement, true or not.
    package let claim: Claim
    /// The date when the responder claims to have known the status, or nil without a status.
    package let thisUpdate: Time?
    /// The date of newer information, as the response claims it. Nil without a status, and if the response has none.
    package let nextUpdate: Time?
    /// Whether the claim is about a certificate of another issuer with the leaf's serial number.
    package let namesOtherIssuer: Bool
    /// Whether the claim is the status of the leaf: an authorized responder signed it, it covers the verify date, and the
    /// leaf's issuer is validated.
    package let isVerified: Bool
    /// The reasons why the response has no verified status. Empty if it has one, and if the evaluation refused the path
    /// before it examined the response.
    package let obstacles: [RevocationObstacle]

    package init(
        claim: Claim, thisUpdate: Time? = nil, nextUpdate: Time? = nil, namesOtherIssuer: Bool = false,
        isVerified: Bool = false, obstacles: [RevocationObstacle] = []
    ) {
        self.claim = claim
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
        self.namesOtherIssuer = namesOtherIssuer
        self.isVerified = isVerified
        self.obstacles = obstacles
    }

    /// The finding about bytes that aren't an OCSP response.
    package static let unreadable = StapleFinding(claim: .malformed, obstacles: [.evidenceMalformed])

    /// Creates the finding about a response that no evaluation of a path examined.
    package init(unexamined response: OCSPResponse, leaf: Certificate) {
        self.init(response, serialNumber: leaf.serialNumber.bytes, isAboutLeaf: { _ in true }, status: nil, [])
    }

    /// Creates the finding about an examined response.
    /// - Parameters:
    ///   - ids: the identifiers that a response uses for the leaf, one for each hash.
    ///   - answer: the status that the response establishes, or nil for none.
    ///   - obstacles: the reasons why it establishes none.
    init(
        _ response: OCSPResponse, _ ids: [OCSPCertificateID], _ answer: RevocationAnswer?,
        _ obstacles: some Sequence<RevocationObstacle>
    ) {
        let span = response.span
        self.init(
            response, serialNumber: ids.first?.serialNumber ?? [],
            isAboutLeaf: { single in ids.contains { $0.matches(single, span) } }, status: answer?.status,
            answer == nil ? Array(obstacles) : [])
    }

    /// - Parameter status: the verified status, or nil for none.
    private init(
        _ response: OCSPResponse, serialNumber: [UInt8], isAboutLeaf: (OCSPSingleElement) -> Bool,
        status: RevocationFinding.Status?, _ obstacles: [RevocationObstacle]
    ) {
        if let error = Claim(response.fields.status) {
            self.init(claim: error, obstacles: obstacles)
            return
        }
        let span = response.span
        let singles = response.fields.singles.filter { equals(span, $0.serialNumber, serialNumber) }
        let own = singles.filter(isAboutLeaf)
        // A response may contain several statements. If none is verified, the finding shows the worst.
        let claims: [Claim] = status.map { [Claim(verified: $0)] } ?? [.revoked, .unknown, .good]
        for claim in claims {
            let stated = (own.isEmpty ? singles : own).filter { Claim(claimed: $0.status) == claim }
            guard let latest = stated.max(by: { $0.thisUpdate < $1.thisUpdate }) else { continue }
            self.init(
                claim: claim, thisUpdate: latest.thisUpdate, nextUpdate: latest.nextUpdate,
                namesOtherIssuer: own.isEmpty, isVerified: status != nil, obstacles: obstacles)
            return
        }
        self.init(claim: .otherCertificate, obstacles: obstacles)
    }
}

extension StapleFinding.Claim {
    /// Returns the claim of a responder's error, or nil for a successful response.
    fileprivate init?(_ status: OCSPResponse.Status) {
        switch status {
        case .successful: return nil
        case .malformedRequest: self = .malformedRequest
        case .internalError: self = .internalError
        case .tryLater: self = .tryLater
        case .sigRequired: self = .sigRequired
        case .unauthorized: self = .unauthorized
        }
    }

    fileprivate init(claimed status: OCSPResponse.CertificateStatus) {
        switch status {
        case .good: self = .good
        case .revoked: self = .revoked
        case .unknown: self = .unknown
        }
    }

    /// A response establishes only these two.
    fileprivate init(verified status: RevocationFinding.Status) {
        if case .revoked = status { self = .revoked } else { self = .good }
    }
}
