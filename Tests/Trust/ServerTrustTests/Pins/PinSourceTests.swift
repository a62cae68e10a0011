// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import OpenSSLSamples
import PKIX
import ServerTrustTesting
import Testing

@testable import ServerTrust

@Suite("Pin sources")
struct PinSourceTests {
    enum Kind: Sendable {
        case certificate
        case publicKey
        case certificateRequest

        init(_ origin: PinSource.Origin) {
            self =
                switch origin {
                case .certificate: .certificate
                case .publicKey: .publicKey
                case .certificateRequest: .certificateRequest
                }
        }
    }

    /// A file from openssl, with the pin of its key as `openssl pkey -pubin -outform der | openssl dgst -sha256 -binary
    /// | base64` prints it.
    struct Made: CustomTestStringConvertible {
        var testDescription: String
        var pem: String
        var kind: Kind
        var pin: String
    }

    static let p256 = "sha256/qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q="
    static let p384 = "sha256/dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4="
    static let rsa = "sha256/n5bWzqjcPwrJIBqWo8AjeILJww3IZjfkJ9vf9IVOuZw="
    static let ed25519 = "sha256/AvelwQ3ivsYShsLZL7ru8oz9A7jWpCxqAwZhAPVHpPQ="
    static let ed448 = "sha256/PMQRh5iU+fquXAu3qqKnRe9l9zQX91hAEmOAJJ5QqZw="

    static let made = [
        Made(testDescription: "a request, P-256", pem: OpenSSLRequests.p256, kind: .certificateRequest, pin: p256),
        Made(testDescription: "a request, P-384", pem: OpenSSLRequests.p384, kind: .certificateRequest, pin: p384),
        Made(testDescription: "a request, RSA", pem: OpenSSLRequests.rsa, kind: .certificateRequest, pin: rsa),
        Made(
            testDescription: "a request, Ed25519", pem: OpenSSLRequests.ed25519, kind: .certificateRequest, pin: ed25519
        ),
        Made(
            testDescription: "a request under its older label", pem: Files.newRequest, kind: .certificateRequest,
            pin: p256),
        Made(testDescription: "a public key, P-256", pem: Files.publicP256, kind: .publicKey, pin: p256),
        Made(testDescription: "a public key, P-384", pem: Files.publicP384, kind: .publicKey, pin: p384),
        Made(testDescription: "a public key, RSA", pem: Files.publicRSA, kind: .publicKey, pin: rsa),
        Made(testDescription: "a public key, Ed25519", pem: Files.publicEd25519, kind: .publicKey, pin: ed25519),
        Made(
            testDescription: "a public key of an unsupported kind", pem: Files.publicEd448,
            kind: .publicKey, pin: ed448),
        Made(testDescription: "an RSA key of PKCS #1", pem: Files.rsaPublicKey, kind: .publicKey, pin: rsa),
        Made(testDescription: "a certificate", pem: Files.certificate, kind: .certificate, pin: p256),
    ]

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func der(_ pem: String) throws -> [UInt8] { try #require(PEM.blocks(in: bytes(pem)).first?.get().der) }

    @Test("Pins of openssl's files equal the pins that openssl computes", arguments: made)
    func pem(made: Made) throws {
        let sources = try PinSource.sources(in: Self.bytes(made.pem), name: "a.pem")
        #expect(sources.map(\.pin.description) == [made.pin])
        #expect(sources.map { Kind($0.origin) } == [made.kind])
        #expect(sources.map(\.file) == ["a.pem"])
        #expect(sources.map(\.object) == [1])
    }

    @Test("Pins are the same for the files in DER", arguments: made.filter { $0.pem != Files.rsaPublicKey })
    func der(made: Made) throws {
        let sources = try PinSource.sources(in: Self.der(made.pem), name: "a.der")
        #expect(sources.map(\.pin.description) == [made.pin])
        #expect(sources.map { Kind($0.origin) } == [made.kind])
        #expect(sources.map(\.object) == [1])
    }

    @Test(
        "A PKCS #1 RSA key becomes the SubjectPublicKeyInfo that swift-crypto writes",
        arguments: [1024, 2048, 3072])
    func pkcs1(bits: Int) throws {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits)).publicKey
        let pem = PEM.encode([UInt8](key.pkcs1DERRepresentation), label: "RSA PUBLIC KEY")
        let source = try #require(PinSource.sources(in: Self.bytes(pem), name: "a.pem").first)
        #expect(try source.origin == .publicKey(SubjectPublicKeyInfo(der: [UInt8](key.derRepresentation))))
    }

    @Test(
        "The source reads a certificate under every label that a certificate file can have",
        arguments: ["CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE"])
    func labels(label: String) throws {
        let certificate = try TestAuthority.root().certificate
        let pem = PEM.encode(certificate.der, label: label)
        let sources = try PinSource.sources(in: Self.bytes(pem), name: "a.pem")
        #expect(sources.map(\.origin) == [.certificate(certificate)])
        #expect(sources.map(\.pin) == [SPKIPin(certificate)])
    }

    @Test("The source reads a file with many kinds of objects in order, and skips and counts objects without a pin")
    func many() throws {
        let parts = [
            "words before\n", PEM.encode([0x06, 0x01, 0x2a], label: "EC PARAMETERS"), Files.certificate,
            "\n# words between\n",
            PEM.encode([0x30, 0x00], label: "X509 CRL"), OpenSSLRequests.p384, "\n", Files.rsaPublicKey, "\n",
            Files.publicEd25519, "\nwords after",
        ]
        let sources = try PinSource.sources(in: Self.bytes(parts.joined()), name: "all.pem")
        #expect(sources.map(\.pin.description) == [Self.p256, Self.p384, Self.rsa, Self.ed25519])
        #expect(sources.map { Kind($0.origin) } == [.certificate, .certificateRequest, .publicKey, .publicKey])
        #expect(sources.map(\.object) == [2, 4, 5, 6])
    }

    @Test("The origin names the object that the source read")
    func origin() throws {
        let source = try #require(PinSource.sources(in: Self.bytes(OpenSSLRequests.p256), name: "a.csr").first)
        #expect(try source.origin == .certificateRequest(CertificateRequest(der: Self.der(OpenSSLRequests.p256))))
        #expect(try PinSource.sources(in: Self.bytes(OpenSSLRequests.p256), name: "a.csr") == [source])
    }
}

