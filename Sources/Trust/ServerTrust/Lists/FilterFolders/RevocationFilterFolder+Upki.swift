// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

extension RevocationFilterFolder {
    /// Opens the filters that upki keeps on this machine for all programs, if upki is installed.
    ///
    /// upki fetches Mozilla's filters on Linux (<https://github.com/rustls/upki>). This method finds upki's
    /// configuration the same way upki does: the user's file (`$XDG_CONFIG_HOME/upki/config.toml`, by default in
    /// `~/.config`), then `/etc/upki/config.toml`. It only reads the key `cache-dir`. Without a file, the folder is
    /// `$XDG_CACHE_HOME/upki` (by default in `~/.cache`), or else `/var/cache/upki`. The filters are in its subfolder
    /// `revocation`.
    ///
    /// The method opens all filters of the manifest, as ``init(contentsOfFolder:)`` does for any folder. upki's
    /// `index.bin` lists the filters that cover a log and a timestamp, but these aren't enough here: the filter with a
    /// certificate's issuer and the newest filter count too. The method reads `index.bin` anyway and throws if it is
    /// damaged, because that is a sign of damage to the folder.
    /// - Parameters:
    ///   - configurationFile: the file of upki's configuration, which has to exist. By default, the method searches for
    ///     it.
    ///   - environment: the variables `HOME`, `XDG_CONFIG_HOME` and `XDG_CACHE_HOME`. The default is the process's
    ///     environment.
    /// - Returns: the filters, or nil if there is neither a configuration nor a folder with a manifest.
    /// - Throws: ``RevocationFilterFileError`` if the configuration or folder exists but can't be read, or if the
    ///   folder has no manifest or is writable by every user.
    public static func upki(
        configurationFile: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(RevocationFilterFileError) -> RevocationFilterFolder? {
        let places = UpkiPlaces(environment: environment)
        guard let path = try places.folder(configurationFile: configurationFile) else { return nil }
        let status = try RevocationFilterFileError.reading(path) { () throws(SystemError) in
            try FileStatus(ofFile: path)
        }
        guard !status.isFolder || status.permissions & 0o002 == 0 else {
            throw RevocationFilterFileError(
                .filterFolderUnsuitable, path: path, problem: "every user can write to the folder")
        }
        let folder = try RevocationFilterFolder(contentsOfFolder: path)
        _ = try UpkiIndex(ofFolder: path)
        return folder
    }
}
