// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// The second check of HTTP/2 connections: NIOSSL's own verification, with the anchor of a trusted path as its only
/// root.
///
/// async-http-client exposes only the leaf of an HTTP/2 connection, and only after the handshake. The first check is
/// the verdict on this leaf with previously learned intermediates. Even if async-http-client didn't call the hook for
/// the first check, NIOSSL would reject a server without a chain to this anchor for this name.
struct ChainWall: Sendable {
    /// The anchor of the trusted path.
    let anchor: Certificate
    /// The root of NIOSSL's verification: ``anchor``.
    let root: NIOSSLCertificate
    /// The intermediates that servers have presented. They complete the paths of leaves that arrive without
    /// intermediates. An intermediate in this list isn't trusted because of that.
    let candidates: [Certificate]
    /// The learned chain, with the evidence of its handshake.
    let learned: PresentedChain

    /// The largest number of ``candidates``.
    private static let maximum = 8

    /// - Parameters:
    ///   - server: a server whose connection has a verdict.
    ///   - known: earlier candidates, which follow the server's own while there is room.
    ///   - now: the time of NIOSSL's clock.
    /// - Returns: nil if NIOSSL can't reproduce the verdict. Either the server isn't trusted, or it is trusted only
    ///   because failures were excused. Or the verdict is about another name or date. Or the path has no self-signed
    ///   anchor, or contains intermediates that the server didn't present.
    init?(_ server: EvaluatedServer, known: [Certificate], at now: Time = .now()) {
        let verdict = server.verdict
        guard verdict.isTrusted, verdict.reachesAnchor, verdict.excused.isEmpty, !verdict.isAcceptedByDelegate,
            verdict.referenceName == server.host, let from = verdict.unchangedFrom, let until = verdict.unchangedUntil,
            from <= now, now <= until,
            verdict.path.count > 1, let anchor = verdict.path.last, anchor.subject == anchor.issuer,
            let root = try? NIOSSLCertificate(bytes: anchor.der, format: .der)
        else { return nil }
        self.learned = server.presentedChain
        let presented = learned.others
        guard verdict.path.dropFirst().dropLast().allSatisfy({ presented.contains($0) }) else { return nil }
        self.anchor = anchor
        self.root = root
        var candidates: [Certificate] = []
        for certificate in presented + known where !candidates.contains(certificate) { candidates.append(certificate) }
        self.candidates = Array(candidates.prefix(Self.maximum))
    }
}

extension ChainWall {
    /// Returns the chain of a connection that exposes only its leaf.
    ///
    /// For the learned leaf, this is the learned chain, with the OCSP staple and the timestamps. For another leaf, it
    /// is the leaf with the candidates and without a staple. If that leaf requires a staple, the staple is missing, and
    /// the client evaluates the server over an HTTP/1.1 connection.
    func chain(leaf: [UInt8]) -> PresentedChain {
        let chain = PresentedChain(
            der: [leaf] + candidates.map { Array($0.der) }, staple: learned.staple == .unknown ? .unknown : .none)
        return chain.leaf != nil && chain.leaf == learned.leaf ? learned : chain
    }
}

#endif