// MARK: - Private keys

extension PinSourceTests {
    struct Secret: CustomTestStringConvertible {
        var testDescription: String
        var bytes: @Sendable () throws -> [UInt8]

        init(_ name: String, pem: String) {
            self.testDescription = name
            self.bytes = { PinSourceTests.bytes(pem) }
        }

        init(_ name: String, der pem: String) {
            self.testDescription = name
            self.bytes = { try PinSourceTests.der(pem) }
        }

        init(_ name: String, _ pem: String, label: String) {
            self.testDescription = name
            self.bytes = { PinSourceTests.bytes(PEM.encode(try PinSourceTests.der(pem), label: label)) }
        }
    }

    static let secrets = [
        Secret("PKCS #8", pem: Files.privatePKCS8),
        Secret("PKCS #8, encrypted", pem: Files.privateEncrypted),
        Secret("SEC 1", pem: Files.privateSEC1),
        Secret("SEC 1, encrypted as in RFC 1421", pem: Files.privateLegacyEncrypted),
        Secret("PKCS #1", pem: Files.privatePKCS1),
        Secret("OpenSSH", pem: PEM.encode(bytes("openssh-key-v1"), label: "OPENSSH PRIVATE KEY")),
        Secret("an unknown kind", pem: PEM.encode([1, 2, 3], label: "SOME PRIVATE KEY")),
        Secret("cut off", pem: String(Files.privatePKCS8.dropLast(40))),
        Secret("with a character that isn't base64", pem: Files.privatePKCS8.replacing("M", with: "*")),
        Secret("PKCS #8 in DER", der: Files.privatePKCS8),
        Secret("PKCS #8, encrypted, in DER", der: Files.privateEncrypted),
        Secret("SEC 1 in DER", der: Files.privateSEC1),
        Secret("PKCS #1 in DER", der: Files.privatePKCS1),
        Secret("PKCS #8 labeled as a public key", Files.privatePKCS8, label: "PUBLIC KEY"),
        Secret("PKCS #1 labeled as a public key", Files.privatePKCS1, label: "RSA PUBLIC KEY"),
        Secret("SEC 1 labeled as a certificate", Files.privateSEC1, label: "CERTIFICATE"),
        Secret("PKCS #8 labeled as a request", Files.privatePKCS8, label: "CERTIFICATE REQUEST"),
        Secret("encrypted, under an unknown label", Files.privateEncrypted, label: "KEY"),
    ]

