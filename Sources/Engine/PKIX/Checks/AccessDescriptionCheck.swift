// SPDX-License-Identifier: Apache-2.0

/// The authority information access can be read (CA/Browser baseline § 7.1.2.7.7), which the profile of the web PKI demands.
///
/// The extension names places and restricts nothing: RFC 5280 § 4.2 lets a verifier leave out what isn't critical, and the plain profile
/// reads a malformed one as absent.
enum AccessDescriptionCheck {
    static func run(_ certificate: Certificate, _ context: EvaluationContext, _ list: inout FailureList) {
        guard context.policy.profile == .webPKI,
            certificate.storage.fields.extensions.isMalformed(.authorityInformationAccess)
        else { return }
        list.add(.strictEncoding, found: .text("a malformed \(KnownExtension.authorityInformationAccess.name)"))
    }
}
