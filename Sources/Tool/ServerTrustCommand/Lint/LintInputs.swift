// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import ServerTrust

/// The files that `servertrust pins lint` reads: the named files, and the pin files in the named folders.
struct LintInputs {
    /// A folder that was searched.
    struct Search {
        let folder: String
        /// The number of pin files.
        let found: Int
        /// The number of all files.
        let count: Int
    }

    /// The paths, without duplicates.
    private(set) var files: [String] = []
    private(set) var searches: [Search] = []
    /// Errors for folders without pin files, and for files and folders that can't be read.
    private(set) var unread: [(file: String, error: String)] = []

    /// The maximum number of unreadable files per folder to report one by one.
    private static let maximumErrors = 20

    /// Searches the folders among the arguments.
    /// - Parameter format: the format to search for, or nil for all formats.
    init(_ arguments: [String], format: PinFormat?) {
        var seen: Set<String> = []
        for argument in arguments {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
            let found = isThere && isFolder.boolValue ? search(argument, format) : [argument]
            // If a file is named twice, its findings appear once.
            files += found.filter {
                $0 == "-" || seen.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted
            }
        }
    }

    private mutating func search(_ folder: String, _ format: PinFormat?) -> [String] {
        do throws(CommandFailure) {
            let search = try PinFileSearch(in: folder)
            add(search.errors.map { ($0, "\($1)") }, in: folder, "files or folders can't be read")
            let unreadable = search.unreadable.filter { file in format.map(file.formats.contains) ?? true }
            add(unreadable.map { ($0.path, "\($0.reason)") }, in: folder, "pin files can't be read")
            let found = search.found.filter { file in format.map(file.formats.contains) ?? true }
            searches.append(Search(folder: folder, found: found.count, count: search.count))
            guard found.isEmpty, unreadable.isEmpty else { return found.map(\.path) }
            let kind = format.map { "no file in the \($0) format" } ?? "no file with pins"
            add(
                CommandFailure(
                    "\(folder): \(kind) among \(counted(search.count, "file"))",
                    hint:
                        "name the file; hidden folders and \(PinFileSearch.skippedFolders.sorted().joined(separator: ", ")) are left out"
                ),
                folder)
        } catch {
            add(error, folder)
        }
        return []
    }

    /// Adds the first problems of a folder one by one, and the number of all if there are more.
    private mutating func add(_ problems: [(path: String, error: String)], in folder: String, _ words: String) {
        for (path, error) in problems.prefix(Self.maximumErrors) { add(CommandFailure("\(path): \(error)"), path) }
        guard problems.count > Self.maximumErrors else { return }
        add(CommandFailure("\(folder): \(problems.count) \(words)"), folder)
    }

    private mutating func add(_ failure: CommandFailure, _ file: String) {
        failure.report()
        unread += failure.errors.map { (file, $0) }
    }
}
