// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import NIOHTTP1

/// Conversions of headers from the wire to Foundation's form.
enum ResponseHead {
    /// Returns the fields with names in Foundation's form (`Set-Cookie`), because Foundation's own code looks for
    /// this form. Fields of the same name become one, separated by commas (RFC 9110 § 5.3).
    static func fields(_ headers: HTTPHeaders) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in headers {
            let name = canonical(name)
            fields[name] = fields[name].map { $0 + ", " + value } ?? value
        }
        return fields
    }

    /// Converts `content-type` to `Content-Type`. Some names have a special form.
    static func canonical(_ name: String) -> String {
        let lower = name.asciiLowercased
        if let special = special[lower] { return special }
        return lower.split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    private static let special = [
        "etag": "ETag", "www-authenticate": "WWW-Authenticate", "content-md5": "Content-MD5", "te": "TE",
        "x-xss-protection": "X-XSS-Protection", "dnt": "DNT",
    ]

    static func response(_ status: Int, _ headers: HTTPHeaders, at url: URL) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields(headers))
    }

    /// Returns the response for Foundation. A 401 loses its challenges: Foundation would answer them itself over
    /// libcurl, with a request that no policy has checked. The delegate has already received them.
    static func final(_ status: Int, _ headers: HTTPHeaders, at url: URL) -> HTTPURLResponse? {
        var headers = headers
        if status == 401 { headers.remove(name: "www-authenticate") }
        return response(status, headers, at: url)
    }
}
#endif
