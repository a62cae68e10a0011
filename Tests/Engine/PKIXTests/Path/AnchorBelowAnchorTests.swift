// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

/// Stores that contain a CA and the root that certified it.
@Suite("Anchors below anchors")
struct AnchorBelowAnchorTests {
    private let chain: TestChain
    private let leaf: Certificate
    private var root: Certificate { chain.root.certificate }
    private var intermediate: Certificate { chain.intermediate.certificate }

    init() throws {
        chain = try TestChain()
        leaf = try chain.leaf()
    }

    /// Accepts a path only if it contains this certificate.
    private func wants(_ certificate: Certificate) -> (ValidatedPath) -> [TrustFailure] {
        { $0.certificates.contains(certificate) ? [] : [TrustFailure(.unknownIssuer)] }
    }

    private func path(
        anchors: [Certificate], presented: [Certificate]? = nil, wanting certificate: Certificate?,
        policy: ValidationPolicy = ValidationPolicy()
    ) throws -> [Certificate]? {
        try validate(
            leaf, presented ?? [intermediate], anchors: anchors, policy: policy,
            additionalChecks: certificate.map { wants($0) }
        ).path?.certificates
    }

    @Test(
        "A pin on the leaf, intermediate or root matches, whether the root, the intermediate or both are anchors, in either order"
    )
    func pins() throws {
        for anchors in [[root], [intermediate, root], [root, intermediate]] {
            for pinned in [leaf, intermediate, root] {
                for presented in [[], [intermediate], [intermediate, root]] {
                    guard anchors.count > 1 || !presented.isEmpty else { continue }
                    let found = try path(anchors: anchors, presented: presented, wanting: pinned)
                    #expect(found?.contains(pinned) == true)
                }
            }
        }
    }

    @Test("A pin above a self-issued anchor matches if another key signed that anchor")
    func selfIssued() throws {
        // The CA's certificate for its new key, signed by its old key.
        let new = try chain.root.intermediate(.authority("Test Root"))
        let leaf = try new.issue(.leaf("www.example.com")).certificate
        #expect(new.certificate.isSelfIssued && !new.certificate.isSelfSigned)
        for anchors in [[new.certificate, root], [root, new.certificate]] {
            #expect(try validate(leaf, [], anchors: anchors).path?.certificates == [leaf, new.certificate])
            let pinned = try validate(leaf, [], anchors: anchors, additionalChecks: wants(root))
            #expect(pinned.path?.certificates == [leaf, new.certificate, root])
        }
        // A self-signed root doesn't issue another root with the same name.
        let other = try TestAuthority.root(.authority("Test Root"))
        let alone = try validate(
            try other.issue(.leaf("www.example.com")).certificate, [], anchors: [other.certificate, root],
            additionalChecks: wants(root))
        #expect(alone.rejection?.paths.allSatisfy { $0.certificates.count == 2 } == true)
    }

    @Test("Without a requirement, the path still ends at the nearest anchor, in as many steps as with that anchor only")
    func nearest() throws {
        #expect(try path(anchors: [root, intermediate], wanting: nil) == [leaf, intermediate])
        #expect(try path(anchors: [root, intermediate], wanting: intermediate) == [leaf, intermediate])
        let alone = PathValidator(anchors: AnchorStore([intermediate]), memory: nil)
            .measured(leaf, presented: [intermediate], host: nil, at: TestAuthority.now).meter
        let both = PathValidator(anchors: AnchorStore([intermediate, root]), memory: nil)
            .measured(leaf, presented: [intermediate], host: nil, at: TestAuthority.now).meter
        #expect(alone.steps == both.steps)
        #expect(alone.signatures == both.signatures)
    }

    @Test("If no path meets a requirement, the refusal reports every path")
    func unmet() throws {
        let unrelated = try TestChain().root.certificate
        let found = try validate(
            leaf, [intermediate], anchors: [intermediate, root], additionalChecks: wants(unrelated))
        #expect(!found.isValid)
        #expect(found.rejection?.paths.map(\.certificates.count).sorted() == [2, 3])
    }

    @Test("The engine checks signatures, dates and constraints above the anchor too")
    func checksAbove() throws {
        // A root with the same name that didn't sign the intermediate.
        let impostor = try TestAuthority.root(.authority("Test Root")).certificate
        #expect(try path(anchors: [intermediate, impostor], wanting: impostor) == nil)
        // The root isn't an anchor, so no path can reach it.
        #expect(try path(anchors: [intermediate], presented: [intermediate, root], wanting: root) == nil)
        // The root's path length applies to the whole path.
        let narrow = try TestAuthority.root(.authority("Narrow").with { $0.maximumPathLength = 0 })
        let below = try narrow.intermediate(.authority("Below"))
        let own = try below.issue(.leaf("www.example.com")).certificate
        let wants = wants(narrow.certificate)
        let outcome = try validate(
            own, [], anchors: [below.certificate, narrow.certificate], additionalChecks: wants)
        #expect(outcome.allCodes.contains(.pathLengthExceeded))
    }

    @Test("Several anchors can be above each other")
    func several() throws {
        let middle = try chain.intermediate.intermediate(.authority("Lower"))
        let end = try middle.issue(.leaf("www.example.com")).certificate
        let all = [middle.certificate, intermediate, root]
        for anchors in [all, all.reversed(), [root, middle.certificate, intermediate]] {
            for pinned in all {
                let found = try validate(end, anchors: anchors, additionalChecks: wants(pinned)).path
                #expect(found?.certificates.contains(pinned) == true)
            }
        }
    }

    @Test("The search terminates if two anchors certify each other")
    func circle() throws {
        let a = try TestAuthority.root(.authority("A"))
        let b = try TestAuthority.root(.authority("B"))
        let crossA = try a.crossSigned(by: b).certificate
        let crossB = try b.crossSigned(by: a).certificate
        let leaf = try a.issue(.leaf("www.example.com")).certificate
        let found = try validate(
            leaf, [], anchors: [crossA, crossB], additionalChecks: wants(try TestChain().root.certificate))
        #expect(!found.isValid)
    }
}
