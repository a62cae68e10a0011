// SPDX-License-Identifier: Apache-2.0

import Inspection
import PinFiles
import ServerTrust

/// The objects of a file that yield pins: certificates, public keys and certificate requests, in any encoding.
struct InspectedPinFile: PinCandidateSource {
    let file: InspectedFile
    /// The file's name.
    var name: String { file.name }
    /// nil, as a file names no host.
    var host: Hostname? { nil }

    /// Returns the objects in the order of the file.
    ///
    /// As in ``PinSource/entries(in:name:)``, a private key outside of PKCS #12 is always an error, because it was not meant to be handed over, and
    /// the signature of a request is verified. Objects of other kinds are skipped beside these.
    /// - Throws: `PinCandidateSourceError` with every object that can't be read.
    func objects() throws(PinCandidateSourceError) -> [PinSource.Origin] {
        var origins: [PinSource.Origin] = []
        var reasons: [String] = []
        for object in file.objects {
            switch object.content {
            case .certificate(let certificate): origins.append(.certificate(certificate))
            case .trustedCertificate(let trusted): origins.append(.certificate(trusted.certificate))
            case .publicKey(let key) where object.label != nil || object.der == key.der: origins.append(.publicKey(key))
            case .publicKey, .certificateRequest:
                // The library's reader verifies the signature, and refuses a PKCS #1 key without a label: signatures have its form.
                let text = PEM.encode(object.der, label: "CERTIFICATE REQUEST")
                let bytes = object.kind == .publicKey ? object.der : Array(text.utf8)
                do throws(CertificateFileError) {
                    origins += try PinSource.sources(in: bytes, name: file.name).map(\.origin)
                } catch {
                    reasons.append(error.description)
                }
            case .privateKey where !object.place.layers.contains(.pkcs12):
                let problem = InspectionProblem(
                    .unexpectedKind,
                    "a private key, expected a certificate, a public key or a certificate request; keep it in its place, and write its public key to a file of its own with \"openssl pkey -pubout\"",
                    kind: .privateKey)
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
    /// The pin of the object's key.
    var pin: SPKIPin {
        switch self {
        case .certificate(let certificate): SPKIPin(certificate)
        case .publicKey(let key): SPKIPin(key)
        case .certificateRequest(let request): SPKIPin(request.subjectPublicKeyInfo)
        }
    }
}
