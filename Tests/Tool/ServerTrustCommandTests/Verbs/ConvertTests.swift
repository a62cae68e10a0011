// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ConvertTests {
    static let pins = (1...3).map { number in Data((0..<32).map { UInt8($0 + number) }).base64EncodedString() }
    static let okHttp = "**.example.com sha256/\(pins[0]) sha256/\(pins[1])\n"
    static let ats = """
        <plist version="1.0"><dict><key>CFBundleName</key><string>App</string><key>NSAppTransportSecurity</key><dict>
        <key>NSPinnedDomains</key><dict><key>example.com</key><dict><key>NSIncludesSubdomains</key><true/>
        <key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pins[0])</string></dict></array>
        </dict></dict></dict></dict></plist>
        """

    @Test("A conversion without loss writes the file") func withoutLossTheFileIsWritten() throws {
        let outcome = try Tool.run(["pins", "convert", "-", "--to", "android"], input: Data(Self.okHttp.utf8))
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.text.contains("<domain includeSubdomains=\"true\">example.com</domain>"))
        // Converting back returns the original.
        let back = try Tool.run(["pins", "convert", "-", "--to", "okhttp"], input: outcome.output)
        #expect(back.status == 0)
        #expect(back.text.contains(".add(\"**.example.com\", \"sha256/\(Self.pins[1])\")"))
    }

    @Test("A conversion with a loss writes nothing") func withALossNothingIsWritten() throws {
        try TemporaryFolder.with { folder in
            let output = folder.url.appendingPathComponent("out.xml").path
            let arguments = ["pins", "convert", "-", "--to", "android", "--output", output]
            let refused = try Tool.run(arguments, input: Data(Self.ats.utf8))
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.errors.contains("[hostsPinnedToo]") && refused.errors.contains("*.*.example.com"))
            #expect(!FileManager.default.fileExists(atPath: output))
            let allowed = try Tool.run(arguments + ["--allow-loss"], input: Data(Self.ats.utf8))
            #expect(allowed.status == 0)
            #expect(allowed.errors.contains("[hostsPinnedToo]"))
            #expect(try String(contentsOfFile: output, encoding: .utf8).contains("example.com"))
        }
    }

    @Test("convert replaces an existing file only with --force") func nothingIsOverwrittenUnlessForced() throws {
        try TemporaryFolder.with { folder in
            let output = try folder.write("out", Data("precious".utf8))
            let arguments = ["pins", "convert", "-", "--to", "json", "--output", output.path]
            let refused = try Tool.run(arguments, input: Data(Self.okHttp.utf8))
            #expect(refused.status == 2)
            #expect(try Data(contentsOf: output) == Data("precious".utf8))
            #expect(try Tool.run(arguments + ["--force"], input: Data(Self.okHttp.utf8)).status == 0)
            #expect(try Data(contentsOf: output) != Data("precious".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["out"])
        }
    }

    @Test("convert reports all problems in a file") func everythingThatIsWrongWithAFileIsTold() throws {
        let outcome = try Tool.run(
            ["pins", "convert", "-", "--to", "json"], input: Data("a.test sha256/AAAA\n*b.test sha256/?\n".utf8))
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("standard input:1: a.test[0]: ") && outcome.errors.contains("[wrongLength]"))
        #expect(outcome.errors.contains("standard input:2: *b.test: ") && outcome.errors.contains("[badHost]"))
    }

    @Test("A file with pins in two formats needs --from") func aFileWithPinsInTwoFormatsNeedsToBeTold() throws {
        let both = Self.ats.replacing(
            "<key>CFBundleName</key>",
            with: "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict/></dict><key>CFBundleName</key>")
        #expect(try Tool.run(["pins", "convert", "-", "--to", "json"], input: Data(both.utf8)).status == 2)
        #expect(
            try Tool.run(["pins", "convert", "-", "--to", "json", "--from", "ats"], input: Data(both.utf8)).status == 0)
    }

    @Test("A conversion to curl requires exactly one host") func curlNeedsAHost() throws {
        let two = Data((Self.okHttp + "example.org sha256/\(Self.pins[2])\n").utf8)
        #expect(try Tool.run(["pins", "convert", "-", "--to", "curl"], input: two).status == 1)
        let one = try Tool.run(
            ["pins", "convert", "-", "--to", "curl", "--host", "example.org", "--allow-loss"], input: two)
        #expect(one.status == 0)
        #expect(one.text == "sha256//\(Self.pins[2])\n")
        let back = try Tool.run(["pins", "convert", "-", "--to", "ats", "--host", "example.org"], input: one.output)
        #expect(back.status == 0)
    }

    @Test(
        "An invalid convert option causes a usage error",
        arguments: [
            ["pins", "convert"], ["pins", "convert", "x"], ["pins", "convert", "x", "--to", "plist"],
            ["pins", "convert", "x", "--to", "okhttp", "--binary"],
            ["pins", "convert", "x", "--to", "ats", "--as-json"], ["pins", "convert", "x", "--to", "ats", "--force"],
            ["pins", "convert", "x", "--to", "curl", "--host", "a b"],
        ])
    func wrongUsage(_ arguments: [String]) throws { #expect(try Tool.run(arguments).status == 64) }

    @Test("If a file is missing, convert exits with 2") func aMissingFileIsNoAnswer() throws {
        #expect(try Tool.run(["pins", "convert", "/nonexistent/pins", "--to", "json"]).status == 2)
    }
}
