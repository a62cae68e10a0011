// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The purpose for which a command uses the certificates of a file.
package enum CertificateUse: Sendable, Hashable {
    /// The certificates come from a server or are candidates for path building. They aren't trusted.
    case candidate
    /// The certificates are anchors, trusted for a purpose.
    case anchor(ValidationPolicy.Purpose)
}

/// A problem with its place in a file.
package struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's name.
    let file: String
    /// The number of the object, from 1, or nil if the problem concerns the whole file.
    let object: Int?
    /// The problem.
    package let problem: InspectionProblem

    package init(file: String, object: Int?, problem: InspectionProblem) {
        self.file = file
        self.object = object
        self.problem = problem
    }

    /// One line for people that ends with the stable code. The wording may change.
    package var description: String {
        let place = object.map { "object \($0)\(problem.line == nil ? ": " : ", ")" } ?? ""
        return "\(file): \(place)\(problem) [\(problem.code.rawValue)]"
    }
}

extension InspectedFile {
    /// Returns the file's certificates in order, and an error for each object that can't be parsed.
    ///
    /// Next to certificates, objects of other kinds are skipped (keys, parameters, CRLs, requests, PEM objects with
    /// unknown labels). A file without a certificate has an error that describes its contents.
    package func certificates(for use: CertificateUse) -> [Result<Certificate, InspectionError>] {
        let isWhole = objects.count == 1
        var entries: [Result<Certificate, InspectionError>] = []
        for object in objects {
            func error(_ problem: InspectionProblem) -> Result<Certificate, InspectionError> {
                .failure(InspectionError(file: name, object: isWhole ? nil : object.place.number, problem: problem))
            }
            switch object.content {
            case .certificate(let certificate): entries.append(.success(certificate))
            case .trustedCertificate(let trusted):
                if case .anchor(let purpose) = use, !trusted.isTrusted(for: purpose) {
                    entries.append(error(Self.rejection(trusted, for: purpose, object.place.line)))
                } else {
                    entries.append(.success(trusted.certificate))
                }
            case .malformed(let malformed): entries.append(error(malformed.problem.expectingCertificate))
            case .locked(let problem): entries.append(error(problem))
            case .foreign(let problem) where problem.code != .pemLabelUnknown || isWhole:
                entries.append(error(problem.expectingCertificate))
            default: break
            }
        }
        return entries.isEmpty ? [.failure(nothing)] : entries
    }

    /// Returns an error for each object that can't be parsed, and one for a file without an object of the expected
    /// kind.
    /// - Parameter found: whether the file contains an object of the expected kind. Objects of other kinds are then
    ///   skipped.
    package func errors(expecting kind: ObjectKind, found: Bool) -> [InspectionError] {
        let expected = ", expected \(kind.words) in PEM or DER"
        let errors = objects.compactMap { object -> InspectionError? in
            guard var problem = object.problem, problem.code != .pemLabelUnknown || !found else { return nil }
            if problem.kind == nil { problem = problem.adding(expected) }
            return InspectionError(file: name, object: objects.count == 1 ? nil : object.place.number, problem: problem)
        }
        guard errors.isEmpty, !found else { return errors }
        let shown = kinds.isEmpty ? "objects of unknown kinds" : kinds.joined(separator: ", ")
        let problem = InspectionProblem(
            .unexpectedKind, "\(objects.count == 1 ? "" : "only ")\(shown)\(expected)",
            kind: objects.first?.kind, remedy: objects.first?.content.remedy(expecting: kind))
        return [InspectionError(file: name, object: nil, problem: problem)]
    }

    /// The kinds of the objects in words, without duplicates.
    private var kinds: [String] {
        var kinds: [String] = []
        for words in objects.compactMap({ $0.kind?.words }) where !kinds.contains(words) { kinds.append(words) }
        return kinds
    }

    private static func rejection(
        _ trusted: TrustedCertificate, for purpose: ValidationPolicy.Purpose, _ line: Int?
    ) -> InspectionProblem {
        InspectionProblem(
            .trustRejected,
            "an OpenSSL TRUSTED CERTIFICATE whose settings don't trust it for \(purpose.rawValue)",
            kind: .trustedCertificate,
            remedy: "to trust it anyway, remove the settings: openssl x509 -in FILE -out new.pem", line: line)
    }

    /// The error for a file that contains only objects of other kinds.
    private var nothing: InspectionError {
        let shown = kinds.isEmpty ? "objects of unknown kinds" : kinds.joined(separator: ", ")
        let isAlone = objects.count == 1
        let remedy = objects.first?.content.remedyForCertificate
        return InspectionError(
            file: name, object: nil,
            problem: InspectionProblem(
                .unexpectedKind, "\(isAlone ? "" : "only ")\(shown), expected a certificate in PEM or DER",
                kind: objects.first?.kind, remedy: remedy))
    }
}

extension InspectionProblem {
    /// The problem, followed by the expectation of a certificate if the problem reports another kind of file.
    fileprivate var expectingCertificate: InspectionProblem {
        guard kind == nil || kind == .privateKey && code == .sshPrivateKey || code == .mislabelled,
            code != .tooManyObjects,
            code != .tooDeep
        else { return self }
        return adding(", expected a certificate in PEM or DER")
    }

    fileprivate func adding(_ words: String) -> InspectionProblem {
        InspectionProblem(code, text + words, kind: kind, remedy: remedy, line: line, column: column)
    }
}

extension InspectedObject.Content {
    /// The next step for a user whose object isn't of the expected kind.
    fileprivate func remedy(expecting kind: ObjectKind) -> String? {
        guard case .certificate = self, kind == .certificateRevocationList else { return nil }
        return "create a CRL of revoked certificates: servertrust ca crl, or openssl ca -gencrl"
    }

    /// The next step for a user who needs a certificate, but has an object of another kind.
    fileprivate var remedyForCertificate: String? {
        switch self {
        case .privateKey: "name the file with the certificate, and keep the private key where it is"
        case .certificateRequest:
            "have a CA sign the request: use servertrust ca sign, or send it to your CA"
        case .certificateRevocationList: "pass a CRL with --crl"
        case .ocspResponse: "pass an OCSP response with --ocsp"
        case .ocspRequest: "send the request to a responder, and pass its response with --ocsp"
        case .publicKey: "name the certificate; a public key has no name and no dates"
        default: nil
        }
    }
}
