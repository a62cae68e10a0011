// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Crypto

    // CommonDigest.h, over swift-crypto. The functions copy nothing that they keep, and write exactly the bytes of a digest.

    /// A number of bytes.
    public typealias CC_LONG = UInt32

    /// The bytes of a digest by SHA-1.
    public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
    /// The bytes of a digest by SHA-256.
    public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
    /// The bytes of a digest by SHA-384.
    public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
    /// The bytes of a digest by SHA-512.
    public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
    /// The bytes of a block of SHA-1.
    public let CC_SHA1_BLOCK_BYTES: Int32 = 64
    /// The bytes of a block of SHA-256.
    public let CC_SHA256_BLOCK_BYTES: Int32 = 64
    /// The bytes of a block of SHA-384.
    public let CC_SHA384_BLOCK_BYTES: Int32 = 128
    /// The bytes of a block of SHA-512.
    public let CC_SHA512_BLOCK_BYTES: Int32 = 128

    /// Writes the digest by SHA-1, 20 bytes. Collisions are known: compare nothing with it that an attacker can choose.
    /// - Parameters:
    ///   - data: the bytes; may be nil if `len` is 0.
    ///   - len: their number.
    ///   - md: the place of the digest.
    /// - Returns: `md`; nil, and nothing is written, if `md` is nil or if `data` is nil and `len` isn't 0.
    @discardableResult
    public func CC_SHA1(
        _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
    ) -> UnsafeMutablePointer<UInt8>! { digest(Insecure.SHA1(), data, len, md) }

    /// Writes the digest by SHA-256, 32 bytes. Parameters and result as in ``CC_SHA1(_:_:_:)``.
    @discardableResult
    public func CC_SHA256(
        _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
    ) -> UnsafeMutablePointer<UInt8>! { digest(SHA256(), data, len, md) }

    /// Writes the digest by SHA-384, 48 bytes. Parameters and result as in ``CC_SHA1(_:_:_:)``.
    @discardableResult
    public func CC_SHA384(
        _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
    ) -> UnsafeMutablePointer<UInt8>! { digest(SHA384(), data, len, md) }

    /// Writes the digest by SHA-512, 64 bytes. Parameters and result as in ``CC_SHA1(_:_:_:)``.
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
        /// Takes bytes in; false, and nothing is taken, for nil with a length.
        mutating func take(_ data: UnsafeRawPointer?, _ count: CC_LONG) -> Bool {
            guard count > 0 else { return true }
            guard let data, let count = Int(exactly: count) else { return false }
            update(bufferPointer: UnsafeRawBufferPointer(start: data, count: count))
            return true
        }

        /// Writes the digest of the bytes so far.
        func write(to place: UnsafeMutablePointer<UInt8>) {
            finalize().withUnsafeBytes {
                UnsafeMutableRawBufferPointer(start: place, count: $0.count).copyMemory(from: $0)
            }
        }
    }
#endif
