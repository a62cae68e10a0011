// SPDX-License-Identifier: Apache-2.0

/// An issuer's policy that a certificate follows (RFC 5280 § 4.2.1.4), with its qualifiers in DER.
public struct CertificatePolicy: Sendable, Hashable {
    /// The identifier of the policy.
    public var identifier: OID
    /// The undecoded `SEQUENCE OF PolicyQualifierInfo` in DER, or nil if the policy has no qualifiers.
    var qualifiers: [UInt8]?
}

/// A CA's statement that its policy is equivalent to a subordinate's policy (RFC 5280 § 4.2.1.5).
struct PolicyMapping: Sendable, Hashable {
    /// The policy in the issuer's domain.
    var issuerDomainPolicy: OID
    /// The equivalent policy in the subject's domain.
    var subjectDomainPolicy: OID
}

/// The limits on policies further down the path (RFC 5280 § 4.2.1.11).
struct PolicyConstraints: Sendable, Hashable {
    /// The number of certificates after which the path needs an acceptable policy. Nil if there is no such limit.
    var requireExplicitPolicy: Int?
    /// The number of certificates after which mappings no longer count. Nil if there is no such limit.
    var inhibitPolicyMapping: Int?
}

/// The ranges of one policy.
struct PolicyElement {
    /// The contents of the OID.
    var identifier: ByteRange
    /// The qualifiers, with tag and length.
    var qualifiers: ByteRange
}

extension DERReader {
    /// Checks `SEQUENCE SIZE (1..MAX) OF PolicyInformation`. A policy may occur only once.
    /// - Returns: the work beyond reading each byte once, in units of ``ValidationBudget/work``.
    @_lifetime(self: copy self)
    mutating func checkCertificatePolicies() throws(DERError) -> Int {
        let (list, count) = try checkPolicies("certificatePolicies", areMappings: false)
        return try refuseRepeatedPolicies(list, count)
    }

    /// Checks `SEQUENCE SIZE (1..MAX) OF SEQUENCE { issuerDomainPolicy, subjectDomainPolicy }`.
    @_lifetime(self: copy self)
    mutating func checkPolicyMappings() throws(DERError) {
        _ = try checkPolicies("policyMappings", areMappings: true)
    }

    /// Reads a list of one to ``maximumPolicies`` policies or mappings.
    /// - Returns: the list and the number of its members.
    @_lifetime(self: copy self)
    private mutating func checkPolicies(
        _ field: StaticString, areMappings: Bool
    ) throws(DERError) -> (list: DERElement, count: Int) {
        let list = try next(DERTag.sequence, field)
        guard list.contentCount > 0 else { throw DERError(.empty, in: field, at: list.start) }
        var inner = inside(list)
        var count = 0
        while !inner.isAtEnd {
            let policy = areMappings ? try inner.nextPolicyMapping().issuer : try inner.nextPolicy().identifier
            count += 1
            guard count <= Self.maximumPolicies else {
                throw DERError(.limitExceeded(limit: Self.maximumPolicies), in: field, at: policy.start)
            }
        }
        return (list, count)
    }

    /// Rejects a repeated policy (§ 4.2.1.4). Reads only the identifiers again, because qualifiers may be long.
    private func refuseRepeatedPolicies(_ list: DERElement, _ count: Int) throws(DERError) -> Int {
        guard count > 1 else { return 0 }
        var members = inside(list)
        if count > RepeatedIdentifier.directCount {
            var identifiers = RepeatedIdentifier()
            while !members.isAtEnd {
                let identifier = try members.nextPolicyIdentifier()
                guard identifiers.add(identifier, of: bytes) else {
                    throw DERError(.duplicate, in: "certificatePolicies", at: identifier.start)
                }
            }
            return count * RepeatedIdentifier.workPerEntry
        }
        while !members.isAtEnd {
            let identifier = try members.nextPolicyIdentifier()
            var earlier = inside(list)
            while true {
                let other = try earlier.nextPolicyIdentifier()
                if other == identifier { break }
                guard !bytesEqual(bytes, other, bytes, identifier) else {
                    throw DERError(.duplicate, in: "certificatePolicies", at: identifier.start)
                }
            }
        }
        return 0
    }

    /// Reads the identifier of the next policy and skips its qualifiers.
    @_lifetime(self: copy self)
    mutating func nextPolicyIdentifier() throws(DERError) -> ByteRange {
        var fields = try nextSequence("certificatePolicies")
        return try fields.nextObjectIdentifier("policyIdentifier")
    }

    /// The largest number of policies or mappings in a certificate. Real certificates have up to about ten. The policy
    /// graph grows with this number (RFC 9618 § 1.1).
    static var maximumPolicies: Int { 128 }

