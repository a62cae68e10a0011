// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

@Suite("Certificate folders")
struct CertificateFolderTests {
    /// A folder for one test, removed at its end.
    final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID())").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        @discardableResult
        func write(_ bytes: [UInt8], _ name: String) throws -> String {
            let file = path + "/" + name
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            return file
        }

        @discardableResult
        func folder(_ name: String) throws -> String {
            try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
            return path + "/" + name
        }

        /// Makes `name` a symbolic link to `target`.
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
        }

        /// The folder's errors, by code, file and size.
        func problems(recursively: Bool = false) -> [Problem]? { CertificateFolderTests.problems(path, recursively) }
    }

    struct Problem: Equatable {
        var code: ErrorCode
        var file: String?
        var size: Int?

        init(_ code: ErrorCode, _ file: String?, size: Int? = nil) {
            self.code = code
            self.file = file
            self.size = size
        }
    }

    static func problems(_ path: String, _ recursively: Bool = false) -> [Problem]? {
        let error = #expect(throws: CertificateFileError.self) {
            try CertificateFolder.certificates(in: path, recursively: recursively)
        }
        return error.map { ([$0] + $0.others).map { Problem($0.code, $0.file, size: $0.size) } }
    }

    let certificates: [Certificate]

    init() throws {
        certificates = try (0..<5).map { try TestAuthority.root(.authority("Root \($0)")).certificate }
    }

    static func pem(_ certificates: Certificate...) -> [UInt8] {
        Array(certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined().utf8)
    }

    @Test("The folder recognizes certificate files by content, reads them sorted by name, and ignores others")
    func content() throws {
        let folder = try Folder()
        try folder.write(certificates[3].der, "d.pem")
        try folder.write(Self.pem(certificates[0]), "a.cer")
        try folder.write(certificates[2].der, "c.DER")
        try folder.write(Self.pem(certificates[1]), "b.Crt")
        for name in ["README.txt", "cer", ".pem", "a.pem.bak", "key.p12", "x.pemx"] {
            try folder.write(Array("no certificate".utf8), name)
        }
        #expect(try CertificateFolder.certificates(in: folder.path) == Array(certificates[..<4]))
        #expect(try CertificateFolder.certificates(in: folder.path + "/") == Array(certificates[..<4]))
    }

    @Test("A file may contain several certificates, and a certificate may be in several files")
    func several() throws {
        let folder = try Folder()
        try folder.write(Self.pem(certificates[1], certificates[0]), "a.pem")
        try folder.write(certificates[1].der, "b.der")
        #expect(
            try CertificateFolder.certificates(in: folder.path) == [certificates[1], certificates[0], certificates[1]])
    }

    @Test("The folder reads nested folders if requested, in their place")
    func recursive() throws {
        let folder = try Folder()
        try folder.write(certificates[0].der, "a.cer")
        try folder.folder("b.cer/deep/er")
        try folder.write(certificates[1].der, "b.cer/a.cer")
        try folder.write(certificates[2].der, "b.cer/deep/er/z.pem")
        try folder.write(certificates[3].der, "c.cer")
        #expect(try CertificateFolder.certificates(in: folder.path) == [certificates[0], certificates[3]])
        #expect(try CertificateFolder.certificates(in: folder.path, recursively: true) == Array(certificates[..<4]))
    }

    @Test("The folder follows links to files, even outside it, and a link to the folder itself")
    func links() throws {
        let (folder, elsewhere) = (try Folder(), try Folder())
        try elsewhere.write(certificates[0].der, "real")
        try folder.link("a.cer", to: elsewhere.path + "/real")
        try folder.write(certificates[1].der, "b.cer")
        try folder.link("c.cer", to: "b.cer")
        #expect(
            try CertificateFolder.certificates(in: folder.path) == [certificates[0], certificates[1], certificates[1]])
        try elsewhere.link("folder", to: folder.path)
        #expect(try CertificateFolder.certificates(in: elsewhere.path + "/folder").count == 3)
    }

    @Test("The folder follows links to folders if requested, reads each folder once, and ends at a loop")
    func loops() throws {
        let folder = try Folder()
        try folder.write(certificates[0].der, "a.cer")
        try folder.folder("b")
        try folder.write(certificates[1].der, "b/b.cer")
        try folder.link("b/back", to: "..")
        try folder.link("b/self", to: ".")
        try folder.link("c", to: "b")
        try folder.link("d", to: folder.path)
        #expect(try CertificateFolder.certificates(in: folder.path) == [certificates[0]])
        #expect(
            try CertificateFolder.certificates(in: folder.path, recursively: true) == [
                certificates[0], certificates[1],
            ])
    }

    @Test("The folder reads mounted Kubernetes secrets, which are links to a link")
    func kubernetes() throws {
        let folder = try Folder()
        try folder.folder("..2026_11_18")
        try folder.write(Self.pem(certificates[0]), "..2026_11_18/ca.crt")
        try folder.link("..data", to: "..2026_11_18")
        try folder.link("ca.crt", to: "..data/ca.crt")
        #expect(try CertificateFolder.certificates(in: folder.path) == [certificates[0]])
    }
}

