// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The extensions of Certificate Transparency (RFC 6962 §§ 3.1 to 3.3). The signatures of timestamps aren't verified.
enum TransparencyExtensions {
    static let table: [String: Form] = [
        "1.3.6.1.4.1.11129.2.4.2": timestamps,
        "1.3.6.1.4.1.11129.2.4.5": timestamps,
        "1.3.6.1.4.1.11129.2.4.3": .presence("a precertificate: not a certificate for servers"),
    ]

    /// An OCTET STRING that contains a SignedCertificateTimestampList in TLS encoding.
    private static let timestamps = Form(.octetString) { _, value, problems in
        let contents = value?.contents ?? []
        var rest = contents
        guard var list = rest.takeVector(), rest.isEmpty else {
            problems.append(
                ASN1Problem(.invalid("the length of the list of timestamps is wrong"), at: contents.startIndex))
            return Detail.unknown(contents)
        }
        var details: [Detail] = []
        while !list.isEmpty {
            let offset = list.startIndex
            guard let bytes = list.takeVector(), !bytes.isEmpty else {
                problems.append(ASN1Problem(.invalid("the length of a timestamp is wrong"), at: offset))
                break
            }
            details.append(timestamp(bytes, number: details.count + 1, &problems))
        }
        return details
    }

    private static func timestamp(_ bytes: ArraySlice<UInt8>, number: Int, _ problems: inout [ASN1Problem]) -> Detail {
        let fields: SignedCertificateTimestamp
        do throws(SignedCertificateTimestamp.Unreadable) {
            fields = try SignedCertificateTimestamp(Array(bytes))
        } catch .version(let version) {
            return Detail("timestamp", ASN1Value.hex(bytes), [Detail("version", "unknown (\(version))")])
        } catch {
            problems.append(
                ASN1Problem(
                    .invalid("timestamp \(number) is cut off, or bytes follow its signature"), at: bytes.startIndex))
            return Detail("timestamp", ASN1Value.hex(bytes))
        }
        let extensions = Detail("extensions", ASN1Value.hex(fields.extensions[...]))
        return Detail(
            "timestamp", moment(fields),
            [
                Detail("version", "v1"), Detail("log", Base64.encode(fields.logID)),
                Detail("signed with", words(fields.hash, fields.algorithm)),
                Detail("signature", ASN1Value.hex(fields.signature[...], maximum: 1024)),
            ] + (fields.extensions.isEmpty ? [] : [extensions]))
    }

    /// Returns the date of a timestamp in the format of RFC 3339.
    private static func moment(_ timestamp: SignedCertificateTimestamp) -> String {
        let milliseconds = timestamp.milliseconds
        guard milliseconds < 253_402_300_800_000 else { return "\(milliseconds) ms" }
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(timestamp.time.description.dropLast()).\(fraction)Z"
    }

    /// Returns the algorithm of a digitally-signed struct (RFC 5246 § 7.4.1.4.1).
    private static func words(_ hash: UInt8, _ algorithm: UInt8) -> String {
        let hashes: [UInt8: String] = [
            1: "MD5", 2: "SHA-1", 3: "SHA-224", 4: "SHA-256", 5: "SHA-384", 6: "SHA-512",
        ]
        let algorithms: [UInt8: String] = [1: "RSA", 2: "DSA", 3: "ECDSA"]
        return "\(algorithms[algorithm] ?? "algorithm \(algorithm)") with \(hashes[hash] ?? "hash \(hash)")"
    }
}
