// SPDX-License-Identifier: Apache-2.0

/// What is at hand to judge certificates by: nothing in it is trusted for being there.
public struct RevocationEvidence: Sendable, Hashable {
    /// From the handshake, about the leaf.
    public var staple: OCSPResponse?
    /// Other OCSP responses, about any certificate of the path.
    public var ocspResponses: [OCSPResponse]
    /// Complete and delta CRLs of any issuer, in any order.
    public var crls: [CertificateRevocationList]
    /// Where certificates of CRL signers and those above them are looked for, beside the path itself.
    public var certificates: [Certificate]

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

/// What counts as an answer.
public struct RevocationRules: Sendable, Hashable {
    /// Which certificates of a path are judged. The anchor never is.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        case leaf
        case path
    }

    /// Whether OCSP responses are looked at.
    public var usesOCSP: Bool
    /// Whether CRLs are looked at.
    public var usesCRLs: Bool
    /// Which answer is told where both have a good one. A revocation counts wherever it is found.
    public var prefersCRLs: Bool
    public var scope: Scope
    /// Whether whoever signed a CRL has to be shown not to be revoked, too.
    public var requiresPositiveAnswer: Bool
    /// Seconds by which evidence may be dated into the future: clocks differ. How long it holds is not stretched.
    public var futureTolerance: Int64
    /// Seconds for which an OCSP response without `nextUpdate` counts after its `thisUpdate`: newer information is always to be had,
    /// so it must not be replayed for ever (RFC 6960 § 4.2.2.1).
    public var maximumAgeWithoutNextUpdate: Int64

    /// Unless told otherwise: OCSP and CRLs, OCSP first, the whole path, best effort, five minutes of tolerance, a day without
    /// `nextUpdate`.
    public init(
        usesOCSP: Bool = true, usesCRLs: Bool = true, prefersCRLs: Bool = false, scope: Scope = .path,
        requiresPositiveAnswer: Bool = false, futureTolerance: Int64 = 300,
        maximumAgeWithoutNextUpdate: Int64 = 86_400
    ) {
        self.usesOCSP = usesOCSP
        self.usesCRLs = usesCRLs
        self.prefersCRLs = prefersCRLs
        self.scope = scope
        self.requiresPositiveAnswer = requiresPositiveAnswer
        self.futureTolerance = futureTolerance
        self.maximumAgeWithoutNextUpdate = maximumAgeWithoutNextUpdate
    }
}

/// How much work one evaluation's evidence may cause, CRLs and OCSP responses each. Running out is no answer
/// (``RevocationObstacle/budgetExceeded``).
public struct RevocationBudget: Sendable, Hashable {
    /// Signature checks, in the units of ``ValidationBudget/signatures``: a path of eight with a CRL or a response each needs some 20.
    public var signatures: Int
    /// Bytes that are hashed to check signatures: eight of the largest CRLs that are fetched, some 0.3 s.
    public var hashedBytes: Int
    /// CRLs held against distribution points, candidates for signers, and names that are compared: one for 128 bytes, or for four
    /// if they aren't plain ASCII. 50,000 take some 50 ms.
    public var steps: Int
    /// Signers of CRLs and OCSP responses whose certificates are validated.
    public var paths: Int

    public init(signatures: Int = 400, hashedBytes: Int = 256 << 20, steps: Int = 50_000, paths: Int = 32) {
        self.signatures = signatures
        self.hashedBytes = hashedBytes
        self.steps = steps
        self.paths = paths
    }
}

// MARK: - Dates

extension RevocationEvidence {
    /// The seconds around `time` in which an evaluation by this evidence can't come out otherwise: no piece of it starts or ends to
    /// count in between. nil for no bound.
    public func window(around time: Time, _ rules: RevocationRules) -> (from: Time?, until: Time?) {
        var window = EvidenceWindow(time)
        for crl in crls {
            window.starts(crl.fields.thisUpdate.advanced(by: -rules.futureTolerance))
            if let next = crl.fields.nextUpdate { window.ends(next) }
        }
        for response in ocspResponses + (staple.map { [$0] } ?? []) {
            if response.fields.status == .successful {
                window.starts(response.fields.producedAt.advanced(by: -rules.futureTolerance))
            }
            for single in response.fields.singles {
                window.starts(single.thisUpdate.advanced(by: -rules.futureTolerance))
                window.ends(single.nextUpdate ?? single.thisUpdate.advanced(by: rules.maximumAgeWithoutNextUpdate))
            }
            for certificate in response.certificates { window.add(certificate) }
        }
        if !crls.isEmpty { for certificate in certificates { window.add(certificate) } }
        return (window.from, window.until)
    }
}

/// The stretch around a moment in which nothing starts or ends.
private struct EvidenceWindow {
    let time: Time
    private(set) var from: Time?
    private(set) var until: Time?

    init(_ time: Time) { self.time = time }

    /// Something counts from here on.
    mutating func starts(_ start: Time) {
        if start <= time { from = max(from ?? start, start) } else { bound(before: start) }
    }

    /// Something counts to here, this second included.
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
