// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("A system without a readable store")
struct UnavailableAnchorsTests {
    @Test("Anchors that include an unreadable system store refuse every server, and stay distinguishable")
    func unavailable() async {
        // Each process reads the system's store once.
        await #expect(processExitsWith: .success) {
            setenv("SSL_CERT_FILE", "/nonexistent/cert.pem", 1)
            unsetenv("SSL_CERT_DIR")
            let scene = try TrustScene()
            let added = TrustAnchors.system(adding: [scene.root.certificate])
            for anchors in [TrustAnchors.system, added] {
                let error = #expect(throws: SystemAnchorsError.self) { try anchors.store() }
                #expect(error?.code == .systemAnchorsUnreadable && error?.paths == ["/nonexistent/cert.pem"])
                #expect(throws: SystemAnchorsError.self) { try anchors.certificates }
                #expect(throws: SystemAnchorsError.self) { try anchors.count }
                let verdict = scene.trust { $0.anchors = anchors }.evaluate()
                let text = TrustFailure.Value.text(error?.description ?? "")
                #expect(verdict.failures == [TrustFailure(.systemAnchorsUnavailable, found: text)])
                #expect(!verdict.isTrusted && verdict.path == [scene.leaf])
                // A pinned leaf needs no anchors, and everything else about it is still checked.
                let pinned = try PinnedCertificatesTrustEvaluator(
                    certificates: [scene.leaf], performDefaultValidation: false)
                #expect(pinned.evaluate(scene.trust { $0.anchors = anchors }).isTrusted)
                let other = scene.trust(host: try Hostname("other.example")) { $0.anchors = anchors }
                #expect(pinned.evaluate(other).codes == [.hostMismatch, .unknownIssuer])
                let revoking = try scene.intermediate.crl { $0.revoke(scene.leaf) }
                let revoked = scene.trust { ($0.anchors, $0.revocationData.crls) = (anchors, [revoking.der]) }
                #expect(pinned.evaluate(revoked).codes.contains(.certificateRevoked))
                for (denied, isDenied) in [(scene.leaf, true), (scene.root.certificate, false)] {
                    let list = DeniedList(certificates: [denied])
                    let verdict = pinned.evaluate(scene.trust { ($0.anchors, $0.denied) = (anchors, list) })
                    #expect(verdict.isTrusted != isDenied && verdict.codes.contains(.certificateDenied) == isDenied)
                }
                #expect(anchors.includesSystem && anchors.lists.isEmpty && anchors.isSame(as: anchors))
                #expect(try anchors.distrusted().isEmpty)
            }
            #expect(!added.isSame(as: .system) && added.system == nil && !added.isSystem)
            #expect(added.adding([]).isSame(as: added) && added.adding([scene.leaf]).isSame(as: added))
            // The list of a program keeps its distrust, even if its anchors can't be read.
            let digest = Hex.encode(scene.root.certificate.sha256)
            let list = try RootList(
                Array(
                    """
                    { "schemaVersion": 1, "program": "Test", "date": "2026-11-01", "complete": false,
                      "roots": {}, "distrusted": ["\(digest)"] }
                    """.utf8))
            let distrusting = added.applying(list)
            #expect(throws: SystemAnchorsError.self) { try distrusting.store() }
            #expect(try distrusting.distrusted().count == 1 && !distrusting.isSame(as: added))
            #expect(distrusting.isSame(as: distrusting) && !distrusting.isSame(as: added.applying(list)))
            let own = distrusting.replaced(by: .only([scene.root.certificate]))
            #expect(!scene.trust { $0.anchors = own }.evaluate().isTrusted)
            #expect(scene.trust { $0.anchors = added.replaced(by: scene.anchors) }.evaluate().isTrusted)
        }
    }

    @Test("If the list that the environment names can't be read, no anchors replace the system's")
    func unreadableList() async {
        await #expect(processExitsWith: .success) {
            setenv(SystemAnchors.overlayVariable, "/nonexistent/list.json", 1)
            let scene = try TrustScene()
            for anchors in [TrustAnchors.system, .system(adding: [scene.root.certificate])] {
                let error = #expect(throws: SystemAnchorsError.self) { try anchors.distrusted() }
                #expect(error?.code == .systemAnchorsListInvalid && error?.listError != nil)
                // The list might distrust the pinned root.
                let replaced = anchors.replaced(by: scene.anchors)
                #expect(scene.trust { $0.anchors = replaced }.evaluate().codes == [.systemAnchorsUnavailable])
                // It might also distrust a pinned leaf, or a certificate of a server that needs no trust.
                let evaluators: [any TrustEvaluator] = [
                    try PinnedCertificatesTrustEvaluator(certificates: [scene.leaf], performDefaultValidation: false),
                    DisabledTrustEvaluator.insecurelyTrustingAnyServer,
                ]
                for evaluator in evaluators {
                    #expect(!evaluator.evaluate(scene.trust { $0.anchors = anchors }).isTrusted)
                }
            }
            // The system's evaluator would ignore the list.
            let verdict = scene.systemTrust(.trusting(scene.path)).evaluate()
            #expect(verdict.codes == [.systemEvaluationUnavailable])
            #expect(verdict.failures.first?.message.contains(SystemAnchors.overlayVariable) == true)
        }
    }
}
