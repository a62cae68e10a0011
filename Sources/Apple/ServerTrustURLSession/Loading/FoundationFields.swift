// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// The fields that Foundation's own sessions add to a request which has none of that name.
    enum FoundationFields {
        /// `User-Agent` and, for a locale with a language, `Accept-Language`.
        static var all: [(name: String, value: String)] {
            var fields = [(name: "user-agent", value: userAgent)]
            if let language = Locale.current.language.languageCode?.identifier {
                fields.append((name: "accept-language", value: language))
            }
            return fields
        }

        /// `PROGRAM (unknown version) curl/7.88.1`: servers that know a program by this text know it over these connections too, although
        /// libcurl doesn't carry them.
        private static let userAgent: String = {
            let program = ProcessInfo.processInfo.processName + " (unknown version)"
            return curlVersion.map { "\(program) curl/\($0)" } ?? program
        }()

        /// The version of the libcurl that Foundation uses, such as `7.88.1`; nil where the program has none under its public name.
        private static var curlVersion: String? {
            typealias Version = @convention(c) () -> UnsafePointer<CChar>?
            guard let symbol = dlsym(nil, "curl_version"),
                // libcurl's text about itself, which stays: `libcurl/7.88.1 OpenSSL/3.0.17 …`.
                let text = unsafeBitCast(symbol, to: Version.self)()
            else { return nil }
            let words = String(cString: text).split(separator: " ")
            guard let word = words.first, word.hasPrefix("libcurl/") else { return nil }
            // As Foundation: three numbers, without the suffix of a version that isn't released.
            return String(word.dropFirst("libcurl/".count).prefix { $0.isNumber || $0 == "." })
        }
    }
#endif
