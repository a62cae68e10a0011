// SPDX-License-Identifier: Apache-2.0

/// Checks that the authority information access is well-formed (CA/Browser baseline § 7.1.2.7.7), as the web PKI
/// profile requires.
///
/// The extension contains addresses and restricts nothing. RFC 5280 § 4.2 lets a verifier ignore extensions that aren't
/// critical. The plain profile treats a malformed extension as absent.
enum AccessDescriptionCheck {
    static func run(_ certificate: Certificate, _ context: EvaluationContext, _ list: inout FailureList) {
        guard context.policy.profile == .webPKI,
            certificate.storage.fields.extensions.isMalformed(.authorityInformationAccess)
        else { return }
        list.add(.strictEncoding, found: .text("a malformed \(KnownExtension.authorityInformationAccess.name)"))
    }
}
