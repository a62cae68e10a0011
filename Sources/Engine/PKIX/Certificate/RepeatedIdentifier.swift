// SPDX-License-Identifier: Apache-2.0

/// A search for repeated object identifiers in a list, in time that grows with the list but not with its square.
///
/// The search compares the first few identifiers with one another. A longer list goes into a table with a hash that a
/// certificate's author can't predict.
struct RepeatedIdentifier {
    /// The number of identifiers compared without a table. Honest lists are shorter.
    static let directCount = 8

    /// The cost of each identifier in a table, in units of ``ValidationBudget/work``.
    static let workPerEntry = 64

    /// The identifiers by hash. Different identifiers with the same hash stay separate.
    private var table: [UInt64: ByteRange] = [:]
    private(set) var collisions: [ByteRange] = []

    /// Adds an identifier, given as the range of its contents.
    /// - Returns: false if the search already contains it.
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
