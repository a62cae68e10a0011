// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// The members of `verify --format json` that a ``TrustVerdict`` doesn't decode.
private struct Report: Decodable {
    struct Member: Decodable {
        var index: Int
        var role: String
        var sha256: String
        var pin: String
    }
    var schemaVersion: Int
    var verdict: String
    var extendedValidation: Bool
    var organization: String?
    var path: [Member]
}

@Suite struct VerifyTests {
    /// The files in a folder, the arguments with `FOLDER` for its path, and the expected outcome.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var files: @Sendable (Lab) -> [String: Data]
        var arguments: [String]
        var input: @Sendable (Lab) -> Data = { _ in Data() }
        var status: Int32
        var codes: [String] = []
        var result: String
        /// The roles of the path in the report.
        var roles: [String]

        init(
            _ name: String, _ arguments: [String], status: Int32, _ result: String, codes: [String] = [],
            roles: [String] = ["leaf", "intermediate", "anchor"],
            input: @escaping @Sendable (Lab) -> Data = { _ in Data() },
            files: @escaping @Sendable (Lab) -> [String: Data]
        ) {
            self.testDescription = name
            self.arguments = arguments
            self.status = status
            self.result = result
            self.codes = codes
            self.roles = roles
            self.input = input
            self.files = files
        }
    }

    private static let anchors = ["--anchors", "FOLDER/root.pem"]
    private static let host = ["--host", Lab.host]

    static let rows: [Row] = [
        Row(
            "an unreadable issuer in the file", ["FOLDER/chain.pem"] + host + anchors, status: 1,
            "recoverableFailure", codes: ["issuerUnreadable", "unknownIssuer"], roles: ["leaf"]
        ) { lab in
            // An extra byte after the signature, included in the outer length.
            var der = lab.intermediate.der + [0]
            (der[2], der[3]) = (UInt8((der.count - 4) >> 8), UInt8((der.count - 4) & 0xff))
            let issuer = Data(PEM.encode(der, label: "CERTIFICATE").utf8)
            return ["chain.pem": pem(lab.leaf) + issuer, "root.pem": pem(lab.root)]
        },
        Row("a good chain in one PEM file", ["FOLDER/chain.pem"] + host + anchors, status: 0, "unspecified") {
            ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root)]
        },
        Row(
            "several files form one chain, including DER", ["FOLDER/leaf.der", "FOLDER/ca.pem"] + host + anchors,
            status: 0, "unspecified"
        ) { ["leaf.der": Data($0.leaf.der), "ca.pem": pem($0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "a chain on standard input", ["-"] + host + anchors, status: 0, "unspecified",
            input: { pem($0.leaf, $0.intermediate) }
        ) { ["root.pem": pem($0.root)] },
        Row(
            "DER on standard input, and the intermediate from a file",
            ["-", "--intermediates", "FOLDER/ca.pem"] + host + anchors, status: 0, "unspecified",
            input: { Data($0.leaf.der) }
        ) { ["root.pem": pem($0.root), "ca.pem": pem($0.intermediate)] },
        Row(
            "anchors on standard input", ["FOLDER/chain.pem", "--anchors", "-"] + host, status: 0, "unspecified",
            input: { pem($0.root) }
        ) { ["chain.pem": pem($0.leaf, $0.intermediate)] },
        Row(
            "anchors from two files", ["FOLDER/chain.pem", "--anchors", "FOLDER/other.pem"] + host + anchors, status: 0,
            "unspecified"
        ) { ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root), "other.pem": pem($0.unrelated)] },
        Row(
            "out of order, with text and an unrelated certificate in between", ["FOLDER/chain.pem"] + host + anchors,
            status: 0,
            "unspecified"
        ) {
            [
                "chain.pem": pem($0.leaf, $0.root) + Data("some words\n".utf8) + pem($0.unrelated, $0.intermediate),
                "root.pem": pem($0.root),
            ]
        },
        Row(
            "the leaf is its own anchor", ["FOLDER/leaf.pem", "--anchors", "FOLDER/leaf.pem"] + host, status: 0,
            "unspecified", roles: ["leaf"]
        ) { ["leaf.pem": pem($0.selfSigned)] },
        Row(
            "an IP address among the names", ["FOLDER/chain.pem", "--host", "[2001:db8::1]"] + anchors, status: 0,
            "unspecified"
        ) { ["chain.pem": pem($0.address, $0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "verify ignores an unreadable intermediate", ["FOLDER/chain.pem"] + host + anchors, status: 0,
            "unspecified"
        ) {
            [
                "chain.pem": pem($0.leaf)
                    + Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
                    + pem($0.intermediate),
                "root.pem": pem($0.root),
            ]
        },
        Row(
            "another host", ["FOLDER/chain.pem", "--host", "www.example.com"] + anchors, status: 1,
            "recoverableFailure",
            codes: ["hostMismatch"]
        ) { ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "verify reports all failures, not only the first", ["FOLDER/chain.pem"] + host + anchors, status: 1,
            "recoverableFailure", codes: ["certificateExpired", "hostMismatch"]
        ) { ["chain.pem": pem($0.expired, $0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "the intermediate is missing", ["FOLDER/chain.pem"] + host + anchors, status: 1, "recoverableFailure",
            codes: ["unknownIssuer"], roles: ["leaf"]
        ) { ["chain.pem": pem($0.leaf), "root.pem": pem($0.root)] },
        Row(
            "another root", ["FOLDER/chain.pem"] + host + anchors, status: 1, "recoverableFailure",
            codes: ["untrustedRoot"], roles: ["leaf", "intermediate", "intermediate"]
        ) { ["chain.pem": pem($0.leaf, $0.intermediate, $0.root), "root.pem": pem($0.unrelated)] },
        Row(
            "another purpose", ["FOLDER/chain.pem", "--purpose", "clientAuth"] + anchors, status: 1,
            "recoverableFailure", codes: ["extendedKeyUsageNotAllowed"]
        ) { ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "no intermediate allowed", ["FOLDER/chain.pem", "--maximum-intermediates", "0"] + host + anchors,
            status: 1, "recoverableFailure", codes: ["maximumIntermediatesExceeded"]
        ) { ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root)] },
        Row(
            "a pin that matches no key of the path",
            ["FOLDER/chain.pem", "--pin", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] + host + anchors,
            status: 1, "fatalFailure", codes: ["pinNotMatched"]
        ) { ["chain.pem": pem($0.leaf, $0.intermediate), "root.pem": pem($0.root)] },
    ]

    @Test("verify reports the expected verdict and exit code", arguments: rows) func evaluates(_ row: Row) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            for (name, data) in row.files(lab) { try folder.write(name, data) }
            let arguments = row.arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
            let outcome = try Tool.run(
                ["verify"] + arguments + ["--time", Lab.time, "--format", "json"], input: row.input(lab))
            #expect(outcome.status == row.status)
            let reports = try outcome.json([Report].self)
            let report = try #require(reports.first)
            let verdict = try #require(try outcome.json([TrustVerdict].self).first)
            #expect(reports.count == 1)
            #expect(report.schemaVersion == 1)
            #expect(report.verdict == (row.status == 0 ? "trusted" : "rejected"))
            #expect(report.path.map(\.role) == row.roles)
            #expect(verdict.result.rawValue == row.result)
            #expect(verdict.evaluationDate.description == Lab.time)
            #expect(verdict.failures.map(\.code.name) == row.codes)
            #expect(verdict.notChecked.contains(.revocation))
            #expect(verdict.notChecked.contains(.identity) == !row.arguments.contains("--host"))

            let text = try Tool.run(["verify"] + arguments + ["--time", Lab.time], input: row.input(lab))
            #expect(text.status == row.status)
            #expect(text.text.hasPrefix(row.status == 0 ? "OK " : "FAIL "))
            for code in row.codes { #expect(text.text.contains("[\(code)]")) }
            #expect(!text.text.contains("\u{1b}"))
        }
    }

    @Test("A name mismatch reports both sides") func bothSidesOfAMismatchAreTold() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let outcome = try Tool.run([
                "verify", chain.path, "--host", "other.example.com", "--anchors", anchors.path, "--time", Lab.time,
                "--format", "json",
            ])
            let failure = try #require(try outcome.json([TrustVerdict].self).first?.headline)
            #expect(failure.certificate == 0)
            #expect(failure.role == .leaf)
            #expect(failure.expected == .text("other.example.com"))
            #expect(failure.found == .list(["api.example.com"]))
        }
    }

    @Test("A CA pin matches the validated path") func aPinOfTheCAIsInThePath() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let outcome = try Tool.run([
                "verify", chain.path, "--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time, "--pin",
                SPKIPin(lab.intermediate).description, "--format", "json",
            ])
            #expect(outcome.status == 0)
            let path = try #require(try outcome.json([Report].self).first?.path)
            let pin = try #require(try outcome.json([TrustVerdict].self).first?.matchedPin)
            #expect(pin.certificate == 1)
            #expect(!pin.isBackup)
            #expect(path.map(\.sha256) == [lab.leaf, lab.intermediate, lab.root].map(\.hexDigest))
            #expect(path.map(\.pin) == [lab.leaf, lab.intermediate, lab.root].map { SPKIPin($0).description })
        }
    }

    @Test("A pin outside its scope doesn't match, and the report marks a matched backup pin")
    func scopesAndBackups() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let arguments = [
                "verify", chain.path, "--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time, "--format",
                "json", "--pin", SPKIPin(lab.unrelated).description, "--backup-pin",
                SPKIPin(lab.intermediate).description,
            ]
            let outside = try Tool.run(arguments + ["--pin-scope", "leaf"])
            #expect(outside.status == 1)
            #expect(try outside.json([TrustVerdict].self).first?.headline?.code == .pinNotMatched)
            let inside = try Tool.run(arguments + ["--pin-scope", "authority"])
            #expect(inside.status == 0)
            #expect(try inside.json([TrustVerdict].self).first?.matchedPin?.isBackup == true)
        }
    }

    @Test("verify reports extended validation and requires it with --ev")
    func extendedValidation() throws {
        let lab = try Lab.shared()
        let policies = Extension(
            // SEQUENCE { SEQUENCE { OID 2.23.140.1.1 } }
            identifier: try #require(OID("2.5.29.32")), isCritical: false,
            value: [0x30, 0x09, 0x30, 0x07, 0x06, 0x05, 0x67, 0x81, 0x0c, 0x01, 0x01])
        let root = try TestAuthority.root()
        let authority = try root.intermediate(.authority("EV CA").with { $0.extensions = [policies] })
        let leaf = try authority.issue(
            .leaf(Lab.host).with {
                $0.organization = "Example, Inc."
                $0.extensions = [policies]
            })
        try TemporaryFolder.with { folder in
            let good = try folder.write("good.pem", pem(leaf.certificate, authority.certificate))
            let plain = try folder.write("plain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("roots.pem", pem(root.certificate, lab.root))
            let options = ["--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time, "--format", "json"]
            let asserted = try Tool.run(["verify", good.path, "--ev"] + options)
            #expect(asserted.status == 0)
            let report = try #require(try asserted.json([Report].self).first)
            #expect(report.extendedValidation)
            #expect(report.organization == "Example, Inc.")
            let missing = try Tool.run(["verify", plain.path, "--ev"] + options)
            #expect(missing.status == 1)
            #expect(try missing.json([TrustVerdict].self).first?.headline?.code == .extendedValidationMissing)
            #expect(
                try Tool.run(["verify", plain.path] + options).json([Report].self).first?.extendedValidation == false)
        }
    }

    @Test("verify applies Apple's rules, each from its date, with --apple")
    func apple() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf(Lab.host).with { $0.extendedKeyUsage = nil })
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(leaf.certificate))
            let anchors = try folder.write("root.pem", pem(root.certificate))
            let options = ["--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time, "--format", "json"]
            #expect(try Tool.run(["verify", chain.path] + options).status == 0)
            let refused = try Tool.run(["verify", chain.path, "--apple"] + options)
            #expect(refused.status == 1)
            let verdict = try #require(try refused.json([TrustVerdict].self).first)
            #expect(verdict.failures.map(\.code) == [.extendedKeyUsageNotAllowed])
        }
    }

    @Test("verify applies an exception only to its certificate and its host")
    func exceptions() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let expired = try folder.write("expired.pem", pem(lab.expired, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let file = folder.url.appendingPathComponent("exceptions.json")
            func run(_ host: String, _ more: [String] = []) throws -> (status: Int32, verdict: TrustVerdict?) {
                let outcome = try Tool.run(
                    [
                        "verify", expired.path, "--host", host, "--anchors", anchors.path, "--time", Lab.time,
                        "--format", "json", "--exceptions", file.path,
                    ] + more)
                return (outcome.status, try outcome.json([TrustVerdict].self).first)
            }
            #expect(try run("www.example.com").status == 1)
            let agreed = try run("www.example.com", ["--add-exception", "--exception-days", "30"])
            #expect(agreed.status == 0)
            #expect(agreed.verdict?.result == .proceed)
            #expect(agreed.verdict?.excused.map(\.code) == [.certificateExpired])
            #expect(try run("www.example.com").status == 0)
            // The exception doesn't apply to another host or another failure.
            #expect(try run("api.example.com").verdict?.result == .recoverableFailure)
            #expect(
                try run("www.example.com", ["--pin", SPKIPin(lab.unrelated).description]).verdict?.result
                    == .fatalFailure)
            // Fatal failures can't become exceptions.
            let before = try Data(contentsOf: file)
            let pinned = try run("www.example.com", ["--pin", SPKIPin(lab.unrelated).description, "--add-exception"])
            #expect(pinned.status == 1)
            #expect(try Data(contentsOf: file) == before)
            // An expired exception has no effect.
            let later = TestAuthority.now.advanced(by: 31 * 86_400).description
            let late = try Tool.run([
                "verify", expired.path, "--host", "www.example.com", "--anchors", anchors.path, "--time", later,
                "--exceptions", file.path,
            ])
            #expect(late.status == 1)
        }
    }

    @Test("If an exceptions file is invalid, verify exits with 2 and doesn't change the file")
    func malformedExceptions() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let file = try folder.write("exceptions.json", Data("{}".utf8))
            let outcome = try Tool.run([
                "verify", chain.path, "--host", "other.example.com", "--anchors", anchors.path, "--time", Lab.time,
                "--exceptions", file.path, "--add-exception",
            ])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(file.path))
            #expect(try Data(contentsOf: file) == Data("{}".utf8))
        }
    }

    /// A chain under an untrusted root, and the remedy that fits it.
    struct PrivateCA: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// l leaf, p leaf with the address of its issuer, i intermediate, r root.
        var presented: String
        var isAnchorAdvised: Bool
    }

    static let privateCAs: [PrivateCA] = [
        PrivateCA(testDescription: "complete, with the root", presented: "lir", isAnchorAdvised: true),
        PrivateCA(testDescription: "complete, without the root", presented: "li", isAnchorAdvised: true),
        PrivateCA(testDescription: "with the root out of order", presented: "lri", isAnchorAdvised: true),
        PrivateCA(
            testDescription: "a public CA's leaf with its intermediate", presented: "pi", isAnchorAdvised: true),
        PrivateCA(testDescription: "a leaf without the address of its CA", presented: "l", isAnchorAdvised: true),
        PrivateCA(testDescription: "only a public CA's leaf", presented: "p", isAnchorAdvised: false),
    ]

    @Test(
        "The advice for a chain under an unknown root is about anchors, not about sending the whole chain",
        arguments: privateCAs)
    func privateCA(_ row: PrivateCA) throws {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let certificates: [Character: Certificate] = [
            "l": try intermediate.issue(.leaf(Lab.host)).certificate,
            "p": try intermediate.issue(.leaf(Lab.host).with { $0.caIssuers = ["http://ca.test/ca.cer"] }).certificate,
            "i": intermediate.certificate, "r": root.certificate,
        ]
        try TemporaryFolder.with { folder in
            let chain = row.presented.compactMap { certificates[$0]?.pem }.joined()
            let anchor = try folder.write("anchor.pem", pem(Lab.shared().unrelated))
            let arguments = [
                "verify", try folder.write("chain.pem", Data(chain.utf8)).path, "--time", Lab.time, "--host", Lab.host,
            ]
            let outcome = try Tool.run(arguments, anchors: anchor)
            #expect(outcome.status == 1)
            #expect(outcome.text.contains("--anchors FILE") == row.isAnchorAdvised)
            // The hint doesn't suggest an option that the user already used.
            #expect(try !Tool.run(arguments + ["--anchors", anchor.path]).text.contains("--anchors FILE"))
            #expect(outcome.text.contains("Send the whole chain") != row.isAnchorAdvised)
        }
    }

    @Test("verify uses the system's anchors by default") func withoutAnchorsTheSystemsAreTaken() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let system = try folder.write("system.pem", pem(lab.root))
            let arguments = ["verify", chain.path, "--host", Lab.host, "--time", Lab.time]
            #expect(try Tool.run(arguments, anchors: system).status == 0)
            let without = try Tool.run(arguments)
            #expect(without.status == 2)
            #expect(without.errors.contains("/nonexistent/anchors.pem"))
        }
    }

    @Test("verify warns about a missing host") func aMissingHostIsSaid() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let arguments = ["verify", chain.path, "--anchors", anchors.path, "--time", Lab.time]
            let server = try Tool.run(arguments)
            #expect(server.status == 0)
            #expect(server.errors.contains("--host"))
            #expect(try Tool.run(arguments + ["--purpose", "any"]).errors.isEmpty)
        }
    }
}

