// SPDX-License-Identifier: Apache-2.0

/// A parser for TLS encoding (RFC 8446 § 3): numbers of fixed width, and vectors with a length prefix.
///
/// No read goes beyond its bytes, and every read consumes bytes. Therefore the number of bytes limits the work.
struct WireReader {
    private var bytes: ArraySlice<UInt8>
    /// The name of the message for errors.
    private let name: String

    init(_ bytes: ArraySlice<UInt8>, _ name: String) {
        self.bytes = bytes
        self.name = name
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// The remaining bytes.
    var rest: ArraySlice<UInt8> { bytes }

    mutating func take(_ count: Int) throws(HandshakeError) -> ArraySlice<UInt8> {
        guard count <= bytes.count else { throw .malformed(name) }
        let part = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return part
    }

    mutating func uint8() throws(HandshakeError) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw .malformed(name) }
        return byte
    }

    mutating func uint16() throws(HandshakeError) -> UInt16 { UInt16(try number(2)) }

    private mutating func number(_ width: Int) throws(HandshakeError) -> Int {
        try take(width).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a vector.
    /// - Parameter width: the size of its length in bytes, 1 to 3.
    mutating func vector(_ width: Int) throws(HandshakeError) -> ArraySlice<UInt8> {
        try take(try number(width))
    }

    /// Reads a vector, and returns a parser for its contents.
    mutating func inside(_ width: Int) throws(HandshakeError) -> WireReader { WireReader(try vector(width), name) }

    /// Throws if bytes remain.
    func finish() throws(HandshakeError) {
        guard bytes.isEmpty else { throw .malformed(name) }
    }
}
