// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import Testing

@testable import Diagnosis

@Suite("Path trees")
struct PathTreeTests {
    @Test("No line of the tree exceeds the width, whatever the names", arguments: ReportScene.all, [40, 60, 80])
    func width(_ scene: ReportScene, _ width: Int) {
        for usesLines in [true, false] {
            for line in PathTree(scene.report, width: width, usesLines: usesLines).lines() {
                #expect(line.count <= width)
            }
        }
    }

    @Test("Without UTF-8, the tree contains only ASCII")
    func ascii() throws {
        for scene in [try ReportScene.crossSigned.get(), try ReportScene.expired.get()] {
            for line in PathTree(scene.report, usesLines: false).lines() {
                #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
            }
        }
    }

    @Test("The tree shows two paths from one leaf as two branches")
    func branches() throws {
        let lines = PathTree(try ReportScene.crossSigned.get().report, usesLines: true).lines()
        #expect(lines.count == 5)
        #expect(lines.map { String($0.prefix(5)) } == ["www.e", "├─ Cr", "│  └─", "└─ Cr", "   └─"])
    }

    @Test("The tree shows a failure next to its certificate and a missing issuer where it belongs")
    func failures() throws {
        let expired = PathTree(try ReportScene.expired.get().report, usesLines: true).lines()
        #expect(expired.first?.hasSuffix("✗ certificateExpired") == true)
        let missing = PathTree(try ReportScene.withoutIntermediate.get().report, usesLines: true).lines()
        #expect(missing.last?.hasSuffix("✗ unknownIssuer") == true)
        let forged = PathTree(try ReportScene.forged.get().report, usesLines: true).lines()
        #expect(forged[1].hasSuffix("✗ signatureInvalid"))
        // The anchor isn't the cause of the failure.
        let misspinned = PathTree(try ReportScene.misspinned.get().report, usesLines: true).lines()
        #expect(misspinned.last?.hasSuffix("✗ whole path: pinNotMatched") == true)
        #expect(PathTree(try ReportScene.empty.get().report, usesLines: true).lines().isEmpty)
    }
}