@Suite struct VerifyUnreadableTests {
    /// An unusable file, and the text in the error next to its name.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var contents: @Sendable (Lab) -> Data?
        var named: [String]

        init(_ name: String, named: [String], contents: @escaping @Sendable (Lab) -> Data?) {
            self.testDescription = name
            self.named = named
            self.contents = contents
        }
    }

    static let rows: [Row] = [
        Row("a missing file", named: []) { _ in nil },
        Row("an empty file", named: []) { _ in Data() },
        Row("a text", named: []) { _ in Data("no certificate".utf8) },
        Row("a key alone", named: []) { _ in
            Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8)
        },
        Row("truncated DER", named: ["200", "[truncated]"]) { Data($0.leaf.der.prefix(200)) },
        Row("PEM with invalid base64", named: ["line 2, column 1", "[pemNotBase64]"]) { _ in
            Data("-----BEGIN CERTIFICATE-----\n!AAA\n-----END CERTIFICATE-----\n".utf8)
        },
        Row("PEM without an end", named: ["line 1", "[pemEndMissing]"]) { Data(pem($0.leaf).dropLast(30)) },
        Row("PEM of something else", named: ["SEQUENCE", "[malformed]"]) { _ in
            Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        },
    ]

    @Test("If the leaf is unreadable, verify exits with 2, and the error names the file", arguments: rows)
    func asLeafItEndsWith2AndIsNamed(
        _ row: Row
    ) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let file = folder.url.appendingPathComponent("leaf-file")
            if let contents = row.contents(lab) { try folder.write("leaf-file", contents) }
            let anchors = try folder.write("root.pem", pem(lab.root))
            let outcome = try Tool.run([
                "verify", file.path, "--host", Lab.host, "--anchors", anchors.path, "--format", "json",
            ])
            expectTold(outcome, file, row)
        }
    }

    @Test("If an anchor is unreadable, verify exits with 2, and the error names the file", arguments: rows)
    func asAnchorItEndsWith2AndIsNamed(
        _ row: Row
    ) throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let file = folder.url.appendingPathComponent("anchors-file")
            if let contents = row.contents(lab) { try folder.write("anchors-file", contents) }
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let outcome = try Tool.run(["verify", chain.path, "--host", Lab.host, "--anchors", file.path])
            expectTold(outcome, file, row)
        }
    }

    private func expectTold(_ outcome: Tool.Outcome, _ file: URL, _ row: Row) {
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("servertrust: error: "))
        #expect(outcome.errors.contains(file.path))
        for name in row.named { #expect(outcome.errors.contains(name)) }
    }

    @Test("If the argument is a directory instead of a file, verify exits with 2") func aDirectoryEndsWith2() throws {
        #expect(try Tool.run(["verify", "/", "--host", Lab.host]).status == 2)
    }

    @Test("verify doesn't use the next certificate instead of an unreadable leaf")
    func anUnreadableLeafIsNotReplacedByTheNextCertificate() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let broken = Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
            let chain = try folder.write("chain.pem", broken + pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let outcome = try Tool.run([
                "verify", chain.path, "--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time,
            ])
            #expect(outcome.status == 2)
        }
    }

    private struct Places: Decodable { let presented: [Int?] }

    @Test("The numbers in a report count the file's unreadable certificates")
    func numbers() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let broken = Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
            let chain = try folder.write("chain.pem", pem(lab.leaf) + broken + pem(lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root))
            let verify = [
                "verify", chain.path, "--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time,
            ]
            let text = try Tool.run(verify + ["--long"]).text
            #expect(text.contains("intermediate, sent as number 3, "), "\(text)")
            #expect(text.contains("\n  2 unreadable   ") && text.contains("\n  3 intermediate "), "\(text)")
            let places = try Tool.run(verify + ["--format", "json"]).json([Places].self).first?.presented
            #expect(places?.map { $0 ?? -1 } == [0, 2, -1])
        }
    }

    @Test("One unreadable anchor among several causes an error") func oneUnreadableAnchorAmongOthersIsAnError() throws {
        let lab = try Lab.shared()
        try TemporaryFolder.with { folder in
            let broken = Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
            let chain = try folder.write("chain.pem", pem(lab.leaf, lab.intermediate))
            let anchors = try folder.write("root.pem", pem(lab.root) + broken)
            let outcome = try Tool.run([
                "verify", chain.path, "--host", Lab.host, "--anchors", anchors.path, "--time", Lab.time,
            ])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("object 2"))
        }
    }
}
