// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// A chain that a server presents, and the anchors of a client.
struct PresentedPath {
    static let time = TestAuthority.now

    var leaf: Certificate
    /// The certificates between leaf and root, the leaf's issuer first.
    var intermediates: [Certificate]
    var root: Certificate
    /// All anchors, including the root.
    var anchors: [Certificate]
    var host: String

    /// The number of certificates in the path.
    var count: Int { intermediates.count + 2 }

    /// The certificates with their issuers.
    var pairs: [(Certificate, Certificate)] {
        let path = [leaf] + intermediates + [root]
        return Array(zip(path, path.dropFirst()))
    }
}

extension PresentedPath {
    /// Creates the path of an ordinary server, for a client that trusts the system's roots and the chain's root.
    init(_ chain: ServerChain, _ roots: SystemRoots) {
        self.init(
            leaf: chain.leaf, intermediates: [chain.intermediate], root: chain.root,
            anchors: roots.anchors + [chain.root], host: ServerChain.hostname)
    }

    /// Creates a path below the only anchor.
    /// - Parameter count: the number of certificates, from leaf to root.
    /// - Parameter names: the number of the leaf's names. The host is the last of them.
    init(certificates count: Int = 3, names: Int = 1) throws {
        let root = try TestAuthority.root()
        var authority = root
        for index in 0..<(count - 2) { authority = try authority.intermediate(.authority("Intermediate \(index)")) }
        let hosts = (0..<names).map { "host\($0).example.com" }
        self.init(
            leaf: try authority.issue(CertificateTemplate.leaf(hosts[0]).with { $0.dnsNames = hosts }).certificate,
            intermediates: Array(authority.path.dropLast()), root: root.certificate, anchors: [root.certificate],
            host: hosts[names - 1])
    }
}
