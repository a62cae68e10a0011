// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// A CRLite filter in format 4. It covers issuers whose certificates are either all revoked or all good.
struct TestRevocationFilter: Sendable {
    /// The logs that the filter covers, with the first and last timestamp in milliseconds since 1970.
    var logs: [(id: [UInt8], first: UInt64, last: UInt64)]
    /// The issuers, identified by the SHA-256 digests of their SubjectPublicKeyInfo.
    var issuers: [(key: [UInt8], isRevoked: Bool)]

    /// The bytes of the file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [4, 0] + Self.number(UInt16(logs.count))
        for log in logs { bytes += log.id + Self.number(log.first) + Self.number(log.last) }
        bytes += Self.number(UInt32(issuers.count))
        for issuer in issuers {
            // Without places, all serial numbers have the flag's status.
            bytes += issuer.key + [UInt8](repeating: 0, count: 17) + [issuer.isRevoked ? 1 : 0, 0, 0]
        }
        // There are no columns, and the exact column has no words.
        return bytes + [0] + Self.number(UInt32(0))
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

#endif
