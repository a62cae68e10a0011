// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Decompression
import ServerTrust
import NIOCore
import NIOHTTP1

/// A content coding that a session decodes (RFC 9110 § 8.4.1).
enum ContentCoding: Sendable, Hashable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// The value of `Accept-Encoding`: the codings that this machine has a library for.
    static let accepted = "gzip, deflate" + (hasBrotli ? ", br" : "") + (hasZstandard ? ", zstd" : "")

    private static let hasBrotli = Decompressor.Format.brotli.isAvailable
    private static let hasZstandard = Decompressor.Format.zstdBody.isAvailable

    /// The largest number of codings of one body, as in libcurl.
    static let maximum = 5

    /// Parses the values of `Content-Encoding`.
    /// - Returns: the codings in the order in which the server applied them. Empty if the body has no coding, or if
    ///   not all of its codings can be decoded. The session doesn't decode such a body.
    static func codings(_ fields: [String]) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in fields.flatMap({ $0.split(separator: ",") }).map({ $0.withoutOuterSpace.asciiLowercased }) {
            switch name {
            case "", "identity": continue
            // § 8.4.1.3: both names mean the same coding.
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            // RFC 7932 § 13, RFC 8878 § 7.2.
            case "br" where hasBrotli: codings.append(.brotli)
            case "zstd" where hasZstandard: codings.append(.zstd)
            default: return []
            }
        }
        return codings.count <= maximum ? codings : []
    }

    /// Whether a response has a body (RFC 9112 § 6.3). If it has none, `Content-Encoding` describes the body of
    /// another response.
    static func hasBody(_ status: HTTPResponseStatus, after method: HTTPMethod) -> Bool {
        method != .HEAD && status.code >= 200 && status != .noContent && status != .notModified
    }

    /// The format, if it doesn't depend on the body's first bytes.
    var format: Decompressor.Format? {
        switch self {
        case .brotli: .brotli
        case .zstd: .zstdBody
        case .gzip, .deflate: nil
        }
    }

    /// Returns the format of a body with the coding `gzip` or `deflate` from its first two bytes.
    ///
    /// Servers confuse these formats. `deflate` means zlib (§ 8.4.1.2), but some servers send it without zlib's
    /// header. No encoder writes raw deflate data whose first byte looks like zlib's: the data would begin with an
    /// empty block whose padding has a bit set.
    /// - Returns: nil if there are fewer bytes.
    func format(_ start: ByteBufferView) -> Decompressor.Format? {
        guard start.count == 2, let first = start.first, let second = start.last else { return nil }
        if first == 0x1f, second == 0x8b { return .gzip }
        // RFC 1950 § 2.2: the method is 8, the window is at most 32 KiB, and the check bits make the number a
        // multiple of 31.
        let isZlib = first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
        if isZlib { return .zlib }
        return self == .gzip ? .gzip : .deflate
    }
}

/// The reason why a body can't be decoded.
struct ContentDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    enum Reason: Sendable, Hashable {
        /// The body ends too early.
        case truncated
        /// The bytes don't have the right format, or more bytes follow the end of the data.
        case damaged
    }

    let reason: Reason
    /// A description for people. The wording may change.
    let description: String

    static func truncated(_ name: String) -> ContentDecodingError {
        ContentDecodingError(reason: .truncated, description: "the body ends in the middle of \(name)")
    }

    static func damaged(_ name: String, _ detail: String) -> ContentDecodingError {
        ContentDecodingError(reason: .damaged, description: "the body is damaged (\(name)): \(detail)")
    }
}
#endif
