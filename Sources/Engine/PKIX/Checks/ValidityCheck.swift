// SPDX-License-Identifier: Apache-2.0

/// Checks that the verify date is in the validity period, including both ends (RFC 5280 § 6.1.3 (a)(2)).
///
/// The check includes anchors, although § 6.1 doesn't require it: an expired root is no longer maintained.
enum ValidityCheck {
    static func run(_ certificate: Certificate, _ context: EvaluationContext, _ list: inout FailureList) {
        let storage = certificate.storage
        if context.time > storage.fields.notAfter {
            list.add(.certificateExpired, expected: .time(storage.fields.notAfter), found: .time(context.time))
        }
        if context.time < storage.fields.notBefore {
            list.add(.certificateNotYetValid, expected: .time(storage.fields.notBefore), found: .time(context.time))
        }
    }
}
