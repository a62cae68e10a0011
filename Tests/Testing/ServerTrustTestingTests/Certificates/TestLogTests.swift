// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustTesting

@Suite("TestLog, read by the engine and by other programs") struct TestLogTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isBelowRoot = false
        var change: @Sendable (inout CertificateTemplate) throws -> Void = { _ in }
    }

    /// Without the timestamps, there is no list of extensions either, because a list has at least one extension (RFC
    /// 5280 § 4.1.2.9).
    static let bare = Row(testDescription: "no other extension") { $0 = CertificateTemplate.bare }

    static let rows: [Row] = [
        Row(testDescription: "a leaf from an intermediate"),
        Row(testDescription: "a leaf from the root", isBelowRoot: true),
        Row(testDescription: "timestamps as the first extension added") {
            $0.extensions = [.unknown(1), .unknown(2)]
            $0.timestampsIndex = 0
        },
        Row(testDescription: "timestamps between others") {
            $0.extensions = [.unknown(1), .unknown(2)]
            $0.timestampsIndex = 1
        },
        Row(testDescription: "dates in GeneralizedTime") { $0.encoding.usesGeneralizedTime = true },
        Row(testDescription: "a large extension next to them") { $0.extensions = [.unknown(70_000)] },
    ]

    @Test(
        "Embedded timestamps verify, with P-256 and RSA keys, with and without tile indices",
        arguments: rows + [bare])
    func embedded(row: Row) throws {
        let certificates = try Scene(row)
        let list = try #require(certificates.leaf.embeddedTimestamps)
        #expect(list.timestamps.map(\.logID) == certificates.logs.map(\.logID))
        #expect(list.timestamps.map(\.time) == certificates.logs.map { _ in TestAuthority.notBefore })
        #expect(list.timestamps.map(\.extensions) == [[], [0, 0, 5, 0, 0, 0, 0, 1], []])
        let issuerKey = certificates.issuer.subjectPublicKeyInfo.sha256
        for (timestamp, log) in zip(list.timestamps, certificates.logs) {
            let key = try log.verifier()
            #expect(key.isValid(timestamp, for: .precertificate(of: certificates.leaf, issuerKeySHA256: issuerKey)))
            #expect(!key.isValid(timestamp, for: .certificate(certificates.leaf)))
        }
    }

    @Test("Timestamps in a handshake or an OCSP response are for the certificate itself")
    func separate() throws {
        let certificates = try Scene(Self.rows[0])
        let timestamps = certificates.logs.map { $0.timestamp() }
        let bytes = try TestTimestamp.list(timestamps, for: certificates.leaf)
        let list = try TimestampList(tls: bytes)
        #expect(list.timestamps.count == 3)
        for (timestamp, log) in zip(list.timestamps, certificates.logs) {
            #expect(try log.verifier().isValid(timestamp, for: .certificate(certificates.leaf)))
        }
        let staple = try certificates.authority.ocspResponse {
            $0.add(certificates.leaf) { $0.timestampList = bytes }
        }
        // The identifier, then two OCTET STRINGs around a list.
        #expect(staple.der.firstRange(of: [0x06, 0x0a, 0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 5, 0x04]) != nil)
    }

    @Test("A faulty timestamp has only the intended fault")
    func faults() throws {
        let log = try TestLog("One", operatedBy: "One")
        let other = try TestLog("Two", operatedBy: "Two")
        let root = try TestAuthority.root()
        func list(_ timestamp: TestTimestamp) throws -> (TimestampList, Bool) {
            let leaf = try root.issue(.leaf("www.example.com").with { $0.timestamps = [timestamp] }).certificate
            let list = try #require(leaf.embeddedTimestamps)
            let isValid = try list.timestamps.contains {
                try log.verifier().isValid(
                    $0, for: .precertificate(of: leaf, issuerKeySHA256: root.certificate.subjectPublicKeyInfo.sha256))
            }
            return (list, isValid)
        }
        #expect(try list(log.timestamp()).1)
        #expect(try !list(log.timestamp().with { $0.hasWrongSignature = true }).1)
        #expect(try !list(log.timestamp().with { $0.logID = other.logID }).1)
        #expect(try list(log.timestamp().with { $0.version = 1 }).0.otherVersions == 1)
        #expect(try list(log.timestamp().with { $0.trailer = [0] }).0.malformed == 1)
        let exact = try list(log.timestamp().with { $0.milliseconds = .max })
        #expect(exact.0.timestamps.map(\.milliseconds) == [.max] && exact.1)
    }

    @Test("A list contains each log's operator, state, dates and kind")
    func lists() throws {
        let since = TestAuthority.now.advanced(by: -30 * 86_400)
        let logs = try [
            TestLog("One", operatedBy: "A"),
            TestLog("Two", operatedBy: "B", key: .rsa()).with { $0.state = .retired(since: since) },
            TestLog("Three", operatedBy: "A").with {
                $0.isTiled = true
                $0.state = .readOnly(since: since)
                $0.shard = TestAuthority.notBefore..<TestAuthority.notAfter
                $0.previousOperators = [TestLog.PreviousOperator("C", until: since)]
            },
            TestLog("Four", operatedBy: "D").with { $0.state = .pending },
            TestLog("Five", operatedBy: "D").with { $0.state = .qualified },
            TestLog("Six", operatedBy: "D").with { $0.state = .rejected },
        ]
        let list = try CTLogList(json: TestLog.list(logs), now: TestAuthority.now)
        #expect(list.warnings.isEmpty && list.date == TestAuthority.now && list.version == "1.0")
        #expect(list.count == 6)
        func read(_ index: Int) throws -> CTLogList.Log { try #require(list.logs[logs[index].logID]) }
        #expect(try (0..<6).map { try read($0).state.kind.rawValue } == logs.map(\.state.name))
        #expect(try read(1).state.since == since)
        #expect(try read(2).isTiled && !read(0).isTiled)
        #expect(try read(2).shard?.start == TestAuthority.notBefore && read(2).shard?.end == TestAuthority.notAfter)
        #expect(try read(2).operatorName(at: since.advanced(by: -1)) == "C")
        #expect(try read(2).operatorName(at: since) == "A")
    }

    @Test("openssl shows the timestamps, and Python's cryptography verifies them", arguments: rows)
    func peers(row: Row) throws {
        guard OpenSSLTool.hasOpenSSL, Python.hasCryptography else {
            try Test.cancel("openssl or Python's cryptography is missing")
        }
        let certificates = try Scene(row)
        try OpenSSLTool.with { bench in
            let outcome = try bench.verify(
                certificates.leaf, others: [certificates.issuer], root: certificates.root)
            #expect(outcome.status == 0, "\(outcome.text)")
            let text = try bench.openssl("x509", "-in", "leaf.pem", "-noout", "-text").text
            #expect(text.components(separatedBy: "Signed Certificate Timestamp:").count == 4, "\(text)")
            #expect(text.contains("CT Precertificate SCTs"))
            try bench.write([certificates.issuer], "issuer.pem")
            try bench.write(TestLog.list(certificates.logs), "logs.json")
            try bench.write(Python.verifier, "verify.py")
            #expect(try Python.run(["verify.py"], in: bench.folder) == "3 of 3\n")
        }
    }
}

