// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustLab
import Testing

/// `check --pins` and `verify --pins` with pin files.
@Suite("Pin files in check and verify", .timeLimit(.minutes(10))) struct PinFileLiveTests {
    private struct Answer: Decodable {
        let warnings: [String]
    }

    private static func android(_ host: String, _ pin: SPKIPin, until day: String = "2126-01-01", _ more: String = "")
        -> String
    {
        "<network-security-config><domain-config><domain>\(host)</domain>\(more)<pin-set expiration=\"\(day)\"><pin digest=\"SHA-256\">\(pin.description.dropFirst(7))</pin></pin-set></domain-config></network-security-config>"
    }

    @Test("check enforces a file in each format, for each host, as the format's own client does")
    func check() async throws {
        let lab = try await LabServers([.good])
        let host = lab.servers[0].host.description
        let leaf = SPKIPin(lab.servers[0].certificates.chain[0])
        let other = try SPKIPin(LintTests.pins[0])
        let another = try SPKIPin(LintTests.pins[1])
        func status(_ name: String, _ text: String, _ more: String...) throws -> Int32 {
            let file = try lab.folder.write(name, Data(text.utf8)).path
            return try lab.check(lab.names + ["--pins", file] + more).status
        }
        #expect(try status("a.xml", Self.android(host, leaf)) == 0)
        #expect(try status("b.xml", Self.android(host, other)) == 1)
        // As on Android, an expired pin set pins nothing, and other hosts aren't pinned.
        #expect(try status("c.xml", Self.android(host, other, until: "2020-01-01")) == 0)
        #expect(try status("d.xml", Self.android("other.test", other)) == 0)
        #expect(try status("e.txt", "\(host) \(leaf) \(other)") == 0)
        #expect(try status("f.txt", "\(host) \(another) \(other)") == 1)
        #expect(try status("g.txt", "sha256//\(leaf.description.dropFirst(7))") == 0)
        #expect(try status("h.txt", "sha256//\(other.description.dropFirst(7))") == 1)
        #expect(
            try status(
                "i.plist",
                "<plist><dict><key>NSPinnedDomains</key><dict><key>\(host)</key><dict><key>NSPinnedCAIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(leaf.description.dropFirst(7))</string></dict></array></dict></dict></dict></plist>"
            ) == 1, "a leaf's key doesn't match a CA pin")
        // For a file that is unreadable or in another format, the command exits with 2.
        #expect(try status("j.xml", "<network-security-config>") == 2)
        #expect(try status("k.xml", Self.android(host, leaf), "--pins-from", "okhttp") == 2)
        #expect(try status("l.xml", Self.android(host, leaf), "--pins", leaf.description) == 2)
        await lab.stop()
    }

    @Test("check reports that a file with expired pins no longer pins the host")
    func remark() async throws {
        let lab = try await LabServers([.good])
        let other = try SPKIPin(LintTests.pins[0])
        let file = try lab.folder.write(
            "a.xml", Data(Self.android(lab.servers[0].host.description, other, until: "2020-01-01").utf8)
        ).path
        let text = try lab.check(lab.names + ["--pins", file])
        #expect(text.lines.contains { $0.hasPrefix("pins:") })
        let json = try lab.check(lab.names + ["--pins", file, "--format", "json"])
        #expect(String(decoding: json.output, as: UTF8.self).contains("no longer pins the host"))
        await lab.stop()
    }

    @Test("verify enforces a file with the file's own anchors and refuses hosts that the file refuses")
    func verify() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { (folder: TemporaryFolder) throws in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try folder.write("root.pem", pem(lab.root)).path
            // The system store contains another root.
            let system = try folder.write("system.pem", pem(lab.unrelated))
            func status(_ name: String, _ text: String, _ more: [String]) throws -> Int32 {
                let file = try folder.write(name, Data(text.utf8)).path
                return try Tool.run(
                    ["verify", chain, "--pins", file, "--time", Lab.time] + more, anchors: system
                ).status
            }
            let host = ["--host", Lab.host]
            let anchored = host + ["--anchors", root]
            let other = try SPKIPin(LintTests.pins[0])
            #expect(try status("a.xml", Self.android(Lab.host, SPKIPin(lab.intermediate)), anchored) == 0)
            #expect(try status("b.xml", Self.android(Lab.host, other), anchored) == 1)
            #expect(try status("c.xml", Self.android("other.test", other), anchored) == 0)
            // The resource file next to the pin file contains the anchor.
            let anchors = "<trust-anchors><certificates src=\"@raw/root\"/></trust-anchors>"
            let pinned = Self.android(Lab.host, SPKIPin(lab.intermediate), until: "2126-01-01", anchors)
            #expect(try status("d.xml", pinned, host) == 0)
            #expect(try status("e.xml", pinned.replacing("@raw/root", with: "@raw/missing"), host) == 2)
            #expect(try status("f.xml", pinned.replacing("@raw/root", with: "@raw/../root"), host) == 2)
            let isp =
                "<plist><dict><key>other.test</key><array><data>\(lab.leaf.base64)</data></array></dict></plist>"
            #expect(try status("g.plist", isp, anchored) == 1, "a host that isn't listed is refused")
            #expect(try status("h.plist", isp.replacing("other.test", with: Lab.host), anchored) == 0)
            #expect(try status("i.xml", Self.android(Lab.host, other), []) == 64)
            #expect(try status("j.xml", Self.android(Lab.host, other), host + ["--pin", other.description]) == 64)
        }
    }

    @Test("verify enforces a signed list only with its key")
    func signedList() throws {
        let lab = try Lab.shared()
        try PinsTests.Desk.with { (desk: PinsTests.Desk) throws in
            #expect(try desk.first().status == 0)
            let chain = try desk.folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try desk.folder.write("root.pem", pem(lab.root)).path
            let verify = [
                "verify", chain, "--pins", desk.path("list.json"), "--anchors", root, "--host", Lab.host,
            ]
            #expect(try Tool.run(verify).status == 2)
            // The list's pins are for example.com and its subdomains, and none matches this chain.
            #expect(try Tool.run(verify + ["--pins-key", desk.path("safe.pub")]).status == 1)
        }
    }

    @Test("A path with a key that a signed list denies is refused, even if it matches the list's pins")
    func deniedKey() throws {
        let lab = try Lab.shared()
        try PinsTests.Desk.with { (desk: PinsTests.Desk) throws in
            let pins = try String(contentsOfFile: desk.path("pins.json"), encoding: .utf8)
                .replacing("example.com", with: Lab.host)
                .replacing(PinsTests.pin, with: SPKIPin(lab.leaf).description)
            try desk.folder.write("pins.json", Data(pins.utf8))
            let chain = try desk.folder.write("chain.pem", pem(lab.leaf, lab.intermediate)).path
            let root = try desk.folder.write("root.pem", pem(lab.root)).path
            let verify = [
                "verify", chain, "--pins", desk.path("list.json"), "--pins-key", desk.path("safe.pub"), "--anchors",
                root, "--host", Lab.host,
            ]
            #expect(try desk.first().status == 0)
            #expect(try Tool.run(verify).status == 0)
            try FileManager.default.removeItem(atPath: desk.path("list.json"))
            #expect(try desk.first("--deny", SPKIPin(lab.leaf).description).status == 0)
            let denied = try Tool.run(verify)
            #expect(denied.status == 1)
            #expect(denied.text.contains("[certificateDenied]"))
        }
    }
}
