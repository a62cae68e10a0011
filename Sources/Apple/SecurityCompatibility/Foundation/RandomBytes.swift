// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    /// A source of random bytes.
    public enum SecRandomRef: Sendable {}

    /// The default source: the system's.
    public let kSecRandomDefault: SecRandomRef? = nil

    /// Writes random bytes of the system, which are fit for keys and nonces.
    /// - Parameters:
    ///   - rnd: ignored.
    ///   - count: the number of bytes.
    ///   - bytes: their place.
    /// - Returns: `errSecSuccess`; `errSecParam` for a negative count.
    public func SecRandomCopyBytes(
        _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
    ) -> Int32 {
        guard count >= 0 else { return errSecParam }
        var generator = SystemRandomNumberGenerator()
        for index in 0..<count {
            bytes.storeBytes(
                of: UInt8.random(in: .min ... .max, using: &generator), toByteOffset: index, as: UInt8.self)
        }
        return errSecSuccess
    }
#endif
