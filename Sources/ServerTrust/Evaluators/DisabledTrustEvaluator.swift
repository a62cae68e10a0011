// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Accepts every server with a readable certificate: whoever stands in between reads and changes everything.
///
/// For looking at a broken server, never for a product: for development a private CA is as easy (see
/// ``CertificateAuthorityTrustEvaluator``). A ``ServerTrustManager`` refuses it unless it was made with
/// ``ServerTrustManager/InsecureOptions/allowsDisabledEvaluators``. The verdict is ``TrustResultType/proceed``, and
/// ``TrustVerdict/excused`` has all that is wrong.
public struct DisabledTrustEvaluator: BuiltInTrustEvaluator {
    private init() {}

    /// The only one.
    public static let insecurelyTrustingAnyServer = DisabledTrustEvaluator()

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }

    var containsDisabled: Bool { true }
    var isDisabled: Bool { true }
}
