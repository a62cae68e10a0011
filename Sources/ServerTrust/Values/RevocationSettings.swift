// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Whether certificates are checked for having been withdrawn.
public enum RevocationCheck: String, Sendable, Hashable, CaseIterable, Codable {
    /// Not asked for.
    case off
    /// What can't be checked counts as good, unless checking it takes more work than `RevocationBudget` allows. What is found to be
    /// revoked is refused.
    case bestEffort
    /// What can't be checked is refused.
    case required
}

/// What is known about revocation without asking anybody: OCSP responses and CRLs at hand.
///
/// Nothing in it is trusted for being there: it is held against the path, and what is signed by nobody who may say so counts for
/// nothing. What can't be read is left out, and the verdict warns of it.
public struct RevocationData: Sendable, Hashable {
    /// OCSP responses (RFC 6960) in DER, fetched before. The one from the handshake is ``Trust/staple``.
    public var ocspResponses: [[UInt8]]
    /// Certificate lists (RFC 5280 § 5) in DER. They are parsed when they are first met and remembered; for large ones that are
    /// kept see ``lists``.
    public var crls: [[UInt8]]
    /// Certificate lists that are parsed and indexed already: made once, shared by any number of trust objects and threads.
    public var lists: [CertificateRevocationList]

    /// OCSP responses that are parsed already: fetched for one evaluation.
    package var responses: [OCSPResponse] = []

    /// What of ``lists`` was fetched for one evaluation, in bytes: nobody else holds it.
    package var fetchedListBytes = 0

    public init(
        ocspResponses: [[UInt8]] = [], crls: [[UInt8]] = [], lists: [CertificateRevocationList] = []
    ) {
        self.ocspResponses = ocspResponses
        self.crls = crls
        self.lists = lists
    }

    public var isEmpty: Bool { ocspResponses.isEmpty && responses.isEmpty && crls.isEmpty && lists.isEmpty }

    /// Bytes that a copy of this value keeps alive on its own; lists that a caller shares don't count.
    var size: Int {
        (ocspResponses + crls).reduce(fetchedListBytes) { $0 + $1.count } + responses.reduce(0) { $0 + $1.size }
    }
}

/// What the transport knows about an OCSP response in the handshake (RFC 6066 § 8).
///
/// It matters where a certificate demands one ("must staple", RFC 7633): without it such a server is refused, if the transport
/// can say that none came.
public enum StapleState: Sendable, Hashable {
    /// The transport doesn't ask for staples, or doesn't tell. A demand for one is reported as not checked.
    case unknown
    /// The transport asked, and none came.
    case none
    /// The response, in DER.
    case given([UInt8])
}
