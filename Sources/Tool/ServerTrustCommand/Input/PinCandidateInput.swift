// SPDX-License-Identifier: Apache-2.0

import Crypto
import Diagnosis
import Foundation
import PKIX
import PinLint
import ServerTrust
import ServerTrustNIO

/// A source of `servertrust pins make`: a file, or a trusted server.
struct PinCandidateInput {
    /// The host that the keys belong to, or nil for a file.
    let host: Hostname?
    /// The objects in order, a server's leaf first, or the failure with every object that can't be parsed.
    let objects: Result<[PinSource.Origin], CommandFailure>

    /// Returns the source that an argument names: a file if it exists, or else a server. A text with a slash but no
    /// scheme is a file.
    /// - Throws: ``CommandFailure`` if the file can't be read, and the errors of ``LivePinProbe/probe(_:namedAs:)``.
    static func source(
        _ argument: String, _ live: LivePinProbe, _ passphrases: PassphraseOptions = .none
    ) async throws -> PinCandidateInput {
        let isFile = argument == "-" || FileManager.default.fileExists(atPath: argument)
        let isPath = argument.contains("/") && !argument.contains("://")
        guard !isFile, !isPath else {
            let file = try InputFile.inspect(argument, passphrases)
            return PinCandidateInput(
                host: nil, objects: Result { () throws(CommandFailure) in try file.pinObjects() })
        }
        let endpoint: ServerEndpoint
        do throws(ArgumentProblem) { endpoint = try EndpointArgument.endpoint(argument, startTLS: live.startTLS) } catch
        {
            throw CommandFailure("\(argument): no such file, and \(error)")
        }
        return try await live.probe(endpoint, namedAs: argument)
    }

    /// Returns the public key of a private key in a file. If the public key's own file exists next to it, both must
    /// match.
    /// - Returns: nil if the file doesn't contain a P-256 private key.
    private static func existingKey(_ file: String) throws(CommandFailure) -> SubjectPublicKeyInfo? {
        let text = String(decoding: try InputFile.read(file), as: UTF8.self)
        guard text.contains("PRIVATE KEY-----"), let key = try? P256.Signing.PrivateKey(pemRepresentation: text),
            let info = try? SubjectPublicKeyInfo(der: Array(key.publicKey.derRepresentation))
        else { return nil }
        guard exists(file + publicSuffix) else { return info }
        let beside = try InputFile.inspect(file + publicSuffix).pinObjects()
        guard beside.map(\.pin) == [SPKIPin(info)] else {
            throw CommandFailure(
                "\(file + publicSuffix) isn't the public key of \(file)",
                hint: "delete \(file + publicSuffix) if you want to keep the key in \(file)")
        }
        return info
    }

    private static func exists(_ file: String) -> Bool { (try? FileStatus(ofFile: file)) != nil }

    /// The suffix of the file name for a new public key.
    static let publicSuffix = ".pub"

    /// Reads a backup: the objects in the file. If the file doesn't exist, creates a new key and writes it to the file,
    /// with its public key in a second file next to it.
    ///
    /// If the file contains a P-256 private key from an earlier run, its public key is used. This function never writes
    /// to an existing file.
    /// - Returns: the objects, and whether a key was created.
    static func backup(_ file: String) throws(CommandFailure) -> (objects: [PinSource.Origin], isNew: Bool) {
        if file != "-", exists(file), let key = try existingKey(file) { return ([.publicKey(key)], false) }
        guard file != "-", !exists(file) else { return (try InputFile.inspect(file).pinObjects(), false) }
        guard !exists(file + publicSuffix) else {
            throw CommandFailure(
                "\(file + publicSuffix) already exists, but \(file) doesn't",
                hint: "name another file: an existing key is never replaced")
        }
        let key = P256.Signing.PrivateKey()
        guard let info = try? SubjectPublicKeyInfo(der: Array(key.publicKey.derRepresentation)) else {
            throw CommandFailure("the new key can't be parsed")
        }
        try OutputFile.write(
            Array((key.pemRepresentation + "\n").utf8), to: file, mode: .secret, replacing: false)
        try OutputFile.write(
            Array(PEM.encode(info.der, label: "PUBLIC KEY").utf8), to: file + publicSuffix, replacing: false)
        return ([.publicKey(info)], true)
    }
}

