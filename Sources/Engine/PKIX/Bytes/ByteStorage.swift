// SPDX-License-Identifier: Apache-2.0

/// Bytes in memory or in a mapped file. They neither change nor move while the object lives.
package protocol ByteStorage: AnyObject, Sendable {
    /// Calls a closure with the bytes, which are valid only during the call.
    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result
}

/// Bytes in memory.
final class ByteArray: ByteStorage {
    private let bytes: [UInt8]

    /// Creates a storage from an array of bytes.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let view = bytes[...]
        return try body(view.span)
    }
}
