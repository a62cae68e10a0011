// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks for certain contents of the certificates: the organisation, a policy, an extension, a short validity.
///
/// ```swift
/// AttributeTrustEvaluator([.organization("Example, Inc."), .extendedValidation, .maximumValidity(days: 47)])
/// ```
///
/// What a certificate says is as good as the CA that says it: any CA that the machine trusts may write any organisation.
/// Combine with ``CertificateAuthorityTrustEvaluator`` where that matters.
public struct AttributeTrustEvaluator: BuiltInTrustEvaluator {
    /// All of them have to be met.
    public let requirements: [Requirement]

    /// One thing that is asked for.
    public struct Requirement: Sendable {
        /// What is asked for, for people.
        public let description: String
        let isRepeatable: Bool
        let failure: @Sendable (ValidatedPath, Trust) -> TrustFailure?
    }

    /// - Parameter requirements: an empty list asks for nothing.
    public init(_ requirements: [Requirement]) { self.requirements = requirements }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        try require(path, for: trust)
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        EvaluatorOutcome(failures: requirements.compactMap { $0.failure(path, trust) })
    }

    public var isRepeatable: Bool { requirements.allSatisfy(\.isRepeatable) }
    var performedChecks: [TrustCheck] { [.attributes] }
}

extension AttributeTrustEvaluator.Requirement {
    /// The leaf's subject names this organisation (`O`), exactly as written here.
    public static func organization(_ name: String) -> Self { subject(.organizationName, "organisation", name) }

    /// The leaf's subject names this organisational unit (`OU`), exactly as written here.
    public static func organizationalUnit(_ name: String) -> Self {
        subject(.organizationalUnitName, "organisational unit", name)
    }

    /// The leaf's subject names this country (`C`), two letters, exactly as written here.
    public static func country(_ code: String) -> Self { subject(.countryName, "country", code) }

    /// The leaf's issuer names this organisation (`O`), exactly as written here.
    public static func issuerOrganization(_ name: String) -> Self {
        leaf("issuer's organisation \(name)") { leaf in
            let found = leaf.issuer.values(of: .organizationName)
            return found.contains(name) ? nil : found.isEmpty ? "none" : found.joined(separator: ", ")
        }
    }

    /// The path asserts extended validation: the leaf states the CA/Browser Forum's policy 2.23.140.1.1, and every CA allows it.
    public static let extendedValidation = Self(
        description: "extended validation", isRepeatable: true
    ) { path, _ in
        let stated = path.leaf.certificatePolicies?.map(\.identifier) ?? []
        guard stated.contains(.extendedValidation), path.isValid(for: .extendedValidation) else {
            return TrustFailure(
                .extendedValidationMissing, certificate: 0, role: .leaf,
                expected: .text(OID.extendedValidation.description), found: .list(stated.map(\.description)))
        }
        return nil
    }

    /// The path is valid for this certificate policy (RFC 5280 § 6.1).
    public static func policy(_ policy: OID) -> Self {
        Self(description: "policy \(policy)", isRepeatable: true) { path, _ in
            guard !path.isValid(for: policy) else { return nil }
            let stated = path.leaf.certificatePolicies?.map(\.identifier.description) ?? []
            return unmet(
                "policies " + (stated.isEmpty ? "none" : stated.joined(separator: ", ")),
                "policy \(policy) along the whole path")
        }
    }

    /// The leaf's extended key usage names this purpose; anyExtendedKeyUsage doesn't count.
    public static func extendedKeyUsage(_ purpose: OID) -> Self {
        leaf("extended key usage \(purpose)") { leaf in
            let found = leaf.extendedKeyUsage ?? []
            return found.contains(purpose) ? nil : found.map(\.description).joined(separator: ", ")
        }
    }

    /// The leaf has an extension, whatever its value.
    public static func `extension`(_ identifier: OID) -> Self {
        leaf("extension \(identifier)") { leaf in
            leaf.extensions.contains { $0.identifier == identifier } ? nil : "no such extension"
        }
    }

    /// The leaf's validity is at most so long, both ends included.
    public static func maximumValidity(days: Int) -> Self {
        leaf("a validity of at most \(days) days") { leaf in
            // RFC 5280 § 4.1.2.5: the last second belongs to it.
            let seconds = leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch + 1
            return seconds <= inSeconds(days) ? nil : "a validity of \((seconds + 86_399) / 86_400) days"
        }
    }

    /// The leaf is valid for at least so long from the verify date on.
    public static func minimumRemainingValidity(days: Int) -> Self {
        Self(description: "\(days) days of validity left", isRepeatable: false) { path, trust in
            let now = trust.settings.verifyDate.time
            let left = path.leaf.notAfter.advanced(by: now.secondsSinceEpoch == .min ? .max : -now.secondsSinceEpoch)
                .secondsSinceEpoch
            return left >= inSeconds(days)
                ? nil : unmet("\(left / 86_400) days of validity left", "\(days) days of validity left")
        }
    }

    /// Anything else about the path.
    /// - Parameters:
    ///   - description: what is asked for, for the failure.
    ///   - isRepeatable: whether the answer depends on the path alone, so that a verdict may be remembered.
    ///   - isMet: whether the path has it.
    public static func custom(
        _ description: String, isRepeatable: Bool = false, _ isMet: @escaping @Sendable (ValidatedPath) -> Bool
    ) -> Self {
        Self(description: description, isRepeatable: isRepeatable) { path, _ in
            isMet(path)
                ? nil
                : TrustFailure(
                    .attributeNotMatched, expected: .text(description), found: .text("something else"))
        }
    }

    /// As many as there can be where there are too many.
    private static func inSeconds(_ days: Int) -> Int64 {
        let (seconds, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400)
        return overflow ? (days < 0 ? .min : .max) : seconds
    }

    private static func subject(_ type: OID, _ label: String, _ value: String) -> Self {
        leaf("\(label) \(value)") { leaf in
            let found = leaf.subject.values(of: type)
            return found.contains(value)
                ? nil : found.isEmpty ? "no \(label)" : "\(label) " + found.joined(separator: ", ")
        }
    }

    /// - Parameter found: nil if it is met, else what is there instead.
    private static func leaf(_ expected: String, _ found: @escaping @Sendable (Certificate) -> String?) -> Self {
        Self(description: expected, isRepeatable: true) { path, _ in
            found(path.leaf).map { unmet($0.isEmpty ? "none" : $0, expected) }
        }
    }

    private static func unmet(_ found: String, _ expected: String) -> TrustFailure {
        TrustFailure(.attributeNotMatched, certificate: 0, role: .leaf, expected: .text(expected), found: .text(found))
    }
}
