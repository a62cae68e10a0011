// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Crypto

    // CommonDigest.h: digests of bytes that come in pieces. SHA-384 uses the context of SHA-512, as Apple's does.
    //
    // Programs allocate contexts without initializing them, as they may on Apple's systems. So the functions that begin a digest never read
    // what was in that memory, and an empty context owns nothing.

    /// A digest by SHA-1 in the making.
    public struct CC_SHA1_CTX: Sendable {
        var hash: Insecure.SHA1?
        /// Creates a context, which counts as initialized.
        public init() {}
    }

    /// A digest by SHA-256 in the making.
    public struct CC_SHA256_CTX: Sendable {
        var hash: SHA256?
        /// Creates a context, which counts as initialized.
        public init() {}
    }

    /// A digest by SHA-512 or SHA-384 in the making.
    public struct CC_SHA512_CTX: Sendable {
        var hash: SHA512?
        var hash384: SHA384?
        /// Creates a context, which counts as initialized.
        public init() {}
    }

    /// Begins a digest by SHA-1.
    /// - Returns: 1; 0 for nil.
    @discardableResult
    public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 { begin(c, CC_SHA1_CTX()) }

    /// Begins a digest by SHA-256.
    /// - Returns: 1; 0 for nil.
    @discardableResult
    public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 { begin(c, CC_SHA256_CTX()) }

    /// Begins a digest by SHA-384.
    /// - Returns: 1; 0 for nil.
    @discardableResult
    public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, CC_SHA512_CTX()) }

    /// Begins a digest by SHA-512.
    /// - Returns: 1; 0 for nil.
    @discardableResult
    public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 { begin(c, CC_SHA512_CTX()) }

    /// Adds bytes to a digest by SHA-1.
    /// - Returns: 1; 0, and nothing is added, if `c` is nil, or if `data` is nil and `len` isn't 0.
    @discardableResult
    public func CC_SHA1_Update(
        _ c: UnsafeMutablePointer<CC_SHA1_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
    ) -> Int32 { add(c, \.hash, data, len) }

    /// Adds bytes to a digest by SHA-256. Result as in ``CC_SHA1_Update(_:_:_:)``.
    @discardableResult
    public func CC_SHA256_Update(
        _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
    ) -> Int32 { add(c, \.hash, data, len) }

    /// Adds bytes to a digest by SHA-384. Result as in ``CC_SHA1_Update(_:_:_:)``.
    @discardableResult
    public func CC_SHA384_Update(
        _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
    ) -> Int32 { add(c, \.hash384, data, len) }

    /// Adds bytes to a digest by SHA-512. Result as in ``CC_SHA1_Update(_:_:_:)``.
    @discardableResult
    public func CC_SHA512_Update(
        _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
    ) -> Int32 { add(c, \.hash, data, len) }

    /// Writes the digest by SHA-1, 20 bytes, and empties the context.
    /// - Returns: 1; 0, and nothing is written, if a pointer is nil.
    @discardableResult
    public func CC_SHA1_Final(
        _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
    ) -> Int32 { end(c, \.hash, md) }

    /// Writes the digest by SHA-256, 32 bytes. Result as in ``CC_SHA1_Final(_:_:)``.
    @discardableResult
    public func CC_SHA256_Final(
        _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
    ) -> Int32 { end(c, \.hash, md) }

    /// Writes the digest by SHA-384, 48 bytes. Result as in ``CC_SHA1_Final(_:_:)``.
    @discardableResult
    public func CC_SHA384_Final(
        _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
    ) -> Int32 { end(c, \.hash384, md) }

    /// Writes the digest by SHA-512, 64 bytes. Result as in ``CC_SHA1_Final(_:_:)``.
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
        // Held once, so that nothing is copied.
        context.pointee[keyPath: field] = nil
        let isTaken = hash.take(data, count)
        context.pointee[keyPath: field] = hash
        return isTaken ? 1 : 0
    }

    /// Writes a digest and empties the context, so that freeing its memory loses nothing.
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
