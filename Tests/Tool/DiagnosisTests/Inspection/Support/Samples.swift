// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// The certificates and keys that the tests share.
struct Samples: Sendable {
    static let shared = Result { try Samples() }

    let root: PKIX.Certificate
    let leaf: PKIX.Certificate
    let leafKeyPEM: String
    let crl: [UInt8]
    let ocspResponse: [UInt8]
    let ocspRequest: [UInt8]

    private init() throws {
        let authority = try TestAuthority.root()
        let leaf = try authority.issue(.leaf("www.example.com"))
        root = authority.certificate
        self.leaf = leaf.certificate
        leafKeyPEM = try leaf.key.pemRepresentation()
        crl = try authority.crl().der
        ocspResponse = try authority.ocspResponse { $0.add(leaf.certificate) }.der
        ocspRequest = OCSPRequest(leaf.certificate, issuer: authority.certificate).der
    }

    var leafPEM: String { PEM.encode(leaf.der, label: "CERTIFICATE") }
    var rootPEM: String { PEM.encode(root.der, label: "CERTIFICATE") }
}

/// The openssl and keytool programs that create the files for tests.
struct Programs {
    let folder: URL

    static func isInstalled(_ name: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
    }

    /// Calls `body` with a temporary folder.
    static func inFolder<Result>(_ body: (Programs) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspection-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(Programs(folder: folder))
    }

    /// Runs a program in the folder.
    ///
    /// - Throws: ``Failed`` with the program's output if it fails.
    func run(_ command: String) throws {
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(command: command, output: String(decoding: try Data(contentsOf: log), as: UTF8.self))
        }
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }

    struct Failed: Error {
        let command: String
        let output: String
    }
}
