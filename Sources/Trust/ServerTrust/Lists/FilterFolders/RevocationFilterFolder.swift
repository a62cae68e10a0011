// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A folder of filters with a manifest, as written by upki and by `servertrust cache update --filters`.
///
/// ```swift
/// let folder = try RevocationFilterFolder(contentsOfFolder: "/var/lib/example/filters")
/// trust.revocationData.filters = folder.filters
/// ```
/// The initializer opens all filters of `manifest.json`. A filter that doesn't cover a certificate may be the one with
/// its issuer, and the newest filter shows how old the set is. The initializer maps each file, compares it with the
/// size and SHA-256 in the manifest, and parses it as a filter. A missing file, a different file, and a symbolic link
/// are errors, because a smaller set would miss revocations. Files that the manifest doesn't name have no effect.
///
/// Each opening computes the digests of the mapped bytes, which takes 10 to 20 ms for 8 MB. Open a folder once for many
/// evaluations, and open it again to use newer filters. Filters from an earlier opening stay usable after their files
/// are replaced.
///
/// Replace files with `rename` instead of writing in place. If the owner truncates a mapped file, the system ends a
/// process that reads past the new end (`SIGBUS`). Files that a user other than root or this process's user owns or can
/// write are read into memory instead.
///
/// Not checked: the author. The manifest detects damage and mixed sets, but it is only as trustworthy as the folder
/// itself.
public struct RevocationFilterFolder: Sendable {
    /// The folder.
    public let path: String
    /// The date when the manifest was created.
    public let date: Time
    /// The filters in the order of the manifest, at least one: complete filters (`.filter`) and changes (`.delta`).
    public let filters: [RevocationFilter]
    /// The manifest.
    package let manifest: RevocationFilterManifest

    /// Opens all filters that a folder's `manifest.json` names.
    /// - Throws: ``RevocationFilterFileError`` with the file, and the expected and actual size or digest.
    public init(contentsOfFolder path: String) throws(RevocationFilterFileError) {
        var attempts = 1
        while true {
            let bytes = try Self.manifestBytes(path)
            let manifest = try RevocationFilterManifest(bytes, name: Self.manifestPath(path))
            do throws(RevocationFilterFileError) {
                self = try Self(path, manifest)
                return
            } catch {
                // A writer removes the previous manifest's files after it has written the new manifest.
                guard attempts < Self.maximumAttempts, try Self.manifestBytes(path) != bytes else { throw error }
                attempts += 1
            }
        }
    }

    /// Opens a folder's filters using a manifest from elsewhere. Doesn't read the folder's own manifest.
    package init(
        _ path: String, _ manifest: RevocationFilterManifest
    ) throws(RevocationFilterFileError) {
        self.path = path
        self.date = manifest.date
        self.manifest = manifest
        var filters: [RevocationFilter] = []
        for file in manifest.files { filters.append(try Self.filter(file, in: path)) }
        self.filters = filters
    }

    /// The maximum number of attempts to read a folder whose manifest changes in the meantime.
    private static let maximumAttempts = 3

    /// Returns the path of a folder's manifest.
    static func manifestPath(_ folder: String) -> String { "\(folder)/\(RevocationFilterManifest.fileName)" }

    private static func manifestBytes(_ folder: String) throws(RevocationFilterFileError) -> [UInt8] {
        let path = manifestPath(folder)
        return try RevocationFilterFileError.reading(path) { () throws(SystemError) in
            try FileContents(ofFile: path, maximumSize: RevocationFilterManifest.maximumSize, onlyRegular: true).bytes
        }
    }

    /// Opens a filter if it matches the file in the manifest.
    /// - Parameter suffix: a suffix of the file's name. The default is no suffix.
    /// - Throws: ``RevocationFilterFileError`` with the expected and actual size or digest.
    static func filter(
        _ file: RevocationFilterManifest.File, in folder: String, suffix: String = ""
    ) throws(RevocationFilterFileError) -> RevocationFilter {
        let path = "\(folder)/\(file.name)\(suffix)"
        let mapped = try RevocationFilterFileError.reading(path) { () throws(SystemError) in
            try MappedFile(ofFile: path, maximumSize: RevocationFilter.maximumSize, followsLinks: false)
        }
        guard mapped.size == file.size else {
            throw RevocationFilterFileError(path: path, problem: "\(mapped.size) bytes, expected \(file.size)")
        }
        // Checks the mapped bytes, which the filter will read, even if another file has the name by then.
        let digest = mapped.withBytes { Digests.sha256($0) }
        guard digest == file.digest else {
            throw RevocationFilterFileError(
                path: path, problem: "SHA-256 \(Hex.encode(digest)), expected \(Hex.encode(file.digest))")
        }
        do throws(ClubcardError) { return try RevocationFilter(storage: mapped, isDelta: file.isDelta) } catch {
            throw RevocationFilterFileError(path: path, problem: error.description)
        }
    }
}
