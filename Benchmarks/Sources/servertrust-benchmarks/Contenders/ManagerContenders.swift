// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A manager's verdict on a chain from bytes, as an adapter requests it for each connection.
struct ManagerVerdict: Contender {
    let name: String
    let manager: ServerTrustManager
    let anchors: TrustAnchors
    let chain: [[UInt8]]
    let host: Hostname
    /// The memory of signatures, or nil to verify each signature.
    let signatures: SignatureMemory?

    init(
        _ name: String, _ chain: ServerChain, _ roots: SystemRoots, _ manager: ServerTrustManager,
        signatures: SignatureMemory?
    ) throws {
        self.name = name
        self.manager = manager
        self.anchors = .only(roots.anchors + [chain.root])
        self.chain = [chain.leaf.der, chain.intermediate.der]
        self.host = try Hostname(ServerChain.hostname)
        self.signatures = signatures
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            var trust = Trust(presentedChain: PresentedChain(der: chain), host: host)
            trust.anchors = anchors
            trust.verifyDate = .at(PresentedPath.time)
            trust.signatureMemory = signatures
            let verdict = manager.evaluate(trust)
            guard verdict.result == .unspecified, verdict.path.count == 3, verdict.matchedPin != nil else {
                throw WrongAnswer(contender: name, what: "\(verdict)")
            }
        }
    }
}

/// Finds the rule for one host after another.
struct RuleLookup: Contender {
    let name: String
    let manager: ServerTrustManager
    let hosts: [Hostname]
    let isHit: Bool

    @inline(never)
    func run(_ iterations: Int) throws {
        var index = 0
        for _ in 0..<iterations {
            index = index + 1 < hosts.count ? index + 1 : 0
            guard (manager.rule(for: hosts[index]) != nil) == isHit else {
                throw WrongAnswer(contender: name, what: "\(hosts[index])")
            }
        }
    }
}
