// SPDX-License-Identifier: Apache-2.0

import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinLint

/// Damages files with comments that accept findings, and baselines.
@Suite struct AcceptanceMutationTests {
    /// A random generator with a fixed seed (xorshift64).
    private struct Numbers {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
    }

    private static let tokens = [
        "<!--", "-->", "<![CDATA[", "]]>", "servertrust:ignore pins/no-backup", "servertrust:ignore", "tools:ignore=\"",
        "\"", "'",
        "[", "}", "{", "\n", "<key>", "</dict>", "/>", "\\", "//", "#", "\u{0}", "\u{feff}", "\r", ":", ",", "<?", "?>",
        "<a ",
    ].map { Array($0.utf8) }

    static let files: [String] = [
        LintRow.android(
            "<!-- servertrust:ignore pins/no-backup:a.example.com reason -->",
            LintRow.domain("a.example.com", below: false, 1),
            "<domain-config><domain>b.example.com</domain><pin-set tools:ignore=\"MissingBackupPin\"><pin digest=\"SHA-256\">\(TestPins.pin(2).description.dropFirst(7))</pin></pin-set></domain-config>"
        ).replacing("<network-security-config>", with: "<network-security-config xmlns:tools=\"t\">"),
        """
        <plist version="1.0"><dict><key>NSPinnedDomains</key><dict>
        <!-- servertrust:ignore pins/no-backup -->
        <key>a.example.com</key><dict><key>NSPinnedCAIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(TestPins.pin(1).description.dropFirst(7))</string></dict>
        </array></dict></dict></dict></plist>
        """,
        LintRow.json(
            LintRow.rule(
                "a.example.com", LintRow.pin(1), other: ", \"comment\": \"servertrust:ignore pins/no-backup: reason\"")),
        "# servertrust:ignore pins/no-backup\na.example.com \(TestPins.pin(1))\nb.example.com \(TestPins.pin(2)) // servertrust:ignore hosts/public-suffix\n",
        "val p = CertificatePinner.Builder()\n    /* servertrust:ignore pins/no-backup */\n    .add(\n        \"a.example.com\", \"\(TestPins.pin(1))\")\n    .build()\n",
    ]

    @Test(
        "A damaged file accepts only findings that a comment in it names", .timeLimit(.minutes(10)), arguments: files)
    func comments(_ text: String) {
        var numbers = Numbers(state: 0x9e37_79b9_7f4a_7c15)
        let linter = PinLinter(at: TestAuthority.now)
        var accepted = 0
        for _ in 0..<1_500 {
            var bytes = Array(text.utf8)
            for _ in 0...numbers.next(3) { Self.damage(&bytes, &numbers) }
            _ = PinFormat.formats(foundIn: bytes)
            for finding in linter.findings(in: PinLintSource.sources(reading: bytes, file: "pins"))
            where finding.isAccepted {
                accepted += 1
                #expect(finding.rule.isAcceptable && !finding.isFailure)
                #expect(["pins/no-backup", "hosts/public-suffix"].contains(finding.rule.id))
            }
        }
        // Most files are still readable after some of the damage.
        #expect(accepted > 0)
    }

    @Test("A damaged baseline is refused or accepts only the findings it lists", .timeLimit(.minutes(10)))
    func baselines() {
        var numbers = Numbers(state: 88_172_645_463_325_252)
        let source = LintRow("", .noBackup, at: [], .okHttp, "a.example.com $1\nb.example.com $2").source
        let found = PinLinter(at: TestAuthority.now).findings(in: source)
        let text = FindingBaseline(found, keepingReasonsOf: nil) { $0 }.json()
        for _ in 0..<3_000 {
            var bytes = text
            Self.damage(&bytes, &numbers)
            guard let baseline = try? FindingBaseline(json: bytes) else { continue }
            var again = found
            _ = baseline.accept(&again) { $0 }
            for finding in again where finding.isAccepted {
                #expect(baseline.entries.contains { $0.id == finding.rule.id && $0.hosts == finding.subject })
            }
        }
    }

    private static func damage(_ bytes: inout [UInt8], _ numbers: inout Numbers) {
        guard !bytes.isEmpty else { return }
        let offset = numbers.next(bytes.count)
        switch numbers.next(5) {
        case 0: bytes[offset] = UInt8(numbers.next(256))
        case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + numbers.next(20)))
        case 2: bytes.insert(contentsOf: tokens[numbers.next(tokens.count)], at: offset)
        case 3: bytes.removeLast(bytes.count - offset)
        default:
            bytes.insert(contentsOf: Array(bytes[offset...].prefix(numbers.next(40))), at: numbers.next(bytes.count))
        }
    }
}
