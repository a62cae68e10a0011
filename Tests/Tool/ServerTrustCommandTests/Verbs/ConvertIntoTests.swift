// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

/// Pins that are inserted into a property list with other content.
@Suite("servertrust pins convert --into") struct ConvertIntoTests {
    private static let pins = "a.example.com \(LintTests.pins[0]) \(LintTests.pins[1])\n"
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<!-- kept -->
        	<key>CFBundleName</key>   <string>A &amp; B</string>

        """
    private static let tail = "</dict>\n</plist>\n<!-- kept too -->\n"

    private func convert(_ folder: TemporaryFolder, _ file: URL, _ arguments: [String] = []) throws -> Tool.Outcome {
        let pins = try folder.write("pins.txt", Data(Self.pins.utf8))
        return try Tool.run(
            [
                "pins", "convert", pins.path, "--to", "ats", "--allow-loss", "--into",
                file.relativePath == "-" ? "-" : file.path,
            ]
                + arguments)
    }

    @Test("convert adds the pins and keeps every other byte, the permissions and a symbolic link")
    func kept() throws {
        try TemporaryFolder.with { folder in
            let target = try folder.write("Info-real.plist", Data((Self.head + Self.tail).utf8))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
            let link = folder.url.appendingPathComponent("Info.plist")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            #expect(try convert(folder, link).status == 0)
            let text = try String(contentsOf: target, encoding: .utf8)
            #expect(text.hasPrefix(Self.head) && text.hasSuffix(Self.tail))
            #expect(text.contains("NSPinnedDomains") && text.contains("a.example.com"))
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
                    "Info-real.plist", "Info.plist", "pins.txt",
                ])
            #expect(try Tool.run(["pins", "why", link.path, "a.example.com"]).status == 0)
            // The second run changes nothing.
            #expect(try convert(folder, link).status == 0)
            #expect(try String(contentsOf: target, encoding: .utf8) == text)
        }
    }

    @Test("A host that only the file pins counts as a loss, and convert doesn't accept - as a file") func hostsLost()
        throws
    {
        try TemporaryFolder.with { folder in
            let file = try folder.write("Info.plist", Data((Self.head + Self.tail).utf8))
            #expect(try convert(folder, file).status == 0)
            let before = try Data(contentsOf: file)
            let pins = try folder.write("other.txt", Data(Self.pins.replacing("a.ex", with: "b.ex").utf8))
            // OkHttp's pins match at any position in the path. The certificates determine which position.
            let trustKit = try Tool.run(["pins", "convert", pins.path, "--to", "trustkit", "--allow-loss"])
            let source = try folder.write("other.plist", trustKit.output)
            let arguments = [
                "pins", "convert", source.path, "--from", "trustkit", "--to", "trustkit", "--into", file.path,
            ]
            let added = try Tool.run(arguments)
            #expect(added.status == 0, "\(added.errors)")
            let third = try folder.write(
                "third.plist",
                try Tool.run([
                    "pins", "convert", try folder.write("third.txt", Data(Self.pins.utf8)).path, "--to", "trustkit",
                    "--allow-loss",
                ]).output)
            let withBoth = try Data(contentsOf: file)
            #expect(withBoth != before)
            let lost = try Tool.run([
                "pins", "convert", third.path, "--from", "trustkit", "--to", "trustkit", "--into", file.path,
            ])
            #expect(lost.status == 1 && lost.errors.contains("b.example.com"))
            #expect(try Data(contentsOf: file) == withBoth)
            #expect(try convert(folder, URL(fileURLWithPath: "-")).status == 64)
        }
    }

    @Test(
        "convert doesn't change a file that it can't read or that has no unambiguous place for the pins",
        arguments: [
            head + "\t<key>NSAppTransportSecurity</key><dict/>\n\t<key>NSAppTransportSecurity</key><dict/>\n" + tail,
            head, "bplist00", "{}", "",
        ])
    func refused(_ text: String) throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("Info.plist", Data(text.utf8))
            let outcome = try convert(folder, file)
            #expect(outcome.status != 0 && !outcome.errors.isEmpty)
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }
}
