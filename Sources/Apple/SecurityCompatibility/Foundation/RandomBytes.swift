// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// A source of random bytes.
public enum SecRandomRef: Sendable {}

/// The default source, which is the system's.
public let kSecRandomDefault: SecRandomRef? = nil

/// Writes random bytes from the system that are suitable for keys and nonces.
/// - Parameters:
///   - rnd: ignored.
///   - count: the number of bytes.
///   - bytes: the destination.
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
