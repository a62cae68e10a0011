// SPDX-License-Identifier: Apache-2.0

/// The evidence about the revocation of certificates: OCSP responses, CRLs and filters. Including a piece of evidence
/// doesn't make it trusted.
public struct RevocationEvidence: Sendable, Hashable {
    /// The OCSP response from the handshake, about the leaf.
    package var staple: OCSPResponse?
    /// Other OCSP responses, about any certificate of the path.
    var ocspResponses: [OCSPResponse]
    /// Complete and delta CRLs from any issuer, in any order.
    var crls: [CertificateRevocationList]
    /// The certificates of CRL signers and of the CAs above them, in addition to the path's own certificates.
    var certificates: [Certificate]
    /// Filters of revoked certificates: a complete filter and the changes that follow it.
    package var filters: [RevocationFilter] = []

    /// Creates evidence, which is empty by default.
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

/// The bound on the work for one evaluation's evidence. It applies separately to CRLs and to OCSP responses. Evidence
/// beyond it gives no status (the obstacle `budgetExceeded`).
struct RevocationBudget: Sendable, Hashable {
    /// The number of signature checks, in the units of ``ValidationBudget/signatures``. A path of eight with a CRL or a
    /// response for each certificate needs about 20.
    var signatures: Int
    /// The number of bytes that are hashed to check signatures. The default is eight times the largest CRL that is
    /// fetched, which takes about 0.3 s. Searching an indirect CRL costs 64 bytes for each entry with the serial number,
    /// and 32 bytes for each byte of its issuer's name.
    var hashedBytes: Int
    /// The number of comparisons of CRLs with distribution points, candidates for signers, and names. A step covers 32
    /// bytes, or one byte that isn't plain ASCII. 50,000 steps take about 50 ms.
    var steps: Int
    /// The number of signers of CRLs and OCSP responses whose certificates are validated.
    var paths: Int

    /// Creates a budget. Each property documents its default.
    init(signatures: Int = 400, hashedBytes: Int = 256 << 20, steps: Int = 50_000, paths: Int = 32) {
        self.signatures = signatures
        self.hashedBytes = hashedBytes
        self.steps = steps
        self.paths = paths
    }
}

// MARK: - Dates

extension RevocationEvidence {
    /// Returns the seconds around `time` when an evaluation with this evidence has the same result, because no piece of
    /// it becomes valid or expires in between. nil if there is no bound.
    /// - Parameter limitsAge: whether the maximum age applies.
    package func window(
        around time: Time, _ policy: RevocationPolicy, limitsAge: Bool
    ) -> (from: Time?, until: Time?) {
        var window = EvidenceWindow(time)
        let ages = limitsAge ? [policy.maximumAge.leaf, policy.maximumAge.authority] : []
        for crl in crls {
            window.starts(policy.firstSecond(ofEvidenceFrom: crl.fields.thisUpdate))
            if let next = crl.fields.nextUpdate { window.ends(next) }
            for age in ages { window.ends(crl.fields.thisUpdate.advanced(by: age)) }
        }
        for response in ocspResponses + (staple.map { [$0] } ?? []) {
            if response.fields.status == .successful {
                window.starts(policy.firstSecond(ofEvidenceFrom: response.fields.producedAt))
            }
            for single in response.fields.singles {
                window.starts(policy.firstSecond(ofEvidenceFrom: single.thisUpdate))
                window.ends(single.nextUpdate ?? single.thisUpdate.advanced(by: policy.maximumAgeWithoutNextUpdate))
                for age in ages { window.ends(single.thisUpdate.advanced(by: age)) }
            }
            for certificate in response.certificates { window.add(certificate) }
        }
        if let newest = newestFilterDate { window.ends(newest.advanced(by: policy.maximumFilterAge)) }
        if !crls.isEmpty { for certificate in certificates { window.add(certificate) } }
        return (window.from, window.until)
    }
}

/// The period around a given time without a start or end of any piece of evidence.
private struct EvidenceWindow {
    let time: Time
    private(set) var from: Time?
    private(set) var until: Time?

    init(_ time: Time) { self.time = time }

    /// Adds the first second when a piece of evidence counts.
    mutating func starts(_ start: Time) {
        if start <= time { from = max(from ?? start, start) } else { bound(before: start) }
    }

    /// Adds the last second when a piece of evidence counts.
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
