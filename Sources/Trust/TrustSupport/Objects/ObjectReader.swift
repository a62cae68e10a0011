// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An object of a file: its place, its label, and its bytes before its fields are read.
package struct FoundObject: Sendable {
    /// The bytes of an object. The set is complete.
    package enum Contents: Sendable {
        /// The object in DER.
        case der([UInt8])
        /// A PEM object that can't be decoded.
        case undecodable(PEM.BlockError)
        /// Bytes that are no value of DER, to the end of the file, and their offset.
        case rest([UInt8], offset: Int)
    }

    /// The number among the objects of the file, from 1.
    package let number: Int
    /// The PEM label; nil outside of PEM.
    package var label: String?
    /// The kind that the label names, or in DER and under an unknown label the shape of the bytes; nil for another structure.
    package let kind: ObjectKind?
    /// The bytes.
    package let contents: Contents
    /// The line of the text where decoding stopped, from 1; nil for an object that was decoded.
    package var line: Int?
}

/// The reader of bytes with certificates, keys and requests: PEM with any number of objects, one object in DER, or its base64.
///
/// `CertificateFile`, `PinSource` and `Certificate(base64:)` find their objects here. They differ in ``Options`` and in the kinds that they
/// accept. The command's inspection undoes more encodings and opens containers. It finds, recognizes and parses objects by the same
/// functions: ``derObjects(in:maximum:)``, `ObjectKind` and ``ParsedObject``.
package enum ObjectReader {
    /// The encodings that a caller accepts besides PEM and DER.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Base64 of DER, with white space anywhere. DER itself isn't accepted then: the bytes are a text.
        package static let base64 = Options(rawValue: 1)
    }

    /// The reason why bytes have no objects at all.
    package enum Failure: Error, Sendable, Hashable {
        /// No bytes, or in a text white space only.
        case empty
        /// A text is not base64 at this byte, from 0.
        case notBase64(offset: Int, line: Int)
        /// A text is base64 of a PEM text: it was encoded twice.
        case encodedPEM
    }

    /// Returns every object of `bytes` in order, at least one. No object is left out.
    package static func objects(in bytes: [UInt8], _ options: Options = []) throws(Failure) -> [FoundObject] {
        if PEM.isPEM(bytes) { return pemObjects(in: bytes) }
        let der = options.contains(.base64) ? try decoded(bytes) : bytes
        guard !der.isEmpty else { throw .empty }
        let kind = ObjectKind(shapeOf: der[...])
        return [FoundObject(number: 1, kind: kind, contents: .der(der))]
    }

    private static func pemObjects(in text: [UInt8]) -> [FoundObject] {
        var counter = LineCounter()
        return PEM.blocks(in: text).enumerated().map { index, block in
            switch block {
            case .success(let block):
                FoundObject(
                    number: index + 1, label: block.label, kind: ObjectKind(label: block.label, der: block.der),
                    contents: .der(block.der))
            case .failure(let error):
                FoundObject(
                    number: index + 1, label: error.label, kind: ObjectKind(label: error.label, der: []),
                    contents: .undecodable(error), line: counter.place(of: error.offset, in: text).line)
            }
        }
    }

    /// Returns the values of DER that stand one after the other, in order. Nothing is left out but a line feed at the end, which editors and
    /// transfers in text mode add.
    /// - Parameter maximum: the number of values to stop at.
    package static func derObjects(in bytes: [UInt8], maximum: Int) -> [FoundObject] {
        var objects: [FoundObject] = []
        var rest = bytes[...]
        while !rest.isEmpty, objects.count < maximum {
            if rest.startIndex > 0, rest.count <= 4, rest.allSatisfy({ isWhiteSpace($0) || $0 == 0 }) { break }
            let number = objects.count + 1
            guard rest.first == TLV.Tag.sequence, let value = TLV(rest) else {
                objects.append(
                    FoundObject(number: number, kind: nil, contents: .rest(Array(rest), offset: rest.startIndex)))
                break
            }
            var kind = ObjectKind(shapeOf: rest)
            var end = value.contents.endIndex
            // OpenSSL's trust settings stand behind their certificate.
            if kind == .certificate, let next = TLV(rest[end...]), TrustedCertificate.isSettings(next) {
                kind = .trustedCertificate
                end = next.contents.endIndex
            }
            objects.append(FoundObject(number: number, kind: kind, contents: .der(Array(rest[..<end]))))
            rest = rest[end...]
        }
        return objects
    }

    /// Returns the bytes of a text in base64.
    private static func decoded(_ text: [UInt8]) throws(Failure) -> [UInt8] {
        let digits = text.filter { !isWhiteSpace($0) }
        guard !digits.isEmpty else { throw .empty }
        let bytes: [UInt8]
        do throws(Base64.DecodingError) {
            bytes = try Base64.decode(String(decoding: digits, as: UTF8.self))
        } catch {
            let offset = offset(ofDigit: error.offset, in: text)
            var counter = LineCounter()
            throw .notBase64(offset: offset, line: counter.place(of: offset, in: text).line)
        }
        guard !PEM.isPEM(bytes) else { throw .encodedPEM }
        return bytes
    }

    /// The offset in the text of the byte with this index among the bytes that aren't white space.
    private static func offset(ofDigit digit: Int, in text: [UInt8]) -> Int {
        var left = digit
        for (offset, byte) in text.enumerated() where !isWhiteSpace(byte) {
            if left == 0 { return offset }
            left -= 1
        }
        return text.count
    }

    /// Whether the byte is white space between the digits of base64, as in PEM (RFC 7468 § 3).
    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}

extension ObjectKind {
    /// The kind of a PEM object: the one that its label names, or a private key by label or shape; nil for other unknown labels.
    ///
    /// Labels of private keys are many (RFC 7468 §§ 10 and 11, OpenSSL's, OpenSSH's), so each one with these words counts.
    package init?(label: String, der: [UInt8]) {
        if let kind = ObjectKind(label: label) {
            self = kind
        } else if label.contains("PRIVATE KEY") {
            self = .privateKey
        } else if let shape = ObjectKind(shapeOf: der[...]), shape.isPrivate {
            self = shape
        } else {
            return nil
        }
    }

    /// Whether the object is a private key, encrypted or not.
    package var isPrivate: Bool { self == .privateKey || self == .encryptedPrivateKey }
}
