// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto

// CommonHMAC.h, implemented with swift-crypto (RFC 2104).

/// The hash function of an HMAC: `CCHmacAlgorithm(kCCHmacAlgSHA256)`.
public typealias CCHmacAlgorithm = UInt32

/// HMAC with SHA-1, 20 bytes.
public let kCCHmacAlgSHA1: Int = 0
/// HMAC with SHA-256, 32 bytes.
public let kCCHmacAlgSHA256: Int = 2
/// HMAC with SHA-384, 48 bytes.
public let kCCHmacAlgSHA384: Int = 3
/// HMAC with SHA-512, 64 bytes.
public let kCCHmacAlgSHA512: Int = 4

/// An unfinished HMAC.
public struct CCHmacContext: Sendable {
    /// Nil for an empty context.
    fileprivate var hmac: (any MessageAuthentication)?

    /// Creates a context. Fill it with ``CCHmacInit(_:_:_:_:)``.
    public init() {}
}

/// Writes the HMAC of bytes.
/// - Parameters:
///   - algorithm: the hash function, `CCHmacAlgorithm(kCCHmacAlgSHA256)`.
///   - key: the key; may be nil if `keyLength` is 0.
///   - keyLength: the number of bytes in the key.
///   - data: the bytes; may be nil if `dataLength` is 0.
///   - dataLength: the number of bytes.
///   - macOut: the destination of the HMAC, with room for a digest of the hash function.
///
/// An unknown algorithm, or nil with a length, ends the program. Otherwise, memory that the function didn't write
/// to could compare equal.
public func CCHmac(
    _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!, _ keyLength: Int, _ data: UnsafeRawPointer!,
    _ dataLength: Int, _ macOut: UnsafeMutableRawPointer!
) {
    var context = CCHmacContext()
    CCHmacInit(&context, algorithm, key, keyLength)
    CCHmacUpdate(&context, data, dataLength)
    CCHmacFinal(&context, macOut)
}

/// Begins an HMAC. An unknown algorithm, or a nil key with a length, ends the program, because the function has no
/// other way to report that there is no HMAC.
public func CCHmacInit(
    _ ctx: UnsafeMutablePointer<CCHmacContext>!, _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!,
    _ keyLength: Int
) {
    let key = SymmetricKey(data: Array(bytes(key, keyLength)))
    var context = CCHmacContext()
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: context.hmac = HMAC<Insecure.SHA1>(key: key)
    case kCCHmacAlgSHA256: context.hmac = HMAC<SHA256>(key: key)
    case kCCHmacAlgSHA384: context.hmac = HMAC<SHA384>(key: key)
    case kCCHmacAlgSHA512: context.hmac = HMAC<SHA512>(key: key)
    default: preconditionFailure("CCHmac doesn't support algorithm \(algorithm); pass kCCHmacAlgSHA256")
    }
    // The program may have allocated the context without initializing it, so its old contents are never read.
    ctx?.initialize(to: context)
}

/// Adds bytes. Nil with a length ends the program.
public func CCHmacUpdate(
    _ ctx: UnsafeMutablePointer<CCHmacContext>!, _ data: UnsafeRawPointer!, _ dataLength: Int
) {
    guard let ctx else { return }
    let bytes = bytes(data, dataLength)
    ctx.pointee.hmac?.update(data: bytes)
}

/// Writes the HMAC of the added bytes, and empties the context.
/// - Parameters:
///   - ctx: the context. With an empty one, the function writes nothing.
///   - macOut: the destination, with room for a digest of the hash function.
public func CCHmacFinal(_ ctx: UnsafeMutablePointer<CCHmacContext>!, _ macOut: UnsafeMutableRawPointer!) {
    guard let ctx, let macOut else { return }
    ctx.pointee.hmac?.write(to: macOut)
    ctx.pointee.hmac = nil
}

/// Returns a buffer.
private func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer {
    precondition(count >= 0 && (start != nil || count == 0), "CCHmac: \(count) bytes at \(start as Any)")
    return UnsafeRawBufferPointer(start: start, count: count)
}

/// An HMAC with any hash function.
private protocol MessageAuthentication: Sendable {
    mutating func update(data: UnsafeRawBufferPointer)
    func write(to place: UnsafeMutableRawPointer)
}

extension HMAC: MessageAuthentication {
    fileprivate func write(to place: UnsafeMutableRawPointer) {
        finalize().withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: place, count: $0.count).copyMemory(from: $0)
        }
    }
}
#endif
