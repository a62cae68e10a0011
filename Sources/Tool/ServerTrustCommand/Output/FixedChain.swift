// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The chain that a server should send, for `--fix`: leaf first, each certificate once and followed by its issuer,
/// without the root.
///
/// Only a validated path provides this chain. For a refused server there is no guess, because a certificate with a
/// matching name may belong to another CA.
struct FixedChain {
    let certificates: [Certificate]

    /// Creates the chain of a trusted verdict whose path ends in an anchor. Returns nil for other verdicts.
    ///
    /// A root is an anchor that is its own issuer. Another anchor stays in the chain, because clients that only have
    /// its root need it. A leaf that is its own anchor also stays.
    init?(_ verdict: TrustVerdict) {
        guard verdict.isTrusted, verdict.reachesAnchor, !verdict.path.isEmpty else { return nil }
        var path = verdict.path
        if path.count > 1, let anchor = path.last, anchor.subject == anchor.issuer { path.removeLast() }
        certificates = path
    }

    /// Returns the chain in PEM.
    func pem() -> [UInt8] { certificates.flatMap { Array(PEM.encode($0.der, label: "CERTIFICATE").utf8) } }

    /// Writes the chain to standard output. If there is no chain, writes only an error.
    /// - Parameter presented: the chain that the server sends, or the chain in the files.
    static func write(_ verdict: TrustVerdict, presented: [Certificate]) throws {
        guard let chain = FixedChain(verdict) else {
            // The report, also on standard error, contains the remedy.
            return Diagnostics.error(
                "no chain was written: the server isn't trusted, and --fix only writes trusted chains")
        }
        if chain.certificates == presented {
            Diagnostics.hint("the chain is already in order and is written unchanged")
        }
        try StandardStream.output.write(chain.pem())
    }
}
