// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions of Certificate Transparency (RFC 6962 §§ 3.1 to 3.3). The signatures of timestamps aren't verified.
enum TransparencyExtensions {
    static let table: [String: ExtensionDecoders.Decoder] = [
        "1.3.6.1.4.1.11129.2.4.2": { value, problems in timestamps(value, &problems) },
        "1.3.6.1.4.1.11129.2.4.5": { value, problems in timestamps(value, &problems) },
        "1.3.6.1.4.1.11129.2.4.3": ExtensionDecoders.presence("a precertificate: not a certificate for servers"),
    ]

    /// Parses an OCTET STRING that contains a SignedCertificateTimestampList in TLS encoding.
    private static func timestamps(_ value: ASN1Value, _ problems: inout [ASN1Problem]) -> [Detail]? {
        guard value.isUniversal(.octetString) else { return nil }
        var list = TLSBytes(value.contents)
        guard let count = list.number(2), count == list.count else {
            problems.append(ASN1Problem(.invalid("the length of the list of timestamps is wrong"), at: value.content))
            return Detail.unknown(value.contents)
        }
        var details: [Detail] = []
        while list.count > 0 {
            let offset = list.position
            guard let size = list.number(2), let bytes = list.take(size), size > 0 else {
                problems.append(ASN1Problem(.invalid("the length of a timestamp is wrong"), at: offset))
                break
            }
            details.append(timestamp(bytes, number: details.count + 1, &problems))
        }
        return details
    }

    private static func timestamp(_ bytes: ArraySlice<UInt8>, number: Int, _ problems: inout [ASN1Problem]) -> Detail {
        var fields = TLSBytes(bytes)
        guard let version = fields.number(1), let log = fields.take(32), let time = fields.number(8),
            let size = fields.number(2), let extensions = fields.take(size), let hash = fields.number(1),
            let algorithm = fields.number(1), let length = fields.number(2), let signature = fields.take(length)
        else {
            problems.append(ASN1Problem(.invalid("timestamp \(number) is cut off"), at: bytes.startIndex))
            return Detail("timestamp", ASN1Value.hex(bytes))
        }
        return Detail(
            "timestamp", moment(time),
            [
                Detail("version", version == 0 ? "v1" : "unknown (\(version))"),
                Detail("log", Base64.encode(Array(log))),
                Detail("signed with", words(hash, algorithm)),
                Detail("signature", ASN1Value.hex(signature, maximum: 1024)),
                extensions.isEmpty ? nil : Detail("extensions", ASN1Value.hex(extensions)),
            ].compactMap { $0 })
    }

    /// Returns a time in the format of RFC 3339.
    /// - Parameter milliseconds: the milliseconds since 1970.
    private static func moment(_ milliseconds: Int) -> String {
        guard milliseconds >= 0, milliseconds < 253_402_300_800_000 else { return "\(milliseconds) ms" }
        let text = Time(secondsSinceEpoch: Int64(milliseconds / 1000)).description
        let rest = String(milliseconds % 1000)
        return text.dropLast() + "." + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
    }

    /// Returns the algorithm of a digitally-signed struct (RFC 5246 § 7.4.1.4.1).
    private static func words(_ hash: Int, _ algorithm: Int) -> String {
        let hashes = [1: "MD5", 2: "SHA-1", 3: "SHA-224", 4: "SHA-256", 5: "SHA-384", 6: "SHA-512"]
        let algorithms = [1: "RSA", 2: "DSA", 3: "ECDSA"]
        return "\(algorithms[algorithm] ?? "algorithm \(algorithm)") with \(hashes[hash] ?? "hash \(hash)")"
    }
}

/// Parses big-endian numbers and length-prefixed bytes, as TLS encodes them (RFC 8446 § 3).
struct TLSBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The number of remaining bytes.
    var count: Int { rest.count }
    /// The offset of the next byte.
    var position: Int { rest.startIndex }

    /// Parses a number of up to eight bytes. Returns nil if too few bytes remain.
    mutating func number(_ size: Int) -> Int? {
        take(size).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Parses bytes. Returns nil if too few bytes remain.
    mutating func take(_ size: Int) -> ArraySlice<UInt8>? {
        guard size >= 0, size <= rest.count else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size)
    }
}
