// SPDX-License-Identifier: Apache-2.0

import PKIX

// Access to internal parts for the fuzz targets, which are in a separate package.

/// A record that a fuzz target reads and evaluates.
@_spi(Fuzzing)
public struct FuzzedRecord {
    private let record: TrustRecord

    /// Reads a line, with the large values in a folder. Nil if it isn't a record, or has an error.
    public init?(line: [UInt8], blobs: String) {
        guard let record = try? TrustRecord(line: line, blobs: BlobFolder(blobs)) else { return nil }
        self.record = record
    }

    /// Whether the record says that it can be evaluated again.
    public var isReproducible: Bool { record.isReproducible }

    /// Whether the record has no anchors, so that the system's apply.
    public var usesSystemAnchors: Bool { record.anchors == nil && record.ruleAnchors == nil }

    /// Whether the record has the certificate among its anchors.
    public func hasAnchor(_ certificate: Certificate) -> Bool {
        (record.ruleAnchors ?? record.anchors)?.contains(certificate.der) == true
    }

    /// Whether the record requires pins that don't expire, and none of them is in a path.
    public func isUnpinned(_ path: [Certificate]) -> Bool {
        record.pinRules.contains { $0.expiry == nil && !$0.isMatched(by: path) }
    }

    /// Whether the record's comparison of names failed.
    public var isMismatched: Bool { if case .hashed(_, isMatched: false) = record.host { true } else { false } }

    /// Returns the line and the large values that a recorder would write.
    public func written() -> (line: [UInt8], blobs: [String: [UInt8]]) {
        var blobs: [String: [UInt8]] = [:]
        let line = record.line { blobs[$1] = $0 }
        return (line, blobs)
    }

    /// Returns the name of a large value's file.
    public static func blobName(of bytes: [UInt8]) -> String { Hex.encode(Digests.sha256(bytes)) }

    /// Whether another record is equal.
    public func equals(_ other: FuzzedRecord) -> Bool { record == other.record }

    /// Evaluates the record again. Nil if a list in it can't be read.
    public func verdict() -> TrustVerdict? {
        var replay = RecordReplay(memory: nil)
        return try? replay.evaluate(record)
    }
}
