// SPDX-License-Identifier: Apache-2.0

/// Bytes that stay the same and in place for as long as the object lives: in memory, or mapped from a file.
package protocol ByteStorage: AnyObject, Sendable {
    /// Lends the bytes for the length of the call.
    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// Bytes in memory.
package final class ByteArray: ByteStorage {
    private let bytes: [UInt8]

    /// Creates the storage of some bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let view = bytes[...]
        return try body(view.span)
    }
}
