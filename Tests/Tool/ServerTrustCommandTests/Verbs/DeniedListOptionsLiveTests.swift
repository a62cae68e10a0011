// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustPins
import ServerTrustTesting
import Testing

/// Lists of denied certificates, with `check --denied` and `pins list sign --denied`.
@Suite("Denied certificates in check and pins", .timeLimit(.minutes(10)))
struct DeniedListOptionsLiveTests {
    /// The entry of one server in `check --format json`.
    private struct Answer: Decodable {
        struct Step: Decodable { let verdict: Verdict? }
        struct Verdict: Decodable {
            struct Failure: Decodable {
                let code: String
                let certificate: Int?
            }
            let failures: [Failure]
            let checked: [String]
        }
        let outcome: String
        let steps: [Step]
    }

    /// The entry of one list in `pins list show --format json`.
    private struct Shown: Decodable {
        let deniedLists: Int?
        let deniedEntries: Int?
    }

    private static func oneCRL(_ certificates: Certificate...) -> Data {
        let records = certificates.map { certificate in
            #"{"issuerName":"\#(Base64.encode(certificate.issuer.der))","serialNumber":"\#(Base64.encode(certificate.serialNumber.bytes))"}"#
        }
        return Data(#"{"data":[\#(records.joined(separator: ","))]}"#.utf8)
    }

    /// Returns a CRLSet that blocks the keys of certificates.
    private static func crlSet(_ certificates: Certificate...) -> Data {
        let keys = certificates.map { "\"\(Base64.encode($0.subjectPublicKeyInfoSHA256))\"" }.joined(separator: ",")
        let header = Data(
            #"{"Version":0,"ContentType":"CRLSet","Sequence":1,"DeltaFrom":0,"NumParents":0,"BlockedSPKIs":[\#(keys)]}"#
                .utf8)
        return Data([UInt8(header.count & 0xff), UInt8(header.count >> 8)]) + header
    }

    private static func anchor(_ server: LabServer) throws -> Certificate {
        try #require(
            PEM.decode(Array(server.certificates.anchorsPEM.utf8), labels: ["CERTIFICATE"]).first.map {
                try Certificate(der: $0)
            })
    }

    // MARK: - check

    @Test("check refuses only a server whose leaf, CA or anchor is on a list")
    func check() async throws {
        let lab = try await LabServers([.good])
        let server = try #require(lab.servers.first)
        let path = server.certificates.chain + [try Self.anchor(server)]
        #expect(path.count == 3)
        let stranger = try TestAuthority.root(.authority("Stranger")).certificate
        let other = try lab.folder.write("other.json", Self.oneCRL(stranger)).path
        let good = try lab.check(lab.names + ["--denied", other, "--format", "json"])
        #expect(good.status == 0)
        let checked = try #require(try good.json([Answer].self).first?.steps.first?.verdict)
        #expect(checked.failures.isEmpty && checked.checked.contains("deniedCertificates"))
        #expect(try lab.check(lab.names + ["--denied", other]).text.contains("[certificateDenied]") == false)
        for (index, certificate) in path.enumerated() {
            for list in [Self.oneCRL(certificate), Self.crlSet(certificate)] {
                let file = try lab.folder.write("denied", list).path
                // The list that denies the certificate, with another list before or after it.
                for files in [[file], [other, file], [file, other]] {
                    let options = files.flatMap { ["--denied", $0] }
                    let json = try lab.check(lab.names + options + ["--format", "json"])
                    #expect(json.status == 1, "certificate \(index)")
                    let answer = try #require(try json.json([Answer].self).first)
                    let failures = try #require(answer.steps.first?.verdict).failures
                    #expect(failures.map(\.code) == ["certificateDenied"] && failures.first?.certificate == index)
                }
                let text = try lab.check(lab.names + ["--denied", file])
                #expect(text.status == 1 && text.text.contains("[certificateDenied]"))
            }
        }
        await lab.stop()
    }

