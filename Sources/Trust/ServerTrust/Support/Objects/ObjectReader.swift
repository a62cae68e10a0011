// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An object in a file: its place, its label, and its unparsed bytes.
package struct FoundObject: Sendable {
    /// The bytes of an object. The set is complete.
    package enum Contents: Sendable {
        /// The object in DER.
        case der([UInt8])
        /// A PEM object that can't be decoded.
        case undecodable(PEM.BlockError)
        /// The bytes from `offset` to the end of the file, which aren't a DER value.
        case rest([UInt8], offset: Int)
    }

    /// The object's number in the file, from 1.
    let number: Int
    /// The PEM label, or nil outside of PEM.
    var label: String?
    /// The kind that the label names. In DER, or if the label is unknown, the kind that the bytes have the shape of.
    /// Nil for any other structure.
    package let kind: ObjectKind?
    /// The bytes.
    package let contents: Contents
    /// The line of the text where decoding failed, from 1. Nil for a decoded object.
    var line: Int?
}

/// A reader for files with certificates, keys and requests: PEM with any number of objects, one object in DER, or its
/// base64.
///
/// `CertificateFile`, `PinSource` and `Certificate(base64:)` find their objects here. They differ in ``Options`` and in
/// the kinds that they accept. The command's inspection decodes more encodings and opens containers. It finds,
/// recognizes and parses objects with the same functions: ``derObjects(in:maximum:)``, `ObjectKind` and
/// ``ParsedObject``.
package enum ObjectReader {
    /// The encodings that a caller accepts besides PEM and DER.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int

        /// Base64 of DER, with white space anywhere. With this option the bytes are text, so DER itself isn't accepted.
        package init(rawValue: Int) { self.rawValue = rawValue }

        static let base64 = Options(rawValue: 1)
    }

    /// The reason why bytes contain no objects at all.
    package enum Failure: Error, Sendable, Hashable {
        /// No bytes, or a text with only white space.
        case empty
        /// A text isn't base64 at this byte, from 0.
        case notBase64(offset: Int, line: Int)
        /// A text is base64 of a PEM text, so it was encoded twice.
        case encodedPEM
    }

    /// Returns all objects of `bytes` in order, at least one. Skips no object.
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

    /// Returns a sequence of DER values in order. Skips only a line feed at the end, which editors and transfers in
    /// text mode add.
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
            // OpenSSL's trust settings follow their certificate.
            if kind == .certificate, let next = TLV(rest[end...]),
                (try? TrustedCertificateSettings(der: Array(next.whole(in: rest)))) != nil
            {
                kind = .trustedCertificate
                end = next.contents.endIndex
            }
            objects.append(FoundObject(number: number, kind: kind, contents: .der(Array(rest[..<end]))))
            rest = rest[end...]
        }
        return objects
    }

    /// Returns the bytes of a base64 text.
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

    /// Returns the offset in the text of the base64 digit with this index, which doesn't count white space.
    private static func offset(ofDigit digit: Int, in text: [UInt8]) -> Int {
        var left = digit
        for (offset, byte) in text.enumerated() where !isWhiteSpace(byte) {
            if left == 0 { return offset }
            left -= 1
        }
        return text.count
    }

    /// Whether a byte is white space between the digits of base64, as in PEM (RFC 7468 § 3).
    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}

extension ObjectKind {
    /// Creates the kind of a PEM object: the kind that its label names, or a private key by label or shape. Nil for any
    /// other unknown label.
    ///
    /// There are many labels for private keys (RFC 7468 §§ 10 and 11, OpenSSL's, OpenSSH's), so every label with these
    /// words counts.
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
    var isPrivate: Bool { self == .privateKey || self == .encryptedPrivateKey }
}