    @Test("The source refuses a private key and says so, in any format", arguments: secrets)
    func privateKey(secret: Secret) throws {
        let error = #expect(throws: CertificateFileError.self) {
            try PinSource.sources(in: secret.bytes(), name: "api.key")
        }
        #expect(error?.code == .certificateFilePrivateKey)
        #expect(error?.object == 1)
        #expect(error?.file == "api.key")
    }

    @Test(
        "An error never contains any part of a private key, however damaged the key is",
        arguments: [Files.privatePKCS8, Files.privateSEC1])
    func echo(pem: String) throws {
        let der = try Self.der(pem)
        // The secret number itself: 32 bytes after an OCTET STRING's tag and length.
        let start = try #require(der.indices.dropLast().first { der[$0] == 0x04 && der[$0 + 1] == 0x20 }) + 2
        let secret = Array(der[start..<(start + 32)])
        let traces = stride(from: 0, to: 30, by: 3).flatMap { offset -> [String] in
            let part = Array(secret[offset...].prefix(3))
            return [Base64.encode(part), Hex.encode(part), part.map { String($0) }.joined(separator: ", ")]
        }
        for index in der.indices {
            var altered = der
            altered[index] ^= 0xff
            for bytes in [
                altered, Array(der[..<index]), Array(der[index...]),
                Self.bytes(PEM.encode(altered, label: "PUBLIC KEY")),
            ] {
                for entry in PinSource.entries(in: bytes, name: "api.key") {
                    guard case .failure(let error) = entry else {
                        Issue.record("byte \(index) altered and read as something public")
                        continue
                    }
                    let told = "\(error) \(String(reflecting: error))"
                    for trace in traces where told.contains(trace) { Issue.record("byte \(index) tells \(trace)") }
                }
            }
        }
    }

    @Test("A truncated private key in DER is recognized if its version and kind are present")
    func cut() throws {
        for pem in [Files.privatePKCS8, Files.privateSEC1, Files.privatePKCS1] {
            let der = try Self.der(pem)
            for count in 12..<der.count {
                let error = #expect(throws: CertificateFileError.self) {
                    try PinSource.sources(in: Array(der[..<count]), name: "api.key")
                }
                #expect(error?.code == .certificateFilePrivateKey, "\(count) bytes")
            }
        }
    }

    @Test("A private key next to a certificate is refused, and all errors are available")
    func beside() throws {
        let bytes = Self.bytes(Files.certificate + "\n" + Files.privatePKCS8 + "\n" + OpenSSLRequests.flipped)
        #expect(throws: CertificateFileError.self) { try PinSource.sources(in: bytes, name: "api.pem") }
        let entries = PinSource.entries(in: bytes, name: "api.pem")
        #expect(entries.count == 3)
        #expect(try entries.first?.get().pin.description == Self.p256)
        let errors = entries.compactMap { entry -> CertificateFileError? in
            if case .failure(let error) = entry { error } else { nil }
        }
        #expect(errors.map(\.code) == [.certificateFilePrivateKey, .certificateFileRequestInvalid])
        #expect(errors.map(\.object) == [2, 3])
    }
}

// MARK: - Sources without a pin

extension PinSourceTests {
    /// The code of an error, and its values.
    struct Found: Sendable, Equatable {
        var code: ErrorCode
        var labels: [String]?
        var expected: ObjectKind?
        var found: ObjectKind?
        var algorithm: OID?

        init(
            _ code: ErrorCode, labels: [String]? = nil, expected: ObjectKind? = nil, found: ObjectKind? = nil,
            algorithm: OID? = nil
        ) {
            self.code = code
            self.labels = labels
            self.expected = expected
            self.found = found
            self.algorithm = algorithm
        }
    }

    struct Refused: CustomTestStringConvertible {
        var testDescription: String
        var bytes: @Sendable () throws -> [UInt8]
        var found: Found
        /// The object's number, or nil for the whole file.
        var object: Int?

        init(
            _ name: String, _ found: Found, object: Int? = 1,
            _ bytes: @escaping @Sendable () throws -> [UInt8]
        ) {
            self.testDescription = name
            self.bytes = bytes
            self.found = found
            self.object = object
        }

        init(_ name: String, _ found: Found, object: Int? = 1, pem: String) {
            self.init(name, found, object: object) { PinSourceTests.bytes(pem) }
        }
    }

