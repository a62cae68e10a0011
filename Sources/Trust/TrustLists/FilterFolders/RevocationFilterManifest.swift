// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The names, sizes and digests of the filters of a folder, as upki's `manifest.json` has them.
///
/// ```json
/// {"generated_at": 1774181961, "comment": "run 42", "filters": [
///   {"filename": "20260304-1-default.filter", "size": 6126299, "hash": "SHA-256 in hexadecimal digits"}
/// ]}
/// ```
/// The list is named `filters`, or `files`. Members that aren't known have no effect; a member that is there twice is an error.
package struct RevocationFilterManifest: Sendable, Hashable {
    /// A file of the folder.
    package struct File: Sendable, Hashable {
        /// The name, which is safe in a path and in a URL: letters, digits, `.`, `-`, `_`.
        package let name: String
        /// The size in bytes.
        package let size: Int
        /// The SHA-256 of the contents.
        package let digest: [UInt8]

        /// Creates an entry. Its parts aren't checked.
        package init(name: String, size: Int, digest: [UInt8]) {
            self.name = name
            self.size = size
            self.digest = digest
        }

        /// Whether the file has changes alone.
        package var isDelta: Bool { name.hasSuffix(".delta") }
    }

    /// The name of the file.
    package static let fileName = "manifest.json"
    /// The largest size of a manifest in bytes; upki's has 5,000.
    package static let maximumSize = 1 << 20
    /// The largest number of files; upki has 37.
    package static let maximumCount = 1_024
    /// The largest size of all files together in bytes; upki's have 12 MB.
    package static let maximumTotal = 1 << 30
    /// The longest name of a file in bytes.
    private static let maximumNameLength = 128

    /// The time of its making.
    package let date: Time
    /// A text for people; empty if there is none.
    package let comment: String
    /// The files, in the order of the manifest; at least one.
    package let files: [File]
    /// The bytes that were read.
    package let json: [UInt8]

    /// Reads a manifest.
    /// - Parameter name: the file or the part, which errors name.
    /// - Throws: ``RevocationFilterFileError`` with the line or the entry.
    package init(_ bytes: [UInt8], name: String) throws(RevocationFilterFileError) {
        json = bytes
        do throws(RootListError) {
            guard bytes.count <= Self.maximumSize else {
                throw RootListError(line: nil, "over \(Self.maximumSize) bytes, expected a manifest of filters")
            }
            let root = try JSONValue.list(bytes)
            let members = try root.members()
            guard let made = members.first(where: { $0.key == "generated_at" })?.value else {
                throw root.error("generated_at")
            }
            date = Time(secondsSinceEpoch: Int64(try made.count("generated_at in seconds", Self.maximumDate)))
            comment = try members.first { $0.key == "comment" }?.value.string() ?? ""
            let lists = members.filter { $0.key == "filters" || $0.key == "files" }
            guard lists.count == 1, let list = lists.first else { throw root.error("either filters or files") }
            files = try Self.files(list.value)
        } catch {
            throw RevocationFilterFileError(
                path: name, line: error.line, problem: error.problem)
        }
    }

    /// The end of the year 9999, in seconds since 1970.
    private static let maximumDate = 253_402_300_799

    private static func files(_ list: JSONValue) throws(RootListError) -> [File] {
        let elements = try list.elements()
        guard (1...maximumCount).contains(elements.count) else {
            throw list.error("1 to \(maximumCount) filters, found \(elements.count)")
        }
        var (files, names, total): ([File], Set<String>, Int) = ([], [], 0)
        for (index, element) in elements.enumerated() {
            let file = try file(element, index)
            // A file system may not tell capital letters from small ones.
            guard names.insert(file.name.lowercased()).inserted else {
                throw element.error("each filter once, found \(file.name) again")
            }
            // Each size is bounded, so the sum of two doesn't overflow.
            total += file.size
            guard total <= maximumTotal else {
                throw element.error("at most \(maximumTotal) bytes of filters together")
            }
            files.append(file)
        }
        return files
    }

    private static func file(_ element: JSONValue, _ index: Int) throws(RootListError) -> File {
        var members: [String: JSONValue] = [:]
        for member in try element.members() { members[member.key] = member.value }
        guard let name = members["filename"], let size = members["size"], let hash = members["hash"] else {
            throw element.error("filename, size and hash of filter \(index)")
        }
        let text = try name.string()
        guard isPlainName(text) else {
            throw .unexpected(
                line: name.line,
                expected: "a name of letters, digits, '.', '-' and '_' that ends in .filter or .delta", found: text)
        }
        let digits = try hash.string()
        guard let digest = Hex.decode(digits), digest.count == 32 else {
            throw .unexpected(
                line: hash.line, expected: "the SHA-256 of \(text), 64 hexadecimal digits", found: digits)
        }
        return File(
            name: text, size: try size.count("the size of \(text)", RevocationFilter.maximumSize), digest: digest)
    }

    /// Whether a name is that of a filter in the same folder, without a part that a path, a URL or a file system has a meaning for.
    private static func isPlainName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...maximumNameLength).contains(bytes.count), bytes.first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy(isNameByte) && (name.hasSuffix(".filter") || name.hasSuffix(".delta"))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension JSONValue {
    /// Returns a whole number from 0.
    /// - Parameters:
    ///   - part: the number's name, which the error has.
    ///   - maximum: the largest number.
    fileprivate func count(_ part: String, _ maximum: Int) throws(RootListError) -> Int {
        guard case .number(let text) = content, let number = Int(text), (0...maximum).contains(number) else {
            throw error("\(part), 0 to \(maximum)")
        }
        return number
    }
}
