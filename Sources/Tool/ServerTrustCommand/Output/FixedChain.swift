// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The chain that a server should send, for `--fix`: leaf first, each certificate once and followed by its issuer, without the root.
///
/// It is taken from a validated path alone. The chain of a refused server isn't guessed at: a certificate that is found by name only may
/// be another CA's.
struct FixedChain {
    let certificates: [Certificate]

    /// Creates the chain of a trusted verdict whose path ends in an anchor; nil for others.
    ///
    /// A root is an anchor that is issued by itself. Another anchor stays in the chain: clients that have its root alone need it. A
    /// leaf that is its own anchor stays as well.
    init?(_ verdict: TrustVerdict) {
        guard verdict.isTrusted, verdict.reachesAnchor, !verdict.path.isEmpty else { return nil }
        var path = verdict.path
        if path.count > 1, let anchor = path.last, anchor.subject == anchor.issuer { path.removeLast() }
        certificates = path
    }

    /// Returns the PEM of the chain.
    func pem() -> [UInt8] { certificates.flatMap { Array(PEM.encode($0.der, label: "CERTIFICATE").utf8) } }

    /// Writes the chain to standard output, or an error if there is none; nothing is written then.
    /// - Parameter presented: the chain that the server sends, or that the files have.
    static func write(_ verdict: TrustVerdict, presented: [Certificate]) throws {
        guard let chain = FixedChain(verdict) else {
            // The report, also on standard error, has the remedy.
            return Diagnostics.error("no chain is written: the server is not trusted, and only a trusted chain is")
        }
        if chain.certificates == presented { Diagnostics.hint("the chain is in order already; it is written as it is") }
        try StandardStream.output.write(chain.pem())
    }
}
