// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

/// The `openssl` program in a separate folder, which verifies the encodings.
struct OpenSSLTool {
    static let hasOpenSSL: Bool = (try? OpenSSLTool.with { try $0.openssl("version").status == 0 }) ?? false

    let folder: URL

    /// Runs `body` with a new folder, which is removed afterward.
    static func with<Result>(_ body: (OpenSSLTool) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(OpenSSLTool(folder: folder))
    }

    func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    /// Writes certificates in PEM, one after another.
    func write(_ certificates: [Certificate], _ name: String) throws {
        try write(certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined(), name)
    }

    struct Outcome {
        var status: Int32
        /// Standard output and standard error.
        var text: String

        /// OpenSSL's X509_V_ERR_… numbers, in the order of the output.
        var errors: [Int] {
            text.split(separator: "\n").compactMap { line in
                guard line.hasPrefix("error ") else { return nil }
                return Int(line.dropFirst(6).prefix { $0.isNumber })
            }
        }
    }

    /// Runs a command in the folder and waits for it to finish.
    func openssl(_ arguments: String...) throws -> Outcome { try openssl(arguments) }

    func openssl(_ arguments: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
    }

    /// Runs `openssl verify` at ``TestAuthority/now``, with `leaf.pem`, `others.pem` and `root.pem`.
    func verify(_ leaf: Certificate, others: [Certificate], root: Certificate, _ options: [String] = []) throws
        -> Outcome
    {
        try write([leaf], "leaf.pem")
        try write(others, "others.pem")
        try write([root], "root.pem")
        return try openssl(
            ["verify", "-attime", Self.now] + options + ["-CAfile", "root.pem"]
                + (others.isEmpty ? [] : ["-untrusted", "others.pem"]) + ["leaf.pem"])
    }

    static let now = String(TestAuthority.now.secondsSinceEpoch)
}

/// Keys by name. The RSA keys are generated once.
enum KeyKind: String, CaseIterable, Sendable {
    case p256, p384, p521, ed25519, rsa1024, rsa2048, rsa3072

    func key() throws -> TestKey {
        switch self {
        case .p256: .p256()
        case .p384: .p384()
        case .p521: .p521()
        case .ed25519: .ed25519()
        case .rsa1024: try Self.made1024.get()
        case .rsa2048: try Self.made2048.get()
        case .rsa3072: try Self.made3072.get()
        }
    }

    private static let made1024 = Result { try TestKey.rsa(bits: 1024) }
    private static let made2048 = Result { try TestKey.rsa() }
    private static let made3072 = Result { try TestKey.rsa(bits: 3072) }
}
