// SPDX-License-Identifier: Apache-2.0

/// Checks whether a root program distrusts a certificate, at any position in a path.
enum DistrustCheck {
    /// Checks a certificate.
    static func run(
        _ certificate: Certificate, _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        // The check reads the certificate, its key and its issuer's name once each. If the meter refuses a charge, the
        // search ends without a path.
        guard !context.distrusted.isEmpty, meter.charge(work: 3 * certificate.storage.count),
            let found = context.distrusted.entry(distrusting: certificate, for: context.policy.purpose)
        else { return }
        list.add(.certificateDenied, found: found.value)
    }
}
