// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenSSLSamples
import PKIX
import ServerTrustTesting

@testable import ServerTrust
@testable import ServerTrustCommand

extension ErrorRow {
    /// The errors in reading files and folders with certificates, and exception files.
    static let files: [ErrorRow] = certificates + pinSources + folders + exceptionFiles

    private static func values(_ error: CertificateFileError) -> Values {
        let labels = error.labels.isEmpty ? nil : error.labels
        return [
            "file": error.file, "object": error.object, "line": error.line, "offset": error.offset, "labels": labels,
            "kind": error.kind?.words, "found": error.found?.words, "pem": error.pem, "field": error.field,
            "signatureAlgorithm": error.signatureAlgorithm, "size": error.size,
        ]
    }

    // MARK: - Certificates

    private static let certificates: [ErrorRow] = [
        certificate(.certificateFileEmpty, [:], ""),
        certificate(.certificateFileWithoutCertificate, [:], "hello"),
        certificate(
            .certificateFileUndecodable, ["object": "1", "line": "2"],
            "-----BEGIN CERTIFICATE-----\nMA*=\n-----END CERTIFICATE-----\n"),
        certificate(.certificateFileMalformed, ["object": "1"], PEM.encode([0x30, 0], label: "CERTIFICATE")),
        certificate(
            .certificateFileTrustedCertificate, ["object": "1"], PEM.encode([0x30, 0], label: "TRUSTED CERTIFICATE")),
        embedded(.certificateFileOtherObjects, PEM.encode([0x30, 0], label: "PUBLIC KEY")),
        embedded(
            .certificateFileEncodedTwice, Base64.encode(Array(PEM.encode([0x30, 0], label: "CERTIFICATE").utf8))),
    ]

    private static func certificate(
        _ code: ErrorCode, _ expected: [String: String], _ text: String
    ) -> ErrorRow {
        ErrorRow(
            CertificateFileError.self, code, having: expected.merging(["file": "a.pem"]) { first, _ in first }, values
        ) {
            try CertificateFile.certificates(in: Array(text.utf8), name: "a.pem")
        }
    }

    private static func embedded(_ code: ErrorCode, _ text: String) -> ErrorRow {
        ErrorRow(CertificateFileError.self, code, values) { try Certificate(base64: text) }
    }

    // MARK: - Sources of pins

    /// A SEQUENCE of two numbers, like an RSA key or a signature.
    private static let twoNumbers: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x03, 0x02, 0x01, 0x03]

    private static let pinSources: [ErrorRow] = [
        pinSource(.certificateFilePrivateKey, Array(PEM.encode([0x30, 0], label: "PRIVATE KEY").utf8)),
        pinSource(.certificateFileUnlabelledKey, twoNumbers),
        pinSource(.certificateFileMislabelled, Array(PEM.encode(twoNumbers, label: "PUBLIC KEY").utf8)),
        pinSource(.certificateFileRequestInvalid, Array(OpenSSLRequests.flipped.utf8)),
        pinSource(.certificateFileRequestNotVerifiable, Array(OpenSSLRequests.ed448.utf8)),
    ]

    private static func pinSource(_ code: ErrorCode, _ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(CertificateFileError.self, code, having: ["file": "a.pem", "object": "1"], values) {
            try PinSource.sources(in: bytes, name: "a.pem")
        }
    }

    // MARK: - Folders

    private static let folders: [ErrorRow] = [
        folder(.certificateFolderWithoutFiles) { $0.path },
        folder(.certificateFileMissing) { $0.appendingPathComponent("missing").path },
        folder(.certificateFolderIsFile) { folder in
            let file = folder.appendingPathComponent("file")
            try Data().write(to: file)
            return file.path
        },
        folder(.certificateFileNotRegular) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent("a.cer").path, withDestinationPath: "/dev/null")
            return folder.path
        },
        folder(.certificateFileTooLarge, ["size": "\(CertificateFolder.maximumFileSize + 1)"]) { folder in
            try sparseFile(folder.appendingPathComponent("a.pem"), size: CertificateFolder.maximumFileSize + 1)
            return folder.path
        },
        // Administrators can read every file and folder.
        ErrorRow(CertificateFileError(.certificateFileUnreadable, file: "a.cer"), values),
        ErrorRow(CertificateFileError(.certificateFolderUnreadable, file: "certificates"), values),
    ]

    /// Creates a row that reads the folder at the path that `prepare` returns for a new folder.
    private static func folder(
        _ code: ErrorCode, _ expected: [String: String] = [:], _ prepare: (URL) throws -> String
    ) -> ErrorRow {
        ErrorRow(CertificateFileError.self, code, having: expected, values) {
            try TemporaryFolder.with { try CertificateFolder.certificates(in: try prepare($0.url)) }
        }
    }

    /// Writes a file of zeros that uses no disk space.
    private static func sparseFile(_ file: URL, size: Int) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
    }

    // MARK: - Files with exceptions

    private static let exceptionFiles: [ErrorRow] = [
        exceptionFile(.exceptionFileNotReadable) { try ExceptionStore(file: $0.deletingLastPathComponent().path) },
        exceptionFile(.exceptionFileNotWritable) { file in
            let folder = file.appendingPathExtension("missing")
            let store = try ExceptionStore(file: folder.appendingPathComponent("exceptions.json").path)
            try store.removeExpired(at: TestAuthority.now)
            return store.all
        },
        exceptionFile(.exceptionFileMalformed) { file in
            try Data("{".utf8).write(to: file)
            try setPermissions(0o600, of: file)
            return try ExceptionStore(file: file.path)
        },
        exceptionFile(.exceptionFileTooLarge, ["size": "\(ExceptionStore.maximumSize + 1)"]) { file in
            try sparseFile(file, size: ExceptionStore.maximumSize + 1)
            try setPermissions(0o600, of: file)
            return try ExceptionStore(file: file.path)
        },
        exceptionFile(.exceptionFileWritableByOthers, ["permissions": "\(0o666)"]) { file in
            try Data("{}".utf8).write(to: file)
            try setPermissions(0o666, of: file)
            return try ExceptionStore(file: file.path)
        },
    ]

    private static func exceptionFile(
        _ code: ErrorCode, _ expected: [String: String] = [:], _ open: (URL) throws -> Any
    ) -> ErrorRow {
        ErrorRow(
            ExceptionStoreError.self, code, having: expected,
            { ["file": $0.file, "size": $0.size, "permissions": $0.permissions] }
        ) {
            try TemporaryFolder.with { try open($0.url.appendingPathComponent("exceptions.json")) }
        }
    }

    private static func setPermissions(_ permissions: Int, of file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
    }
}
