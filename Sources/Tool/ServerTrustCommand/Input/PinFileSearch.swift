// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import ServerTrust

/// A search for pin files in a folder, by their contents.
///
/// The search doesn't follow symbolic links. It leaves out hidden folders and the folders of builds and dependencies,
/// and it is bounded.
struct PinFileSearch {
    /// The pin files, sorted by path, with the formats of their pins. Below `.`, paths are relative.
    private(set) var found: [(path: String, formats: [PinFormat])] = []
    /// The pin files that can't be parsed, with the formats of their pins and the reasons.
    private(set) var unreadable: [(path: String, formats: [PinFormat], reason: String)] = []
    /// The files and folders without readable pins, with the reasons. A form of pins that no reader supports has a
    /// remedy.
    private(set) var skipped: [(path: String, reason: String, fix: String?)] = []
    /// The number of regular files in the searched folders.
    private(set) var count = 0
    /// The files and folders that can't be read, with the errors.
    private(set) var errors: [(path: String, error: SystemError)] = []

    /// The names of folders to leave out. Hidden folders are also left out, including those of version control.
    static let skippedFolders: Set<String> = ["build", "node_modules", "Pods", "DerivedData", "Carthage"]
    /// The maximum number of files and folders. Beyond it, the search ends with an error.
    static let maximumCount = 200_000
    /// The maximum depth of folders below the first one.
    static let maximumDepth = 64

    private var entries = 0

    /// Searches a folder.
    /// - Throws: ``CommandFailure`` if there are too many files, or folders are nested too deeply.
    init(in folder: String) throws(CommandFailure) {
        var open = [(path: folder, depth: 0)]
        while let (path, depth) = open.popLast() {
            guard depth <= Self.maximumDepth else {
                throw Self.failure(folder, "folders are nested more than \(Self.maximumDepth) deep")
            }
            var folders: [(path: String, depth: Int)] = []
            for name in names(in: path) {
                entries += 1
                guard entries <= Self.maximumCount else {
                    throw Self.failure(folder, "more than \(Self.maximumCount) files and folders")
                }
                let path = path == "." ? name : path.hasSuffix("/") ? path + name : path + "/" + name
                do throws(SystemError) {
                    let status = try FileStatus(ofFile: path)
                    if status.isFolder {
                        if !name.hasPrefix("."), !Self.skippedFolders.contains(name) {
                            folders.append((path, depth + 1))
                        } else {
                            skipped.append((path + "/", "hidden, or for builds and dependencies", nil))
                        }
                    } else if status.isRegularFile {
                        count += 1
                        try add(path, status.size)
                    } else {
                        skipped.append((path, "links and special files", nil))
                    }
                } catch {
                    errors.append((path, error))
                }
            }
            open += folders.reversed()
        }
        found.sort { $0.path < $1.path }
        unreadable.sort { $0.path < $1.path }
        skipped.sort { $0.path < $1.path }
    }

    private static func failure(_ folder: String, _ reason: String) -> CommandFailure {
        CommandFailure("\(folder): \(reason)", hint: "name the folders or files that contain pins")
    }

    /// Returns the sorted names in a folder.
    private mutating func names(in folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            errors.append((folder, .last))
            return []
        }
    }

    private mutating func add(_ path: String, _ size: Int) throws(SystemError) {
        guard let search = try Self.search(path, size) else {
            return skipped.append((path, size == 0 ? "empty" : "binary", nil))
        }
        guard !search.formats.isEmpty else {
            return skipped.append((path, search.foreign?.words ?? "no sign of pins", search.foreign?.fix))
        }
        if let obstacle = search.obstacle {
            unreadable.append((path, search.formats, obstacle))
        } else {
            found.append((path, search.formats))
        }
    }

    /// Returns the pins of a file. Returns nil for a file that is empty, binary or not regular.
    private static func search(_ path: String, _ size: Int) throws(SystemError) -> PinFormat.Search? {
        guard size > 0 else { return nil }
        // The path may have become a link or a pipe in the meantime. The program must neither follow nor wait for it.
        let descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        defer { try? descriptor.close() }
        guard try descriptor.status().isRegularFile else { return nil }
        let start = try descriptor.readFirst(min(size, 4_096))
        guard PinFormat.syntax(of: start) != nil else { return nil }
        // Reading one more byte than allowed shows that the file is too large.
        let rest = size > start.count ? try descriptor.readAll(maximumSize: PinConfiguration.maximumFileSize) : []
        return PinFormat.search(start + rest)
    }
}
