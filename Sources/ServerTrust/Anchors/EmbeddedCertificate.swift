// SPDX-License-Identifier: Apache-2.0

extension Certificate {
    /// Parses a certificate that is baked into a program's code as text: base64 of its DER, spaces, tabs and line breaks
    /// allowed anywhere, or a PEM text with this one certificate in it and nothing else but words around it.
    ///
    /// ```swift
    /// let root = try Certificate(base64: """
    ///     MIIBszCCAVmgAwIBAgIUQ5…
    ///     """)
    /// ```
    ///
    /// Not checked: whether the certificate is valid, or still so. What is baked in expires without a word: see to it that
    /// a test asks for ``notAfter``.
    /// - Throws: ``EmbeddedCertificateError`` that says what was found instead.
    public init(base64 text: String) throws(EmbeddedCertificateError) {
        let bytes = Array(text.utf8)
        if PEM.isPEM(bytes) {
            self = try Self.only(in: bytes)
            return
        }
        let digits = bytes.filter { !$0.isWhiteSpace }
        guard !digits.isEmpty else { throw EmbeddedCertificateError(.empty) }
        let der: [UInt8]
        do throws(Base64.DecodingError) {
            der = try Base64.decode(String(decoding: digits, as: UTF8.self))
        } catch {
            throw EmbeddedCertificateError(.notBase64(offset: Self.offset(ofDigit: error.offset, in: bytes)))
        }
        guard !PEM.isPEM(der) else { throw EmbeddedCertificateError(.encodedPEM) }
        do throws(DERError) {
            self = try Certificate(der: der)
        } catch {
            throw EmbeddedCertificateError(.malformed(error))
        }
    }

    private static func only(in pem: [UInt8]) throws(EmbeddedCertificateError) -> Certificate {
        let labels = PEM.blocks(in: pem).map { block in
            switch block {
            case .success(let block): block.label
            case .failure(let error): error.label
            }
        }
        // Anything beside the certificate was not meant to be there, least of all a private key.
        guard labels.count == 1, let entry = CertificateFile.entries(in: pem, name: "text").first else {
            throw EmbeddedCertificateError(.objects(labels))
        }
        do throws(CertificateFileError) {
            return try entry.get()
        } catch {
            switch error.reason {
            case .malformed(_, let error): throw EmbeddedCertificateError(.malformed(error))
            case .pem(let error): throw EmbeddedCertificateError(.pem(error))
            case .empty, .noCertificate, .opensslTrusted: throw EmbeddedCertificateError(.objects(labels))
            }
        }
    }

    /// Where the byte with this index among those that aren't white space stands among all of them.
    private static func offset(ofDigit digit: Int, in bytes: [UInt8]) -> Int {
        var left = digit
        for (offset, byte) in bytes.enumerated() where !byte.isWhiteSpace {
            if left == 0 { return offset }
            left -= 1
        }
        return bytes.count
    }
}

extension UInt8 {
    /// What may stand between the digits of base64, here as in PEM (RFC 7468 § 3).
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}

/// Why a text in a program's code is no certificate.
public struct EmbeddedCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found. The set is complete.
    public enum Reason: Sendable, Hashable {
        /// Nothing but white space.
        case empty
        /// Not base64 at this byte of the text (in UTF-8, from 0), or ended too early there.
        case notBase64(offset: Int)
        /// The base64 is right and what it holds is no certificate.
        case malformed(DERError)
        /// The base64 holds another PEM text: it was encoded twice, as Kubernetes does with secrets.
        case encodedPEM
        /// The one object of a PEM text can't be decoded.
        case pem(PEM.BlockError)
        /// A PEM text with other objects than exactly one certificate: the labels of all of them, in order.
        case objects([String])
    }
    /// What was found.
    public let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// One line for people; its wording may change. The text itself is never repeated.
    public var description: String {
        let expected = "expected one certificate, as base64 of its DER or as PEM"
        return switch reason {
        case .empty: "the text is empty, \(expected)"
        case .notBase64(let offset): "the text is not base64 at byte \(offset), \(expected)"
        case .malformed(let error): "the text is base64 and no certificate: \(error)"
        case .encodedPEM: "the text is base64 of a PEM text, \(expected): decode it once"
        case .pem(let error): "the text can't be read: \(error)"
        case .objects(let labels): "the text holds \(listed(labels)), \(expected)"
        }
    }
}

/// At most four of `labels` by name: a bundle has hundreds.
func listed(_ labels: [String]) -> String {
    let shown = labels.prefix(4).joined(separator: ", ")
    return labels.count > 4 ? "\(labels.count) PEM objects: \(shown), …" : shown
}