// MARK: - Refusals

extension CertificateFolderTests {
    @Test("The folder reports every bad file, not only the first")
    func all() throws {
        let folder = try Folder()
        let words = try folder.write(Array("hello".utf8), "a.cer")
        try folder.write(certificates[0].der, "b.cer")
        let empty = try folder.write([], "c.cer")
        let key = try folder.write(
            Array(PEM.encode(certificates[0].subjectPublicKeyInfo.der, label: "PUBLIC KEY").utf8), "d.pem")
        let cut = try folder.write(
            Self.pem(certificates[1]) + Array(PEM.encode([0x30, 0x05], label: "CERTIFICATE").utf8), "e.pem")
        let error = try #require(
            #expect(throws: CertificateFileError.self) { try CertificateFolder.certificates(in: folder.path) })
        let errors = [error] + error.others
        #expect(
            errors.map(\.code) == [
                .certificateFileWithoutCertificate, .certificateFileEmpty, .certificateFileWithoutCertificate,
                .certificateFileMalformed,
            ])
        #expect(errors.map(\.file) == [words, empty, key, cut])
        #expect(errors.map(\.object) == [nil, nil, nil, 2])
        #expect(errors.last?.field?.reason == .truncated)
        #expect(error.message.split(separator: "\n").count == 4)
    }

    @Test("A folder without a certificate causes an error, even if nested folders contain some")
    func none() throws {
        let folder = try Folder()
        #expect(folder.problems() == [Problem(.certificateFolderWithoutFiles, folder.path)])
        try folder.write(certificates[0].der, "a.txt")
        try folder.folder("inside")
        #expect(folder.problems() == [Problem(.certificateFolderWithoutFiles, folder.path)])
        #expect(folder.problems(recursively: true) == [Problem(.certificateFolderWithoutFiles, folder.path)])
        try folder.write(certificates[0].der, "inside/a.cer")
        #expect(folder.problems() == [Problem(.certificateFolderWithoutFiles, folder.path)])
    }

    @Test("A path that isn't a folder causes an error")
    func noFolder() throws {
        let folder = try Folder()
        let file = try folder.write(certificates[0].der, "a.cer")
        let rows: [(String, Problem)] = [
            (folder.path + "/missing", Problem(.certificateFileMissing, folder.path + "/missing")),
            (file, Problem(.certificateFolderIsFile, file)),
            ("", Problem(.certificateFileMissing, "")),
        ]
        for (path, problem) in rows {
            #expect(Self.problems(path) == [problem])
        }
    }

    @Test("A dangling or circular link causes an error if it is named like a certificate")
    func brokenLinks() throws {
        let folder = try Folder()
        try folder.write(certificates[0].der, "a.cer")
        try folder.link("b.cer", to: "nowhere")
        try folder.link("c.cer", to: "d.cer")
        try folder.link("d.cer", to: "c.cer")
        try folder.link("circle", to: "circle")
        let broken = ["b.cer", "c.cer", "d.cer"].map {
            Problem(.certificateFileMissing, folder.path + "/" + $0)
        }
        #expect(folder.problems() == broken)
        #expect(folder.problems(recursively: true) == broken)
    }

    @Test("The folder doesn't wait for a pipe")
    func pipe() throws {
        let folder = try Folder()
        #expect(mkfifo(folder.path + "/a.cer", 0o600) == 0)
        #expect(folder.problems() == [Problem(.certificateFileNotRegular, folder.path + "/a.cer")])
    }

    @Test("The folder doesn't read a device")
    func device() throws {
        let folder = try Folder()
        try folder.link("a.cer", to: "/dev/zero")
        #expect(folder.problems() == [Problem(.certificateFileNotRegular, folder.path + "/a.cer")])
    }

    @Test("The folder refuses a file over the limit and reads one at the limit")
    func size() throws {
        let folder = try Folder()
        let limit = CertificateFolder.maximumFileSize
        let text = Self.pem(certificates[0])
        try folder.write(text + [UInt8](repeating: 0x0a, count: limit - text.count), "a.pem")
        #expect(try CertificateFolder.certificates(in: folder.path) == [certificates[0]])
        let large = try folder.write([UInt8](repeating: 0x0a, count: limit + 1), "b.pem")
        #expect(folder.problems() == [Problem(.certificateFileTooLarge, large, size: limit + 1)])
    }

    @Test("The folder refuses a file that is too large for memory without reading it")
    func huge() throws {
        let folder = try Folder()
        let file = try folder.write([], "a.pem")
        // The file takes no disk space, because nothing is written.
        let size = 1 << 36
        #expect(truncate(file, off_t(size)) == 0)
        #expect(folder.problems() == [Problem(.certificateFileTooLarge, file, size: size)])
    }

    @Test("An unreadable file causes an error")
    func unreadable() throws {
        let folder = try Folder()
        let file = folder.path + "/a.cer"
        #if os(Linux)
        // Not even root can read a process's memory at address 0.
        #expect(symlink("/proc/self/mem", file) == 0)
        #expect(folder.problems() == [Problem(.certificateFileUnreadable, file)])
        #expect(unlink(file) == 0)
        #endif
        // Root can read everything else.
        guard geteuid() != 0 else { return }
        _ = try folder.write(certificates[0].der, "a.cer")
        let inside = try folder.folder("b")
        #expect(chmod(file, 0) == 0)
        #expect(chmod(inside, 0) == 0)
        defer { chmod(inside, 0o700) }
        #expect(folder.problems() == [Problem(.certificateFileUnreadable, file)])
        #expect(
            folder.problems(recursively: true) == [
                Problem(.certificateFileUnreadable, file), Problem(.certificateFolderUnreadable, inside),
            ])
    }

    @Test("A named file contributes all its certificates, and a wrong file causes an error") func namedFile() throws {
        let folder = try Folder()
        let roots = [
            try TestAuthority.root().certificate, try TestAuthority.root(.authority("Other Root")).certificate,
        ]
        let text = roots.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        let file = try folder.write(Array(text.utf8), "roots.txt")
        #expect(try CertificateFile.certificates(contentsOfFile: file) == roots)
        #expect(try CertificateFile.certificates(contentsOfFile: folder.write(roots[0].der, "root.der")) == [roots[0]])
        let damaged = try folder.write(Array((text + "-----BEGIN CERTIFICATE-----\nMII\n").utf8), "damaged.pem")
        for (path, code) in [
            (folder.path + "/missing.pem", "certificateFileMissing"), (folder.path, "certificateFileNotRegular"),
            (try folder.write([], "empty.pem"), "certificateFileEmpty"), (damaged, "certificateFileUndecodable"),
        ] {
            let error = #expect(throws: CertificateFileError.self) {
                try CertificateFile.certificates(contentsOfFile: path)
            }
            #expect(error?.code.name == code)
            #expect(error?.file == path)
            #expect(throws: CertificateFileError.self) { try ServerTrustConfiguration.privateCA(rootsFile: path) }
        }
    }
}
