// SPDX-License-Identifier: Apache-2.0

/// The verify date is in the validity period, both ends included (RFC 5280 § 6.1.3 (a)(2)).
///
/// Anchors too, although § 6.1 leaves that open: a root past its date is no longer maintained.
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
