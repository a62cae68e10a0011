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

// CommonDigest.h: digests of bytes that arrive in pieces. SHA-384 uses the context of SHA-512, as Apple's does.
//
// As on Apple's systems, programs may allocate contexts without initializing them. The functions that begin a
// digest therefore never read that memory, and an empty context owns nothing.

/// An unfinished SHA-1 digest.
public struct CC_SHA1_CTX: Sendable {
    var hash: Insecure.SHA1?
    /// Creates a context that counts as initialized.
    public init() {}
}

/// An unfinished SHA-256 digest.
public struct CC_SHA256_CTX: Sendable {
    var hash: SHA256?
    /// Creates a context that counts as initialized.
    public init() {}
}

/// An unfinished SHA-512 or SHA-384 digest.
public struct CC_SHA512_CTX: Sendable {
    var hash: SHA512?
    var hash384: SHA384?
    /// Creates a context that counts as initialized.
    public init() {}
}

/// Begins a SHA-1 digest.
/// - Returns: 1, or 0 for nil.
@discardableResult
public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 { begin(c, CC_SHA1_CTX()) }

/// Begins a SHA-256 digest.
/// - Returns: 1, or 0 for nil.
@discardableResult
public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 { begin(c, CC_SHA256_CTX()) }

/// Begins a SHA-384 digest.
/// - Returns: 1, or 0 for nil.
@discardableResult
public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, CC_SHA512_CTX()) }

/// Begins a SHA-512 digest.
/// - Returns: 1, or 0 for nil.
@discardableResult
public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, CC_SHA512_CTX()) }

/// Adds bytes to a SHA-1 digest.
/// - Returns: 1. If `c` is nil, or if `data` is nil and `len` isn't 0, the function adds nothing and returns 0.
@discardableResult
public func CC_SHA1_Update(
    _ c: UnsafeMutablePointer<CC_SHA1_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { add(c, \.hash, data, len) }

/// Adds bytes to a SHA-256 digest. For the result, see ``CC_SHA1_Update(_:_:_:)``.
@discardableResult
public func CC_SHA256_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { add(c, \.hash, data, len) }

/// Adds bytes to a SHA-384 digest. For the result, see ``CC_SHA1_Update(_:_:_:)``.
@discardableResult
public func CC_SHA384_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { add(c, \.hash384, data, len) }

/// Adds bytes to a SHA-512 digest. For the result, see ``CC_SHA1_Update(_:_:_:)``.
@discardableResult
public func CC_SHA512_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { add(c, \.hash, data, len) }

/// Writes the SHA-1 digest, 20 bytes, and empties the context.
/// - Returns: 1. If a pointer is nil, the function writes nothing and returns 0.
@discardableResult
public func CC_SHA1_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
) -> Int32 { end(c, \.hash, md) }

/// Writes the SHA-256 digest, 32 bytes. For the result, see ``CC_SHA1_Final(_:_:)``.
@discardableResult
public func CC_SHA256_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { end(c, \.hash, md) }

/// Writes the SHA-384 digest, 48 bytes. For the result, see ``CC_SHA1_Final(_:_:)``.
@discardableResult
public func CC_SHA384_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { end(c, \.hash384, md) }

/// Writes the SHA-512 digest, 64 bytes. For the result, see ``CC_SHA1_Final(_:_:)``.
@discardableResult
public func CC_SHA512_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { end(c, \.hash, md) }

private func begin<Context>(_ context: UnsafeMutablePointer<Context>?, _ initial: Context) -> Int32 {
    guard let context else { return 0 }
    context.initialize(to: initial)
    return 1
}

private func add<Context, Hash: HashFunction>(
    _ context: UnsafeMutablePointer<Context>?, _ field: WritableKeyPath<Context, Hash?>, _ data: UnsafeRawPointer?,
    _ count: CC_LONG
) -> Int32 {
    guard let context else { return 0 }
    var hash = context.pointee[keyPath: field] ?? Hash()
    // Now there is only one reference, so nothing is copied.
    context.pointee[keyPath: field] = nil
    let isTaken = hash.take(data, count)
    context.pointee[keyPath: field] = hash
    return isTaken ? 1 : 0
}

/// Writes a digest and empties the context, so that freeing its memory leaks nothing.
private func end<Context, Hash: HashFunction>(
    _ context: UnsafeMutablePointer<Context>?, _ field: WritableKeyPath<Context, Hash?>,
    _ place: UnsafeMutablePointer<UInt8>?
) -> Int32 {
    guard let context, let place else { return 0 }
    (context.pointee[keyPath: field] ?? Hash()).write(to: place)
    context.pointee[keyPath: field] = nil
    return 1
}

#endif
