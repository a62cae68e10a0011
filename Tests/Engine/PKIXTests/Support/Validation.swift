// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// Validates at the time of ``TestAuthority``, without a signature cache unless the caller passes one.
func validate(
    _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate], host: String? = nil,
    policy: ValidationPolicy = ValidationPolicy(), at time: Time = TestAuthority.now, memory: SignatureMemory? = nil,
    additionalChecks: ((ValidatedPath) -> [TrustFailure])? = nil
) throws -> PathValidation {
    PathValidator(anchors: AnchorStore(anchors), policy: policy, memory: memory).validate(
        leaf, presented: others, host: try host.map { text throws in try Hostname(text) }, at: time,
        additionalChecks: additionalChecks)
}

/// The failures of the best candidate, most specific first, or empty if a path was found.
func failures(
    _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate], host: String? = nil,
    policy: ValidationPolicy = ValidationPolicy(), at time: Time = TestAuthority.now, memory: SignatureMemory? = nil
) throws -> [TrustFailure] {
    try validate(leaf, others, anchors: anchors, host: host, policy: policy, at: time, memory: memory).failures
}

/// The codes of ``failures(_:_:anchors:host:policy:at:memory:)``.
func codes(
    _ leaf: Certificate, _ others: [Certificate] = [], anchors: [Certificate], host: String? = nil,
    policy: ValidationPolicy = ValidationPolicy(), at time: Time = TestAuthority.now, memory: SignatureMemory? = nil
) throws -> [TrustFailure.Code] {
    try failures(leaf, others, anchors: anchors, host: host, policy: policy, at: time, memory: memory).map(\.code)
}

extension PathValidation {
    /// The failures of the best candidate, or empty if a path was found.
    var failures: [TrustFailure] { rejection?.failures ?? [] }
    var codes: [TrustFailure.Code] { failures.map(\.code) }
    var isValid: Bool { path != nil }
    /// The codes of every rejected path.
    var allCodes: Set<TrustFailure.Code> { Set((rejection?.paths ?? []).flatMap(\.failures).map(\.code)) }
}

extension ValidationPolicy {
    static let plain = ValidationPolicy(profile: .rfc5280)
    static let strict = ValidationPolicy(isStrict: true)
    static let strictPlain = ValidationPolicy(profile: .rfc5280, isStrict: true)
}

/// A root and an intermediate below it, each with its own key.
struct TestChain {
    let root: TestAuthority
    let intermediate: TestAuthority

    init(
        root: CertificateTemplate = .authority("Test Root"),
        intermediate: CertificateTemplate = .authority("Test Intermediate")
    ) throws {
        self.root = try .root(root)
        self.intermediate = try self.root.intermediate(intermediate)
    }

    func leaf(_ template: CertificateTemplate = .leaf("www.example.com")) throws -> Certificate {
        try intermediate.issue(template).certificate
    }

    func failures(
        of leaf: Certificate, host: String? = nil, policy: ValidationPolicy = ValidationPolicy(),
        at time: Time = TestAuthority.now
    ) throws -> [TrustFailure] {
        try validate(
            leaf, [intermediate.certificate], anchors: [root.certificate], host: host, policy: policy, at: time
        ).failures
    }

    func codes(
        of leaf: Certificate, host: String? = nil, policy: ValidationPolicy = ValidationPolicy(),
        at time: Time = TestAuthority.now
    ) throws -> [TrustFailure.Code] {
        try failures(of: leaf, host: host, policy: policy, at: time).map(\.code)
    }
}

/// A generator that returns the same numbers in every run: Vigna's SplitMix64.
struct Repeatable: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
