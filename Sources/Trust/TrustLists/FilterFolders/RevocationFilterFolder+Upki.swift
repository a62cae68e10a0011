// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RevocationFilterFolder {
    /// Opens the filters that upki keeps on this machine for all programs, if it is installed.
    ///
    /// upki fetches Mozilla's filters on Linux (<https://github.com/rustls/upki>). Its configuration is looked for as it does itself: the file of
    /// the user (`$XDG_CONFIG_HOME/upki/config.toml`, `~/.config` unless set), then `/etc/upki/config.toml`, and of it the key `cache-dir` alone is
    /// read. Without a file the folder is `$XDG_CACHE_HOME/upki` (`~/.cache`), else `/var/cache/upki`; the filters are in its `revocation`.
    ///
    /// All filters of the manifest are opened, as of any folder (``init(contentsOfFolder:)``). upki's `index.bin`, which has the filters that cover
    /// a log and a timestamp, spares none here: the filter that has a certificate's issuer, and the newest one, count as well. It is read
    /// nevertheless, and damage in it is an error, as it is a sign of damage to the folder.
    /// - Parameters:
    ///   - configurationFile: the file of upki's configuration, which has to exist; searched for by default.
    ///   - environment: the variables `HOME`, `XDG_CONFIG_HOME` and `XDG_CACHE_HOME`; the process's by default.
    /// - Returns: the filters; nil if there is neither a configuration nor a folder with a manifest.
    /// - Throws: ``RevocationFilterFileError`` for a configuration or a folder that is there and can't be read, that has no manifest, or that
    ///   every user may write.
    public static func upki(
        configurationFile: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(RevocationFilterFileError) -> RevocationFilterFolder? {
        let places = UpkiPlaces(environment: environment)
        guard let path = try places.folder(configurationFile: configurationFile) else { return nil }
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(ofFile: path) } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
        guard !status.isFolder || status.permissions & 0o002 == 0 else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path, problem: "every user may write the folder")
        }
        let folder = try RevocationFilterFolder(contentsOfFolder: path)
        _ = try UpkiIndex(ofFolder: path)
        return folder
    }
}
