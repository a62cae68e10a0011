// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)

import Foundation
import FoundationNetworking
import NIOHTTP1
import ServerTrust

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

/// The fields that Foundation's own sessions add to a request that has no field of the same name.
enum FoundationFields {
    /// `User-Agent` and, if the locale has a language, `Accept-Language`.
    static var all: [(name: String, value: String)] {
        var fields = [(name: "user-agent", value: userAgent)]
        if let language = Locale.current.language.languageCode?.identifier {
            fields.append((name: "accept-language", value: language))
        }
        return fields
    }

    /// `PROGRAM (unknown version) curl/7.88.1`. Servers that recognize a program by this text recognize it over
    /// these connections too, although they don't use libcurl.
    private static let userAgent: String = {
        let program = ProcessInfo.processInfo.processName + " (unknown version)"
        return curlVersion.map { "\(program) curl/\($0)" } ?? program
    }()

    /// The version of the libcurl that Foundation uses, such as `7.88.1`, or nil if the program has no libcurl
    /// under its public name.
    private static var curlVersion: String? {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        guard let symbol = dlsym(nil, "curl_version"),
            // libcurl's static description of itself: `libcurl/7.88.1 OpenSSL/3.0.17 …`.
            let text = unsafeBitCast(symbol, to: Version.self)()
        else { return nil }
        let words = String(cString: text).split(separator: " ")
        guard let word = words.first, word.hasPrefix("libcurl/") else { return nil }
        // Like Foundation, this takes the three numbers without the suffix of an unreleased version.
        return String(word.dropFirst("libcurl/".count).prefix { $0.isNumber || $0 == "." })
    }
}

#endif
