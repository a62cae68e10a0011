// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// The linter as a whole.
@Suite struct LinterTests {
    @Test("Findings are sorted by file, line and severity") func order() {
        let text = "b.example.com $1\n**.co.uk $1\na.example.com $1"
        let row = LintRow("", .noBackup, at: [1, 2, 3], .okHttp, text)
        row.check()
        let found = PinLinter(at: TestAuthority.now).findings(in: row.source)
        let lines = found.compactMap(\.location.line)
        #expect(lines == lines.sorted())
        #expect(
            found.filter { $0.location.line == 2 }.map(\.severity)
                == found.filter { $0.location.line == 2 }.map(\.severity).sorted())
    }

    @Test("The linter checks an Info.plist with pins for the system and for TrustKit as both formats") func both()
        throws
    {
        let pin = TestPins.pin(1).description.dropFirst(7)
        let other = TestPins.pin(2).description.dropFirst(7)
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>a.example.com</key><dict><key>NSPinnedCAIdentities</key><array>
            <dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict>
            </array></dict></dict></dict>
            <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>
            <key>a.example.com</key><dict><key>TSKPublicKeyHashes</key><array>
            <string>\(pin)</string>
            <string>\(other)</string>
            </array></dict></dict></dict>
            </dict></plist>
            """
        let sources = PinLintSource.sources(reading: Array(text.utf8), file: "Info.plist")
        #expect(sources.map(\.format) == [.ats, .trustKit])
        #expect(sources.allSatisfy { $0.configuration != nil })
        let found = PinLinter(at: TestAuthority.now).findings(in: sources)
        #expect(found.contains { $0.rule == .disagreement })
        #expect(found.first { $0.rule == .noBackup }?.location.line == 4)
    }

    @Test("The linter checks each of 10,000 domains") func many() {
        let text = (0..<10_000).map { "host\($0).example.com \(TestPins.pin($0))" }.joined(separator: "\n")
        let sources = PinLintSource.sources(reading: Array(text.utf8), as: .okHttp, file: "pins")
        let found = PinLinter(at: TestAuthority.now).findings(in: sources + sources)
        #expect(found.count { $0.rule == .noBackup } == 20_000)
        #expect(!found.contains { $0.rule == .disagreement })
    }
}
