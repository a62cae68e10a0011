// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustTesting

/// Creates PKCS #12 files with the openssl command.
enum OpenSSL {
    static let path = "/usr/bin/openssl"
    static let isAvailable = FileManager.default.isExecutableFile(atPath: path)

    struct Failed: Error {}

    /// Returns a file.
    /// - Parameters:
    ///   - identity: the leaf and its key, or nil for a file without a key.
    ///   - others: additional certificates.
    static func pkcs12(
        _ identity: TestIdentity?, others: [TestIdentity] = [], passphrase: String, _ options: [String] = []
    ) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("servertrust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in.pem")
        let output = folder.appendingPathComponent("out.p12")
        let key = try identity.map { try $0.key.pemRepresentation() } ?? ""
        let certificates = ([identity].compactMap { $0 } + others).map(\.certificatePEM).joined(separator: "\n")
        try (key + "\n" + certificates).write(to: input, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments =
            ["pkcs12", "-export", "-in", input.path, "-out", output.path, "-passout", "pass:\(passphrase)"] + options
            + (identity == nil ? ["-nokeys"] : [])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return try Data(contentsOf: output)
    }
}
