// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import TrustSupport

/// The filters that `--filter` names: files, folders with a manifest, and those of upki.
enum FilterInput {
    /// The word for upki's filters, in the place of a file.
    static let upki = "upki"
    /// The variable of upki's configuration, in the place of its usual files. Empty, no filters of upki are used unless they are named.
    static let configurationVariable = "SERVERTRUST_UPKI_CONFIG"

    /// Opens the filters of all names.
    /// - Throws: ``CommandFailure`` if one can't be read, or if there are none of upki.
    static func filters(_ names: [String]) throws(CommandFailure) -> [RevocationFilter] {
        var filters: [RevocationFilter] = []
        for name in names {
            do throws(RevocationFilterFileError) {
                if name == upki {
                    filters += try upkiFolder().filters
                } else if isFolder(name) {
                    filters += try RevocationFilterFolder(contentsOfFolder: name).filters
                } else {
                    filters.append(try RevocationFilter(contentsOfFile: name))
                }
            } catch {
                throw CommandFailure(
                    error.description,
                    hint: "a filter is a clubcard of CRLite, format 3 or 4, or a folder of them with a manifest.json")
            }
        }
        return filters
    }

    /// Returns the folder that a name leads to, upki's among them; nil for a file.
    /// - Throws: ``CommandFailure`` if there are no filters of upki.
    static func folder(_ name: String) throws(CommandFailure) -> String? {
        guard name == upki else { return isFolder(name) ? name : nil }
        do throws(RevocationFilterFileError) { return try upkiFolder().path } catch {
            throw CommandFailure(error.description)
        }
    }

    private static func isFolder(_ name: String) -> Bool { (try? FileStatus(following: name))?.isFolder == true }

    /// Opens the filters of upki if it is installed. Those that can't be read are left out with a warning, as none were named.
    static func unaskedFilters() -> [RevocationFilter] {
        do throws(RevocationFilterFileError) {
            guard let configuration, let folder = try RevocationFilterFolder.upki(configurationFile: configuration.file)
            else { return [] }
            Diagnostics.note("revocation: the filters of upki count, \(folder.path) of \(folder.date)")
            return folder.filters
        } catch {
            Diagnostics.warn("the filters of upki are left out: \(error)")
            return []
        }
    }

    private static func upkiFolder() throws(RevocationFilterFileError) -> RevocationFilterFolder {
        guard let folder = try RevocationFilterFolder.upki(configurationFile: configuration?.file) else {
            throw RevocationFilterFileError(
                .filterFileUnreadable, path: upki,
                problem: "neither a configuration of upki nor its folder was found; ./upki names a file")
        }
        return folder
    }

    /// The configuration of the environment, whose file is nil for the usual ones; nil if none is wanted.
    private static var configuration: (file: String?, Void)? {
        guard let file = ProcessInfo.processInfo.environment[configurationVariable] else { return (nil, ()) }
        return file.isEmpty ? nil : (file, ())
    }
}
