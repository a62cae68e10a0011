// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that accepts every server with a readable certificate, so that any intermediary can read and change the
/// traffic.
///
/// Use it only to examine a broken server, never in a product. For development, a private CA is just as easy (see
/// ``CertificateAuthorityTrustEvaluator``). A ``ServerTrustManager`` refuses this evaluator unless you create the
/// manager with ``ServerTrustManager/InsecureOptions/allowsDisabledEvaluators``. The verdict is
/// ``TrustResultType/proceed``, and ``TrustVerdict/excused`` contains all failures. Only this evaluator accepts revoked
/// certificates, too. A warning of the verdict names them.
public struct DisabledTrustEvaluator: BuiltInTrustEvaluator {
    private init(insecurely: Void) {}

    /// The only value of this type.
    public static let insecurelyTrustingAnyServer = DisabledTrustEvaluator(insecurely: ())

    /// Accepts every path.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }

    var containsDisabled: Bool { true }
    var isDisabled: Bool { true }
}
