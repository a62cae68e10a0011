// SPDX-License-Identifier: Apache-2.0

/// A search for an object identifier that a list has twice, in time that grows with the list and not with its square.
///
/// The first few are compared with one another; a longer list goes into a table, with a hash that no author of a
/// certificate knows beforehand.
struct RepeatedIdentifier {
    /// Identifiers that are compared without a table. Honest lists are shorter.
    static let directCount = 8

    /// Units of ``ValidationBudget/work`` for each identifier in a table.
    static let workPerEntry = 64

    /// The identifiers by hash; different ones of one hash are kept apart.
    private var table: [UInt64: ByteRange] = [:]
    private var collisions: [ByteRange] = []

    /// Adds an identifier, by the range of its contents.
    /// - Returns: false if it is among those before it.
    mutating func add(_ identifier: ByteRange, of bytes: Span<UInt8>) -> Bool {
        var hasher = Hasher()
        unsafe bytes.extracting(identifier.indices).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        guard let other = table.updateValue(identifier, forKey: hash) else { return true }
        if bytesEqual(bytes, other, bytes, identifier) { return false }
        for earlier in collisions where bytesEqual(bytes, earlier, bytes, identifier) { return false }
        collisions.append(other)
        return true
    }
}
