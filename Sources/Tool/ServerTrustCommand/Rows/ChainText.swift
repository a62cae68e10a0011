// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import TrustSupport

/// A chain in the text of a column: PEM, or DER in base64 with white space or commas between certificates.
enum ChainText {
    /// Whether a label is that of a certificate in PEM.
    static func isCertificate(label: String) -> Bool { ObjectKind(label: label) == .certificate }

    /// Whether a label is that of another object that holds certificates. It is refused: without them a chain would be another one.
    static func isUnread(label: String) -> Bool {
        let kind = ObjectKind(label: label)
        return kind == .trustedCertificate || kind == .pkcs7
    }

    /// Whether an object holds certificates by its label: without an answer they would be lost.
    static func holdsCertificates(_ label: String) -> Bool { isCertificate(label: label) || isUnread(label: label) }

    /// Whether the label that begins at an offset, and ends with hyphens, is one of objects that hold certificates.
    static func isCertificate(labelAt start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        // No label is longer than this.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[..<min(start + 64, bytes.count)])
        guard let end = rest.firstIndex(of: "-----", from: start) else { return false }
        return holdsCertificates(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    /// The problem of a text with an END line of a certificate whose BEGIN line is damaged or missing; nil for none. Read without that
    /// certificate, the chain would be another one.
    static func lostCertificate(in text: [UInt8]) -> String? {
        func count(_ marker: StaticString) -> Int {
            text.withUnsafeBytes { bytes in
                var (count, offset) = (0, 0)
                while let found = bytes.firstIndex(of: marker, from: offset) {
                    offset = found + marker.utf8CodeUnitCount
                    if isCertificate(labelAt: offset, in: bytes) { count += 1 }
                }
                return count
            }
        }
        return count("-----END ") > count("-----BEGIN ") ? "an END line without its BEGIN line" : nil
    }

    /// Returns the problem of an object whose label ``isUnread(label:)`` finds.
    static func problem(ofLabel label: String) -> String { "an object \(label), expected CERTIFICATE" }

    /// The maximum number of certificates of one row; four times as many as one evaluation uses.
    static let maximumCount = 1024

    /// Whether a byte stands between two certificates in base64.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09...0x0d, UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"): true
        default: false
        }
    }

    /// Returns the certificates of a text, at least one.
    /// - Parameter column: the name of the column, for failures.
    static func certificates(_ text: String, column: String) -> Result<[BatchBytes], TrustFailure> {
        let bytes = Array(text.utf8)
        let found: [BatchBytes]
        if PEM.isPEM(bytes) {
            if let problem = lostCertificate(in: bytes) {
                return .failure(TrustFailure(.requestValueInvalid, found: .text("\(column): \(problem)")))
            }
            var objects: [BatchBytes] = []
            do throws(PEM.BlockError) {
                for object in PEM.blocks(in: bytes) {
                    let block = try object.get()
                    guard !isUnread(label: block.label) else {
                        let problem = problem(ofLabel: block.label)
                        return .failure(TrustFailure(.requestValueInvalid, found: .text("\(column): \(problem)")))
                    }
                    if isCertificate(label: block.label) { objects.append(.der(block.der)) }
                }
                found = objects
            } catch {
                return .failure(TrustFailure(.requestValueInvalid, found: .text("\(column): \(error)")))
            }
        } else {
            found = texts(in: text).map { .base64($0) }
        }
        guard !found.isEmpty else {
            return .failure(
                TrustFailure(.requestValueInvalid, found: .text("\(column) is empty, expected at least the leaf")))
        }
        guard found.count <= maximumCount else {
            return .failure(
                TrustFailure(
                    .requestValueInvalid,
                    found: .text("\(column) has more than the \(maximumCount) certificates that a row may have")))
        }
        return .success(found)
    }

    /// Returns the texts between separators, at most one more than a row may have.
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
