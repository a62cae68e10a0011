// SPDX-License-Identifier: Apache-2.0

import Containers
import PKIX
import TrustSupport

// Containers: PKCS #7, PKCS #12, and encrypted private keys, which are opened if a passphrase is at hand.

extension FileReading {
    mutating func readPKCS7(_ der: [UInt8], label: String?, line: Int?, layers: [InspectedObject.Layer]) {
        let file: PKCS7File
        do throws(PKCS7File.Failure) {
            file = try PKCS7File(der, maximum: limits.objects + 1)
        } catch {
            return add(content(of: error, der), der: der, label: label, line: line, layers: layers)
        }
        let inside = layers + [.pkcs7]
        for certificate in file.certificates {
            add(
                parser.content(of: certificate, as: .certificate, label: nil), der: certificate, line: line,
                layers: inside)
        }
        for list in file.lists {
            add(
                parser.content(of: list, as: .certificateRevocationList, label: nil), der: list, line: line,
                layers: inside)
        }
        guard file.certificates.isEmpty, file.lists.isEmpty else { return }
        let problem = InspectionProblem(
            .unknownStructure, "a PKCS #7 file without certificates and CRLs", kind: .pkcs7,
            remedy: "a file with certificates is made by openssl crl2pkcs7 -nocrl -certfile chain.pem")
        add(.foreign(problem), der: der, label: label, line: line, layers: layers)
    }

    private func content(of failure: PKCS7File.Failure, _ der: [UInt8]) -> InspectedObject.Content {
        switch failure {
        case .malformed:
            let isCut = TLV(der[...])?.isTruncated ?? false
            let problem = InspectionProblem(
                isCut ? .truncated : .malformed,
                isCut
                    ? "a PKCS #7 file, cut off after \(der.count) bytes" : "a PKCS #7 file whose members can't be read",
                kind: .pkcs7,
                remedy: isCut
                    ? "copy the file again, in binary mode" : "servertrust inspect FILE --format asn1 shows it")
            return .malformed(MalformedObject(kind: .pkcs7, error: nil, problem: problem))
        case .otherContent(let type):
            let names = [
                "1.2.840.113549.1.7.1": "data", "1.2.840.113549.1.7.3": "an encrypted message",
                "1.2.840.113549.1.7.5": "a digest", "1.2.840.113549.1.7.6": "encrypted data",
                "1.2.840.113549.1.9.16.1.4": "a time stamp",
            ]
            let problem = InspectionProblem(
                .unknownStructure, "a PKCS #7 file with \(names[type] ?? "contents of type \(clipped(type, to: 100))")",
                kind: .pkcs7, remedy: "expected one with certificates (SignedData)")
            return .foreign(problem)
        }
    }

    mutating func readPKCS12(_ der: [UInt8], label: String?, line: Int?, layers: [InspectedObject.Layer]) {
        let file: PKCS12File
        do {
            try PKCS12File.checkEncryption(der)
            file = try openedPKCS12(der)
        } catch let error as PKCS12Error {
            return add(content(of: error, der), der: der, label: label, line: line, layers: layers)
        } catch is PassphraseMissing {
            let problem = InspectionProblem(
                .passphraseRequired, "a PKCS #12 file, encrypted, and no passphrase for it", kind: .pkcs12,
                remedy: "name a file with the passphrase: --password-file FILE")
            return add(.locked(problem), der: der, label: label, line: line, layers: layers)
        } catch {
            return add(content(of: PKCS12Error.malformed, der), der: der, label: label, line: line, layers: layers)
        }
        let inside = layers + [.pkcs12]
        for certificate in file.certificates {
            add(
                parser.content(of: certificate, as: .certificate, label: nil), der: certificate, line: line,
                layers: inside)
        }
        for key in file.keys {
            add(parser.content(of: key, as: .privateKey, label: nil), der: [], line: line, layers: inside)
        }
        guard file.certificates.isEmpty, file.keys.isEmpty else { return }
        let problem = InspectionProblem(
            .unknownStructure, "a PKCS #12 file without certificates and keys", kind: .pkcs12)
        add(.foreign(problem), der: der, label: label, line: line, layers: layers)
    }

    /// Opens a file with the empty passphrase, then with the one of the source. Without a source, a file that wants iterations of key
    /// derivation isn't opened: nobody has asked for its contents.
    private mutating func openedPKCS12(_ der: [UInt8]) throws -> PKCS12File {
        guard passphrases != nil else {
            do {
                var budget = PKCS12Derivation.Budget(remaining: 0)
                return try Self.opened(der, "", &budget)
            } catch PKCS12Error.unsupported(.iterations) {
                throw PassphraseMissing()
            }
        }
        do {
            return try attempt { budget throws in try Self.opened(der, "", &budget) }
        } catch PKCS12Error.wrongPassphrase {
            guard let passphrase = passphrase(for: .pkcs12) else { throw PassphraseMissing() }
            return try attempt { budget throws in try Self.opened(der, passphrase, &budget) }
        }
    }

    private static func opened(
        _ der: [UInt8], _ passphrase: String, _ budget: inout PKCS12Derivation.Budget
    ) throws -> PKCS12File {
        let contents = try PKCS12File.authenticated(der, passphrase, requiresMAC: false, &budget)
        return try PKCS12File(authenticatedSafe: contents, passphrase: passphrase, &budget)
    }

