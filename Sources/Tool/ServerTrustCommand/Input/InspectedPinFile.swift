// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PinLint
import ServerTrust

/// The objects in a file that can be pinned: certificates, public keys and certificate requests, in any encoding.
struct InspectedPinFile: PinCandidateSource {
    let file: InspectedFile
    /// The name of the file.
    var name: String { file.name }
    /// Always nil, because a file doesn't name a host.
    var host: Hostname? { nil }

    /// Returns the objects in the order of the file.
    ///
    /// As in ``PinSource/entries(in:name:)``, a private key outside PKCS #12 is always an error, because the user
    /// hardly meant to disclose it. The signature of a certificate request is verified. Objects of other kinds are
    /// skipped if the file contains one of these.
    /// - Throws: `PinCandidateSourceError` with every object that can't be parsed.
    func objects() throws(PinCandidateSourceError) -> [PinSource.Origin] {
        var origins: [PinSource.Origin] = []
        var reasons: [String] = []
        for object in file.objects {
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
                    origins += try PinSource.sources(in: bytes, name: file.name).map(\.origin)
                } catch {
                    reasons.append(error.description)
                }
            case .privateKey where !object.place.layers.contains(.pkcs12):
                let problem = InspectionProblem(.unexpectedKind, of: "key", kind: .privateKey)
                reasons.append(
                    InspectionError(file: file.name, object: object.place.number, problem: problem).description)
            default: break
            }
        }
        let errors = file.errors(expecting: .certificate, found: !origins.isEmpty || !reasons.isEmpty)
        reasons += errors.map(\.description)
        guard reasons.isEmpty else { throw PinCandidateSourceError(reasons: reasons) }
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
