// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Containers: PKCS #7, PKCS #12 and encrypted private keys. Encrypted ones are opened if a passphrase is available.

extension FileReading {
    mutating func readPKCS7(_ der: [UInt8], at origin: Origin) {
        let problem: InspectionProblem
        do throws(PKCS7File.Failure) {
            let file = try PKCS7File(der, maximum: limits.objects + 1)
            add(file.certificates, as: .certificate, at: origin.inside(.pkcs7))
            add(file.lists, as: .certificateRevocationList, at: origin.inside(.pkcs7))
            guard file.certificates.isEmpty, file.lists.isEmpty else { return }
            problem = InspectionProblem(.unknownStructure, of: "pkcs7", kind: .pkcs7)
        } catch .otherContent(let type) {
            let words = Self.contentNames[type] ?? "contents of type \(clipped(type, to: 100))"
            problem = InspectionProblem(.unknownStructure, of: "content", ["content": words], kind: .pkcs7)
        } catch {
            problem = unreadable(.pkcs7, der)
        }
        refuse(problem, der: der, at: origin)
    }

    private static let contentNames = [
        "1.2.840.113549.1.7.1": "data", "1.2.840.113549.1.7.3": "an encrypted message",
        "1.2.840.113549.1.7.5": "a digest", "1.2.840.113549.1.7.6": "encrypted data",
        "1.2.840.113549.1.9.16.1.4": "a time stamp",
    ]

    mutating func readPKCS12(_ der: [UInt8], at origin: Origin) {
        let problem: InspectionProblem
        do {
            try PKCS12File.checkEncryption(der)
            let file = try openedPKCS12(der)
            add(file.certificates, as: .certificate, at: origin.inside(.pkcs12))
            add(file.keys, as: .privateKey, at: origin.inside(.pkcs12))
            guard file.certificates.isEmpty, file.keys.isEmpty else { return }
            problem = InspectionProblem(.unknownStructure, of: "pkcs12", kind: .pkcs12)
        } catch is PassphraseMissing {
            problem = InspectionProblem(.passphraseRequired, kind: .pkcs12)
        } catch {
            problem = self.problem(error as? PKCS12Error ?? .malformed, der, of: .pkcs12)
        }
        refuse(problem, der: der, at: origin)
    }

    /// Adds the objects of a container. The bytes of keys are discarded.
    private mutating func add(_ objects: [[UInt8]], as kind: ObjectKind, at origin: Origin) {
        for der in objects {
            let content = parser.content(of: der, as: kind, label: nil)
            add(content, der: kind == .privateKey ? [] : der, at: origin)
        }
    }

    /// Returns the problem of a container or an encrypted key that is cut off or has another structure.
    private func unreadable(_ kind: ObjectKind, _ der: [UInt8]) -> InspectionProblem {
        guard TLV(der[...])?.isTruncated == true else {
            return InspectionProblem(.malformed, of: kind == .pkcs7 ? "pkcs7" : "members", kind: kind)
        }
        return InspectionProblem(.truncated, of: "container", ["count": "\(der.count)"], kind: kind)
    }

    /// Opens a file with the empty passphrase, and then with the source's passphrase.
    ///
    /// Without a source, a file that requires key derivation iterations isn't opened, because the user didn't request
    /// its contents.
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
    mutating func readEncryptedKey(_ der: [UInt8], at origin: Origin) {
        let closed = parser.content(of: der, as: .encryptedPrivateKey, label: origin.label)
        guard case .privateKey = closed, let passphrase = passphrase(for: .encryptedPrivateKey) else {
            return add(closed, der: [], at: origin)
        }
        let content: InspectedObject.Content
        do {
            let key = try attempt { budget throws in
                try PBES2.decryptPrivateKey(der, passphrase: passphrase, &budget)
            }
            guard var facts = parser.keys.facts(key) else { throw PKCS12Error.wrongPassphrase }
            facts.format = .encryptedPKCS8
            facts.isEncrypted = true
            content = .privateKey(facts)
        } catch {
            content = .unreadable(problem(error as? PKCS12Error ?? .malformed, of: .encryptedPrivateKey))
        }
        add(content, der: [], at: origin)
    }

    /// Runs one attempt, and deducts the iterations that it used.
    private mutating func attempt<Result>(
        _ body: (inout PKCS12Derivation.Budget) throws -> Result
    ) throws -> Result {
        var budget = PKCS12Derivation.Budget(remaining: min(iterations, limits.iterations))
        let start = budget.remaining
        defer { iterations -= start - budget.remaining }
        return try body(&budget)
    }

    /// Returns the source's passphrase for a kind of object. The source is called only once per kind.
    private mutating func passphrase(for kind: ObjectKind) -> String? {
        if let known = passphraseByKind[kind] { return known }
        let passphrase = passphrases?(kind)
        passphraseByKind[kind] = .some(passphrase)
        return passphrase
    }

    private func problem(_ error: PKCS12Error, _ der: [UInt8] = [], of kind: ObjectKind) -> InspectionProblem {
        switch error {
        case .malformed: unreadable(kind, der)
        case .wrongPassphrase: InspectionProblem(.passphraseWrong, kind: kind)
        case .unsupported(.encryption(let algorithm)), .unsupported(.digest(let algorithm)):
            InspectionProblem(
                .encryptionNotSupported, of: kind.rawValue, ["algorithm": Self.encryptionName(algorithm)], kind: kind)
        case .unsupported(.iterations):
            InspectionProblem(.iterationsOverLimit, ["limit": "\(limits.iterations)"], kind: kind)
        case .unsupported(.keys): InspectionProblem(.encryptionNotSupported, of: "keys", kind: kind)
        case .unsupported(.content): InspectionProblem(.encryptionNotSupported, of: "content", kind: kind)
        }
    }

    private static func encryptionName(_ identifier: String) -> String {
        let names = [
            "1.2.840.113549.1.12.1.1": "RC4", "1.2.840.113549.1.12.1.2": "RC4",
            "1.2.840.113549.1.12.1.3": "Triple DES (3DES)", "1.2.840.113549.1.12.1.4": "Triple DES (3DES)",
            "1.2.840.113549.1.12.1.5": "RC2", "1.2.840.113549.1.12.1.6": "40-bit RC2",
            "1.2.840.113549.3.7": "Triple DES (3DES)", "1.2.840.113549.3.2": "RC2", "1.3.14.3.2.7": "DES",
            "1.2.840.113549.1.5.3": "DES with MD5", "1.2.840.113549.1.5.10": "DES with SHA-1",
            "1.3.6.1.4.1.11591.4.11": "a key derived by scrypt", "1.2.840.113549.1.5.14": "a MAC by PBMAC1",
        ]
        return names[identifier] ?? "the algorithm \(clipped(identifier, to: 100))"
    }
}

/// Thrown if a file requires a passphrase and none is available.
private struct PassphraseMissing: Error {}