    /// Opens an encrypted private key if the source has a passphrase for it.
    mutating func readEncryptedKey(
        _ der: [UInt8], label: String?, line: Int?, layers: [InspectedObject.Layer]
    ) {
        let closed = parser.content(of: der, as: .encryptedPrivateKey, label: label)
        guard case .privateKey = closed, let passphrase = passphrase(for: .encryptedPrivateKey) else {
            return add(closed, der: [], label: label, line: line, layers: layers)
        }
        let content: InspectedObject.Content
        do {
            let key = try attempt { budget throws in
                try PBES2.decryptPrivateKey(der, passphrase: passphrase, &budget)
            }
            guard let facts = parser.keys.facts(key) else { throw PKCS12Error.wrongPassphrase }
            content = .privateKey(facts.encrypted)
        } catch {
            content = self.content(of: error as? PKCS12Error ?? .malformed, as: .encryptedPrivateKey)
        }
        add(content, der: [], label: label, line: line, layers: layers)
    }

    /// Spends iterations on one attempt.
    private mutating func attempt<Result>(
        _ body: (inout PKCS12Derivation.Budget) throws -> Result
    ) throws -> Result {
        var budget = PKCS12Derivation.Budget(remaining: min(iterations, limits.iterations))
        let start = budget.remaining
        defer { iterations -= start - budget.remaining }
        return try body(&budget)
    }

    /// Returns the source's passphrase for a kind of object, asked for once.
    private mutating func passphrase(for kind: ObjectKind) -> String? {
        if let known = passphraseByKind[kind] { return known }
        let passphrase = passphrases?(kind)
        passphraseByKind[kind] = .some(passphrase)
        return passphrase
    }

    private func content(
        of error: PKCS12Error, _ der: [UInt8] = [], as kind: ObjectKind = .pkcs12
    ) -> InspectedObject.Content {
        func locked(
            _ code: InspectionProblem.Code, _ text: String, _ remedy: String?
        ) -> InspectedObject.Content {
            .locked(InspectionProblem(code, "\(kind.words) \(text)", kind: kind, remedy: remedy))
        }
        switch error {
        case .malformed:
            let isCut = TLV(der[...])?.isTruncated ?? false
            let problem = InspectionProblem(
                isCut ? .truncated : .malformed,
                isCut ? "\(kind.words), cut off after \(der.count) bytes" : "\(kind.words) whose members can't be read",
                kind: kind, remedy: isCut ? "copy the file again, in binary mode" : nil)
            return .malformed(MalformedObject(kind: kind, error: nil, problem: problem))
        case .wrongPassphrase:
            return locked(
                .passphraseWrong, "that the passphrase doesn't open, or that was changed",
                "check the passphrase, and the end of the file that it is in: one line feed there is left out")
        case .unsupported(.encryption(let algorithm)), .unsupported(.digest(let algorithm)):
            return locked(
                .encryptionNotSupported, "encrypted by \(Self.encryptionName(algorithm)), which isn't read",
                kind == .pkcs12
                    ? "convert it: openssl pkcs12 -legacy -in FILE -nodes -out all.pem, then openssl pkcs12 -export -in all.pem -out new.p12"
                    : "convert it: openssl pkey -in FILE -aes256 -out new.pem")
        case .unsupported(.iterations):
            return locked(
                .iterationsOverLimit, "that asks for more than \(limits.iterations) iterations of key derivation", nil)
        case .unsupported(.keys): return locked(.encryptionNotSupported, "with more than 16 keys", nil)
        case .unsupported(.content):
            return locked(
                .encryptionNotSupported, "encrypted or signed by keys in place of a passphrase", "export it again")
        }
    }

    private static func encryptionName(_ identifier: String) -> String {
        let names = [
            "1.2.840.113549.1.12.1.1": "RC4", "1.2.840.113549.1.12.1.2": "RC4",
            "1.2.840.113549.1.12.1.3": "Triple DES (3DES)", "1.2.840.113549.1.12.1.4": "Triple DES (3DES)",
            "1.2.840.113549.1.12.1.5": "RC2", "1.2.840.113549.1.12.1.6": "RC2 of 40 bits",
            "1.2.840.113549.3.7": "Triple DES (3DES)", "1.2.840.113549.3.2": "RC2", "1.3.14.3.2.7": "DES",
            "1.2.840.113549.1.5.3": "DES with MD5", "1.2.840.113549.1.5.10": "DES with SHA-1",
            "1.3.6.1.4.1.11591.4.11": "a key derived by scrypt", "1.2.840.113549.1.5.14": "a MAC by PBMAC1",
        ]
        return names[identifier] ?? "the algorithm \(clipped(identifier, to: 100))"
    }
}

/// The lack of a passphrase for a file that needs one.
private struct PassphraseMissing: Error {}

extension PrivateKeyFacts {
    /// The facts of a key that was decrypted.
    fileprivate var encrypted: PrivateKeyFacts {
        PrivateKeyFacts(
            format: .encryptedPKCS8, algorithm: algorithm, bits: bits, curve: curve, publicKey: publicKey,
            isEncrypted: true)
    }
}
