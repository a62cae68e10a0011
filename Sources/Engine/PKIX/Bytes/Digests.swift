// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Digests of parts of a certificate, computed by swift-crypto without copying them.
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

    /// Returns the SHA-1 digest. People search for certificates by it, but no check uses it.
    static func insecureSHA1(_ bytes: Span<UInt8>) -> [UInt8] {
        Array(hash(Insecure.SHA1.self, bytes, 0..<bytes.count))
    }

    /// Returns the SHA-1 digest of all of `bytes`. People search for certificates by it, but no check uses it.
    package static func insecureSHA1(of bytes: [UInt8]) -> [UInt8] {
        let view = bytes[...]
        return insecureSHA1(view.span)
    }

    static func hash<Function: HashFunction>(
        _ function: Function.Type, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) -> Function.Digest {
        hash(function, bytes, range, followedBy: Span())
    }

    /// Returns the digest of a range of `bytes`, followed by all of `rest`.
    static func hash<Function: HashFunction>(
        _ function: Function.Type, _ bytes: Span<UInt8>, _ range: Range<Int>, followedBy rest: Span<UInt8>
    ) -> Function.Digest {
        var function = Function()
        // swift-crypto reads the buffers only inside the calls, during which they are valid.
        unsafe bytes.extracting(range).withUnsafeBytes { buffer in
            unsafe function.update(bufferPointer: buffer)
        }
        if !rest.isEmpty {
            unsafe rest.withUnsafeBytes { buffer in
                unsafe function.update(bufferPointer: buffer)
            }
        }
        return function.finalize()
    }
}
