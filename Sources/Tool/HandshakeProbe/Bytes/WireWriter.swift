// SPDX-License-Identifier: Apache-2.0

/// A writer of TLS's encoding.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func uint8(_ value: UInt8) { bytes.append(value) }

    mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(value & 0xff))
    }

    mutating func append(_ other: some Sequence<UInt8>) { bytes += other }

    /// Writes a vector behind its length. All callers are of this target, and write less than the length can say.
    /// - Parameter width: the bytes of the length, 1 to 3.
    mutating func vector(_ width: Int, _ body: (inout WireWriter) -> Void) {
        var inner = WireWriter()
        body(&inner)
        for index in (0..<width).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: inner.bytes.count >> (8 * index)))
        }
        bytes += inner.bytes
    }
}