    static let refused = [
        Refused("an empty file", Found(.certificateFileEmpty), object: nil) { [] },
        Refused("words", Found(.certificateFileWithoutCertificate, labels: []), object: nil, pem: "hello"),
        Refused("a pin", Found(.certificateFileWithoutCertificate, labels: []), object: nil, pem: p256),
        Refused("an empty sequence", Found(.certificateFileWithoutCertificate, labels: []), object: nil) {
            [0x30, 0x00]
        },
        Refused("a sequence of unknown contents", Found(.certificateFileWithoutCertificate, labels: []), object: nil) {
            [0x30, 0x06, 0x0c, 0x01, 0x41, 0x0c, 0x01, 0x42]
        },
        Refused(
            "the start of a list of revoked certificates", Found(.certificateFileWithoutCertificate, labels: []),
            object: nil
        ) {
            // v2, an algorithm, an issuer, a time.
            [0x30, 0x13, 0x30, 0x11, 0x02, 0x01, 0x01, 0x30, 0x03, 0x06, 0x01, 0x2a, 0x30, 0x00, 0x17, 0x01, 0x00]
        },
        Refused(
            "only objects that can't be pinned, with each label reported once",
            Found(.certificateFileWithoutCertificate, labels: ["X509 CRL", "EC PARAMETERS", "PKCS7"]), object: nil,
            pem: PEM.encode([0x30, 0x00], label: "X509 CRL") + PEM.encode([0x06, 0x01, 0x2a], label: "EC PARAMETERS")
                + PEM.encode([0x30, 0x00], label: "X509 CRL") + PEM.encode([0x30, 0x00], label: "PKCS7")),
        Refused(
            "OpenSSL's certificate with trust settings", Found(.certificateFileTrustedCertificate),
            pem: Files.trustedCertificate),
        Refused("an RSA key of PKCS #1 without a label", Found(.certificateFileUnlabelledKey)) {
            try der(Files.rsaPublicKey)
        },
        Refused("a request that was altered", Found(.certificateFileRequestInvalid), pem: OpenSSLRequests.flipped),
        Refused("a request that was altered, in DER", Found(.certificateFileRequestInvalid)) {
            try der(OpenSSLRequests.flipped)
        },
        Refused(
            "a request with a key of an unsupported kind",
            Found(.certificateFileRequestNotVerifiable, algorithm: OID("1.3.101.113") ?? .anyPolicy),
            pem: OpenSSLRequests.ed448),
        Refused(
            "a public key labeled as a certificate",
            Found(.certificateFileMislabelled, labels: ["CERTIFICATE"], expected: .certificate, found: .publicKey)
        ) { bytes(PEM.encode(try der(Files.publicP256), label: "CERTIFICATE")) },
        Refused(
            "a request labeled as a certificate",
            Found(
                .certificateFileMislabelled, labels: ["CERTIFICATE"], expected: .certificate, found: .certificateRequest
            )
        ) { bytes(PEM.encode(try der(OpenSSLRequests.p256), label: "CERTIFICATE")) },
        Refused(
            "a certificate labeled as a request",
            Found(
                .certificateFileMislabelled, labels: ["CERTIFICATE REQUEST"], expected: .certificateRequest,
                found: .certificate)
        ) { bytes(PEM.encode(try der(Files.certificate), label: "CERTIFICATE REQUEST")) },
        Refused(
            "an RSA key of PKCS #1 labeled as a public key",
            Found(.certificateFileMislabelled, labels: ["PUBLIC KEY"], expected: .publicKey, found: .rsaPublicKey)
        ) { bytes(PEM.encode(try der(Files.rsaPublicKey), label: "PUBLIC KEY")) },
        Refused(
            "a public key labeled as one of PKCS #1",
            Found(.certificateFileMislabelled, labels: ["RSA PUBLIC KEY"], expected: .rsaPublicKey, found: .publicKey)
        ) { bytes(PEM.encode(try der(Files.publicRSA), label: "RSA PUBLIC KEY")) },
    ]

