// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The names, sizes and digests of a folder's filters, in the form of upki's `manifest.json`.
///
/// ```json
/// {"generated_at": 1774181961, "comment": "run 42", "filters": [
///   {"filename": "20260304-1-default.filter", "size": 6126299, "hash": "SHA-256 in hexadecimal digits"}
/// ]}
/// ```
/// The key of the list is `filters` or `files`. Unknown members have no effect. A member that occurs twice is an error.
package struct RevocationFilterManifest: Sendable, Hashable {
    /// A file of the folder.
    package struct File: Sendable, Hashable {
        /// The name, which is safe in a path and in a URL: letters, digits, `.`, `-`, `_`.
        package let name: String
        /// The size in bytes.
        package let size: Int
        /// The SHA-256 of the contents.
        package let digest: [UInt8]

        /// Whether the file only contains changes.
        var isDelta: Bool { name.hasSuffix(".delta") }
    }

    /// The file name of a manifest.
    package static let fileName = "manifest.json"
    /// The maximum size of a manifest in bytes. upki's has 5,000.
    package static let maximumSize = 1 << 20
    /// The maximum number of files. upki has 37.
    static let maximumCount = 1_024
    /// The maximum total size of all files in bytes. upki's have 12 MB.
    static let maximumTotal = 1 << 30
    /// The maximum length of a file name in bytes.
    private static let maximumNameLength = 128

    /// The date when the manifest was created.
    package let date: Time
    /// A comment for people. May be empty.
    let comment: String
    /// The files in the order of the manifest, at least one.
    package let files: [File]
    /// The bytes of the manifest.
    package let json: [UInt8]

    /// Parses a manifest.
    /// - Parameter name: the file or part that errors name.
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
            // Some file systems don't distinguish uppercase and lowercase letters.
            guard names.insert(file.name.lowercased()).inserted else {
                throw element.error("each filter once, found \(file.name) again")
            }
            // Each size is bounded, so the sum doesn't overflow.
            total += file.size
            guard total <= maximumTotal else {
                throw element.error("filters of at most \(maximumTotal) bytes in total")
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

    /// Whether the name is a filter's in the same folder, and has no special meaning in a path, a URL or a file system.
    private static func isPlainName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...maximumNameLength).contains(bytes.count), bytes.first != UInt8(ascii: ".") else { return false }
        return bytes.allSatisfy { $0.isLetterOrDigit || ".-_".utf8.contains($0) }
            && (name.hasSuffix(".filter") || name.hasSuffix(".delta"))
    }
}

extension JSONValue {
    /// Returns a whole number from 0 to a maximum.
    /// - Parameters:
    ///   - part: the number's name for errors.
    ///   - maximum: the largest valid number.
    fileprivate func count(_ part: String, _ maximum: Int) throws(RootListError) -> Int {
        guard case .number(let text) = content, let number = Int(text), (0...maximum).contains(number) else {
            throw error("\(part), 0 to \(maximum)")
        }
        return number
    }
}
