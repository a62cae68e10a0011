// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// The second wall of HTTP/2 connections: NIOSSL's own verification, whose only root is the anchor of a path that was trusted.
///
/// async-http-client shows the leaf of an HTTP/2 connection and no more, after the handshake. The verdict on it, with intermediates that
/// were learned before, is the first wall. A hook that isn't called lets no server through that doesn't have a chain to this anchor,
/// for this name, in NIOSSL's view as well.
struct ChainWall: Sendable {
    /// The anchor of the trusted path.
    let anchor: Certificate
    /// The root of NIOSSL's verification: ``anchor``.
    let root: NIOSSLCertificate
    /// The intermediates that servers have presented, for paths from leaves that come without. Being here gives them no trust.
    let candidates: [Certificate]
    /// The chain that was learned, with the evidence of its handshake.
    private let learned: PresentedChain

    /// The largest number of ``candidates``.
    private static let maximum = 8

    /// - Parameters:
    ///   - server: a server whose connection came to a verdict.
    ///   - known: candidates of before, which are kept after the server's own as long as there is room.
    ///   - now: the time by NIOSSL's clock.
    /// - Returns: nil if NIOSSL can't follow the verdict: the server isn't trusted, or only because failures were excused; the verdict is about
    ///   another name or date; the path has no self-signed anchor, or intermediates that the server didn't present.
    init?(_ server: EvaluatedServer, known: [Certificate], at now: Time = .now()) {
        let verdict = server.verdict
        guard verdict.isTrusted, verdict.reachesAnchor, verdict.excused.isEmpty, !verdict.isAcceptedByDelegate,
            verdict.referenceName == server.host, let from = verdict.validFrom, let until = verdict.validUntil,
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
    /// Returns the chain of a connection that shows its leaf alone: as it was learned, with the OCSP staple and the timestamps, or
    /// another leaf with the candidates. Of that no staple is known: one that it demands is missing, and HTTP/1.1 decides.
    func chain(leaf: [UInt8]) -> PresentedChain {
        let chain = PresentedChain(
            der: [leaf] + candidates.map { Array($0.der) }, staple: learned.staple == .unknown ? .unknown : .none)
        return chain.leaf != nil && chain.leaf == learned.leaf ? learned : chain
    }
}
