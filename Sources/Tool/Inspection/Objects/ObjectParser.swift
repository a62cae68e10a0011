// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The parser of one object in DER whose kind its label or its shape indicates.
struct ObjectParser {
    var keys: PrivateKeyReader

    /// Returns the contents of an object. Containers are not opened here.
    /// - Parameter label: the PEM label that names the kind; nil if the kind follows from the shape.
    mutating func content(of der: [UInt8], as kind: ObjectKind, label: String?) -> InspectedObject.Content {
        do throws(DERError) {
            if let content = try parsed(der, kind, label) { return content }
        } catch {
            return .malformed(malformed(der, kind, label, error))
        }
        return .malformed(malformed(der, kind, label, nil))
    }

    /// - Returns: nil for valid DER of another structure.
    private mutating func parsed(
        _ der: [UInt8], _ kind: ObjectKind, _ label: String?
    ) throws(DERError) -> InspectedObject.Content? {
        switch kind {
        case .certificate: return .certificate(try Certificate(der: der))
        case .trustedCertificate: return try TrustedCertificate(der: der).map { .trustedCertificate($0) }
        case .certificateRevocationList: return .certificateRevocationList(try CertificateRevocationList(der: der))
        case .ocspRequest:
            try DER.validate(der)
            return ObjectKind(shapeOf: der[...]) == .ocspRequest ? .ocspRequest : nil
        case .ocspResponse: return .ocspResponse(try OCSPResponse(der: der))
        case .certificateRequest: return .certificateRequest(try CertificateRequest(der: der))
        case .publicKey: return .publicKey(try SubjectPublicKeyInfo(der: der))
        case .rsaPublicKey: return SubjectPublicKeyInfo(rsaPublicKey: der).map { .publicKey($0) }
        case .privateKey:
            try DER.validate(der)
            return keys.facts(der).map { .privateKey($0) }
        case .encryptedPrivateKey:
            try DER.validate(der)
            guard ObjectKind(shapeOf: der[...]) == .encryptedPrivateKey else { return nil }
            return .privateKey(PrivateKeyFacts(format: .encryptedPKCS8, algorithm: nil, isEncrypted: true))
        case .parameters:
            try DER.validate(der)
            return .parameters(parameters(label))
        case .pkcs7, .pkcs12: return nil
        }
    }

    private func parameters(_ label: String?) -> KeyParameters {
        switch label {
        case "EC PARAMETERS": .ellipticCurve
        case "DSA PARAMETERS": .dsa
        default: .diffieHellman
        }
    }

    /// Returns the refusal of an object in words: the label that doesn't fit, the cut, or the field.
    private func malformed(
        _ der: [UInt8], _ kind: ObjectKind, _ label: String?, _ error: DERError?
    ) -> MalformedObject {
        func object(_ code: InspectionProblem.Code, _ text: String, _ remedy: String?) -> MalformedObject {
            MalformedObject(
                kind: kind, error: error, problem: InspectionProblem(code, text, kind: kind, remedy: remedy))
        }
        let shape = ObjectKind(shapeOf: der[...])
        if let label, let shape, !Self.isCompatible(shape, with: kind) {
            return object(
                .mislabelled, "labelled \(clipped(label, to: 64)), but it is \(shape.words)",
                "write the right label on its BEGIN and END lines, or name the right file")
        }
        if let outer = TLV(der[...]), outer.isTruncated {
            return object(
                .truncated,
                "\(kind.words) cut off: its length says \(outer.statedEnd) bytes, \(der.count) are there",
                "copy the file again, in binary mode")
        }
        guard let error else {
            return object(
                .malformed, "not \(kind.words), but another structure in DER",
                "servertrust inspect FILE --format asn1 shows it")
        }
        return object(.malformed, "\(kind.words) that can't be read: \(error.words)", nil)
    }

    private static func isCompatible(_ shape: ObjectKind, with kind: ObjectKind) -> Bool {
        shape == kind || kind == .trustedCertificate && shape == .certificate || kind == .parameters
    }
}
