// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrust
import ServerTrustTesting
import Testing

@Suite("Certificates in a bundle's resources")
struct BundleCertificateTests {
    /// Runs `body` with a bundle that contains these files.
    private func withBundle(_ files: [String: [UInt8]], _ body: (Bundle) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("servertrust-\(UUID().uuidString)/app.resources")
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, bytes) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        try body(try #require(Bundle(path: folder.path)))
    }

    @Test("A bundle's certificates and keys come only from its certificate files")
    func certificates() throws {
        let root = try TestAuthority.root().certificate
        let other = try TestAuthority.root().certificate
        let files: [String: [UInt8]] = [
            "a.cer": root.der, "b.pem": Array(PEM.encode(other.der, label: "CERTIFICATE").utf8), "c.txt": [1, 2, 3],
            "pins/d.der": root.der,
        ]
        try withBundle(files) { bundle in
            let (certificates, keys) = (try bundle.certificates(), try bundle.publicKeys())
            #expect(Set(certificates) == [root, other])
            #expect(keys == certificates.map(\.subjectPublicKeyInfo))
            let pins = (try bundle.certificates(inDirectory: "pins"), try bundle.publicKeys(inDirectory: "pins"))
            #expect(pins.0 == [root] && pins.1 == [root.subjectPublicKeyInfo])
        }
    }

    @Test("The same certificate in two files becomes one pin")
    func twice() throws {
        let root = try TestAuthority.root().certificate
        let files: [String: [UInt8]] = [
            "a.cer": root.der, "a.pem": Array(PEM.encode(root.der, label: "CERTIFICATE").utf8),
        ]
        try withBundle(files) { bundle in
            #expect(throws: Never.self) { try PinnedCertificatesTrustEvaluator(certificates: bundle.certificates()) }
            #expect(throws: Never.self) { try PublicKeysTrustEvaluator(keys: bundle.publicKeys()) }
        }
    }

    @Test("A bundle without certificates or with a malformed file causes an error")
    func problems() throws {
        let root = try TestAuthority.root().certificate
        for files in [["c.txt": [1]], ["a.cer": root.der, "b.cer": [0x30, 0]]] as [[String: [UInt8]]] {
            try withBundle(files) { bundle in
                #expect(throws: CertificateFileError.self) { try bundle.certificates() }
                #expect(throws: CertificateFileError.self) { try bundle.publicKeys() }
            }
        }
    }
}
