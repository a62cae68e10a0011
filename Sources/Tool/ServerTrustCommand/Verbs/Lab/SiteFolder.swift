// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import ServerTrust

/// A folder of pages. It is written completely or not at all, and replaces only an earlier site.
///
/// A separate file, ``listName``, names the pages. A folder is an earlier site if it contains this file, and no files
/// except those that the list names. If the process is killed during a replacement, the earlier site stays, either
/// under its name or with the suffix `.earlier`.
struct SiteFolder {
    /// The folder, with symbolic links resolved.
    let path: String
    /// The files of the earlier site, or nil for a new or an empty folder.
    private let earlier: [String]?
    /// The folder to replace, or nil for a new one.
    private let replaced: ReplaceableFolder?

    /// The name of the file that lists the pages.
    static let listName = "servertrust-pages.txt"
    /// The first line of the list.
    private static let heading = "Pages of servertrust, which replaces them together:"
    private static let hint = "nothing was changed; name a new folder, an empty one, or an earlier site"

    /// Finds the place for a site. Writes nothing.
    /// - Throws: ``CommandFailure`` for a folder with files other than an earlier site's, for anything other than a
    ///   folder, and for a folder that can't be replaced or created: the current folder and those above it, a mount
    ///   point, a folder without write permission.
    init(_ given: String) throws(CommandFailure) {
        path = URL(fileURLWithPath: given).resolvingSymlinksInPath().standardizedFileURL.path
        replaced = try CommandFailure.of(printable(given), hint: Self.hint) { [path] in try ReplaceableFolder(path) }
        if let problem = replaced?.problem ?? ReplaceableFolder.problemOfParent(of: path) {
            throw CommandFailure("\(printable(given)): \(problem)", hint: Self.hint)
        }
        earlier = replaced == nil ? nil : try Self.earlier(in: path, given)
    }

    /// Returns the files of an earlier site, or nil for an empty folder.
    private static func earlier(in path: String, _ given: String) throws(CommandFailure) -> [String]? {
        let found: [String]
        do { found = try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
            throw CommandFailure("\(printable(given)): the folder can't be read", hint: hint)
        }
        guard !found.isEmpty else { return nil }
        let lines = found.contains(listName) ? lines(of: path + "/" + listName) : []
        guard lines.first == heading else {
            throw CommandFailure("\(printable(given)): the folder is neither empty nor an earlier site", hint: hint)
        }
        let names = Set(lines.dropFirst().filter { isPage($0) } + [listName])
        if let other = found.first(where: { !names.contains($0) }) {
            throw CommandFailure("\(printable(given)): \(printable(other)) isn't one of the site's files", hint: hint)
        }
        return found
    }

    private static func lines(of list: String) -> [String] {
        // Reading a pipe would block.
        guard (try? FileStatus(ofFile: list))?.isRegularFile == true, let bytes = try? InputFile.read(list) else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func isPage(_ name: String) -> Bool {
        name.hasSuffix(".html") && HTMLFileName(String(name.dropLast(5))) != nil
    }

    /// Writes pages, and removes those of an earlier site.
    /// - Throws: ``CommandFailure``. Then the folder is unchanged.
    func write(_ pages: [(name: HTMLFileName, bytes: [UInt8])]) throws(CommandFailure) {
        let unfinished = "\(path).\(getpid()).partial"
        let files =
            pages.map { ($0.name.description, $0.bytes) } + [
                (
                    Self.listName,
                    Array(([Self.heading] + pages.map(\.name.description)).map { $0 + "\n" }.joined().utf8)
                )
            ]
        // Not readable by others until it is complete, because the folder it replaces may not be either.
        guard mkdir(unfinished, replaced == nil ? 0o755 : 0o700) == 0 else {
            throw CommandFailure("\(printable(path)): \(SystemError.last)")
        }
        do throws(CommandFailure) {
            for (name, bytes) in files {
                try OutputFile.write(bytes, to: "\(unfinished)/\(name)", replacing: false)
            }
            replaced?.giveOwnerAndMode(to: unfinished)
            try replace(by: unfinished)
        } catch {
            for (name, _) in files { unlink("\(unfinished)/\(name)") }
            rmdir(unfinished)
            throw error
        }
    }

    private func replace(by unfinished: String) throws(CommandFailure) {
        guard let earlier else {
            // This also replaces an empty folder.
            guard rename(unfinished, path) == 0 else { throw CommandFailure("\(printable(path)): \(SystemError.last)") }
            return
        }
        let old = "\(path).\(getpid()).earlier"
        guard rename(path, old) == 0 else { throw CommandFailure("\(printable(path)): \(SystemError.last)") }
        guard rename(unfinished, path) == 0 else {
            let error = SystemError.last
            rename(old, path)
            throw CommandFailure("\(printable(path)): \(error)")
        }
        for name in earlier { unlink("\(old)/\(name)") }
        rmdir(old)
    }
}
