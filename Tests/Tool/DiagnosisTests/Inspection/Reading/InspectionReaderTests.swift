// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("Objects in a file")
struct InspectionReaderTests {
    @Test("The reader recognizes every kind of object in DER and by its label")
    func kinds() throws {
        let samples = try Samples.shared.get()
        let kinds: [(ObjectKind, String, [UInt8])] = [
            (.certificate, "CERTIFICATE", samples.leaf.der),
            (.certificateRevocationList, "X509 CRL", samples.crl),
            (.ocspResponse, "OCSP RESPONSE", samples.ocspResponse),
            (.ocspRequest, "OCSP REQUEST", samples.ocspRequest),
            (.publicKey, "PUBLIC KEY", samples.leaf.subjectPublicKeyInfo.der),
        ]
        var text = ""
        for (kind, label, der) in kinds {
            let objects = InspectionReader.read(der, name: "file").objects
            #expect(objects.map { $0.kind } == [kind])
            #expect(objects.first?.problem == nil)
            #expect(objects.first?.der == der)
            text += PEM.encode(der, label: label)
        }
        let objects = InspectionReader.read(Array(text.utf8), name: "file").objects
        #expect(objects.map { $0.kind } == kinds.map { $0.0 })
        #expect(objects.allSatisfy { $0.problem == nil })
        let all = InspectionReader.read(kinds.flatMap { $0.2 }, name: "file").objects
        #expect(all.map { $0.kind } == kinds.map { $0.0 })
    }

    static let keys: [(String, String, Int?, String?)] = [
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", "EC", 256, "P-256"),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384", "EC", 384, "P-384"),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521", "EC", 521, "P-521"),
        ("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1", "EC", 256, "secp256k1"),
        ("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048", "RSA", 2_048, nil),
        ("genpkey -algorithm ED25519", "Ed25519", 256, nil),
    ]

    @Test(
        "The reader shows the facts and the public half of a private key, but doesn't keep its bytes",
        .enabled(if: Programs.isInstalled("openssl")), arguments: keys)
    func privateKey(_ command: String, _ algorithm: String, _ bits: Int?, _ curve: String?) throws {
        try Programs.inFolder { programs in
            try programs.run("openssl \(command) -out key.pem && openssl pkey -in key.pem -pubout -out public.pem")
            // Ed25519 keys have no traditional form.
            try programs.run("openssl pkey -in key.pem -traditional -out traditional.pem || cp key.pem traditional.pem")
            try programs.run("openssl pkey -in key.pem -outform DER -out key.der")
            try programs.run("openssl pkey -in key.pem -aes256 -passout pass:secret -out encrypted.pem")
            let expected = try PEM.decode(programs.read("public.pem"), labels: ["PUBLIC KEY"]).first
            for name in ["key.pem", "traditional.pem", "key.der", "encrypted.pem"] {
                let file = InspectionReader.read(try programs.read(name), name: name) { _ in "secret" }
                // A traditional file can begin with the curve's parameters.
                let object = try #require(file.objects.last)
                guard case .privateKey(let facts) = object.content else {
                    Issue.record("\(name) is \(object.content)")
                    continue
                }
                #expect(facts.algorithm == algorithm)
                #expect(facts.bits == bits)
                #expect(facts.curve == curve)
                #expect(facts.isEncrypted == (name == "encrypted.pem"))
                if curve != "secp256k1" { #expect(facts.publicKey?.der == expected) }
                #expect(object.der.isEmpty)
            }
            let closed = InspectionReader.read(try programs.read("encrypted.pem"), name: "key").objects.first
            guard case .privateKey(let facts)? = closed?.content else { throw Programs.Failed(command: "", output: "") }
            #expect(facts.isEncrypted && facts.publicKey == nil)
            let wrong = InspectionReader.read(try programs.read("encrypted.pem"), name: "key") { _ in "no" }
            #expect(wrong.objects.first?.problem?.code == .passphraseWrong)
        }
    }

    @Test("The reader rejects a public half that doesn't match the private key")
    func forgedPublicHalf() throws {
        let samples = try Samples.shared.get()
        let key = try PEM.decode(Array(samples.leafKeyPEM.utf8), labels: ["PRIVATE KEY"])[0]
        let forged = Array(key.dropLast()) + [key[key.count - 1] ^ 1]
        let object = InspectionReader.read(forged, name: "key").objects[0]
        guard case .privateKey(let facts) = object.content else { throw Programs.Failed(command: "", output: "") }
        #expect(facts.publicKey == samples.leaf.subjectPublicKeyInfo)
    }

    @Test("The reader parses OpenSSL's trust settings", .enabled(if: Programs.isInstalled("openssl")))
    func trustSettings() throws {
        let samples = try Samples.shared.get()
        try Programs.inFolder { programs in
            try programs.write("root.pem", samples.rootPEM)
            let rows: [(String, Bool, Bool, Bool)] = [
                ("-trustout", true, true, true),
                ("-addtrust serverAuth -setalias root", true, false, false),
                ("-addtrust clientAuth", false, true, false),
                ("-addreject serverAuth", false, true, false),
                ("-addtrust serverAuth -addreject serverAuth", false, false, false),
                ("-addtrust anyExtendedKeyUsage", true, true, true),
                ("-addreject anyExtendedKeyUsage", false, false, false),
            ]
            for (arguments, server, client, any) in rows {
                try programs.run("openssl x509 -in root.pem -trustout \(arguments) -out out")
                let text = try programs.read("out")
                for bytes in [text, try PEM.decode(text, labels: ["TRUSTED CERTIFICATE"])[0]] {
                    let objects = InspectionReader.read(bytes, name: "out").objects
                    #expect(objects.count == 1)
                    if bytes != text, arguments == "-trustout" {
                        #expect(objects.first?.certificate == samples.root)
                        continue
                    }
                    guard case .trustedCertificate(let trusted)? = objects.first?.content else {
                        Issue.record("\(arguments): \(objects)")
                        continue
                    }
                    #expect(trusted.certificate == samples.root)
                    #expect(trusted.isTrusted(for: .serverAuth) == server, "\(arguments)")
                    #expect(trusted.isTrusted(for: .clientAuth) == client, "\(arguments)")
                    #expect(trusted.isTrusted(for: .any) == any, "\(arguments)")
                    #expect(trusted.alias == (arguments.contains("alias") ? "root" : nil))
                }
            }
        }
    }
}
