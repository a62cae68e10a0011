// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A measure to take after a verdict, and the party that can take it.
package struct Advice: Sendable, Hashable {
    /// The subject of the advice.
    package enum Subject: Sendable, Hashable {
        /// A failure of the verdict.
        case failure(TrustFailure.Code)
        /// The presented chain. It may need tidying even if it is trusted.
        case presentedChain
        /// A date that is near.
        case renewal
    }

    /// The party that can take a measure. The raw values are stable.
    package enum Party: String, Sendable, Hashable, CaseIterable, Codable {
        /// The administrator of the server that presents the chain.
        case server
        /// The owner of the client that presents the chain.
        case client
        /// The owner of the peer that presents the chain, for a verdict about any purpose.
        case peer
        /// The user who supplied the evaluation's certificates, evidence, date and rules.
        case user
        /// The owner of this machine and its root store.
        case machine
        /// The CA that issued or publishes a certificate.
        case authority
        /// The developer of the program whose rule refuses the peer.
        case program

        /// Whether the party presents the chain.
        var isPresenter: Bool { self == .server || self == .client || self == .peer }
    }

    /// A setting of the evaluation that changes the answer. A report says what each setting gives up.
    package enum Option: Sendable, Hashable {
        /// The user's own roots as anchors.
        case anchors
        /// Fetching of intermediates, CRLs and OCSP responses from the addresses in certificates.
        case fetching
        /// The user's own CRLs and OCSP responses.
        case evidence
        /// A date at which the whole path was or will be valid.
        case time(Time)
        /// Another set of rules.
        case profile(ValidationPolicy.Profile)
    }

    /// The subject of the advice.
    package let subject: Subject
    /// The certificates of the failures, as indices in the verdict's path. A failure of the
    /// whole path is nil in the list.
    package internal(set) var certificates: [Int?] = []
    /// The party that can act.
    package let party: Party
    /// One or two sentences. The wording may change.
    package let text: String
    /// The settings that change the answer.
    package internal(set) var options: [Option] = []
    /// The reason why there is no revocation status, or nil for other failures.
    package internal(set) var revocationGap: RevocationGap?

    /// Whether the advice is about a failure.
    package func concerns(_ failure: TrustFailure) -> Bool {
        subject == .failure(failure.code) && certificates.contains(failure.certificate)
    }
}

/// The origin of a certificate in a path.
package enum CertificateSource: String, Sendable, Hashable, CaseIterable {
    /// The peer presented the certificate.
    case presented
    /// The user supplied the certificate as an anchor or as an intermediate.
    case given
    /// The certificate is in this machine's root store.
    case store
    /// The evaluation fetched the certificate from an address in another certificate.
    case fetched
}

/// Where the certificates that the peer didn't present came from, as far as the caller of an evaluation knows.
package struct CertificatePlaces: Sendable, Hashable {
    /// The names of the anchor files. Empty for this machine's root store, nil if the caller doesn't know.
    package var anchors: [String]?
    /// The names of the files with intermediates.
    var intermediates: [String]

    package init(anchors: [String]? = nil, intermediates: [String] = []) {
        self.anchors = anchors
        self.intermediates = intermediates
    }

    /// Returns a certificate's place in words.
    func words(_ role: TrustFailure.Role?, _ source: CertificateSource) -> String {
        guard source != .store else { return "this machine's root store" }
        let files = role == .anchor ? anchors ?? [] : intermediates
        // If the caller doesn't name files, the anchors may come from this machine's root store.
        guard let first = files.first else {
            return role == .anchor ? "the evaluation's anchors" : "the supplied intermediates"
        }
        let name = DistinguishedName.printable(first.abridged(toBytes: 256))
        return files.count == 1
            ? name : "\(name) or the \(files.count - 1) other supplied \(files.count == 2 ? "file" : "files")"
    }
}