    @Test("A source without a pin is refused with a reason", arguments: refused)
    func refused(row: Refused) throws {
        let entries = try PinSource.entries(in: row.bytes(), name: "a.pem")
        #expect(entries.count == 1)
        let error = #expect(throws: CertificateFileError.self) { try PinSource.sources(in: row.bytes(), name: "a.pem") }
        #expect(error?.code == row.found.code)
        if let labels = row.found.labels { #expect(error?.labels == labels) }
        if let expected = row.found.expected { #expect(error?.kind == expected) }
        #expect(error?.found == row.found.found)
        #expect(error?.signatureAlgorithm == row.found.algorithm)
        #expect(error?.object == row.object)
        #expect(error?.file == "a.pem")
    }

    static let numbers: [(name: String, der: [UInt8])] = [
        ("an exponent of zero", [0x30, 0x06, 0x02, 0x01, 0x55, 0x02, 0x01, 0x00]),
        ("a negative modulus", [0x30, 0x06, 0x02, 0x01, 0x85, 0x02, 0x01, 0x03]),
        ("a negative exponent", [0x30, 0x06, 0x02, 0x01, 0x55, 0x02, 0x01, 0x83]),
        ("one number", [0x30, 0x03, 0x02, 0x01, 0x55]),
        ("three numbers", [0x30, 0x09, 0x02, 0x01, 0x55, 0x02, 0x01, 0x03, 0x02, 0x01, 0x07]),
        ("no number", [0x30, 0x00]),
        ("a set", [0x31, 0x06, 0x02, 0x01, 0x55, 0x02, 0x01, 0x03]),
        ("octets", [0x04, 0x02, 0x55, 0x03]),
    ]

    @Test("A PKCS #1 RSA key must be two positive numbers", arguments: numbers)
    func numbers(name: String, der: [UInt8]) throws {
        let pem = PEM.encode(der, label: "RSA PUBLIC KEY")
        let error = #expect(throws: CertificateFileError.self, "\(name)") {
            try PinSource.sources(in: Self.bytes(pem), name: "a.pem")
        }
        #expect(error?.code == .certificateFileMalformed, "\(name)")
        #expect(error?.kind == .rsaPublicKey, "\(name)")
        #expect(error?.field == nil, "\(name)")
    }

    static let damaged:
        [(name: String, kind: ObjectKind, reason: DERError.Reason, bytes: @Sendable () throws -> [UInt8])] =
            [
                ("a cut certificate", .certificate, .truncated, { Array(try der(Files.certificate).dropLast()) }),
                ("a cut request", .certificateRequest, .truncated, { Array(try der(OpenSSLRequests.p256).dropLast()) }),
                ("a truncated public key", .publicKey, .truncated, { Array(try der(Files.publicP256).dropLast()) }),
                (
                    "two public keys in DER", .publicKey, .trailingBytes,
                    { try der(Files.publicP256) + der(Files.publicP256) }
                ),
                (
                    "a certificate with one byte too many", .certificate, .trailingBytes,
                    { bytes(PEM.encode(try der(Files.certificate) + [0], label: "CERTIFICATE")) }
                ),
                ("an empty public key", .publicKey, .truncated, { bytes(PEM.encode([], label: "PUBLIC KEY")) }),
                ("an empty RSA key", .rsaPublicKey, .truncated, { bytes(PEM.encode([], label: "RSA PUBLIC KEY")) }),
                (
                    "an RSA key with a superfluous zero", .rsaPublicKey, .integerNotMinimal,
                    {
                        bytes(
                            PEM.encode([0x30, 0x07, 0x02, 0x02, 0x00, 0x55, 0x02, 0x01, 0x03], label: "RSA PUBLIC KEY"))
                    }
                ),
                (
                    "a request over the limit", .certificateRequest, .limitExceeded(limit: Certificate.maximumSize),
                    {
                        bytes(
                            PEM.encode(
                                [UInt8](repeating: 0, count: Certificate.maximumSize + 1), label: "CERTIFICATE REQUEST")
                        )
                    }
                ),
            ]

    @Test("A damaged object is reported with the error in it", arguments: damaged)
    func damaged(
        name: String, kind: ObjectKind, reason: DERError.Reason, bytes: @Sendable () throws -> [UInt8]
    ) throws {
        let error = #expect(throws: CertificateFileError.self, "\(name)") {
            try PinSource.sources(in: bytes(), name: "a.pem")
        }
        #expect(error?.code == .certificateFileMalformed, "\(name)")
        #expect(error?.kind == kind, "\(name)")
        #expect(error?.field?.reason == reason, "\(name)")
        #expect(error?.object == 1, "\(name)")
    }

    @Test("A PEM object that can't be decoded causes an error even next to valid ones")
    func undecodable() throws {
        let broken = "-----BEGIN PUBLIC KEY-----\n*\n-----END PUBLIC KEY-----\n"
        let entries = PinSource.entries(in: Self.bytes(Files.certificate + "\n" + broken), name: "a.pem")
        #expect(entries.count == 2)
        guard case .failure(let error) = entries.last else {
            Issue.record("no error of the PEM object")
            return
        }
        let text = Self.bytes(Files.certificate + "\n" + broken)
        #expect(error.code == .certificateFileUndecodable)
        #expect(error.object == 2)
        #expect(error.offset == text.lastIndex(of: UInt8(ascii: "*")))
        #expect(error.line == text.count { $0 == 0x0a } - 1)
        #expect(error.labels == ["PUBLIC KEY"])
    }
}

// MARK: - Hostile input