    @_lifetime(self: copy self)
    mutating func nextPolicy() throws(DERError) -> PolicyElement {
        var inner = try nextSequence("certificatePolicies")
        let identifier = try inner.nextObjectIdentifier("policyIdentifier")
        var qualifiers = ByteRange.absent
        if !inner.isAtEnd {
            let list = try inner.next(DERTag.sequence, "policyQualifiers")
            guard list.contentCount > 0 else { throw DERError(.empty, in: "policyQualifiers", at: list.start) }
            qualifiers = list.whole
            var members = inner.inside(list)
            while !members.isAtEnd {
                let qualifier = try members.nextPolicyQualifier()
                try members.checkWellFormed(qualifier.value, "qualifier")
            }
            try inner.finish("certificatePolicies")
        }
        return PolicyElement(identifier: identifier, qualifiers: qualifiers)
    }

    /// Reads `PolicyQualifierInfo ::= SEQUENCE { policyQualifierId OBJECT IDENTIFIER, qualifier ANY }`.
    @_lifetime(self: copy self)
    mutating func nextPolicyQualifier() throws(DERError) -> (type: ByteRange, value: DERElement) {
        var fields = try nextSequence("policyQualifiers")
        let type = try fields.nextObjectIdentifier("policyQualifierId")
        let value = try fields.next("qualifier")
        try fields.finish("policyQualifiers")
        return (type, value)
    }

    @_lifetime(self: copy self)
    mutating func nextPolicyMapping() throws(DERError) -> (issuer: ByteRange, subject: ByteRange) {
        var inner = try nextSequence("policyMappings")
        let issuer = try inner.nextObjectIdentifier("issuerDomainPolicy")
        let subject = try inner.nextObjectIdentifier("subjectDomainPolicy")
        try inner.finish("policyMappings")
        return (issuer, subject)
    }

    /// Reads `SEQUENCE { requireExplicitPolicy [0] INTEGER OPTIONAL, inhibitPolicyMapping [1] INTEGER OPTIONAL }`. The
    /// sequence must not be empty.
    @_lifetime(self: copy self)
    mutating func nextPolicyConstraints() throws(DERError) -> (requireExplicit: Int?, inhibitMapping: Int?) {
        let sequence = try next(DERTag.sequence, "policyConstraints")
        guard sequence.contentCount > 0 else { throw DERError(.empty, in: "policyConstraints", at: sequence.start) }
        var inner = inside(sequence)
        var requireExplicit: Int?
        var inhibitMapping: Int?
        if let element = try inner.nextIf(DERTag.context(0), "requireExplicitPolicy") {
            requireExplicit = try inner.smallNumber(element, "requireExplicitPolicy")
        }
        if let element = try inner.nextIf(DERTag.context(1), "inhibitPolicyMapping") {
            inhibitMapping = try inner.smallNumber(element, "inhibitPolicyMapping")
        }
        try inner.finish("policyConstraints")
        return (requireExplicit, inhibitMapping)
    }
}

extension Certificate {
    /// The identifiers of ``certificatePolicies``, without copying their qualifiers.
    var policyIdentifiers: [OID]? {
        guard storage.fields.extensions.has(.certificatePolicies) else { return nil }
        return list(.certificatePolicies) { (reader) throws(DERError) in
            OID(checkedContents: copy(try reader.nextPolicyIdentifier()))
        }
    }

    /// The certificate policies, or nil if the certificate doesn't have the extension.
    public var certificatePolicies: [CertificatePolicy]? {
        guard storage.fields.extensions.has(.certificatePolicies) else { return nil }
        return list(.certificatePolicies) { (reader) throws(DERError) in
            let policy = try reader.nextPolicy()
            return CertificatePolicy(
                identifier: OID(checkedContents: copy(policy.identifier)),
                qualifiers: policy.qualifiers.isPresent ? copy(policy.qualifiers) : nil)
        }
    }

    /// The policy mappings, or nil if the certificate doesn't have the extension.
    var policyMappings: [PolicyMapping]? {
        guard storage.fields.extensions.has(.policyMappings) else { return nil }
        return list(.policyMappings) { (reader) throws(DERError) in
            let mapping = try reader.nextPolicyMapping()
            return PolicyMapping(
                issuerDomainPolicy: OID(checkedContents: copy(mapping.issuer)),
                subjectDomainPolicy: OID(checkedContents: copy(mapping.subject)))
        }
    }

    /// The policy constraints, or nil if the certificate doesn't have the extension.
    var policyConstraints: PolicyConstraints? {
        let extensions = storage.fields.extensions
        guard extensions.has(.policyConstraints) else { return nil }
        return PolicyConstraints(
            requireExplicitPolicy: extensions.requireExplicitPolicy,
            inhibitPolicyMapping: extensions.inhibitPolicyMapping)
    }

    /// The number of certificates after which `anyPolicy` no longer matches (RFC 5280 § 4.2.1.14). Nil if there is no
    /// such limit.
    var inhibitAnyPolicy: Int? { storage.fields.extensions.inhibitAnyPolicy }
}
