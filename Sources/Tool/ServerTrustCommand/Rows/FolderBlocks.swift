// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A reader that returns the files of a folder and its subfolders in blocks, ordered by the bytes of their names.
///
/// It follows symbolic links to files, but not to folders.
final class FolderBlockReader: BlockReader {
    /// The number of files in a block.
    private static let blockSize = 16

    private let files: [String]
    private let name: String
    private var position: InputPosition

    init(_ files: [String], name: String, at position: InputPosition) {
        self.files = files
        self.name = name
        self.position = position
    }

    func next() -> RowBlock? {
        guard position.offset < files.count else { return nil }
        let start = position.offset
        let names = Array(files[start..<min(files.count, start + Self.blockSize)])
        position.offset += names.count
        position.line += names.count
        return RowBlock(
            content: .files(names), name: name, firstLine: start + 1, end: position, bytesRead: position.offset)
    }

    /// Returns the paths of all files in a folder.
    /// - Throws: ``CommandFailure`` if the folder or one of its subfolders can't be read.
    static func files(in folder: String) throws(CommandFailure) -> [String] {
        var files: [String] = []
        // The folders that remain to be listed. The next one is last.
        var open = [folder]
        while let folder = open.popLast() {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
                throw CommandFailure("\(folder): can't be listed, expected a readable folder")
            }
            for name in names {
                let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
                if (try? FileStatus(ofFile: path))?.isFolder == true { open.append(path) } else { files.append(path) }
            }
        }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
