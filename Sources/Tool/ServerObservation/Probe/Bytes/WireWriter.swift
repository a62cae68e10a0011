// SPDX-License-Identifier: Apache-2.0

/// A writer for TLS encoding.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func uint8(_ value: UInt8) { bytes.append(value) }

    mutating func uint16(_ value: UInt16) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(value & 0xff))
    }

    /// Writes the extension of a hello.
    mutating func `extension`(_ type: UInt16, _ body: (inout WireWriter) -> Void) {
        uint16(type)
        vector(2, body)
    }

    mutating func append(_ other: some Sequence<UInt8>) { bytes += other }

    /// Writes a vector with its length prefix. Only this target calls the method, and never writes more than the length
    /// can express.
    /// - Parameter width: the size of the length in bytes, 1 to 3.
    mutating func vector(_ width: Int, _ body: (inout WireWriter) -> Void) {
        var inner = WireWriter()
        body(&inner)
        for index in (0..<width).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: inner.bytes.count >> (8 * index)))
        }
        bytes += inner.bytes
    }
}