extension PinSourceTests {
    @Test("The source refuses every prefix of a DER file", arguments: made)
    func truncated(made: Made) throws {
        let der = try Self.der(made.pem)
        for count in der.indices {
            #expect(throws: CertificateFileError.self, "\(count) bytes") {
                try PinSource.sources(in: Array(der[..<count]), name: "a.der")
            }
        }
    }

    @Test("The source refuses every prefix of a PEM file or reads it completely", arguments: made)
    func truncatedPEM(made: Made) throws {
        let bytes = Self.bytes(made.pem)
        for count in bytes.indices {
            #expect(throws: CertificateFileError.self, "\(count) bytes") {
                try PinSource.sources(in: Array(bytes[..<count]), name: "a.pem")
            }
        }
    }

    @Test("A request with any bit flipped yields no pin", arguments: [OpenSSLRequests.p256, OpenSSLRequests.ed25519])
    func flippedRequest(pem: String) throws {
        let der = try Self.der(pem)
        var accepted: [Int] = []
        for bit in 0..<(der.count * 8) {
            var altered = der
            altered[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            if (try? PinSource.sources(in: altered, name: "a.csr")) != nil { accepted.append(bit) }
        }
        #expect(accepted.isEmpty, "pinned with one of these bits flipped")
    }

    @Test(
        "A public key with any byte changed is refused or yields a different pin",
        arguments: [Files.publicP256, Files.publicRSA])
    func changedKey(pem: String) throws {
        let der = try Self.der(pem)
        let pin = try SPKIPin(SubjectPublicKeyInfo(der: der))
        for index in der.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xff] {
                var altered = der
                altered[index] ^= mask
                for label in [nil, "PUBLIC KEY", "RSA PUBLIC KEY"] {
                    let bytes = label.map { Self.bytes(PEM.encode(altered, label: $0)) } ?? altered
                    let entries = PinSource.entries(in: bytes, name: "a.pem")
                    #expect(entries.count == 1)
                    #expect((try? entries.first?.get())?.pin != pin)
                }
            }
        }
    }
}

/// Files generated once with OpenSSL 3.0. The private keys are public and protect nothing.
private enum Files {
    static let newRequest = """
        -----BEGIN NEW CERTIFICATE REQUEST-----
        MIHUMHwCAQAwGjEYMBYGA1UEAwwPbmV3LmV4YW1wbGUuY29tMFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEFPaD3NbFPpbk8n/qAWN0JneCMgdx/71m7HuSbc8gNLzJ
        hfhvnhnsEBDN0y/cDXi05EueOyg7PJiNdzrItUC3i6AAMAoGCCqGSM49BAMCA0gA
        MEUCIQDpu3n87kks8AeJ5MfBywTYE5nnnasbDt5ABlH3kOZPzQIgPNTW1UIVDSd2
        l9TSROfT7rTXO4SLrqcC/DrSGzlBv+Y=
        -----END NEW CERTIFICATE REQUEST-----
        """

    static let publicP256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFPaD3NbFPpbk8n/qAWN0JneCMgdx
        /71m7HuSbc8gNLzJhfhvnhnsEBDN0y/cDXi05EueOyg7PJiNdzrItUC3iw==
        -----END PUBLIC KEY-----
        """

    static let publicP384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEs7voZwd2/NKBeGP9ULkWWUgRUK19q82U
        ZCma8Rzo+sPscktiD+QclvL5lNP3rfMzT6c026pp891ePhTUq05AJGKoNzmVH75G
        CdHC7DREAthOc9gfr0/571K4auV5NQBJ
        -----END PUBLIC KEY-----
        """

    static let publicRSA = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxmhfRn9/7FFzSrwHIlAi
        5jm4l/IqX+2oWiGe6rjEwK+s1XMvcTbSYRMcDmnMzNh+46uxDqpi90DUgI6IRDS0
        EcT/d+qq9fJ15hmZpVbhVe9H+2o50ZGhCtpV5rjR8gdsAchLdRaNWyuMI1O+DD8G
        hRrmNCX/ujEaOHyqO8+BOsiCdRvby31lJyMiWND35jLmoe2Vi+MjyYg0d57UftYa
        bgD1ejjL5mv9hfRfuP3H7QOL0E4l/QiZo2QpHEly1OFqaZi2VN1OEjkeGTjCuvC5
        L499Z2QBgQnQ3Kyo0wjF2zrekR8gHm9FMNiFvywTIZWE/L5oGKdtmvITqlZvHfIv
        vQIDAQAB
        -----END PUBLIC KEY-----
        """

    static let publicEd25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAS1XthMcUW96UNYoys/mswWD7yJu9zqW9Jw6x1BwAw0w=
        -----END PUBLIC KEY-----
        """

    static let publicEd448 = """
        -----BEGIN PUBLIC KEY-----
        MEMwBQYDK2VxAzoAfl7MVzMAVYmRlraRnYE6bIDvkoil+Sbb4w7iqpjt9YIb8HWx
        m+uT3Tt0GRX2ovBRRDmy0Mi17FkA
        -----END PUBLIC KEY-----
        """

