// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A reader for the filters that `--filter` names: files, folders with a manifest, and upki's filters.
enum FilterInput {
    /// The word that selects upki's filters instead of a file.
    static let upki = "upki"
    /// The environment variable that replaces the usual configuration files of upki. If it is empty, upki's filters are
    /// only used when the user names them.
    static let configurationVariable = "SERVERTRUST_UPKI_CONFIG"

    /// Opens the filters of all names.
    /// - Throws: ``CommandFailure`` if a filter can't be read, or upki's filters aren't installed.
    static func filters(_ names: [String]) throws(CommandFailure) -> [RevocationFilter] {
        var filters: [RevocationFilter] = []
        for name in names {
            let hint = "expected a CRLite clubcard, format 3 or 4, or a folder of them with a manifest.json"
            filters += try CommandFailure.of(hint: hint) {
                if name == upki { return try upkiFolder().filters }
                return isFolder(name)
                    ? try RevocationFilterFolder(contentsOfFolder: name).filters
                    : [try RevocationFilter(contentsOfFile: name)]
            }
        }
        return filters
    }

    /// Returns the folder that a name refers to, which may be upki's. Returns nil for a file.
    /// - Throws: ``CommandFailure`` if upki's filters aren't installed.
    static func folder(_ name: String) throws(CommandFailure) -> String? {
        guard name == upki else { return isFolder(name) ? name : nil }
        return try CommandFailure.of { try upkiFolder().path }
    }

    private static func isFolder(_ name: String) -> Bool { (try? FileStatus(following: name))?.isFolder == true }

    /// Opens upki's filters if it is installed. If they can't be read, they are left out with a warning, because the
    /// user didn't name them.
    static func unaskedFilters() -> [RevocationFilter] {
        do throws(RevocationFilterFileError) {
            guard let configuration, let folder = try RevocationFilterFolder.upki(configurationFile: configuration.file)
            else { return [] }
            Diagnostics.note("revocation: using upki's filters in \(folder.path), dated \(folder.date)")
            return folder.filters
        } catch {
            Diagnostics.warn("upki's filters are left out: \(error)")
            return []
        }
    }

    private static func upkiFolder() throws(RevocationFilterFileError) -> RevocationFilterFolder {
        guard let folder = try RevocationFilterFolder.upki(configurationFile: configuration?.file) else {
            throw RevocationFilterFileError(
                .filterFileUnreadable, path: upki,
                problem: "found neither upki's configuration nor its folder; for a file with this name, write ./upki")
        }
        return folder
    }

    /// The configuration file from the environment. The file is nil for the usual locations, and the whole value is nil
    /// if the user wants none.
    private static var configuration: (file: String?, Void)? {
        guard let file = ProcessInfo.processInfo.environment[configurationVariable] else { return (nil, ()) }
        return file.isEmpty ? nil : (file, ())
    }
}
