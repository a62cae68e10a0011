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
        /// The files and folders that lint doesn't read, with the reasons and perhaps a remedy.
        let skipped: [(path: String, reason: String, fix: String?)]

        /// The reasons with the first files, as a sentence for people, and the remedies.
        var skips: [(words: String, fix: String?)] {
            var order: [String] = []
            let groups = Dictionary(grouping: skipped) { $0.reason }
            let all = skipped.filter { $0.fix != nil } + skipped
            for file in all where !order.contains(file.reason) { order.append(file.reason) }
            return order.compactMap { reason in
                guard let group = groups[reason], let first = group.first else { return nil }
                let start = folder == "." ? 0 : folder.utf8.count + (folder.hasSuffix("/") ? 0 : 1)
                let shown = group.prefix(group.count > Self.maximumNames ? Self.fewNames : Self.maximumNames)
                let more = group.count - shown.count
                let names =
                    shown.map { String(decoding: $0.path.utf8.dropFirst(start), as: UTF8.self) }
                    + (more > 0 ? ["and \(more) more, which --format json names"] : [])
                let kind = first.path.hasSuffix("/") ? "folder" : "file"
                return ("\(counted(group.count, kind)), \(reason): \(names.joined(separator: ", "))", first.fix)
            }
        }

        /// The maximum number of files with the same reason that people see, and their number if there are more.
        private static let (maximumNames, fewNames) = (20, 5)
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
            func isWanted(_ formats: [PinFormat]) -> Bool { format.map(formats.contains) ?? true }
            let unreadable = search.unreadable.filter { isWanted($0.formats) }
            add(unreadable.map { ($0.path, "\($0.reason)") }, in: folder, "pin files can't be read")
            let found = search.found.filter { isWanted($0.formats) }
            let others = (search.found.map { ($0.path, $0.formats) } + search.unreadable.map { ($0.path, $0.formats) })
                .filter { !isWanted($0.1) }.map { ($0.0, "pins in another format", String?.none) }
            searches.append(
                Search(folder: folder, found: found.count, count: search.count, skipped: search.skipped + others))
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