    @Test("An unreadable list ends the run before check contacts a server, and the error names the file and position")
    func checkUnreadable() async throws {
        let lab = try await LabServers([.good])
        let server = try #require(lab.servers.first)
        let good = try lab.folder.write("good.json", Self.oneCRL(try Self.anchor(server))).path
        let rows: [(name: String, contents: Data?, part: String)] = [
            ("bad.json", Data(#"{"data":[{}]}"#.utf8), "data[0]"), ("empty.json", Data("[]".utf8), "at least one"),
            ("cut.crlset", Self.crlSet(server.certificates.chain[0]) + [0], "byte"), ("nothing", Data(), "expected"),
            ("missing.json", nil, "missing.json"),
        ]
        for row in rows {
            let file = lab.folder.url.appendingPathComponent(row.name).path
            if let contents = row.contents { try lab.folder.write(row.name, contents) }
            for options in [["--denied", file], ["--denied", good, "--denied", file]] {
                let outcome = try lab.check(lab.names + options)
                #expect(outcome.status == 2 && outcome.text.isEmpty, "\(row.name)")
                #expect(outcome.errors.contains(row.name) && outcome.errors.contains(row.part), "\(outcome.errors)")
            }
        }
        #expect(server.counts.connections == 0)
        await lab.stop()
    }

    // MARK: - pins sign

    @Test(
        "A signed list contains the denied lists, its successor keeps them, and clients refuse the denied certificates")
    func sign() throws {
        try PinsTests.Desk.with { desk in
            let host = "www.example.org"
            let root = try TestAuthority.root(.authority("Denied root"))
            let leaf = try root.issue(.leaf(host)).certificate
            let stranger = try TestAuthority.root(.authority("Stranger")).certificate
            let denied = try desk.folder.write("onecrl.json", Self.oneCRL(stranger, root.certificate)).path
            let other = try desk.folder.write("other.crlset", Self.crlSet(stranger)).path
            var trust = Trust(presentedChain: [leaf], host: try Hostname(host))
            trust.anchors = .only([root.certificate])
            trust.verifyDate = .at(TestAuthority.now)
            func codes(_ name: String) throws -> [TrustFailure.Code] {
                let document = try SignedPinList(Array(Data(contentsOf: URL(fileURLWithPath: desk.path(name)))))
                let store = try PinStore(file: desk.path("store-\(name)"), builtIn: BuiltInPinList(document))
                return store.manager.evaluate(trust).failures.map(\.code)
            }
            func shown(_ name: String) throws -> [Int?] {
                let shown = try desk.run("show", desk.path(name), "--format", "json").json([Shown].self).first
                return [shown?.deniedLists, shown?.deniedEntries]
            }
            func next(_ name: String, after previous: String, _ more: String...) throws -> Tool.Outcome {
                try Tool.run(
                    [
                        "pins", "list", "sign", desk.path("pins.json"), "--key", desk.path("office"), "--previous",
                        desk.path(previous), "--expires", "2126-01-01", "--output", desk.path(name),
                    ] + more)
            }
            #expect(try desk.first("--denied", denied, "--denied", other).status == 0)
            #expect(try shown("list.json") == [2, 3])
            #expect(try codes("list.json") == [.certificateDenied])
            let text = try desk.run(
                "verify", desk.path("list.json"), "--key", desk.path("office.pub"), "--audience", "com.example.app")
            #expect(text.status == 0 && text.text.contains("denied   3 entries of 2 lists"))
            // The successor keeps the lists unless options replace or remove them.
            #expect(try next("second.json", after: "list.json").status == 0)
            #expect(try shown("second.json") == [2, 3] && codes("second.json") == [.certificateDenied])
            #expect(try next("third.json", after: "second.json", "--denied", other).status == 0)
            #expect(try shown("third.json") == [1, 1] && codes("third.json") == [])
            #expect(try next("fourth.json", after: "second.json", "--drop-denied").status == 0)
            #expect(try shown("fourth.json") == [nil, nil] && codes("fourth.json") == [])
        }
    }

    @Test("The command doesn't sign an unreadable denied list")
    func signUnreadable() throws {
        try PinsTests.Desk.with { desk in
            let good = try desk.folder.write("good.json", Self.oneCRL(try Lab.shared().root)).path
            let rows: [(name: String, contents: Data?, part: String)] = [
                ("bad.json", Data(#"{"data":[{}]}"#.utf8), "data[0]"), ("empty.json", Data("[]".utf8), "at least one"),
                ("cut.crlset", Self.crlSet(try Lab.shared().leaf) + [0], "byte"), ("missing.json", nil, "missing.json"),
            ]
            for row in rows {
                if let contents = row.contents { try desk.folder.write(row.name, contents) }
                let outcome = try desk.first("--denied", good, "--denied", desk.path(row.name))
                #expect(outcome.status == 2 && outcome.text.isEmpty, "\(row.name)")
                #expect(outcome.errors.contains(row.name) && outcome.errors.contains(row.part), "\(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: desk.path("list.json")))
            }
        }
    }
}