    static let rsaPublicKey = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEAxmhfRn9/7FFzSrwHIlAi5jm4l/IqX+2oWiGe6rjEwK+s1XMvcTbS
        YRMcDmnMzNh+46uxDqpi90DUgI6IRDS0EcT/d+qq9fJ15hmZpVbhVe9H+2o50ZGh
        CtpV5rjR8gdsAchLdRaNWyuMI1O+DD8GhRrmNCX/ujEaOHyqO8+BOsiCdRvby31l
        JyMiWND35jLmoe2Vi+MjyYg0d57UftYabgD1ejjL5mv9hfRfuP3H7QOL0E4l/QiZ
        o2QpHEly1OFqaZi2VN1OEjkeGTjCuvC5L499Z2QBgQnQ3Kyo0wjF2zrekR8gHm9F
        MNiFvywTIZWE/L5oGKdtmvITqlZvHfIvvQIDAQAB
        -----END RSA PUBLIC KEY-----
        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBVDCB+wIUddb4Avjw0st0H7t8OLIJdtant9UwCgYIKoZIzj0EAwIwLTEQMA4G
        A1UECgwHRXhhbXBsZTEZMBcGA1UEAwwQcDI1Ni5leGFtcGxlLmNvbTAeFw0yNjEx
        MjExMjM5NDRaFw0zNjExMTgxMjM5NDRaMC0xEDAOBgNVBAoMB0V4YW1wbGUxGTAX
        BgNVBAMMEHAyNTYuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAQU9oPc1sU+luTyf+oBY3Qmd4IyB3H/vWbse5JtzyA0vMmF+G+eGewQEM3TL9wN
        eLTkS547KDs8mI13Osi1QLeLMAoGCCqGSM49BAMCA0gAMEUCIH0igH/1myfjCK9A
        H/7+NEXkJrkrfCslmc6OepF5cbmmAiEAwvTFTSn+EPfvqnuWFyLtiJQ7nWy6ZlvV
        UDmONtuIA8Q=
        -----END CERTIFICATE-----
        """

    static let trustedCertificate = """
        -----BEGIN TRUSTED CERTIFICATE-----
        MIIBVDCB+wIUddb4Avjw0st0H7t8OLIJdtant9UwCgYIKoZIzj0EAwIwLTEQMA4G
        A1UECgwHRXhhbXBsZTEZMBcGA1UEAwwQcDI1Ni5leGFtcGxlLmNvbTAeFw0yNjEx
        MjExMjM5NDRaFw0zNjExMTgxMjM5NDRaMC0xEDAOBgNVBAoMB0V4YW1wbGUxGTAX
        BgNVBAMMEHAyNTYuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAQU9oPc1sU+luTyf+oBY3Qmd4IyB3H/vWbse5JtzyA0vMmF+G+eGewQEM3TL9wN
        eLTkS547KDs8mI13Osi1QLeLMAoGCCqGSM49BAMCA0gAMEUCIH0igH/1myfjCK9A
        H/7+NEXkJrkrfCslmc6OepF5cbmmAiEAwvTFTSn+EPfvqnuWFyLtiJQ7nWy6ZlvV
        UDmONtuIA8Q=
        -----END TRUSTED CERTIFICATE-----
        """

    static let privatePKCS8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWj+tyWWIxpLRLzhI
        JSnlHs6Jlp8i6CgXnvk+PFzP2lyhRANCAAQU9oPc1sU+luTyf+oBY3Qmd4IyB3H/
        vWbse5JtzyA0vMmF+G+eGewQEM3TL9wNeLTkS547KDs8mI13Osi1QLeL
        -----END PRIVATE KEY-----
        """

    static let privateSEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFo/rclliMaS0S84SCUp5R7OiZafIugoF575Pjxcz9pcoAoGCCqGSM49
        AwEHoUQDQgAEFPaD3NbFPpbk8n/qAWN0JneCMgdx/71m7HuSbc8gNLzJhfhvnhns
        EBDN0y/cDXi05EueOyg7PJiNdzrItUC3iw==
        -----END EC PRIVATE KEY-----
        """

    static let privateEncrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiV4E0SfgHHqwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEEzjMMi4uDuMsyVxjk66vSQEgZCg
        fHavgvScMBRqOQdQnFULy9IhQN2zIYMXulwRSfXPLxDfXSgfRIKqgB56Dadctmw6
        8ebgS9+H4uGVhzacwq0o+/uFb3NkJA7KU5DJbXLpwfDWsHO3Q3pBN9HVayyP0+RF
        O5ZaZBNX1aL/WbjEyDTj5xoxcnBUyvWVRwrE8EGono6FuiQ8FuNWeTxgYfgEIwY=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    static let privateLegacyEncrypted = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,943D8FA1DDA45D7828148F5998BE885C

        Y3ASBMLD38xogt3ccZ31a87azlBfMH2K6x9I3IE5b3tfhoaSa2asVfIw31mBCklY
        TQzssY9uFROdzPX0IsJE68wi+NIcpmxq4QYtVAKjF0YUlNQ6sSb8tJJOpuL+l/D8
        UkfASfh6xkqlPRsTyf4P/BnER4+27sXs87lCPlhkixk=
        -----END EC PRIVATE KEY-----
        """

