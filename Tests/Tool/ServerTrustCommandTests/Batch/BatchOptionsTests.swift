// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Options of `verify --batch` combined with row keys.
@Suite("Options and row keys") struct BatchOptionsTests {
    @Test("A row can't use anchors that OpenSSL trust settings exclude for its purpose")
    func purposes() throws {
        try InputFormatTests.Scene.with { scene in
            let root = try scene.file("plain", pem(scene.lab.root))
            let trusted = scene.folder.url.appendingPathComponent("trusted").path
            try Openssl.expectSuccess([
                "x509", "-in", root, "-addtrust", "serverAuth", "-addreject", "clientAuth", "-trustout", "-out",
                trusted,
            ])
            for (purpose, expected) in [
                ("serverAuth", "row trusted "), ("clientAuth", "row unreadable requestValueInvalid"),
            ] {
                let line = try BatchLine(scene.lab, ["anchors": .absent, "purpose": .string(purpose)]).data()
                let outcome = try Tool.run(["verify", "--batch", "--short", "--anchors", trusted], input: line)
                #expect(outcome.lines.first?.replacing("\t", with: " ").hasPrefix(expected) == true, "\(outcome)")
            }
        }
    }

    @Test("Timestamp options apply to JSON lines, to tables, and to rows that only name a policy")
    func timestamps() throws {
        let site = try BatchTransparencyTests.Site.shared.get()
        try TemporaryFolder.with { folder in
            let list = try folder.write("logs.json", Data(site.list)).path
            let root = try folder.write("root.pem", pem(site.root)).path
            let options = [
                "verify", "--batch", "--anchors", root, "--time", Lab.time, "--ct-logs", list, "--ct-any-age",
            ]
            func line(_ more: String) -> Data {
                let chain = "[\"\(site.single.base64)\",\"\(site.issuer.base64)\"]"
                return Data("{\"id\":\"a\",\"host\":\"\(Lab.host)\",\"chain\":\(chain)\(more)}\n".utf8)
            }
            let reported = try Tool.run(options + ["--input", "ndjson"], input: line(""))
            #expect(reported.text.contains("\"ct\":{") && reported.text.contains("\"verdict\":\"trusted\""))
            let named = line(",\"ct\":{\"policy\":\"mozilla\"}")
            #expect(try Tool.run(options, input: named).text.contains("\"verdict\":\"trusted\""))
            #expect(
                try Tool.run(options + ["--ct", "require"], input: named).text.contains("\"verdict\":\"rejected\""))
        }
    }
}
