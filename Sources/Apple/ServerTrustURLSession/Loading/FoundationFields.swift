// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation

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