/// Probes servers for `servertrust pins make`.
struct LivePinProbe: Sendable {
    var anchors: TrustAnchors
    var verifyDate: VerifyDate
    var connection: ServerConnection
    /// The protocol for servers without a scheme, or nil for `https`.
    var startTLS: StartTLSProtocol?

    /// Connects to a server and returns the keys of its valid paths. It sends only the TLS handshake.
    ///
    /// An untrusted server yields no pins, because they might be an attacker's.
    /// - Throws: ``CommandFailure`` if there is no verdict. `ExitCodes.rejected` for an untrusted server, after writing
    ///   the reasons.
    func probe(_ endpoint: ServerEndpoint, namedAs argument: String) async throws -> PinCandidateInput {
        let (server, configuration) = try await connection.observe(endpoint, notFile: "the name \(argument)") {
            $0.anchors = anchors
            $0.verifyDate = verifyDate
        }
        let report = server.report
        guard report.verdict.isTrusted else {
            for failure in report.verdict.failures {
                let message = failure.message(on: report.verdict.path, sentIn: report.presentedChain)
                Diagnostics.error("\(endpoint): \(message) [\(failure.code)]")
            }
            Diagnostics.hint(
                "nothing was pinned; name your own CA with --anchors, or run servertrust check for details")
            throw ExitCodes.rejected
        }
        // Other certificates that the server sends are not candidates.
        var seen: Set<Certificate> = []
        let certificates = report.validPaths(with: configuration).flatMap(\.certificates)
        return PinCandidateInput(
            host: endpoint.host,
            objects: .success(certificates.filter { seen.insert($0).inserted }.map { .certificate($0) }))
    }
}

extension InspectedFile {
    /// Returns the objects that can be pinned, in the order of the file: certificates, public keys and certificate
    /// requests, in any encoding.
    ///
    /// As in ``PinSource/entries(in:name:)``, a private key outside PKCS #12 is always an error, because the user
    /// hardly meant to disclose it. The signature of a certificate request is verified. Objects of other kinds are
    /// skipped if the file contains one of these.
    /// - Throws: ``CommandFailure`` with every object that can't be parsed.
    func pinObjects() throws(CommandFailure) -> [PinSource.Origin] {
        var origins: [PinSource.Origin] = []
        var reasons: [String] = []
        for object in objects {
            switch object.content {
            case .parsed(.certificate(let certificate)): origins.append(.certificate(certificate))
            case .trustedCertificate(let trusted): origins.append(.certificate(trusted.certificate))
            case .parsed(.publicKey(let key)) where object.label != nil || object.der == key.der:
                origins.append(.publicKey(key))
            case .parsed(.publicKey), .parsed(.certificateRequest):
                // The library's parser verifies the signature. It rejects an unlabeled PKCS #1 key, because signatures
                // look the same.
                let text = PEM.encode(object.der, label: "CERTIFICATE REQUEST")
                let bytes = object.kind == .publicKey ? object.der : Array(text.utf8)
                do throws(CertificateFileError) {
                    origins += try PinSource.sources(in: bytes, name: name).map(\.origin)
                } catch {
                    reasons.append(error.description)
                }
            case .privateKey where !object.place.layers.contains(.pkcs12):
                let problem = InspectionProblem(.unexpectedKind, of: "key", kind: .privateKey)
                reasons.append(
                    InspectionError(file: name, object: object.place.number, problem: problem).description)
            default: break
            }
        }
        let errors = errors(expecting: .certificate, found: !origins.isEmpty || !reasons.isEmpty)
        reasons += errors.map(\.description)
        guard reasons.isEmpty else { throw CommandFailure(errors: reasons) }
        return origins
    }
}

extension PinSource.Origin {
    /// The pin for the object's key.
    var pin: SPKIPin {
        switch self {
        case .certificate(let certificate): SPKIPin(certificate)
        case .publicKey(let key): SPKIPin(key)
        case .certificateRequest(let request): SPKIPin(request.subjectPublicKeyInfo)
        }
    }
}
