// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error for a peer that isn't trusted, with its verdict.
public struct TrustRefusal: TrustError, Hashable {
    /// The verdict, which isn't trusted.
    public let verdict: TrustVerdict

    /// Creates the error that an adapter throws instead of returning a connection.
    /// - Parameter verdict: a verdict that isn't trusted. The initializer doesn't check this.
    public init(_ verdict: TrustVerdict) { self.verdict = verdict }

    /// The most specific failure.
    public var headline: TrustFailure {
        verdict.headline ?? TrustFailure(.evaluatorRefused, found: .text(verdict.result.rawValue))
    }

    /// The code of the most specific failure.
    public var code: TrustFailure.Code { headline.code }

    /// Host and headline, such as `www.example.com: certificate 0 (leaf) expired …`.
    public var message: String {
        (verdict.host.map { "\($0): " } ?? "") + headline.message
    }
}
