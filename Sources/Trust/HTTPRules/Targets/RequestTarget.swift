// SPDX-License-Identifier: Apache-2.0

/// The target of a request, read from its URL once and by one reader: the server that is evaluated and the one that is connected to
/// can't differ.
package struct RequestTarget: Sendable, Hashable {
    package let origin: Origin
    /// Path and query, beginning with `/`; the fragment is gone.
    package let resource: Substring

    /// - Throws: ``RequestTargetError``, for a URL with a user or a password as well.
    package init(_ url: String) throws(RequestTargetError) {
        let (prefix, resource) = try Self.parts(of: url)
        self.origin = try Origin(prefix)
        self.resource = resource
    }

    /// Divides a URL into scheme and authority as they stand in it (`https://example.com:8443`), and the rest, which begins with `/`
    /// and has no fragment.
    /// - Throws: ``RequestTargetError`` for control characters, which could end a line of a request's head. Nothing else is checked.
    package static func parts(of url: String) throws(RequestTargetError) -> (prefix: Substring, resource: Substring) {
        let bytes = url.utf8
        guard let ends = bytes.withContiguousStorageIfAvailable({ unsafe Ends($0.span) }) ?? Ends(Array(bytes).span)
        else { throw .malformed("a control character") }
        let end = bytes.index(bytes.startIndex, offsetBy: ends.authority)
        let resource = url[end..<bytes.index(bytes.startIndex, offsetBy: ends.resource)]
        return (url[..<end], resource.utf8.first == UInt8(ascii: "/") ? resource : "/" + resource)
    }

    /// The offsets at which the parts of a URL end, in bytes.
    private struct Ends {
        /// Scheme and authority: at the first `/`, `?` or `#` behind `://`.
        let authority: Int
        /// The rest: at the first `#`.
        let resource: Int

        /// nil if there is a control character.
        init?(_ bytes: Span<UInt8>) {
            var (authority, resource) = (bytes.count, bytes.count)
            // From here on the authority may end: two bytes behind the colon.
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

/// The reason why no request can be sent to a URL.
package enum RequestTargetError: Error, Sendable, Hashable {
    /// The URL can't be read, or doesn't name a host. The text is for people.
    case malformed(String)
    /// Neither `https` nor `http`.
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

    /// The description, without a detail that may repeat the beginning of a user or a password: the part of a URL that can't be read as a host or a
    /// port.
    /// - Parameter url: the URL that the error is about.
    package func description(for url: String) -> String {
        guard case .malformed = self, url.utf8.contains(UInt8(ascii: "@")) else { return description }
        return "the URL can't be read"
    }
}
