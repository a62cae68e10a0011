// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint
@testable import ServerTrustPins

@Suite struct PinCandidatesTests {
    /// A CA that two roots signed.
    struct CrossSigned {
        let old: TestAuthority
        let new: TestAuthority
        let authority: TestAuthority
        let crossed: TestAuthority
        let leaf: Certificate

        init() throws {
            old = try .root(.authority("Old Root"))
            new = try .root(.authority("New Root"))
            authority = try new.intermediate(.authority("Shared CA"))
            crossed = try authority.crossSigned(by: old)
            leaf = try authority.issue(.leaf("api.example.com", "*.cdn.example.com")).certificate
        }

        func trust(_ anchors: [Certificate]) -> Trust {
            var trust = Trust(
                insecurelyWithoutHost: PresentedChain([leaf, authority.certificate, crossed.certificate]))
            trust.settings = settings(anchors)
            return trust
        }

        func settings(_ anchors: [Certificate]) -> TrustSettings {
            var settings = TrustSettings()
            settings.anchors = .only(anchors)
            settings.verifyDate = .at(TestAuthority.now)
            return settings
        }

        var objects: [PinSource.Origin] {
            [leaf, authority.certificate, crossed.certificate].map { .certificate($0) }
        }
    }

    @Test("The search finds every valid path among the certificates") func everyValidPathIsFound() throws {
        let scene = try CrossSigned()
        let both = scene.trust([scene.old.certificate, scene.new.certificate])
        let expected = Set([
            [scene.leaf, scene.authority.certificate, scene.new.certificate],
            [scene.leaf, scene.crossed.certificate, scene.old.certificate],
        ])
        #expect(Set(both.validPaths().map(\.certificates)) == expected)
        #expect(both.validPaths(limit: 1).count == 1)
        #expect(both.validPaths(limit: 0).isEmpty)
        #expect(scene.trust([scene.old.certificate]).validPaths().map(\.anchor) == [scene.old.certificate])
        #expect(scene.trust([try PinFixture.shared().other]).validPaths().isEmpty)
        // An invalid path doesn't count.
        var later = both
        later.verifyDate = .at(TestAuthority.notAfter.advanced(by: 1))
        #expect(later.validPaths().isEmpty)
    }

    @Test("Candidates list their paths and their expected lifetime") func candidates() throws {
        let scene = try CrossSigned()
        let candidates = PinCandidates(
            scene.objects, backups: [.publicKey(try PinFixture.shared().other.subjectPublicKeyInfo)],
            settings: scene.settings([scene.old.certificate, scene.new.certificate]))
        #expect(candidates.candidates.map(\.kind) == [.leaf, .issuer, .anchor, .anchor, .key])
        #expect(candidates.candidates.map(\.stability) == [.rotates, .issuerDecides, .lasts, .lasts, .ownerDecides])
        #expect(candidates.candidates.map(\.paths.count) == [2, 2, 1, 1, 0])
        #expect(candidates.candidates.map(\.isBackup) == [false, false, false, false, true])
        #expect(candidates.crossSigned.map(Set.init) == [[scene.authority.certificate, scene.crossed.certificate]])
        #expect(candidates.hosts.map(\.description) == ["api.example.com", "*.cdn.example.com"])
        #expect(candidates.untrusted.isEmpty)
    }

    @Test("A leaf without a valid path is listed with its failure") func leafWithoutPath() throws {
        let scene = try CrossSigned()
        let candidates = PinCandidates([.certificate(scene.leaf)], settings: scene.settings([scene.old.certificate]))
        #expect(candidates.paths.isEmpty)
        #expect(candidates.untrusted.map(\.why.code) == [.unknownIssuer])
        #expect(candidates.candidates.map(\.kind) == [.leaf])
    }

    @Test(
        "The default selection suits the format",
        arguments: [
            (PinFormat.ats, false, PinSelection.issuers), (.ats, true, .leaf), (.curl, false, .leaf),
            (.okHttp, false, .all),
        ])
    func defaultSelection(_ format: PinFormat, _ hasBackup: Bool, _ selection: PinSelection) throws {
        let scene = try CrossSigned()
        let backup = try PinSource.Origin.publicKey(PinFixture.shared().other.subjectPublicKeyInfo)
        let candidates = PinCandidates(
            scene.objects, backups: hasBackup ? [backup] : [], settings: scene.settings([scene.new.certificate]))
        #expect(candidates.defaultSelection(for: format) == selection)
        let configuration = try candidates.configuration(for: candidates.hosts, selection)
        #expect(configuration.rules.first?.pins.map(\.key) == candidates.chosen(selection).map(\.pin))
    }
}
