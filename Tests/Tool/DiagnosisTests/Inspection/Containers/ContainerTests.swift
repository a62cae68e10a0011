// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("Certificate containers", .enabled(if: Programs.isInstalled("openssl")))
struct ContainerTests {
    /// Creates a file from leaf.pem, key.pem and root.pem with an openssl command, and reads it.
    private func read(_ command: String, passphrase: String? = nil) throws -> [InspectedObject] {
        let samples = try Samples.shared.get()
        return try Programs.inFolder { programs in
            try programs.write("leaf.pem", samples.leafPEM)
            try programs.write("root.pem", samples.rootPEM)
            try programs.write("both.pem", samples.leafPEM + samples.rootPEM)
            try programs.write("key.pem", samples.leafKeyPEM)
            try programs.write("crl.pem", PEM.encode(samples.crl, label: "X509 CRL"))
            try programs.run(command)
            return InspectionReader.read(try programs.read("out"), name: "out") { _ in passphrase }.objects
        }
    }

    @Test(
        "The reader finds the certificates and CRLs in PKCS #7",
        arguments: [
            "openssl crl2pkcs7 -in crl.pem -certfile both.pem -out out",
            "openssl crl2pkcs7 -in crl.pem -certfile both.pem -outform DER -out out",
            "openssl crl2pkcs7 -in crl.pem -certfile both.pem -outform DER | base64 > out",
        ])
    func pkcs7(_ command: String) throws {
        let samples = try Samples.shared.get()
        let objects = try read(command)
        #expect(Set(objects.compactMap(\.certificate)) == [samples.leaf, samples.root])
        #expect(objects.count { $0.kind == .certificateRevocationList && $0.problem == nil } == 1)
        #expect(objects.count == 3)
        #expect(objects.allSatisfy { $0.place.layers.last == .pkcs7 })
    }

    @Test("The reader finds the certificates in a signed message")
    func signedMessage() throws {
        let objects = try read(
            "openssl cms -sign -in leaf.pem -signer leaf.pem -inkey key.pem -certfile root.pem -outform DER -nodetach -out out"
        )
        #expect(objects.compactMap(\.certificate).count == 2)
    }

    static let export = "openssl pkcs12 -export -in leaf.pem -inkey key.pem -certfile root.pem -out out"

    @Test(
        "The reader finds the certificates and keys in PKCS #12 with AES encryption",
        arguments: [
            ("-passout pass:secret", "secret"), ("-passout pass:", nil), ("-passout pass:schlüssel", "schlüssel"),
            ("-passout pass:secret -macalg sha512 -keypbe AES-128-CBC -certpbe AES-192-CBC", "secret"),
            ("-passout pass:secret -nomac", "secret"), ("-passout pass: -keypbe NONE -certpbe NONE -nomac", nil),
        ] as [(String, String?)])
    func pkcs12(_ arguments: String, _ passphrase: String?) throws {
        let samples = try Samples.shared.get()
        let objects = try read(Self.export + " " + arguments, passphrase: passphrase)
        #expect(objects.compactMap(\.certificate) == [samples.leaf, samples.root], "\(objects)")
        guard case .privateKey(let facts)? = objects.last?.content else {
            Issue.record("no key in \(objects)")
            return
        }
        #expect(facts.publicKey == samples.leaf.subjectPublicKeyInfo)
        #expect(objects.last?.der == [])
    }

    @Test(
        "The reader reports why it can't open a PKCS #12 file",
        arguments: [
            ("-passout pass:secret", nil, .passphraseRequired), ("-passout pass:secret", "no", .passphraseWrong),
            ("-passout pass:secret -legacy", "secret", .encryptionNotSupported),
            ("-passout pass:secret -legacy -certpbe PBE-SHA1-3DES", nil, .encryptionNotSupported),
            ("-passout pass:secret -keypbe DES-EDE3-CBC", "secret", .encryptionNotSupported),
            ("-passout pass:secret -iter 3000000 -nomaciter", "secret", .iterationsOverLimit),
        ] as [(String, String?, InspectionProblem.Code)])
    func closedPKCS12(_ arguments: String, _ passphrase: String?, _ code: InspectionProblem.Code) throws {
        let objects = try read(Self.export + " " + arguments, passphrase: passphrase)
        #expect(objects.map { $0.problem?.code } == [code])
        #expect(objects.first?.problem?.kind == .pkcs12)
    }

    @Test("The reader requests a passphrase only once, and only for files that need one")
    func passphraseOnce() throws {
        let samples = try Samples.shared.get()
        try Programs.inFolder { programs in
            try programs.write("leaf.pem", samples.leafPEM)
            try programs.run("openssl pkcs12 -export -nokeys -in leaf.pem -passout pass:secret -out one")
            try programs.run("openssl pkcs12 -export -nokeys -in leaf.pem -passout pass: -out none")
            let (one, none) = (try programs.read("one"), try programs.read("none"))
            var asked = 0
            let twice = InspectionReader.read(one + one, name: "file") { _ in
                asked += 1
                return "secret"
            }
            #expect(twice.objects.compactMap(\.certificate).count == 2)
            #expect(asked == 1)
            _ = InspectionReader.read(none, name: "file") { _ in
                asked += 1
                return "secret"
            }
            #expect(asked == 1)
        }
    }

    @Test(
        "The reader recognizes a Java key store and reads it if it is in PKCS #12 format",
        .enabled(if: Programs.isInstalled("keytool")))
    func javaKeyStore() throws {
        let samples = try Samples.shared.get()
        try Programs.inFolder { programs in
            try programs.write("root.pem", samples.rootPEM)
            for type in ["JKS", "PKCS12"] {
                try programs.run(
                    "keytool -importcert -noprompt -file root.pem -alias root -storetype \(type) -storepass changeit -keystore \(type)"
                )
            }
            let old = InspectionReader.read(try programs.read("JKS"), name: "JKS").objects
            #expect(old.map { $0.problem?.code } == [.javaKeyStore])
            let new = InspectionReader.read(try programs.read("PKCS12"), name: "PKCS12") { _ in "changeit" }.objects
            #expect(new.compactMap(\.certificate) == [samples.root], "\(new)")
        }
    }
}
