// SPDX-License-Identifier: Apache-2.0

// The Public Suffix List (https://publicsuffix.org/list/), compiled into the executable.
//
// The data is sorted text in the executable's constants. Code searches it in place, without parsing or allocating
// anything, either at startup or during a lookup. The list bounds the number of searches, even for a long name. The
// search goes down from the top-level domain and stops at the first name that the list doesn't contain.

/// The section of the list that makes a name a public suffix.
///
/// CA/Browser Forum BR § 3.2.2.6 distinguishes the two sections. A CA rejects a wildcard directly below a public suffix
/// unless the applicant controls all of that namespace. For this list, "a CA SHOULD consult the 'ICANN DOMAINS' section
/// only".
enum PublicSuffixSection: Sendable, Hashable {
    /// The registries' section: `com`, `co.uk`. Also a top-level domain that isn't in the list, because of the implied
    /// rule `*`.
    case icann
    /// The section of domains whose owners offer names below them: `github.io`.
    case privateDomains
}

/// Lookups in the Public Suffix List.
///
/// Names are bytes as in a certificate: A-labels in any case, without a trailing dot. The lookups don't check the
/// syntax. Other bytes, such as `*`, are labels that the list doesn't contain.
enum PublicSuffixList {
    /// The date of the list, such as `2026-10-22`.
    static var date: String { PublicSuffixData.date }

    /// Returns the section of the list that makes `name` itself a public suffix.
    /// - Returns: nil if `name` isn't a public suffix, has an empty label, or has more than 253 bytes. If rules of both
    ///   sections apply, the ICANN section, which is stricter.
    static func section(of name: Span<UInt8>) -> PublicSuffixSection? {
        // RFC 1035 § 3.1 allows 255 octets on the wire, which is 253 characters without the first length and the root.
        guard !name.isEmpty, name.count <= 253 else { return nil }
        let suffix = prevailing(name)
        return suffix.start == 0 ? suffix.section : nil
    }

    /// Returns whether the list contains the last label of `name`, which is a top-level domain.
    static func listsLastLabel(of name: Span<UInt8>) -> Bool {
        marks(of: name, from: labelStart(name, before: name.count)) != nil
    }

    /// Returns the length in bytes of the public suffix at the end of `name`. The registrable domain is that suffix
    /// with one more label.
    ///
    /// The implied rule `*` makes the last label a suffix, so the length isn't 0 for a name with labels. It is 0 for
    /// the empty name and for a name with a trailing dot. Other empty labels only end the suffix.
    static func suffixLength(of name: Span<UInt8>) -> Int {
        name.count - prevailing(name).start
    }
}

// MARK: - The algorithm

extension PublicSuffixList {
    private struct Suffix {
        /// The offset of the suffix's first byte in the name.
        var start: Int
        var section: PublicSuffixSection
    }

    /// https://github.com/publicsuffix/list/wiki/Format#formal-algorithm: if an exception rule matches, it prevails.
    /// Otherwise the matching rule with the most labels prevails, or else `*`.
    ///
    /// Implementations disagree whether `*.kobe.jp` makes `kobe.jp` a suffix, too (publicsuffix/list#694). According to
    /// that text it doesn't. A suffix may therefore not be a suffix of itself: `city.kobe.jp` has the suffix `kobe.jp`
    /// because of its exception rule.
    private static func prevailing(_ name: Span<UInt8>) -> Suffix {
        // The current label starts here. Its parent starts after its dot.
        var end = name.count
        var start = labelStart(name, before: end)
        var parentMarks: Marks = []
        var suffix = Suffix(start: start, section: .icann)
        while true {
            let marks = marks(of: name, from: start)
            if let marks, marks.contains(.exception) {
                // "Modify it by removing the leftmost label." The generator ensures that it has several labels.
                return Suffix(start: end + 1, section: .icann)
            }
            // A wildcard matches a label, but not an empty one.
            let wildcardSection = start < end ? parentMarks.wildcardSection : nil
            if let section = Marks.stricter(marks?.ruleSection, wildcardSection) {
                suffix = Suffix(start: start, section: section)
            }
            // The list contains all parents of its names. If it doesn't contain a name, it contains nothing below it.
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
    /// The list's rules for one name, encoded as the bits of an entry's first character.
    private struct Marks: OptionSet {
        var rawValue: UInt8

        static let icannRule = Marks(rawValue: 1)
        static let privateRule = Marks(rawValue: 2)
        static let icannWildcard = Marks(rawValue: 4)
        static let privateWildcard = Marks(rawValue: 8)
        static let exception = Marks(rawValue: 16)

        /// The section of the rule for the name itself.
        var ruleSection: PublicSuffixSection? {
            if contains(.icannRule) { return .icann }
            return contains(.privateRule) ? .privateDomains : nil
        }

        /// The section of the wildcard rule for the name (`*.` followed by the name).
        var wildcardSection: PublicSuffixSection? {
            if contains(.icannWildcard) { return .icann }
            return contains(.privateWildcard) ? .privateDomains : nil
        }

        static func stricter(_ one: PublicSuffixSection?, _ other: PublicSuffixSection?) -> PublicSuffixSection? {
            if one == .icann || other == .icann { return .icann }
            return one ?? other
        }
    }

    /// Returns the marks for the part of `name` from `start`, or nil if the list has no entry for it.
    private static func marks(of name: Span<UInt8>, from start: Int) -> Marks? {
        let length = name.count - start
        guard length <= PublicSuffixData.longestName else { return nil }
        // Entries for names of the same length have the same length, so their positions can be computed.
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

    /// Returns the offset of the entries for names of `length` bytes.
    private static func startOfEntries(_ length: Int) -> Int {
        let starts = bytes(of: PublicSuffixData.starts)
        var start = 0
        for index in length * 7..<length * 7 + 6 { start = start * 10 + Int(starts[index] & 0xf) }
        return start
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    /// Returns the bytes of a literal in place. Every later access is bounds-checked.
    @_lifetime(immortal)
    private static func bytes(of literal: StaticString) -> Span<UInt8> {
        // Both literals have a pointer representation, because they aren't single scalars, and they live forever.
        let bytes = unsafe Span(_unsafeStart: literal.utf8Start, count: literal.utf8CodeUnitCount)
        return unsafe _overrideLifetime(bytes, copying: ())
    }
}
