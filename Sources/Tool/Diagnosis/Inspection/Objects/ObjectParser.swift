// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Parses one DER object. The object's label or structure indicates its kind.
struct ObjectParser {
    var keys: PrivateKeyReader

    /// Returns the contents of an object. Containers aren't opened here.
    /// - Parameter label: the PEM label that states the kind, or nil if the structure indicates the kind.
    mutating func content(of der: [UInt8], as kind: ObjectKind, label: String?) -> InspectedObject.Content {
        do throws(ParsedObject.Refusal) {
            if let object = try ParsedObject(der: der, as: kind) { return InspectedObject.Content(object) }
            if let content = try other(der, kind, label) { return content }
            throw ParsedObject.Refusal(der, as: kind, nil)
        } catch {
            return .malformed(malformed(der, label, error))
        }
    }

    /// Returns the contents of a kind that only inspection parses.
    /// - Returns: nil for valid DER with another structure.
    private mutating func other(
        _ der: [UInt8], _ kind: ObjectKind, _ label: String?
    ) throws(ParsedObject.Refusal) -> InspectedObject.Content? {
        do throws(DERError) {
            switch kind {
            case .trustedCertificate: return try TrustedCertificate(der: der).map { .trustedCertificate($0) }
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
            default: return nil
            }
        } catch {
            throw ParsedObject.Refusal(der, as: kind, error)
        }
    }

    private func parameters(_ label: String?) -> KeyParameters {
        switch label {
        case "EC PARAMETERS": .ellipticCurve
        case "DSA PARAMETERS": .dsa
        default: .diffieHellman
        }
    }

    /// Describes why the parser refused an object: the wrong label, a truncation, or an invalid field.
    private func malformed(
        _ der: [UInt8], _ label: String?, _ refusal: ParsedObject.Refusal
    ) -> MalformedObject {
        let (kind, error) = (refusal.kind, refusal.error)
        func object(_ code: InspectionProblem.Code, _ text: String, _ remedy: String?) -> MalformedObject {
            MalformedObject(
                kind: kind, error: error, problem: InspectionProblem(code, text, kind: kind, remedy: remedy))
        }
        if let label, let shape = refusal.shape, !Self.isCompatible(shape, with: kind) {
            return object(
                .mislabelled, "labeled \(clipped(label, to: 64)), but it is \(shape.words)",
                "correct the label in its BEGIN and END lines, or name the right file")
        }
        if let problem = InspectionProblem.cutOff(kind.words, der, kind: kind) {
            return MalformedObject(kind: kind, error: error, problem: problem)
        }
        guard let error else {
            return object(
                .malformed, "not \(kind.words), but another structure in DER",
                "show the structure: servertrust inspect FILE --format asn1")
        }
        return object(.malformed, "\(kind.words) that can't be read: \(error.words)", nil)
    }

    private static func isCompatible(_ shape: ObjectKind, with kind: ObjectKind) -> Bool {
        shape == kind || kind == .trustedCertificate && shape == .certificate || kind == .parameters
    }
}

extension InspectedObject.Content {
    fileprivate init(_ object: ParsedObject) {
        switch object {
        case .certificate(let certificate): self = .certificate(certificate)
        case .certificateRevocationList(let list): self = .certificateRevocationList(list)
        case .ocspRequest: self = .ocspRequest
        case .ocspResponse(let response): self = .ocspResponse(response)
        case .certificateRequest(let request): self = .certificateRequest(request)
        case .publicKey(let key): self = .publicKey(key)
        }
    }
}
