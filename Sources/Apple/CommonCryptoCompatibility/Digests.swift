// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto

// CommonDigest.h, implemented with swift-crypto. The functions keep no copies, and write exactly the bytes of a
// digest.

/// A number of bytes.
public typealias CC_LONG = UInt32

/// The number of bytes in a SHA-1 digest.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// The number of bytes in a SHA-256 digest.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// The number of bytes in a SHA-384 digest.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// The number of bytes in a SHA-512 digest.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// The number of bytes in a SHA-1 block.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64
/// The number of bytes in a SHA-256 block.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64
/// The number of bytes in a SHA-384 block.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128
/// The number of bytes in a SHA-512 block.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// Writes the SHA-1 digest, 20 bytes. Collisions are known, so don't use it to compare data that an attacker can
/// choose.
/// - Parameters:
///   - data: the bytes; may be nil if `len` is 0.
///   - len: the number of bytes.
///   - md: the destination of the digest.
/// - Returns: `md`. If `md` is nil, or if `data` is nil and `len` isn't 0, the function writes nothing and returns
///   nil.
@discardableResult
public func CC_SHA1(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(Insecure.SHA1(), data, len, md) }

/// Writes the SHA-256 digest, 32 bytes. For parameters and result, see ``CC_SHA1(_:_:_:)``.
@discardableResult
public func CC_SHA256(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA256(), data, len, md) }

/// Writes the SHA-384 digest, 48 bytes. For parameters and result, see ``CC_SHA1(_:_:_:)``.
@discardableResult
public func CC_SHA384(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA384(), data, len, md) }

/// Writes the SHA-512 digest, 64 bytes. For parameters and result, see ``CC_SHA1(_:_:_:)``.
@discardableResult
public func CC_SHA512(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA512(), data, len, md) }

private func digest<Hash: HashFunction>(
    _ initial: Hash, _ data: UnsafeRawPointer?, _ count: CC_LONG, _ place: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
    var hash = initial
    guard let place, hash.take(data, count) else { return nil }
    hash.write(to: place)
    return place
}

extension HashFunction {
    /// Adds bytes. For nil with a length, adds nothing and returns false.
    mutating func take(_ data: UnsafeRawPointer?, _ count: CC_LONG) -> Bool {
        guard count > 0 else { return true }
        guard let data, let count = Int(exactly: count) else { return false }
        update(bufferPointer: UnsafeRawBufferPointer(start: data, count: count))
        return true
    }

    /// Writes the digest of all bytes so far.
    func write(to place: UnsafeMutablePointer<UInt8>) {
        finalize().withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: place, count: $0.count).copyMemory(from: $0)
        }
    }
}
#endif
