// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that builds and validates paths by means of the operating system, for the chain that it was created for.
package protocol SystemEvaluator: Sendable {
    /// Evaluates. May block, and may use the network.
    func evaluate(_ request: SystemEvaluationRequest) -> SystemEvaluationResponse
}

/// A request to the system to evaluate the chain as one of a TLS server.
package struct SystemEvaluationRequest: Sendable, Hashable {
    /// The name that the leaf has to be valid for; nil to accept any.
    package let name: Hostname?
    /// The date to evaluate for.
    package let date: Time
    /// The check of revocation; nil for the system's default.
    package let revocation: SystemRevocation?
}

/// The check of revocation by the system, with the flags of `SecPolicyCreateRevocation`.
package struct SystemRevocation: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// `kSecRevocationOCSPMethod`
    package static let ocsp = SystemRevocation(rawValue: 1)
    /// `kSecRevocationCRLMethod`
    package static let crl = SystemRevocation(rawValue: 2)
    /// `kSecRevocationPreferCRL`
    package static let preferCRL = SystemRevocation(rawValue: 4)
    /// `kSecRevocationRequirePositiveResponse`
    package static let requirePositiveResponse = SystemRevocation(rawValue: 8)
    /// `kSecRevocationNetworkAccessDisabled`
    package static let networkAccessDisabled = SystemRevocation(rawValue: 16)

    /// Creates the flags for a policy; nil if revocation is not checked.
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

/// The response of the system.
package enum SystemEvaluationResponse: Sendable, Hashable {
    case trusted(SystemFinding)
    /// - Parameter status: the OSStatus of its error.
    case refused(SystemFinding, status: Int32)
    /// The system couldn't evaluate; the reason.
    case unavailable(String)
}

/// The details of a response.
package struct SystemFinding: Sendable, Hashable {
    /// The number of the `SecTrustResultType`.
    package let resultType: UInt32
    /// The validated path or the best candidate, in DER, leaf first.
    package let path: [[UInt8]]
    /// The checks that only the system reports, with a good result.
    package let checked: [TrustCheck]

    package init(resultType: UInt32, path: [[UInt8]], checked: [TrustCheck] = []) {
        self.resultType = resultType
        self.path = path
        self.checked = checked
    }

    /// The result; `otherError` for an unknown number, and for "not evaluated".
    package var result: TrustResultType { TrustResultType(secTrustResultType: resultType) }
}

extension TrustResultType {
    /// The result with the number of a `SecTrustResultType` (`SecTrust.h`); ``otherError`` for `invalid` (0), for the
    /// `confirm` (2) of old systems, and for numbers to come.
    package init(secTrustResultType number: UInt32) {
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
