// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A parser for the chain in a column: PEM, or base64 of DER with white space or commas between certificates.
enum ChainText {
    /// The kinds of objects with certificates. All but the first are rejected, because the chain would be a different
    /// one without their certificates.
    private static let kinds: [ObjectKind?] = [.certificate, .trustedCertificate, .pkcs7]

    /// Whether the BEGIN line for a certificate's END line is damaged or missing. Without that certificate, the chain
    /// would be a different one.
    private static func lacksBegin(_ text: [UInt8]) -> Bool {
        func count(_ marker: StaticString) -> Int {
            text.withUnsafeBytes { bytes in
                var (count, offset) = (0, 0)
                while let found = bytes.firstIndex(of: marker, from: offset) {
                    offset = found + marker.utf8CodeUnitCount
                    // No label is longer than this.
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[..<min(offset + 64, bytes.count)])
                    guard let end = rest.firstIndex(of: "-----", from: offset) else { continue }
                    if kinds.contains(ObjectKind(label: String(decoding: bytes[offset..<end], as: UTF8.self))) {
                        count += 1
                    }
                }
                return count
            }
        }
        return count("-----END ") > count("-----BEGIN ")
    }

    /// The maximum number of certificates in a row: four times as many as one evaluation uses.
    static let maximumCount = 1024

    /// Whether a byte separates certificates in base64.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09...0x0d, UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"): true
        default: false
        }
    }

    /// Returns the certificates in a text, at least one.
    /// - Parameter column: the name of the column, for failures.
    static func certificates(_ text: String, column: String) -> Result<[BatchBytes], TrustFailure> {
        func refused(_ problem: String) -> Result<[BatchBytes], TrustFailure> {
            .failure(TrustFailure(.requestValueInvalid, found: .text(column + problem)))
        }
        let bytes = Array(text.utf8)
        var found: [BatchBytes] = []
        if PEM.isPEM(bytes) {
            guard !lacksBegin(bytes) else { return refused(": an END line without its BEGIN line") }
            for object in PEM.blocks(in: bytes) {
                switch object {
                case .failure(let error): return refused(": \(error)")
                case .success(let block):
                    let kind = ObjectKind(label: block.label)
                    guard kinds.contains(kind) else { continue }
                    guard kind == .certificate else {
                        return refused(": an object labeled \(block.label), expected CERTIFICATE")
                    }
                    found.append(.der(block.der))
                }
            }
        } else {
            found = texts(in: text).map { .base64($0) }
        }
        guard !found.isEmpty else { return refused(" is empty, expected at least the leaf") }
        guard found.count <= maximumCount else {
            return refused(" has more than the \(maximumCount) certificates that a row may have")
        }
        return .success(found)
    }

    /// Returns the texts between separators. Stops at one more than a row may have.
    private static func texts(in text: String) -> [String] {
        var texts: [String] = []
        var rest = text.utf8[...]
        while texts.count <= maximumCount, let start = rest.firstIndex(where: { !isSeparator($0) }) {
            let end = rest[start...].firstIndex(where: isSeparator) ?? rest.endIndex
            texts.append(String(Substring(rest[start..<end])))
            rest = rest[end...]
        }
        return texts
    }
}