    static let privatePKCS1 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEpAIBAAKCAQEAxmhfRn9/7FFzSrwHIlAi5jm4l/IqX+2oWiGe6rjEwK+s1XMv
        cTbSYRMcDmnMzNh+46uxDqpi90DUgI6IRDS0EcT/d+qq9fJ15hmZpVbhVe9H+2o5
        0ZGhCtpV5rjR8gdsAchLdRaNWyuMI1O+DD8GhRrmNCX/ujEaOHyqO8+BOsiCdRvb
        y31lJyMiWND35jLmoe2Vi+MjyYg0d57UftYabgD1ejjL5mv9hfRfuP3H7QOL0E4l
        /QiZo2QpHEly1OFqaZi2VN1OEjkeGTjCuvC5L499Z2QBgQnQ3Kyo0wjF2zrekR8g
        Hm9FMNiFvywTIZWE/L5oGKdtmvITqlZvHfIvvQIDAQABAoIBABs2QG7+WLC0QSBM
        ZpwVqpux6ffpDlfG1DK8brvZqJ6W2ZkS6bxY3QTUZqIxb5Xe0ZRvPWL6CoXH3f1d
        zyGvqszPHIy5YkZGQVZUR4buQgyTu2cnnBN6qkA/Ts3MpnrP+sfJzVObSrro35kO
        yL+MO1wxIsafOZIzXtnFe2GlpZ9Gl+B1Pey63W/6jG9wl/ysB7u2ZFAd+67gMh38
        /HmKlihvPFiiABUy41fkUTN+dsgQ0LcjPHXzBaotucs4ooPW+zNNAmEQflroRA63
        QOM4Oal3AxJ7/pl8s2ML0u6oU5HywDihz0RIraUvDnkedYSbgsD2I2aq1XG9wv11
        EH0WjBECgYEA83r2fsa0znu/IUxYftRFRkNFEs61UvAyuGuPPDXs/1YvpD8C0q17
        Ws5wwXWoPuszQS/0eDQxDsVBqSxNigLQvCRLKcGg/ueoBBni7GbELuKMRpRB3k6u
        X0bV/p+J1Djv4AhfPNARvwr3o4gcUFpCz/4njyE/qaV2hS+mTXmPHzUCgYEA0JwZ
        Thh0n027V9DfpZed5aR5t0kurQnPz1kreokpXf5xukW5gZGaBjFD4B24cPfp7jUX
        xXmuEjPzXWCgtQPABZli+c+wlaUaJv/adI4LOJV6IoScGrIZdQnn+1f1TcL61IOX
        +ZNRqex/gNHipK/MDbaMz9usLFpw+8v03xeiN2kCgYEAs3jMAZ8O37UvqafRA4wM
        lEI5xCdCWSRc/ruqFUPaskwhSfx4ZDskVkcdrjzAC8DrQv3KQmCWWMDmKYFSloyE
        uGo4TUtBFSRFIODD+GW37qdnpw7ZjriIqApa6xlGS3y8tHL3YKgurJe0+oH1/PTL
        ku1Q05w6hR5GQt5gw3L7IJECgYATS70TejOfYKNJlip5uLKEQVh42a4Vl2i/dzIM
        XY+UACso3bYxA/TJSdlLa7RZzrS2sfaG76BoUqHaK0vyMmyal/uNu+ZLkUAAB35/
        dXwYOctYUgfWeE7egpIQr6wjCzwEWD/AeB3/p76Lfd6G+TPYuOABggJFAACfadg2
        oosAsQKBgQChSzhOvdLxRrYPhzejy63GN9C69vh9sj8XPa/6brN3WVTym8dowqTT
        1Kez7xp8arQosdILtNrLS5JbUfa1SffaubVWzljFlfGILaFDCurwj91A6ase/MVD
        6piLMHxdvKgyWjzo9WEVt3WJObm0KP+VAoNjeRw+f352uXIRCTfMDA==
        -----END RSA PRIVATE KEY-----
        """
}
