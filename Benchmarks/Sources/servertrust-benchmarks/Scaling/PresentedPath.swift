// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// A chain that a server presents, of any length and with any number of names, and the anchors of a client.
struct PresentedPath {
    static let time = TestAuthority.now
    static let date = Date(timeIntervalSince1970: TimeInterval(time.secondsSinceEpoch))

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

    /// Creates a chain of so many certificates, from leaf to root, below the only anchor.
    /// - Parameter names: the number of the leaf's names. The host is the last of them.
    init(certificates count: Int = 3, names: Int = 1) throws {
        let root = try TestAuthority.root()
        var authority = root
        for index in 0..<(count - 2) { authority = try authority.intermediate(.authority("Intermediate \(index)")) }
        let hosts = (0..<names).map { "host\($0).example.com" }
        leaf = try authority.issue(CertificateTemplate.leaf(hosts[0]).with { $0.dnsNames = hosts }).certificate
        intermediates = Array(authority.path.dropLast())
        self.root = root.certificate
        anchors = [self.root]
        host = hosts[names - 1]
    }
}
