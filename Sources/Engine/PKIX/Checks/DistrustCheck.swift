// SPDX-License-Identifier: Apache-2.0

/// The distrust of root programs in a certificate, at any place of a path.
enum DistrustCheck {
    /// Checks a certificate.
    static func run(
        _ certificate: Certificate, _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        // The certificate, its key and its issuer's name are read once each. A search without a charge ends without a path.
        guard !context.distrusted.isEmpty, meter.charge(work: 3 * certificate.storage.count),
            let found = context.distrusted.entry(distrusting: certificate, for: context.policy.purpose)
        else { return }
        list.add(.certificateDenied, found: found.value)
    }
}
