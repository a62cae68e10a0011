// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import PrivateCA

@Suite("A CA in a folder")
struct AuthorityFolderTests {
    private static let now = TestAuthority.now

    /// Calls `body` with the path of a CA folder that doesn't exist yet, and removes the folder afterward.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("private-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: parent) }
        try body(parent.appendingPathComponent("ca").path)
    }

    private func reason(_ body: () throws -> Void) -> AuthorityFolderError.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AuthorityFolderError)?.reason
        }
    }

    @Test("The CA issues a certificate that is trusted under the root for its names, and adds it to the index")
    func issuing() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(at: path, at: Self.now)
            let issued = try folder.issue(
                [CertifiedName("api.example.com"), CertifiedName("192.0.2.1")], at: Self.now)
            let validator = PathValidator(anchors: AnchorStore([folder.root]))
            for host in ["api.example.com", "192.0.2.1"] {
                let result = validator.validate(issued.certificate, host: try Hostname(host), at: Self.now)
                #expect(result.rejection == nil)
            }
            #expect(try AuthorityFolder(opening: path).records() == [issued.record])
            #expect(issued.record.names == ["api.example.com", "192.0.2.1"])
            #expect(try folder.leftovers().isEmpty)
            #expect(folder.keyPermissionsOpenToOthers == nil)
        }
    }

    @Test("A root issues certificates only for its permitted subtrees")
    func constraints() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(
                at: path, permitted: [PermittedSubtree("example.com")], at: Self.now)
            _ = try folder.issue([CertifiedName("api.example.com")], at: Self.now)
            for name in ["api.example.org", "192.0.2.1"] {
                let refusal = reason { _ = try folder.issue([CertifiedName(name)], at: Self.now) }
                let failures = try #require(refusal?.failures)
                #expect(failures.contains { $0.code == .nameNotPermitted || $0.code == .nameExcluded })
            }
            #expect(try folder.records().count == 1)
        }
    }

    @Test("The next CRL lists a revoked certificate, and its number is higher")
    func revoking() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(at: path, at: Self.now)
            let issued = try folder.issue([CertifiedName("api.example.com")], at: Self.now)
            #expect(try folder.writeCRL(at: Self.now).count == 0)
            let record = try folder.revoke(
                serialNumber: issued.record.serialNumber, reason: .keyCompromise, at: Self.now)
            #expect(record.revocation?.reason == .keyCompromise)
            let crl = try folder.writeCRL(at: Self.now)
            #expect(crl.count == 1)
            #expect(crl.number == 2)
            #expect(
                reason { _ = try folder.revoke(issued.certificate, file: "", reason: .superseded, at: Self.now) }
                    == .alreadyRevoked(Self.now))
        }
    }

    @Test("An impossible operation throws an error with the reason and leaves the folder unchanged")
    func errors() throws {
        try inFolder { path in
            #expect(reason { _ = try AuthorityFolder(opening: path) } == .noAuthority)
            let folder = try AuthorityFolder.create(at: path, days: 30, at: Self.now)
            let name = try CertifiedName("api.example.com")
            #expect(reason { _ = try AuthorityFolder.create(at: path, at: Self.now) } == .exists)
            #expect(reason { _ = try folder.issue([], at: Self.now) } == .noNames)
            #expect(
                reason { _ = try folder.issue([name], days: 826, at: Self.now) }
                    == .daysOutOfRange(826, limits: AuthorityFolder.leafDays))
            let later = Self.now.advanced(by: 40 * 86_400)
            #expect(reason { _ = try folder.issue([name], days: 1, at: later) } == .rootExpired(folder.root.notAfter))
            #expect(
                reason { _ = try folder.revoke(serialNumber: "00", reason: .superseded, at: Self.now) } == .notIssued)
            #expect(try folder.records().isEmpty)
            #expect(try folder.leftovers().isEmpty)
        }
    }

    @Test("The CA recognizes files from an interrupted operation as leftovers")
    func leftovers() throws {
        try inFolder { path in
            let folder = try AuthorityFolder.create(at: path, at: Self.now)
            let issued = try folder.issue([CertifiedName("api.example.com")], at: Self.now)
            for name in ["index.json.partial", "issued/other.key"] {
                try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            }
            let copy = "\(path)/issued/copy.pem"
            try FileManager.default.copyItem(atPath: issued.chainPath, toPath: copy)
            #expect(
                try folder.leftovers() == ["\(path)/index.json.partial", copy, "\(path)/issued/other.key"].sorted())
        }
    }

    @Test(
        "A shell reads the root's path in an install hint as one word, whatever its characters",
        arguments: ["a b", "it's", "'\u{301};touch x;'\u{301}", "$(x)", "-n", "\u{301}'"])
    func shellWords(_ path: String) throws {
        let hint = InstallHint(.debian, rootPath: path, name: "root")
        let command = try #require(hint.install.first).replacing("sudo cp", with: "printf '%s\\n'")
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardOutput = pipe
        try process.run()
        let output = try #require(try pipe.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        let expected = (path == "-n" ? "./-n" : path) + "\n/usr/local/share/ca-certificates/root.crt\n"
        #expect(Array(output) == Array(expected.utf8))
    }
}
