// SPDX-License-Identifier: Apache-2.0

/// The evidence for the revocation of certificates. No piece of it is trusted for being in it.
public struct RevocationEvidence: Sendable, Hashable {
    /// The OCSP response from the handshake, about the leaf.
    package var staple: OCSPResponse?
    /// Other OCSP responses, about any certificate of the path.
    package var ocspResponses: [OCSPResponse]
    /// Complete and delta CRLs of any issuer, in any order.
    package var crls: [CertificateRevocationList]
    /// Certificates of CRL signers and of those above them, in addition to the path's own.
    package var certificates: [Certificate]
    /// Filters of revoked certificates: a complete one, and the changes that follow it.
    package var filters: [RevocationFilter] = []

    /// Creates evidence; empty by default.
    public init(
        staple: OCSPResponse? = nil, ocspResponses: [OCSPResponse] = [], crls: [CertificateRevocationList] = [],
        certificates: [Certificate] = []
    ) {
        self.staple = staple
        self.ocspResponses = ocspResponses
        self.crls = crls
        self.certificates = certificates
    }
}

/// The rules for evidence and findings.
public struct RevocationRules: Sendable, Hashable {
    /// The certificates of a path that are checked. The anchor never is.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// The leaf alone.
        case leaf
        /// All certificates except the anchor.
        case path
    }

    /// Whether OCSP responses vouch and are fetched. One at hand that revokes counts in any case.
    public var usesOCSP: Bool
    /// Whether CRLs vouch and are fetched. One at hand that revokes counts in any case.
    public var usesCRLs: Bool
    /// Whether the finding names the CRLs if CRLs and OCSP both have the status good. A revocation counts in either.
    public var prefersCRLs: Bool
    /// The certificates that are checked. A revocation by evidence at hand counts for each certificate of a path but the anchor.
    public var scope: Scope
    /// Seconds by which evidence may be dated into the future, as clocks differ. Its end is not extended.
    public var futureTolerance: Int64
    /// Seconds for which an OCSP response without `nextUpdate` counts after its `thisUpdate`. Newer information is
    /// always available then, so an old response must not be replayed for ever (RFC 6960 § 4.2.2.1).
    public var maximumAgeWithoutNextUpdate: Int64

    /// The anchors whose certificates are exempt if they are short-lived: leaves whose validity, the last second included, is at most 7 days
    /// if notBefore is 2026-03-15 or later, and 10 days from 2024-03-15; public ones by default. The finding is
    /// ``RevocationExemption/shortLived``.
    public var shortLivedExemption = RevocationAnchors.publicAnchors
    /// The age beyond which evidence vouches for nothing, and still revokes; by default 10 days about leaves and 366 days about CAs,
    /// below public anchors.
    public var maximumAge = RevocationAge()

    /// Seconds for which filters vouch for a certificate after the date of the newest; 864,000 by default, 10 days. An older filter still
    /// revokes.
    public var maximumFilterAge: Int64 = 864_000

    /// Creates rules; by default OCSP and CRLs, OCSP first, the whole path, five minutes of tolerance, a day without
    /// `nextUpdate`.
    public init(
        usesOCSP: Bool = true, usesCRLs: Bool = true, prefersCRLs: Bool = false, scope: Scope = .path,
        futureTolerance: Int64 = 300, maximumAgeWithoutNextUpdate: Int64 = 86_400
    ) {
        self.usesOCSP = usesOCSP
        self.usesCRLs = usesCRLs
        self.prefersCRLs = prefersCRLs
        self.scope = scope
        self.futureTolerance = futureTolerance
        self.maximumAgeWithoutNextUpdate = maximumAgeWithoutNextUpdate
    }
}

/// The bound on the work for one evaluation's evidence, CRLs and OCSP responses each. Evidence beyond it gives no
/// status (the obstacle `budgetExceeded`).
package struct RevocationBudget: Sendable, Hashable {
    /// Signature checks, in the units of ``ValidationBudget/signatures``: a path of eight with a CRL or a response each needs some 20.
    package var signatures: Int
    /// Bytes that are hashed to check signatures: eight of the largest CRLs that are fetched, some 0.3 s.
    package var hashedBytes: Int
    /// Comparisons of CRLs with distribution points, candidates for signers, and names: one for 32 bytes, or for each byte
    /// that isn't plain ASCII. 50,000 take some 50 ms.
    package var steps: Int
    /// Signers of CRLs and OCSP responses whose certificates are validated.
    package var paths: Int

    /// Creates a budget; each default is explained at its property.
    package init(signatures: Int = 400, hashedBytes: Int = 256 << 20, steps: Int = 50_000, paths: Int = 32) {
        self.signatures = signatures
        self.hashedBytes = hashedBytes
        self.steps = steps
        self.paths = paths
    }
}

// MARK: - Dates

extension RevocationEvidence {
    /// Returns the seconds around `time` in which an evaluation by this evidence has the same result: no piece of it
    /// becomes valid or expires in between. nil for no bound.
    /// - Parameter limitsAge: whether the maximum age applies.
    package func window(
        around time: Time, _ rules: RevocationRules, limitsAge: Bool
    ) -> (from: Time?, until: Time?) {
        var window = EvidenceWindow(time)
        let ages = limitsAge ? [rules.maximumAge.leaf, rules.maximumAge.authority] : []
        for crl in crls {
            window.starts(crl.fields.thisUpdate.advanced(by: -rules.futureTolerance))
            if let next = crl.fields.nextUpdate { window.ends(next) }
            for age in ages { window.ends(crl.fields.thisUpdate.advanced(by: age)) }
        }
        for response in ocspResponses + (staple.map { [$0] } ?? []) {
            if response.fields.status == .successful {
                window.starts(response.fields.producedAt.advanced(by: -rules.futureTolerance))
            }
            for single in response.fields.singles {
                window.starts(single.thisUpdate.advanced(by: -rules.futureTolerance))
                window.ends(single.nextUpdate ?? single.thisUpdate.advanced(by: rules.maximumAgeWithoutNextUpdate))
                for age in ages { window.ends(single.thisUpdate.advanced(by: age)) }
            }
            for certificate in response.certificates { window.add(certificate) }
        }
        if let newest = newestFilterDate { window.ends(newest.advanced(by: rules.maximumFilterAge)) }
        if !crls.isEmpty { for certificate in certificates { window.add(certificate) } }
        return (window.from, window.until)
    }
}

/// The time around a moment in which nothing starts or ends.
private struct EvidenceWindow {
    let time: Time
    private(set) var from: Time?
    private(set) var until: Time?

    init(_ time: Time) { self.time = time }

    /// Adds the moment from which a piece of evidence counts.
    mutating func starts(_ start: Time) {
        if start <= time { from = max(from ?? start, start) } else { bound(before: start) }
    }

    /// Adds the last second for which a piece of evidence counts.
    mutating func ends(_ end: Time) {
        if end >= time {
            until = min(until ?? end, end)
        } else {
            let after = end.advanced(by: 1)
            from = max(from ?? after, after)
        }
    }

    mutating func add(_ certificate: Certificate) {
        starts(certificate.notBefore)
        ends(certificate.notAfter)
    }

    private mutating func bound(before start: Time) {
        let last = start.advanced(by: -1)
        until = min(until ?? last, last)
    }
}
