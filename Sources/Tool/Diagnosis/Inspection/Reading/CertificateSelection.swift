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
        let entries = objects.compactMap { object -> Result<Certificate, InspectionError>? in
            switch object.content {
            case .parsed(.certificate(let certificate)): return .success(certificate)
            case .trustedCertificate(let trusted):
                guard case .anchor(let purpose) = use, !trusted.isTrusted(for: purpose) else {
                    return .success(trusted.certificate)
                }
                let problem = InspectionProblem(
                    .trustRejected, ["purpose": purpose.rawValue], kind: .trustedCertificate, line: object.place.line)
                return .failure(error(problem, at: object))
            case .unreadable(let problem) where problem.code != .pemLabelUnknown || objects.count == 1:
                return .failure(error(problem.expectingCertificate, at: object))
            default: return nil
            }
        }
        return entries.isEmpty ? [.failure(nothing(expecting: .certificate))] : entries
    }

    /// Returns an error for each object that can't be parsed, and one for a file without an object of the expected
    /// kind.
    /// - Parameter found: whether the file contains an object of the expected kind. Objects of other kinds are then
    ///   skipped.
    package func errors(expecting kind: ObjectKind, found: Bool) -> [InspectionError] {
        let errors = objects.compactMap { object -> InspectionError? in
            guard let problem = object.problem, problem.code != .pemLabelUnknown || !found else { return nil }
            return error(problem.kind == nil ? problem.expecting(kind) : problem, at: object)
        }
        return errors.isEmpty && !found ? [nothing(expecting: kind)] : errors
    }

    private func error(_ problem: InspectionProblem, at object: InspectedObject) -> InspectionError {
        InspectionError(file: name, object: objects.count == 1 ? nil : object.place.number, problem: problem)
    }

    /// Returns the error for a file that contains only objects of other kinds.
    private func nothing(expecting kind: ObjectKind) -> InspectionError {
        var kinds: [String] = []
        for words in objects.compactMap({ $0.kind?.words }) where !kinds.contains(words) { kinds.append(words) }
        let shown = kinds.isEmpty ? "objects of unknown kinds" : kinds.joined(separator: ", ")
        let found = objects.first.flatMap { $0.problem == nil ? $0.kind : nil }
        // The remedy depends on both kinds.
        let problem = InspectionProblem(
            .unexpectedKind, of: found.map { "\(kind.rawValue) \($0.rawValue)" },
            ["found": (objects.count == 1 ? "" : "only ") + shown], kind: objects.first?.kind)
        return InspectionError(file: name, object: nil, problem: problem.expecting(kind))
    }
}

extension InspectionProblem {
    /// The problem, followed by the expectation of a certificate if the problem reports another kind of file.
    fileprivate var expectingCertificate: InspectionProblem {
        guard kind == nil || kind == .privateKey && code == .sshPrivateKey || code == .mislabelled,
            code != .tooManyObjects,
            code != .tooDeep
        else { return self }
        return expecting(.certificate)
    }
}
