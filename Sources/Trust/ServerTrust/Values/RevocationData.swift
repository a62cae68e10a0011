// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation evidence at hand: OCSP responses and CRLs.
///
/// No evidence is trusted because it is here: it is matched with the path, and evidence without the signature of an authorized signer
/// has no effect. Evidence that can't be parsed is left out with a warning in the verdict. A revocation refuses with every policy
/// of ``TrustSettings/revocation``, and in every kind of evidence, whichever kinds the policy counts as an answer.
public struct RevocationData: Sendable, Hashable {
    /// OCSP responses in DER.
    package var ocspResponses: [[UInt8]]
    /// CRLs in DER.
    package var crls: [[UInt8]]
    /// CRLs that are parsed and indexed.
    package var lists: [CertificateRevocationList]

    /// Filters of revoked certificates, CRLite's: a complete one and the changes that follow it; none by default. They are opened once, and
    /// shared by any number of trust objects and threads.
    ///
    /// Not checked: that no changes between them are missing, which `RevocationFilterFolder` checks by its manifest.
    public var filters: [RevocationFilter] = []

    /// OCSP responses that are parsed, fetched for one evaluation.
    package var responses: [OCSPResponse] = []

    /// CRLs of ``lists`` that were fetched for one evaluation and aren't shared. The delta CRLs that they name are followed.
    package var fetchedLists: [CertificateRevocationList] = []

    /// Creates revocation evidence; none by default.
    /// - Parameters:
    ///   - ocspResponses: OCSP responses (RFC 6960) in DER that were fetched before. The response of the handshake is
    ///     ``PresentedChain/staple``.
    ///   - crls: CRLs (RFC 5280 § 5) in DER. They are parsed at the first use and remembered; use `lists` for large ones that are kept.
    ///   - lists: CRLs that are parsed and indexed: created once, shared by any number of trust objects and threads.
    public init(
        ocspResponses: [[UInt8]] = [], crls: [[UInt8]] = [], lists: [CertificateRevocationList] = []
    ) {
        self.ocspResponses = ocspResponses
        self.crls = crls
        self.lists = lists
    }

    /// Whether there is no evidence.
    package var isEmpty: Bool {
        ocspResponses.isEmpty && responses.isEmpty && crls.isEmpty && lists.isEmpty && filters.isEmpty
    }

    /// The bytes that a copy of this value keeps alive on its own; lists that a caller shares don't count.
    var size: Int {
        (ocspResponses + crls).reduce(0) { $0 + $1.count } + responses.reduce(0) { $0 + $1.size }
            + fetchedLists.reduce(0) { $0 + $1.size }
    }
}

/// The transport's knowledge of an OCSP response in the handshake (RFC 6066 § 8).
///
/// It matters for certificates that require one ("must staple", RFC 7633): without one such a server is refused, if the transport
/// can report that none came.
public enum StapleState: Sendable, Hashable {
    /// The transport doesn't request staples, or doesn't report them. A certificate's requirement is then listed as not checked.
    case unknown
    /// The transport requested one, and none came.
    case none
    /// The response, in DER.
    case given([UInt8])
}
