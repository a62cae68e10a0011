// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The revocation evidence that you supply: OCSP responses, CRLs and filters.
///
/// The evaluation doesn't trust evidence just because you supply it. It matches the evidence with the path, and ignores
/// CRLs and OCSP responses that no authorized signer signed. A filter has no signature that it checks. Evidence that it
/// can't parse is left out with a warning in the verdict. A revocation in any kind of evidence refuses the path,
/// whatever the policy in ``TrustSettings/revocation`` and whichever kinds count as an answer there.
public struct RevocationData: Sendable, Hashable {
    /// OCSP responses in DER.
    package var ocspResponses: [[UInt8]]
    /// CRLs in DER.
    package var crls: [[UInt8]]
    /// Parsed and indexed CRLs.
    package var lists: [CertificateRevocationList]

    /// CRLite filters of revoked certificates: a complete one and the changes that follow it. None by default. Open
    /// them once and share them among any number of trust objects and threads.
    ///
    /// Not checked: that no change between them is missing. `RevocationFilterFolder` checks this with its manifest.
    public var filters: [RevocationFilter] = []

    /// Parsed OCSP responses that were fetched for one evaluation.
    var responses: [OCSPResponse] = []

    /// CRLs of ``lists`` that were fetched for one evaluation and aren't shared. The evaluation also fetches the delta
    /// CRLs that they name.
    var fetchedLists: [CertificateRevocationList] = []

    /// Creates revocation evidence. Empty by default.
    /// - Parameters:
    ///   - ocspResponses: OCSP responses (RFC 6960) in DER that you fetched before. The response of the handshake is
    ///     ``PresentedChain/staple``.
    ///   - crls: CRLs (RFC 5280 § 5) in DER. They are parsed at the first use and remembered. Use `lists` for large
    ///     ones that you keep.
    ///   - lists: parsed and indexed CRLs. Create them once and share them among any number of trust objects and
    ///     threads.
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

    /// The number of bytes that a copy of this value keeps alive by itself. Lists that a caller shares don't count.
    var size: Int {
        (ocspResponses + crls).reduce(0) { $0 + $1.count } + responses.reduce(0) { $0 + $1.size }
            + fetchedLists.reduce(0) { $0 + $1.size }
    }
}

/// The transport's knowledge of an OCSP response in the handshake (RFC 6066 § 8).
///
/// This matters for certificates that require such a response ("must staple", RFC 7633). If the transport reports that
/// none came, the evaluation refuses a server with such a certificate.
public enum StapleState: Sendable, Hashable {
    /// The transport doesn't request staples, or doesn't report them. The verdict lists a certificate's requirement as
    /// not checked.
    case unknown
    /// The transport requested a staple, and the server sent none.
    case none
    /// The response, in DER.
    case given([UInt8])
}
