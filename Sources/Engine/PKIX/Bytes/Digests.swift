// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Digests over parts of a certificate by swift-crypto, without a copy of the part.
package enum Digests {
    /// Returns the digest of all of `bytes`.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let view = bytes[...]
        return sha256(view.span, 0..<bytes.count)
    }

    /// Returns the digest of all bytes.
    package static func sha256(_ bytes: Span<UInt8>) -> [UInt8] { sha256(bytes, 0..<bytes.count) }

    static func sha256(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        Array(hash(SHA256.self, bytes, range))
    }

    /// Returns the digest by which people search for certificates; it decides nothing.
    static func insecureSHA1(_ bytes: Span<UInt8>) -> [UInt8] {
        Array(hash(Insecure.SHA1.self, bytes, 0..<bytes.count))
    }

    /// Returns the SHA-1 digest of all of `bytes`, by which people search for certificates; it decides nothing.
    package static func insecureSHA1(of bytes: [UInt8]) -> [UInt8] {
        let view = bytes[...]
        return insecureSHA1(view.span)
    }

    static func hash<Function: HashFunction>(
        _ function: Function.Type, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) -> Function.Digest {
        hash(function, bytes, range, followedBy: Span())
    }

    /// Returns the digest of a range of `bytes` and, after it, of all of `rest`.
    static func hash<Function: HashFunction>(
        _ function: Function.Type, _ bytes: Span<UInt8>, _ range: Range<Int>, followedBy rest: Span<UInt8>
    ) -> Function.Digest {
        var function = Function()
        // The buffers live for the calls alone, and swift-crypto reads them inside the calls.
        unsafe bytes.extracting(range).withUnsafeBytes { buffer in
            unsafe function.update(bufferPointer: buffer)
        }
        unsafe rest.withUnsafeBytes { buffer in
            unsafe function.update(bufferPointer: buffer)
        }
        return function.finalize()
    }
}
