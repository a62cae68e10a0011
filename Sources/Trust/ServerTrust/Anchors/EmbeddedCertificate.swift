// SPDX-License-Identifier: Apache-2.0

extension Certificate {
    /// Parses a certificate that is embedded in a program's code as text: base64 of its DER, with spaces, tabs and line breaks
    /// anywhere, or a PEM text with this one certificate as its only object.
    ///
    /// ```swift
    /// let root = try Certificate(base64: """
    ///     MIIBszCCAVmgAwIBAgIUQ5…
    ///     """)
    /// ```
    ///
    /// Not checked: whether the certificate is valid, now or later. An embedded certificate expires without notice; have a test
    /// check its ``/PKIX/Certificate/notAfter``.
    /// - Throws: ``EmbeddedCertificateError`` that describes the text that was found instead.
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
        // An object beside the certificate was not meant to be embedded, least of all a private key.
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

    /// The offset in the text of the byte with this index among the bytes that aren't white space.
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
    /// Whether the byte is white space between the digits of base64, as in PEM (RFC 7468 § 3).
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}

/// An error in the text of an embedded certificate.
public struct EmbeddedCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why the text is not a certificate. The set is complete.
    package enum Reason: Sendable, Hashable {
        /// The text is empty, or white space alone.
        case empty
        /// The text is not base64, or ends too early, at this byte of its UTF-8 (from 0).
        case notBase64(offset: Int)
        /// The text is base64 of bytes that are not a certificate.
        case malformed(DERError)
        /// The text is base64 of a PEM text: it was encoded twice, as Kubernetes does with secrets.
        case encodedPEM
        /// The one object of a PEM text can't be decoded.
        case pem(PEM.BlockError)
        /// A PEM text whose objects aren't exactly one certificate: the labels of all objects, in order.
        case objects([String])
    }
    /// The reason.
    package let reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    /// One line for people; its wording may change. The text is never repeated.
    public var description: String {
        let expected = "expected one certificate, as base64 of its DER or as PEM"
        return switch reason {
        case .empty: "the text is empty, \(expected)"
        case .notBase64(let offset): "the text is not base64 at byte \(offset), \(expected)"
        case .malformed(let error): "the text is base64, but not of a certificate: \(error)"
        case .encodedPEM: "the text is base64 of a PEM text, \(expected): decode it once"
        case .pem(let error): "the text can't be read: \(error)"
        case .objects(let labels): "the text holds \(listed(labels)), \(expected)"
        }
    }
}

/// The labels as one text, at most four of them by name because a bundle may have hundreds.
func listed(_ labels: [String]) -> String {
    let shown = labels.prefix(4).joined(separator: ", ")
    return labels.count > 4 ? "\(labels.count) PEM objects: \(shown), …" : shown
}
