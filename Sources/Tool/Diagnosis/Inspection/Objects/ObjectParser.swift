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
            if let object = try ParsedObject(der: der, as: kind) { return .parsed(object) }
            if let content = try other(der, kind, label) { return content }
            throw ParsedObject.Refusal(der, as: kind, nil)
        } catch {
            return .unreadable(Self.problem(der, label, error))
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

    /// Returns why the parser refused an object: the wrong label, a truncation, or an invalid field.
    private static func problem(
        _ der: [UInt8], _ label: String?, _ refusal: ParsedObject.Refusal
    ) -> InspectionProblem {
        let (kind, error) = (refusal.kind, refusal.error)
        if let label, let shape = refusal.shape, !isCompatible(shape, with: kind) {
            let values = ["label": clipped(label, to: 64), "found": shape.words]
            return InspectionProblem(.mislabelled, values, kind: kind, error: error)
        }
        if let problem = InspectionProblem.cutOff(der, kind: kind, error: error) { return problem }
        guard let error else { return InspectionProblem(.malformed, of: "structure", kind: kind) }
        return InspectionProblem(.malformed, ["error": error.words], kind: kind, error: error)
    }

    private static func isCompatible(_ shape: ObjectKind, with kind: ObjectKind) -> Bool {
        shape == kind || kind == .trustedCertificate && shape == .certificate || kind == .parameters
    }
}

extension DERError {
    /// The field, the reason and the position in words, with the names of tags: `serialNumber: expected an INTEGER,
    /// found a BOOLEAN (byte 15)`.
    var words: String {
        let place = offset == 0 ? "" : " (byte \(offset))"
        let rule = detail.map { ": " + clipped($0, to: 300) } ?? ""
        return "\(clipped(field, to: 100)): \(reasonInWords)\(place)\(rule)"
    }

    private var reasonInWords: String {
        switch reason {
        case .truncated: "cut off"
        case .indefiniteLength: "an indefinite length, which DER doesn't allow"
        default: clipped(reason.description, to: 200)
        }
    }
}
