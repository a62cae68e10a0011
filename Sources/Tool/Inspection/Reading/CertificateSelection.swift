// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The use that a command has for the certificates of a file.
package enum CertificateUse: Sendable, Hashable {
    /// Presented by a server, or a candidate for path building: nothing is trusted because of it.
    case candidate
    /// An anchor: trusted for a purpose.
    case anchor(ValidationPolicy.Purpose)
}

/// A problem with its place in a file.
package struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's name.
    package let file: String
    /// The number of the object, from 1; nil for the file as a whole.
    package let object: Int?
    /// The problem.
    package let problem: InspectionProblem

    package init(file: String, object: Int?, problem: InspectionProblem) {
        self.file = file
        self.object = object
        self.problem = problem
    }

    /// One line for people with the stable code at its end; the words may change.
    package var description: String {
        let place = object.map { "object \($0)\(problem.line == nil ? ": " : ", ")" } ?? ""
        return "\(file): \(place)\(problem) [\(problem.code.rawValue)]"
    }
}

extension InspectedFile {
    /// Returns the certificates of the file in their order, and an error for each object that keeps the file from being read whole.
    ///
    /// Objects of other kinds (keys, parameters, CRLs, requests, PEM objects with unknown labels) are skipped beside certificates. A file
    /// without a certificate has an error with its contents.
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

    /// Returns an error for each object that can't be read, and one for a file without an object of a kind.
    /// - Parameter found: whether the file has an object of the kind; objects of other kinds are skipped then.
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
            .unexpectedKind, "\(objects.count == 1 ? "" : "nothing but ")\(shown)\(expected)",
            kind: objects.first?.kind, remedy: objects.first?.content.remedy(expecting: kind))
        return [InspectionError(file: name, object: nil, problem: problem)]
    }

    /// The kinds of the objects in words, each once.
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
            "a TRUSTED CERTIFICATE of OpenSSL whose own settings don't trust it for \(purpose.rawValue)",
            kind: .trustedCertificate,
            remedy: "to trust it nevertheless, take the settings off: openssl x509 -in FILE -out new.pem", line: line)
    }

    /// The error for a file whose objects are all of other kinds.
    private var nothing: InspectionError {
        let shown = kinds.isEmpty ? "objects of unknown kinds" : kinds.joined(separator: ", ")
        let isAlone = objects.count == 1
        let remedy = objects.first?.content.remedyForCertificate
        return InspectionError(
            file: name, object: nil,
            problem: InspectionProblem(
                .unexpectedKind, "\(isAlone ? "" : "nothing but ")\(shown), expected a certificate in PEM or DER",
                kind: objects.first?.kind, remedy: remedy))
    }
}

extension InspectionProblem {
    /// The problem with the expectation of a certificate, where it names another kind of file.
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
    /// The way from an object of another kind to the evidence.
    fileprivate func remedy(expecting kind: ObjectKind) -> String? {
        guard case .certificate = self, kind == .certificateRevocationList else { return nil }
        return "a CA lists revoked certificates in a CRL: servertrust ca crl, or openssl ca -gencrl"
    }

    /// The way from an object of another kind to the certificate.
    fileprivate var remedyForCertificate: String? {
        switch self {
        case .privateKey: "name the file with the certificate; keep the private key in its place"
        case .certificateRequest:
            "a CA makes the certificate from the request: servertrust ca sign, or the CA that is to sign it"
        case .certificateRevocationList: "a CRL goes with --crl"
        case .ocspResponse: "an OCSP response goes with --ocsp"
        case .ocspRequest: "a responder answers the request; the response goes with --ocsp"
        case .publicKey: "name the certificate; a public key alone has no name and no dates"
        default: nil
        }
    }
}
