// SPDX-License-Identifier: Apache-2.0

// The Public Suffix List (https://publicsuffix.org/list/), compiled in.
//
// The data is a sorted text among the executable's constants and is searched in place: nothing is parsed or allocated,
// neither at start-up nor at a look-up. The list bounds the number of searches for a name, however long the name: the
// descent from the top-level domain ends at the first name that the list doesn't mention.

/// The section of the list that makes a name a public suffix.
///
/// CA/Browser Forum BR § 3.2.2.6 distinguishes them: a wildcard directly below a public suffix is refused unless the
/// applicant controls all of that namespace, and of this list "a CA SHOULD consult the 'ICANN DOMAINS' section only".
enum PublicSuffixSection: Sendable, Hashable {
    /// The registries' own section: `com`, `co.uk`. Also a top-level domain that isn't in the list, by its implied rule
    /// `*`.
    case icann
    /// The section of domains whose owners give out names below them: `github.io`.
    case privateDomains
}

/// Look-ups in the Public Suffix List.
///
/// Names are bytes as in a certificate: A-labels in any case, without a trailing dot. Their syntax isn't checked: other
/// bytes, a `*` among them, are labels that the list doesn't have.
enum PublicSuffixList {
    /// The day of the list, as `2026-10-22`.
    static var date: String { PublicSuffixData.date }

    /// Returns the section of the list in which `name` itself is a public suffix.
    /// - Returns: nil if it is none, has an empty label or is over 253 bytes. Where rules of both sections make it a
    ///   suffix, the ICANN section, which has the stricter consequences.
    static func section(of name: Span<UInt8>) -> PublicSuffixSection? {
        // RFC 1035 § 3.1 has 255 octets on the wire: 253 characters without the first length and the root.
        guard !name.isEmpty, name.count <= 253 else { return nil }
        let suffix = prevailing(name)
        return suffix.start == 0 ? suffix.section : nil
    }

    /// Returns whether the list has the last label of `name`, a top-level domain.
    static func listsLastLabel(of name: Span<UInt8>) -> Bool {
        let start = labelStart(name, before: name.count)
        return start < name.count && marks(of: name, from: start) != nil
    }

    /// Returns the number of bytes of the longest public suffix of `name`, which are its last ones. The registrable
    /// domain is that suffix with one more label.
    ///
    /// Never 0 for a name of labels, as the implied rule `*` makes the last one a suffix. It is 0 for the empty name
    /// and for one with a trailing dot; other empty labels only end the suffix.
    static func suffixLength(of name: Span<UInt8>) -> Int {
        name.count - prevailing(name).start
    }
}

// MARK: - The algorithm

extension PublicSuffixList {
    private struct Suffix {
        /// The offset of its first byte in the name.
        var start: Int
        var section: PublicSuffixSection
    }

    /// https://github.com/publicsuffix/list/wiki/Format#formal-algorithm: of all rules that match, an exception rule
    /// prevails, else the one with the most labels, else `*`.
    ///
    /// Implementations differ in whether `*.kobe.jp` makes `kobe.jp` a suffix too (publicsuffix/list#694). As that text
    /// has it, it doesn't; so a suffix needn't be its own, for `city.kobe.jp` has `kobe.jp` by its exception rule.
    private static func prevailing(_ name: Span<UInt8>) -> Suffix {
        // The current label starts here; the part behind its dot is its parent.
        var end = name.count
        var start = labelStart(name, before: end)
        var parentMarks: Marks = []
        var suffix = Suffix(start: start, section: .icann)
        while true {
            let marks = marks(of: name, from: start)
            if let marks, marks.contains(.exception) {
                // "Modify it by removing the leftmost label." It has more than one, as the generator sees to.
                return Suffix(start: end + 1, section: .icann)
            }
            // A wildcard stands for a label, so not for an empty one.
            let wildcardSection = start < end ? parentMarks.wildcardSection : nil
            if let section = Marks.stricter(marks?.ruleSection, wildcardSection) {
                suffix = Suffix(start: start, section: section)
            }
            // All parents of a name in the list are in the list: where one isn't, nothing below it is.
            guard let marks, start > 0 else { return suffix }
            parentMarks = marks
            end = start - 1
            start = labelStart(name, before: end)
        }
    }

    /// Returns the start of the label that ends before `end`.
    private static func labelStart(_ name: Span<UInt8>, before end: Int) -> Int {
        var start = end
        while start > 0, name[start - 1] != UInt8(ascii: ".") { start -= 1 }
        return start
    }
}

// MARK: - The data

extension PublicSuffixList {
    /// The rules of the list for one name; the bits of an entry's first character.
    private struct Marks: OptionSet {
        var rawValue: UInt8

        static let icannRule = Marks(rawValue: 1)
        static let privateRule = Marks(rawValue: 2)
        static let icannWildcard = Marks(rawValue: 4)
        static let privateWildcard = Marks(rawValue: 8)
        static let exception = Marks(rawValue: 16)

        /// The section of the rule that is the name.
        var ruleSection: PublicSuffixSection? {
            if contains(.icannRule) { return .icann }
            return contains(.privateRule) ? .privateDomains : nil
        }

        /// The section of the rule that is `*.` and the name.
        var wildcardSection: PublicSuffixSection? {
            if contains(.icannWildcard) { return .icann }
            return contains(.privateWildcard) ? .privateDomains : nil
        }

        static func stricter(_ one: PublicSuffixSection?, _ other: PublicSuffixSection?) -> PublicSuffixSection? {
            if one == .icann || other == .icann { return .icann }
            return one ?? other
        }
    }

    /// Returns the marks of the bytes of `name` from `start` on; nil if the list has no entry for them.
    private static func marks(of name: Span<UInt8>, from start: Int) -> Marks? {
        let length = name.count - start
        guard length <= PublicSuffixData.longestName else { return nil }
        // Entries of names of one length have one length, so that their places can be computed.
        let entries = bytes(of: PublicSuffixData.entries)
        let first = startOfEntries(length)
        let width = length + 2
        var low = 0
        var high = (startOfEntries(length + 1) - first) / width
        while low < high {
            let middle = low + (high - low) / 2
            let entry = first + middle * width
            var index = 0
            while index < length, entries[entry + 1 + index] == lowercased(name[start + index]) { index += 1 }
            if index == length { return Marks(rawValue: entries[entry] & 0x1f) }
            if entries[entry + 1 + index] < lowercased(name[start + index]) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return nil
    }

    /// Returns the offset of the entries of names of `length` bytes.
    private static func startOfEntries(_ length: Int) -> Int {
        let starts = bytes(of: PublicSuffixData.starts)
        var start = 0
        for index in length * 7..<length * 7 + 6 { start = start * 10 + Int(starts[index] & 0xf) }
        return start
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Returns the bytes of a literal in place; every later access is checked.
    @_lifetime(immortal)
    private static func bytes(of literal: StaticString) -> Span<UInt8> {
        // Both literals have a pointer representation, as only one of a single scalar hasn't, and live for ever.
        let bytes = unsafe Span(_unsafeStart: literal.utf8Start, count: literal.utf8CodeUnitCount)
        return unsafe _overrideLifetime(bytes, copying: ())
    }
}
