// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

/// Files that `verify` can't use, and its messages. Documentation/Generated/WrongInputs.md lists the messages. Codes
/// are stable.
@Suite("Wrong inputs") struct WrongInputTests {
    /// A file, and the code and text that the command prints for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let words: [String]
        var arguments: [String]
        /// The contents, or nil if there is no file.
        let bytes: [UInt8]?

        init(
            _ name: String, _ code: String, _ words: String...,
            as arguments: [String] = ["FILE", "--host", "www.example.com"],
            bytes: [UInt8]?
        ) {
            testDescription = name
            self.code = code
            self.words = words
            self.arguments = arguments
            self.bytes = bytes
        }

        init(
            _ name: String, _ code: String, _ words: String...,
            as arguments: [String] = ["FILE", "--host", "www.example.com"],
            text: String
        ) {
            testDescription = name
            self.code = code
            self.words = words
            self.arguments = arguments
            self.bytes = Array(text.utf8)
        }
    }

    private typealias S = WrongInputSamples
    private static let anchors = ["LEAF", "--host", "www.example.com", "--anchors", "FILE"]
    private static let crl = ["LEAF", "--host", "www.example.com", "--anchors", "AUTHORITY", "--crl", "FILE"]
    private static let ocsp = ["LEAF", "--host", "www.example.com", "--anchors", "AUTHORITY", "--ocsp", "FILE"]
    private static let password = ["FILE", "--host", "www.example.com", "--password-file", "PASSWORD"]

    /// The leaf's PEM with one base64 character replaced: the third one on the third line.
    private static var illegalCharacter: String {
        var lines = S.leafPEM.split(separator: "\n").map(String.init)
        lines[2] = lines[2].prefix(2) + "?" + lines[2].dropFirst(3)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cut(_ text: String, lines: Int) -> String {
        text.split(separator: "\n").prefix(lines).joined(separator: "\n") + "\n"
    }

    /// The leaf with another type instead of its serial number, or with other damage.
    private static func damaged(_ search: [UInt8], _ replacement: [UInt8]) -> [UInt8] {
        var bytes = S.leaf
        if let start = bytes.indices.first(where: { bytes[$0...].starts(with: search) }) {
            bytes.replaceSubrange(start..<(start + search.count), with: replacement)
        }
        return bytes
    }

    static let rows: [Row] = files + objects + encodings + containers + others

    private static let files = [
        Row("a name without a file", "fileMissing", "no such file", bytes: nil),
        Row(
            "a folder", "folder", "a folder, expected a file", as: ["FOLDER", "--host", "www.example.com"], bytes: nil),
        Row(
            "the null device", "empty", "empty (0 bytes)", as: ["/dev/null", "--host", "www.example.com"],
            bytes: nil),
        Row("an empty file", "empty", "empty (0 bytes)", bytes: []),
        Row("only line feeds", "blank", "empty except for white space", text: "\n\n  \n"),
        Row(
            "an HTML page", "htmlPage", "an HTML page", "a login, an error",
            text: "<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n"),
        Row(
            "a page that starts with another tag", "htmlPage", "an HTML page",
            text: "<!-- served -->\n<HTML><body>Sign in</body></HTML>"),
        Row(
            "an XML document", "xml", "an XML document",
            text: "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>\n"),
        Row("a JSON document", "json", "a JSON document without a certificate", text: "{\"error\": \"not found\"}\n"),
        Row(
            "a ZIP archive", "zip", "a ZIP archive", "unzip",
            bytes: Array("PK\u{3}\u{4}".utf8) + [20, 0, 0, 0, 8, 0, 1, 2, 3]),
        Row(
            "a gzip file", "compressed", "compressed with gzip", "gunzip",
            bytes: [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
        Row("a PDF document", "pdf", "a PDF document", text: "%PDF-1.7\n"),
        Row("a program", "executable", "a program (ELF)", bytes: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
        Row(
            "plain text", "text", "text without PEM", "\"Dear colleague,",
            text: "Dear colleague,\nplease find attached\n"),
        Row(
            "an address", "address", "an address, not the file at that address",
            text: "https://www.example.com/ca.pem\n"),
        Row(
            "a list of pins", "pinList", "a list of pins", text: "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
        ),
        Row(
            "UTF-16 that was cut within a character", "text", "text without PEM",
            bytes: [0xff, 0xfe] + Array("garbage".utf8) + Array(repeating: 0xd8, count: 20)),
        Row(
            "random bytes", "binary", "bytes that are neither PEM nor DER",
            bytes: (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 131) }),
    ]

    private static let objects = [
        Row("a private key", "unexpectedKind", "a private key, expected a certificate", bytes: S.key),
        Row(
            "an encrypted private key", "unexpectedKind", "a private key, expected a certificate", bytes: S.encryptedKey
        ),
        Row(
            "a certificate request", "unexpectedKind", "a certificate request (CSR), expected a certificate",
            "have a CA sign the request", bytes: S.request),
        Row(
            "a CRL", "unexpectedKind", "a certificate revocation list (CRL), expected a certificate", "--crl",
            bytes: S.crl),
        Row("an OCSP request", "unexpectedKind", "an OCSP request, expected a certificate", bytes: S.ocspRequest),
        Row(
            "an OCSP response", "unexpectedKind", "an OCSP response, expected a certificate", "--ocsp",
            bytes: S.ocspResponse),
        Row(
            "a certificate instead of a CRL", "unexpectedKind",
            "a certificate, expected a certificate revocation list (CRL)", as: crl, bytes: S.authority),
        Row(
            "a CRL instead of an OCSP response", "unexpectedKind",
            "a certificate revocation list (CRL), expected an OCSP response", as: ocsp, bytes: S.crl),
        Row(
            "an anchor that its own settings reject", "trustRejected",
            "whose settings don't trust it for serverAuth", "openssl x509", as: anchors, bytes: S.rejected),
        Row(
            "an SSH public key", "sshPublicKey", "an SSH public key", "ssh-keygen -e -m PKCS8",
            bytes: S.sshPublicKey),
        Row("an SSH private key", "sshPrivateKey", "an SSH private key", bytes: S.sshKey),
        Row(
            "a PuTTY key", "puttyKey", "a PuTTY private key",
            text: "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n"),
        Row(
            "an OpenPGP key", "pgp", "OpenPGP",
            text:
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: 1\n\nmDMEZ\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n"
        ),
    ]

    private static let encodings = [
        Row(
            "a certificate cut within its text", "pemEndMissing", "line 1: a certificate without its end",
            "-----END CERTIFICATE-----", text: cut(S.leafPEM, lines: 5)),
        Row(
            "a certificate without its END line, followed by another", "pemEndMissing", "a certificate without its end",
            as: anchors, text: cut(S.leafPEM, lines: 5) + S.authorityPEM),
        Row(
            "a certificate with the END line of a key", "pemEndMismatch",
            "begins as CERTIFICATE, but ends as PRIVATE KEY",
            text: S.leafPEM.replacingOccurrences(of: "END CERTIFICATE", with: "END PRIVATE KEY")),
        Row(
            "an END line without a BEGIN line", "pemBeginMissing", "without its -----BEGIN line",
            text: S.leafPEM.split(separator: "\n").dropFirst(3).joined(separator: "\n")),
        Row(
            "hyphens that a word processor turned into dashes", "pemDashes", "whose BEGIN line is damaged",
            "word processor",
            text: S.leafPEM.replacingOccurrences(of: "-----", with: "\u{2014}\u{2014}-")),
        Row(
            "an illegal character in the base64", "pemNotBase64",
            "line 3, column 3: a certificate with the character \"?\" in its base64", text: illegalCharacter),
        Row(
            "base64 without its last characters", "pemCutOff", "whose base64 lacks characters at its end",
            text: "-----BEGIN CERTIFICATE-----\nMIIBrTCCAVSgAwIB\nAgI\n-----END CERTIFICATE-----\n"),
        Row(
            "nothing between BEGIN and END", "pemEmpty", "without content between BEGIN and END",
            text: "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"),
        Row(
            "a certificate in comments", "pemNotBase64", "the character \"#\" in its base64",
            text: S.leafPEM.split(separator: "\n").map { "# " + $0 }.joined(separator: "\n")),
        Row(
            "bare base64 with an illegal character", "notBase64", "base64 with the character \"*\" in it",
            text: "MIIBrTCCAVSgAwIBAgIU*AAAA\n"),
        Row("truncated bare base64", "truncated", "cut off", text: Data(S.leaf.prefix(300)).base64EncodedString()),
    ]

    private static let others = [
        Row(
            "truncated DER", "truncated", "a certificate that is cut off: its length says",
            bytes: Array(S.leaf.prefix(200))),
        Row(
            "DER followed by other bytes", "trailingBytes", "bytes after the last object", as: anchors,
            bytes: S.authority + Array("tail of a mail".utf8)),
        Row(
            "a certificate whose serial number isn't a number", "malformed", "a certificate that can't be read: ",
            "serialNumber", "expected an INTEGER (0x02), found an OCTET STRING (0x04)",
            bytes: damaged([0x02, 0x14], [0x04, 0x14])),
        Row(
            "a certificate with an invalid date", "malformed", "a certificate that can't be read: ", "notBefore",
            "malformed time", bytes: damaged([0x17, 0x0d, 0x32], [0x17, 0x0d, 0x39 + 1])),
        Row(
            "a request labeled as a certificate", "mislabelled",
            "labeled CERTIFICATE, but it is a certificate request (CSR)",
            text: String(decoding: S.request, as: UTF8.self).replacingOccurrences(
                of: "CERTIFICATE REQUEST", with: "CERTIFICATE")),
        Row(
            "a structure that isn't a certificate", "unknownStructure", "a DER structure that isn't",
            bytes: [0x30, 0x06, 0x0c, 0x04, 0x74, 0x65, 0x78, 0x74]),
        Row(
            "BER without lengths", "indefiniteLength", "indefinite lengths, expected DER",
            bytes: [0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0, 0]),
    ]

    private static let containers = [
        Row(
            "PKCS #12 without a password", "passphraseRequired", "an encrypted PKCS #12 file", "--password-file",
            bytes: S.aesPKCS12),
        Row(
            "PKCS #12 with a wrong password", "passphraseWrong", "a PKCS #12 file that can't be decrypted",
            as: password, bytes: S.aesPKCS12),
        Row(
            "truncated PKCS #12", "truncated", "a PKCS #12 file, cut off", as: password,
            bytes: Array(S.aesPKCS12.prefix(500))),
        Row(
            "PKCS #12 encrypted with RC2", "encryptionNotSupported", "encrypted with 40-bit RC2",
            "openssl pkcs12 -legacy",
            bytes: S.rc2PKCS12),
        Row(
            "PKCS #12 encrypted with Triple DES", "encryptionNotSupported", "encrypted with Triple DES",
            "openssl pkcs12 -legacy",
            bytes: S.tripleDESPKCS12),
        Row(
            "a Java key store", "javaKeyStore", "a Java key store (JKS)", "keytool -importkeystore",
            bytes: S.javaKeyStore),
    ]

    /// Runs `verify` on a row's file and returns its messages without the folder's path.
    private static func run(_ row: Row) throws -> (status: Int32, messages: String) {
        try TemporaryFolder.with { folder in
            if let bytes = row.bytes { try folder.write("FILE", Data(bytes)) }
            try folder.write("LEAF", Data(S.leafPEM.utf8))
            try folder.write("AUTHORITY", Data(S.authorityPEM.utf8))
            try folder.write("PASSWORD", Data("wrong\n".utf8))
            let path = folder.url.path
            let arguments = row.arguments.map { argument in
                switch argument {
                case "FILE", "LEAF", "AUTHORITY", "PASSWORD": path + "/" + argument
                case "FOLDER": path
                default: argument
                }
            }
            let outcome = try Tool.run(["verify"] + arguments + ["--time", "2026-12-01"])
            return (
                outcome.status,
                outcome.errors.replacingOccurrences(of: path + "/", with: "").replacingOccurrences(
                    of: path, with: "FOLDER")
            )
        }
    }

    @Test("The message contains the expected code and text", arguments: rows) func message(_ row: Row) throws {
        let (status, messages) = try Self.run(row)
        #expect(status == 2, "\(messages)")
        #expect(messages.contains("[\(row.code)]"), "\(messages)")
        for words in row.words { #expect(messages.contains(words), "\(messages)") }
        // A tag number is useful only after its name.
        #expect(!messages.contains("tag 0x"))
    }

    @Test("verify rejects a file over the size limit without reading it") func largeFile() throws {
        try TemporaryFolder.with { folder in
            let file = folder.url.appendingPathComponent("large")
            try Data().write(to: file)
            // A 300 MB hole uses no disk space.
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 300_000_000)
            try handle.close()
            let outcome = try Tool.run(["verify", file.path, "--host", "www.example.com"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("[tooLarge]"))
            #expect(outcome.errors.contains("larger than 256 MiB"))
        }
    }

    @Test("The table in Documentation/Generated/WrongInputs.md contains these messages") func documentation() throws {
        var text = """
            # Wrong inputs

            The messages of `servertrust verify` for files that it can't use, as the tests get them. Each ends with a stable code in brackets; the words
            may change. Exit code 2. `--anchors`, `--intermediates`, `--crl`, `--ocsp`, `check`, `pins make` and `pins lint` read files with the same reader.

            | file | message | hint |
            |---|---|---|

            """
        for row in Self.rows {
            let lines = try Self.run(row).messages.split(separator: "\n").map(String.init)
            func first(_ kind: String) -> String {
                let prefix = "servertrust: \(kind): "
                let line = lines.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
                return line.replacingOccurrences(of: "|", with: "\\|")
            }
            text += "| \(row.testDescription) | \(first("error")) | \(first("hint")) |\n"
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Generated/WrongInputs.md")
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}
