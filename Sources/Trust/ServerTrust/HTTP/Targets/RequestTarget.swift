// SPDX-License-Identifier: Apache-2.0

/// The target of a request. One parser reads the URL once, so that the evaluated server and the connected server can't
/// differ.
package struct RequestTarget: Sendable, Hashable {
    package let origin: Origin
    /// Path and query, starting with `/` and without the fragment.
    package let resource: Substring

    /// Parses a URL.
    /// - Throws: ``RequestTargetError``, also for a URL with a user or a password.
    package init(_ url: String) throws(RequestTargetError) {
        let (prefix, resource) = try Self.parts(of: url)
        self.origin = try Origin(prefix)
        self.resource = resource
    }

    /// Splits a URL into its unchanged scheme and authority (`https://example.com:8443`), and the rest, which begins
    /// with `/` and has no fragment.
    /// - Throws: ``RequestTargetError`` for control characters, which could end a line of a request's head. Doesn't
    ///   check anything else.
    package static func parts(of url: String) throws(RequestTargetError) -> (prefix: Substring, resource: Substring) {
        let bytes = url.utf8
        guard let ends = bytes.withContiguousStorageIfAvailable({ unsafe Ends($0.span) }) ?? Ends(Array(bytes).span)
        else { throw .malformed("a control character") }
        let end = bytes.index(bytes.startIndex, offsetBy: ends.authority)
        let resource = url[end..<bytes.index(bytes.startIndex, offsetBy: ends.resource)]
        return (url[..<end], resource.utf8.first == UInt8(ascii: "/") ? resource : "/" + resource)
    }

    /// The byte offsets where the parts of a URL end.
    private struct Ends {
        /// The end of scheme and authority: the first `/`, `?` or `#` after `://`.
        let authority: Int
        /// The end of the rest: the first `#`.
        let resource: Int

        /// Finds the ends. Returns nil if there is a control character.
        init?(_ bytes: Span<UInt8>) {
            var (authority, resource) = (bytes.count, bytes.count)
            // The earliest possible end of the authority: two bytes after the colon.
            var start = bytes.count
            for index in bytes.indices {
                let byte = bytes[index]
                guard byte >= 0x20, byte != 0x7f else { return nil }
                switch byte {
                case UInt8(ascii: ":") where start == bytes.count: start = index + 3
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                    guard index >= start else { break }
                    authority = min(authority, index)
                    if byte == UInt8(ascii: "#") { resource = min(resource, index) }
                default: break
                }
            }
            (self.authority, self.resource) = (authority, resource)
        }
    }
}

/// The reason why a client can't send a request to a URL.
package enum RequestTargetError: Error, Sendable, Hashable {
    /// The URL is malformed or doesn't name a host. The text is for people.
    case malformed(String)
    /// The scheme is neither `https` nor `http`.
    case unsupportedScheme
    /// The URL names a user.
    case userInformation
}

extension RequestTargetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let detail): detail
        case .unsupportedScheme: "the scheme is neither https nor http"
        case .userInformation: "the URL names a user"
        }
    }

    /// Returns the description without details that might contain part of a user or a password. A malformed host or
    /// port can contain such a part.
    /// - Parameter url: the URL that caused the error.
    package func description(for url: String) -> String {
        guard case .malformed = self, url.utf8.contains(UInt8(ascii: "@")) else { return description }
        return "the URL can't be read"
    }
}
