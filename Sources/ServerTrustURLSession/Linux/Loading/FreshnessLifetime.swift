// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation

    /// The seconds for which a response may be used without asking the server (RFC 9111 § 4.2.1, for a private cache).
    enum FreshnessLifetime {
        /// The longest lifetime, in seconds, that a recipient has to be able to count (§ 1.2.2); longer ones are as good as that.
        static let maximum = 1 << 31

        /// - Parameters:
        ///   - cacheControl: the field's value, several lines of it joined by commas.
        ///   - age: the field's value; one that is no number is ignored (§ 5.1).
        ///   - expires: the date of that field.
        ///   - date: the date of that field.
        /// - Returns: 0 for a response that is stale from the beginning, which is what a max-age counts as that is no number, or that comes
        ///   twice with different numbers (§ 4.2.1); nil if the server names no lifetime.
        static func seconds(cacheControl: String, age: String?, expires: Date?, date: Date?) -> TimeInterval? {
            let age = age.flatMap { deltaSeconds($0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)) } ?? 0
            let maximumAges = arguments(of: "max-age", in: cacheControl)
            if let first = maximumAges.first {
                guard let first, let seconds = deltaSeconds(first),
                    maximumAges.allSatisfy({ $0.flatMap(deltaSeconds) == seconds })
                else { return 0 }
                return TimeInterval(max(0, seconds - age))
            }
            guard let expires, let date else { return nil }
            return max(0, min(expires.timeIntervalSince(date), TimeInterval(maximum)) - TimeInterval(age))
        }

        /// `delta-seconds` (§ 1.2.2): digits and nothing else, no sign, fraction, exponent, "inf" or "nan".
        static func deltaSeconds(_ text: String) -> Int? {
            guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
            // Digits that are no Int are too many of them.
            return min(Int(text) ?? maximum, maximum)
        }

        /// The arguments of every directive of that name; nil for one that has none, or a text without its end (§ 5.2, RFC 9110 § 5.6).
        private static func arguments(of name: String, in field: String) -> [String?] {
            var arguments: [String?] = []
            for directive in split(field) {
                let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let found = parts.first, found.trimmingCharacters(in: .whitespaces).asciiLowercased == name else {
                    continue
                }
                arguments.append(parts.count == 2 ? unquoted(parts[1].trimmingCharacters(in: .whitespaces)) : nil)
            }
            return arguments
        }

        /// Cuts at the commas that stand outside of quoted texts.
        private static func split(_ field: String) -> [String] {
            var directives = [""]
            var isQuoted = false
            var isEscaped = false
            for scalar in field.unicodeScalars {
                if scalar == ",", !isQuoted {
                    directives.append("")
                    continue
                }
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\", isQuoted {
                    isEscaped = true
                } else if scalar == "\"" {
                    isQuoted.toggle()
                }
                directives[directives.count - 1].unicodeScalars.append(scalar)
            }
            return directives
        }

        /// A token as it stands, a quoted text without its quotes.
        private static func unquoted(_ argument: String) -> String? {
            guard argument.hasPrefix("\"") else { return argument }
            guard argument.utf8.count >= 2, argument.hasSuffix("\"") else { return nil }
            return String(argument.dropFirst().dropLast())
        }
    }
#endif
