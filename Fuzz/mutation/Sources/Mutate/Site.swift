// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One change of a line that a test should notice.
struct Mutant {
    let kind: Kind
    /// The original text and the changed text, for the report.
    let before: String
    let after: String

    /// The operators. The README explains each.
    enum Kind: String {
        case negate, logic, compare, exit, remove, result, element, swap, number, charge
        case skip, loop, slice, call, neighbor, entry
        case switchCase = "case"
        case defaults = "default"
    }
}

/// A place in a file with one or more mutants that use the same edits.
struct Site {
    /// Offsets of bytes in the file.
    let range: Range<Int>
    /// The order of edits with the same range. A larger value is further outside.
    let rank: Int
    let mutants: [Mutant]
    /// Text to insert before and after the range. The argument is the number of the first mutant.
    var prefix: (Int) -> String = { _ in "" }
    var suffix: (Int) -> String = { _ in "" }
    /// A token in the range to replace.
    var replaced: (range: Range<Int>, text: String)?
    /// The declaration around it.
    let declaration: String
}

/// The mutants of a file.
struct MutatedFile {
    let name: String
    let source: [UInt8]
    let sites: [Site]
    /// The numbers of mutants that can't be expressed, by reason.
    let skipped: [String: Int]

    /// The line of an offset, counted from 1.
    func line(_ offset: Int) -> Int { 1 + source[..<offset].count { $0 == UInt8(ascii: "\n") } }

    /// Returns the identifiers of all mutants of each site: file, operator, line and a hash of the text around. The
    /// hash stays the same if the mutant moves to another line.
    func identifiers() -> [[String]] {
        var seen: [String: Int] = [:]
        return sites.map { site in
            site.mutants.map { mutant in
                let text = [name, site.declaration, mutant.kind.rawValue, mutant.before, mutant.after].joined(
                    separator: "\u{0}")
                let count = seen[text, default: 0]
                seen[text] = count + 1
                return
                    "\(name):\(mutant.kind.rawValue):\(line(site.range.lowerBound)):\(Self.hash("\(text)\u{0}\(count)"))"
            }
        }
    }

    /// FNV-1a.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(format: "%08x", UInt32(truncatingIfNeeded: value ^ value >> 32))
    }

    /// Returns the file with all mutants. `numbers` contains the first number of each site, or nil to leave the site
    /// out.
    func rewritten(_ numbers: [Int?]) -> String {
        struct Edit {
            let offset: Int
            /// Suffixes come before replacements, and prefixes last.
            let order: (Int, Int, Int)
            let text: String
            var removed = 0
        }
        var edits: [Edit] = []
        for (site, number) in zip(sites, numbers) {
            guard let number else { continue }
            let (start, end) = (site.range.lowerBound, site.range.upperBound)
            // Of several prefixes at one offset, that of the longest range is first. Suffixes have the opposite order.
            let prefix = site.prefix(number)
            let suffix = site.suffix(number)
            if !prefix.isEmpty { edits.append(Edit(offset: start, order: (2, -end, -site.rank), text: prefix)) }
            if !suffix.isEmpty { edits.append(Edit(offset: end, order: (0, -start, site.rank), text: suffix)) }
            if let (range, text) = site.replaced {
                edits.append(Edit(offset: range.lowerBound, order: (1, 0, 0), text: text, removed: range.count))
            }
        }
        edits.sort { $0.offset != $1.offset ? $0.offset < $1.offset : $0.order < $1.order }
        var result: [UInt8] = []
        var position = 0
        for edit in edits {
            result += source[position..<edit.offset]
            result += Array(edit.text.utf8)
            position = edit.offset + edit.removed
        }
        return String(decoding: result + source[position...], as: UTF8.self)
    }
}
