// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A parser for the chain in a column: PEM, or base64 of DER with white space or commas between certificates.
enum ChainText {
    /// Whether a PEM label is a certificate's.
    static func isCertificate(label: String) -> Bool { ObjectKind(label: label) == .certificate }

    /// Whether a label belongs to another kind of object with certificates. Such an object is rejected, because the
    /// chain would be a different one without its certificates.
    static func isUnread(label: String) -> Bool {
        let kind = ObjectKind(label: label)
        return kind == .trustedCertificate || kind == .pkcs7
    }

    /// Whether a label belongs to an object with certificates. Such an object must get an answer, or its certificates
    /// would be lost.
    static func holdsCertificates(_ label: String) -> Bool { isCertificate(label: label) || isUnread(label: label) }

    /// Whether the label that starts at an offset and ends at the next hyphens belongs to an object with certificates.
    static func isCertificate(labelAt start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        // No label is longer than this.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[..<min(start + 64, bytes.count)])
        guard let end = rest.firstIndex(of: "-----", from: start) else { return false }
        return holdsCertificates(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    /// Returns the problem of a text if the BEGIN line for a certificate's END line is damaged or missing, or nil if
    /// there isn't one. Without that certificate, the chain would be a different one.
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

    /// Returns the problem of an object whose label makes ``isUnread(label:)`` true.
    static func problem(ofLabel label: String) -> String { "an object labeled \(label), expected CERTIFICATE" }

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