/// A leaf with timestamps from three logs: one with a P-256 key, one with tiles, and one with an RSA key.
private struct Scene {
    let logs: [TestLog]
    let authority: TestAuthority
    let root: PKIX.Certificate
    let leaf: PKIX.Certificate

    var issuer: PKIX.Certificate { authority.certificate }

    init(_ row: TestLogTests.Row) throws {
        logs = try [
            TestLog("One", operatedBy: "A"), TestLog("Two", operatedBy: "B").with { $0.isTiled = true },
            TestLog("Three", operatedBy: "C", key: KeyKind.rsa2048.key()),
        ]
        let root = try TestAuthority.root()
        self.root = root.certificate
        authority = row.isBelowRoot ? root : try root.intermediate()
        let promised = logs.map { $0.timestamp() }
        leaf = try authority.issue(
            .leaf("www.example.com").with {
                try row.change(&$0)
                $0.timestamps = promised
            }
        ).certificate
    }
}

extension CertificateTemplate {
    /// A certificate without extensions.
    fileprivate static let bare = CertificateTemplate(commonName: "www.example.com").with {
        $0.hasSubjectKeyIdentifier = false
        $0.hasAuthorityKeyIdentifier = false
    }
}

extension Extension {
    /// Returns an unknown extension whose value is that many bytes long.
    fileprivate static func unknown(_ count: Int) -> Extension {
        Extension(
            identifier: OID(contents: [0x2a, 3, UInt8(count % 100)]), isCritical: false,
            value: DERWriter.octets([UInt8](repeating: 7, count: count)))
    }
}

extension TestLog {
    fileprivate func verifier() throws -> TransparencyLogKey {
        try #require(TransparencyLogKey(SubjectPublicKeyInfo(der: key.subjectPublicKeyInfo())))
    }
}

private enum Python {
    static let hasCryptography =
        (try? OpenSSLTool.with { try run(["-c", "import cryptography.x509; print(1)"], in: $0.folder) }) == "1\n"

    static func run(_ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Verifies the timestamps of `leaf.pem`, issued by `issuer.pem`, with the keys of `logs.json`.
    static let verifier = """
        import base64, hashlib, json, struct
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
        leaf = x509.load_pem_x509_certificate(open("leaf.pem", "rb").read())
        issuer = x509.load_pem_x509_certificate(open("issuer.pem", "rb").read())
        keys = {}
        for operator in json.load(open("logs.json"))["operators"]:
            for log in operator["logs"] + operator["tiled_logs"]:
                der = base64.b64decode(log["key"])
                assert hashlib.sha256(der).digest() == base64.b64decode(log["log_id"])
                keys[hashlib.sha256(der).digest()] = serialization.load_der_public_key(der)
        spki = issuer.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        tbs = leaf.tbs_precertificate_bytes
        promises = leaf.extensions.get_extension_for_class(x509.PrecertificateSignedCertificateTimestamps).value
        good = 0
        for sct in promises:
            assert sct.entry_type == x509.certificate_transparency.LogEntryType.PRE_CERTIFICATE
            moment = int(sct.timestamp.replace(tzinfo=__import__("datetime").timezone.utc).timestamp() * 1000)
            signed = b"\\0\\0" + struct.pack(">QH", moment, 1) + hashlib.sha256(spki).digest()
            signed += struct.pack(">I", len(tbs))[1:] + tbs
            signed += struct.pack(">H", len(sct.extension_bytes)) + sct.extension_bytes
            key = keys[sct.log_id]
            if isinstance(key, rsa.RSAPublicKey):
                key.verify(sct.signature, signed, padding.PKCS1v15(), hashes.SHA256())
            else:
                key.verify(sct.signature, signed, ec.ECDSA(hashes.SHA256()))
            good += 1
        print(f"{good} of {len(promises)}")
        """
}
