// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A measure after a verdict, and the party that can take it.
package struct Advice: Sendable, Hashable {
    /// The subject of the advice.
    package enum Subject: Sendable, Hashable {
        /// A failure of the verdict.
        case failure(TrustFailure.Code)
        /// The presented chain, which may be untidy even if it is trusted.
        case presentedChain
        /// A date that approaches.
        case renewal
    }

    /// The party that can take a measure. Raw values are stable.
    package enum Party: String, Sendable, Hashable, CaseIterable, Codable {
        /// The administrator of the server that presents the chain.
        case server
        /// The owner of the client that presents the chain.
        case client
        /// The owner of the peer that presents the chain, for a verdict about any purpose.
        case peer
        /// The user who gave the evaluation its certificates, evidence, date and rules.
        case user
        /// The owner of this machine and its store of roots.
        case machine
        /// The CA that issued or publishes a certificate.
        case authority
        /// The developer of the program whose rule refuses.
        case program

        /// Whether the party presents the chain.
        package var isPresenter: Bool { self == .server || self == .client || self == .peer }
    }

    /// A setting of the evaluation that changes the answer. A report says what each gives up.
    package enum Option: Sendable, Hashable {
        /// The user's own roots as anchors.
        case anchors
        /// Intermediates, CRLs and OCSP responses from the addresses in certificates.
        case fetching
        /// CRLs and OCSP responses of the user.
        case evidence
        /// The date at which the whole path was or will be valid.
        case time(Time)
        /// Another set of rules.
        case profile(ValidationPolicy.Profile)
    }

    /// The subject of the advice.
    package let subject: Subject
    /// The certificates of the failures, as indices in the verdict's path; nil among them for a failure of the whole path.
    package internal(set) var certificates: [Int?] = []
    /// The party that can act.
    package let party: Party
    /// One or two sentences; the wording may change.
    package let text: String
    /// The settings that change the answer.
    package internal(set) var options: [Option] = []
    /// The reason why there is no revocation status; nil for other failures.
    package internal(set) var revocationGap: RevocationGap?

    /// Whether the advice is about a failure.
    package func concerns(_ failure: TrustFailure) -> Bool {
        subject == .failure(failure.code) && certificates.contains(failure.certificate)
    }
}

/// The source of a certificate in a path.
package enum CertificateSource: String, Sendable, Hashable, CaseIterable {
    /// The peer presented it.
    case presented
    /// The user gave it, as an anchor or as an intermediate.
    case given
    /// This machine's store of roots has it.
    case store
    /// The evaluation fetched it from an address in another certificate.
    case fetched
}

/// The places of the certificates that the peer didn't present, as far as the caller of an evaluation knows them.
package struct CertificatePlaces: Sendable, Hashable {
    /// The names of the files with the anchors; empty for this machine's store, nil if the caller doesn't know.
    package var anchors: [String]?
    /// The names of the files with intermediates.
    package var intermediates: [String]

    package init(anchors: [String]? = nil, intermediates: [String] = []) {
        self.anchors = anchors
        self.intermediates = intermediates
    }

    /// Returns the place of a certificate in words.
    func words(_ role: TrustFailure.Role?, _ source: CertificateSource) -> String {
        guard source != .store else { return "this machine's store of roots" }
        let files = role == .anchor ? anchors ?? [] : intermediates
        // A caller who says nothing may have taken the anchors from this machine's store.
        guard let first = files.first else {
            return role == .anchor ? "the evaluation's anchors" : "the given intermediates"
        }
        let name = DistinguishedName.printable(first.abridged(toBytes: 256))
        return files.count == 1
            ? name : "\(name) or the \(files.count - 1) other given \(files.count == 2 ? "file" : "files")"
    }
}
