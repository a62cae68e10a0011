// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Decompression
    import HTTPRules
    import NIOHTTP1

    /// A content coding that a session decodes (RFC 9110 § 8.4.1).
    enum ContentCoding: Sendable, Hashable {
        case gzip
        case deflate

        /// The largest number of codings of one body, as in libcurl.
        static let maximum = 5

        /// Reads the values of `Content-Encoding`.
        /// - Returns: the codings in the order in which they were applied. Empty for a body without one, and for one whose codings can't all be
        ///   undone: it stays as it is.
        static func codings(_ fields: [String]) -> [ContentCoding] {
            var codings: [ContentCoding] = []
            for name in fields.flatMap({ $0.split(separator: ",") }).map({ $0.withoutOuterSpace.asciiLowercased }) {
                switch name {
                case "", "identity": continue
                // § 8.4.1.3: the two names mean the same.
                case "gzip", "x-gzip": codings.append(.gzip)
                case "deflate": codings.append(.deflate)
                default: return []
                }
            }
            return codings.count <= maximum ? codings : []
        }

        /// Whether a response has a body (RFC 9112 § 6.3). `Content-Encoding` describes the body of another response otherwise.
        static func hasBody(_ status: HTTPResponseStatus, after method: HTTPMethod) -> Bool {
            method != .HEAD && status.code >= 200 && status != .noContent && status != .notModified
        }

        /// The format of a body by its first two bytes.
        ///
        /// Servers confuse the formats. `deflate` is zlib (§ 8.4.1.2), and some servers send it without zlib's header. No encoder writes bare
        /// deflate whose first byte is that of zlib: it would begin with an empty padding that has a bit set.
        func format(_ first: UInt8, _ second: UInt8) -> Decompressor.Format {
            if first == 0x1f, second == 0x8b { return .gzip }
            // RFC 1950 § 2.2: the method is 8, the window has at most 32 KiB, and the check bits make a multiple of 31.
            let isZlib = first & 0x0f == 8 && first >> 4 <= 7 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
            if isZlib { return .zlib }
            return self == .gzip ? .gzip : .deflate
        }
    }

    /// The reason why a body can't be decoded.
    struct ContentDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
        enum Reason: Sendable, Hashable {
            /// The body ends in the middle.
            case truncated
            /// The bytes don't have the format, or more bytes follow its end.
            case damaged
        }

        let reason: Reason
        /// For people; wording may change.
        let description: String

        static func truncated(_ name: String) -> ContentDecodingError {
            ContentDecodingError(reason: .truncated, description: "the body ends in the middle of \(name)")
        }

        static func damaged(_ name: String, _ detail: String) -> ContentDecodingError {
            ContentDecodingError(reason: .damaged, description: "the body is damaged \(name): \(detail)")
        }
    }
#endif
