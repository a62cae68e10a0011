// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator in which the operating system builds and validates paths. Each evaluator is created for one chain.
package protocol SystemEvaluator: Sendable {
    /// Evaluates the chain. May block, and may use the network.
    func evaluate(_ request: SystemEvaluationRequest) -> SystemEvaluationResponse
}

/// A request to the system to evaluate the chain as a TLS server's.
package struct SystemEvaluationRequest: Sendable, Hashable {
    /// The name that the leaf has to be valid for, or nil to accept any name.
    package let name: Hostname?
    /// The date to evaluate for.
    let date: Time
    /// The revocation check, or nil for the system's default.
    let revocation: SystemRevocation?
}

/// The system's revocation check, with the flags of `SecPolicyCreateRevocation`.
package struct SystemRevocation: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// `kSecRevocationOCSPMethod`
    static let ocsp = SystemRevocation(rawValue: 1)
    /// `kSecRevocationCRLMethod`
    static let crl = SystemRevocation(rawValue: 2)
    /// `kSecRevocationPreferCRL`
    static let preferCRL = SystemRevocation(rawValue: 4)
    /// `kSecRevocationRequirePositiveResponse`
    static let requirePositiveResponse = SystemRevocation(rawValue: 8)
    /// `kSecRevocationNetworkAccessDisabled`
    static let networkAccessDisabled = SystemRevocation(rawValue: 16)

    /// Creates the flags for a policy. Returns nil if the policy doesn't check revocation.
    package init?(_ policy: RevocationPolicy) {
        guard policy.mode != .off else { return nil }
        self = []
        if policy.usesOCSP { insert(.ocsp) }
        if policy.usesCRLs { insert(.crl) }
        if policy.prefersCRLs { insert(.preferCRL) }
        if policy.mode == .required { insert(.requirePositiveResponse) }
        if !policy.fetching { insert(.networkAccessDisabled) }
    }
}

/// The system's response.
package enum SystemEvaluationResponse: Sendable, Hashable {
    case trusted(SystemFinding)
    /// The system refused.
    /// - Parameter status: the OSStatus of its error.
    case refused(SystemFinding, status: Int32)
    /// The system couldn't evaluate, for this reason.
    case unavailable(String)
}

/// The details of a response.
package struct SystemFinding: Sendable, Hashable {
    /// The number of the `SecTrustResultType`.
    let resultType: UInt32
    /// The validated path or the best candidate, in DER, leaf first.
    let path: [[UInt8]]
    /// The checks that only the system reports, and that succeeded.
    let checked: [TrustCheck]

    package init(resultType: UInt32, path: [[UInt8]], checked: [TrustCheck] = []) {
        self.resultType = resultType
        self.path = path
        self.checked = checked
    }

    /// The result. `otherError` for an unknown number, and for "not evaluated".
    var result: TrustResultType { TrustResultType(secTrustResultType: resultType) }
}

extension TrustResultType {
    /// Creates the result for the number of a `SecTrustResultType` (`SecTrust.h`). ``otherError`` for `invalid` (0),
    /// for `confirm` (2) of old systems, and for unknown numbers.
    init(secTrustResultType number: UInt32) {
        self =
            switch number {
            case 1: .proceed
            case 3: .deny
            case 4: .unspecified
            case 5: .recoverableFailure
            case 6: .fatalFailure
            default: .otherError
            }
    }
}
