// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// The store that the system's variables name, and six certificates as the anchor of one chain.
@main
struct ChoosingAnchors {
    static func main() throws {
        try systemStore()
        try anchorsOfOneChain()
    }

    /// Uses a folder instead of the system's store, and a store that can't be read.
    static func systemStore() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let root = try TestAuthority.root(.authority("Company Root"))
        try root.identity.certificatePEM.write(
            to: folder.appendingPathComponent("company.pem"), atomically: true, encoding: .utf8)
        try "no certificate".write(to: folder.appendingPathComponent("readme"), atomically: true, encoding: .utf8)

        // The default is the process's environment. Keep the value, and read it again if the store may have changed.
        let anchors = try TrustAnchors.readSystem(environment: ["SSL_CERT_DIR": folder.path])
        print("anchors: \(try anchors.count), entries left out: \(anchors.warnings.count)")

        let leaf = try root.issue(.leaf("build.corp.example"))
        print("build.corp.example: \(try verdict([leaf.certificate], "build.corp.example", anchors))")

        do {
            _ = try TrustAnchors.readSystem(environment: ["SSL_CERT_FILE": "/nonexistent/roots.pem"])
        } catch {
            print("\(error)")
        }
    }

    /// Evaluates one chain with each of the certificates that could be its anchor.
    static func anchorsOfOneChain() throws {
        let root = try TestAuthority.root(.authority("Company Root"))
        let issuing = try root.intermediate(.authority("Company Issuing CA"))
        let leaf = try issuing.issue(.leaf("build.corp.example"))
        let chain = issuing.chain(leaf)

        let renewed = try TestAuthority.root(.authority("Company Root").with { $0.serialNumber = [9] }, key: root.key)
        let impostor = try TestAuthority.root(.authority("Company Root"))
        let expired = try TestAuthority.root(
            .authority("Company Root").with { $0.notAfter = TestAuthority.now.advanced(by: .days(-1)) }, key: root.key)

        for (name, anchor) in [
            ("the root", root.certificate),
            ("another certificate of the root's name and key", renewed.certificate),
            ("another key under the root's name", impostor.certificate),
            ("the root's name and key, expired", expired.certificate),
            ("the intermediate", issuing.certificate),
            ("the leaf", leaf.certificate),
        ] {
            print("\(name): \(try verdict(chain, "build.corp.example", .only([anchor])))")
        }
        print("none: \(try verdict(chain, "build.corp.example", .only([])))")
    }

    static func verdict(_ chain: [Certificate], _ host: String, _ anchors: TrustAnchors) throws -> String {
        var trust = Trust(presentedChain: chain, host: try Hostname(host))
        trust.anchors = anchors
        trust.verifyDate = .at(TestAuthority.now)
        let verdict = trust.evaluate()
        guard verdict.isTrusted else { return "refused, \(verdict.failures.map(\.code.name))" }
        return "trusted, path of \(verdict.path.count)"
    }
}
