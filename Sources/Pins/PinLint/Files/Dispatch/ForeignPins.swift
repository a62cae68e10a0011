// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A form of pins that no reader supports, such as Envoy's YAML. `Book/Forms` has the forms.
package struct ForeignPins: Sendable, Hashable {
    /// A phrase about the form.
    package let words: String
    /// The next step.
    package let fix: String

    private static let texts = Book(packed: PackedForms.texts)
    /// Parts of files, and the names of their forms in the book.
    private static let marks: [(text: StaticString, form: String)] = [
        ("verify_certificate_spki", "envoy"), ("verify_certificate_hash", "envoy"), ("verifyCertificateSpki", "envoy"),
        ("verifyCertificateHash", "envoy"), ("pin-sha256=", "hpkp"), ("allowedSHAFingerprints", "flutter"),
        ("allowedShaFingerprints", "flutter"), ("proxy_ssl_trusted_certificate", "nginx"),
        ("proxy_ssl_verify", "nginx"),
        ("grpc_ssl_trusted_certificate", "nginx"), ("uwsgi_ssl_trusted_certificate", "nginx"),
    ]

    /// Returns the first form with a mark in the file, or nil for other files.
    static func form(of bytes: [UInt8]) -> ForeignPins? {
        guard bytes.count <= PinConfiguration.maximumFileSize else { return nil }
        let form = marks.first { bytes.contains(text: $0.text) }.flatMap { texts[$0.form] }
        return form.map { ForeignPins(words: $0["words"], fix: $0["remedy"]) }
    }

    /// Returns the form of a file with a quoted text that begins like a pin, or nil for other files.
    static func unknown(in bytes: [UInt8]) -> ForeignPins? {
        guard bytes.contains(text: "\"sha256/") else { return nil }
        return texts["unknown"].map { ForeignPins(words: $0["words"], fix: $0["remedy"]) }
    }

    /// Returns the problem of a file that has pins only in such a form. Otherwise returns the reader's error.
    static func error(_ error: PinFileError, _ bytes: [UInt8], _ file: String) -> PinFileError {
        let codes: [ErrorCode] = [.pinFileUnreadable, .pinFileFormatUnclear, .pinFileMissingKey]
        guard error.problems.allSatisfy({ codes.contains($0.code) }), let form = form(of: bytes),
            (try? PinFile(bytes, file: file, readers: PinFormatReader.all))?.candidates.isEmpty != false
        else { return error }
        return PinFileError(
            PinFileProblem(.pinFileUnreadable, at: PinFileLocation(file: file), form.words, fix: form.fix))
    }
}
