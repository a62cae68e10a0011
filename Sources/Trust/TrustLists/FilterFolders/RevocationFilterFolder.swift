// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder of filters with a manifest, as upki keeps one and `servertrust cache update --filters` fetches it.
///
/// ```swift
/// let folder = try RevocationFilterFolder(contentsOfFolder: "/var/lib/example/filters")
/// trust.revocationData.filters = folder.filters
/// ```
/// All filters of `manifest.json` are opened: one that doesn't cover a certificate may be the one that has its issuer, and the newest says
/// how old the set is. Each is mapped, compared with the size and the SHA-256 of the manifest, and read as a filter. A file that is missing,
/// different or a symbolic link is an error: a smaller set would leave out revocations. Files that the manifest doesn't name have no effect.
///
/// The digests are computed at each opening, over the bytes that are mapped then: 10 to 20 ms for 8 MB. Open a folder once for many
/// evaluations, and anew to take up newer filters; the filters of an earlier opening stay usable when their files were replaced.
///
/// Files are replaced (`rename`) and not written in place: a process that reads a mapped file behind the end to which its owner has cut it is ended by
/// the system (`SIGBUS`). Files that another user than root or this process's owns or may write are read into memory instead.
///
/// Not checked: the author. A manifest in the folder finds damage and mixed sets; it is as trustworthy as the folder itself.
public struct RevocationFilterFolder: Sendable {
    /// The folder.
    public let path: String
    /// The time at which the manifest was made.
    public let date: Time
    /// The filters, complete ones (`.filter`) and changes (`.delta`), in the order of the manifest; at least one.
    public let filters: [RevocationFilter]
    /// The manifest.
    package let manifest: RevocationFilterManifest

    /// Opens all filters of a folder by its `manifest.json`.
    /// - Throws: ``RevocationFilterFileError`` with the file, and the expected and the found size or digest.
    public init(contentsOfFolder path: String) throws(RevocationFilterFileError) {
        var attempts = 1
        while true {
            let bytes = try Self.manifestBytes(path)
            let manifest = try RevocationFilterManifest(bytes, name: Self.manifestPath(path))
            do throws(RevocationFilterFileError) {
                self = try Self(path, manifest)
                return
            } catch {
                // A writer removes the files of the manifest before when it has put the next one in place.
                guard attempts < Self.maximumAttempts, try Self.manifestBytes(path) != bytes else { throw error }
                attempts += 1
            }
        }
    }

    /// Opens the filters of a folder that a manifest names, which came by another way. The folder's own manifest isn't read.
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

    /// The number of times that a folder is read whose manifest changes meanwhile.
    private static let maximumAttempts = 3

    /// Returns the path of a folder's manifest.
    package static func manifestPath(_ folder: String) -> String { "\(folder)/\(RevocationFilterManifest.fileName)" }

    private static func manifestBytes(_ folder: String) throws(RevocationFilterFileError) -> [UInt8] {
        let path = manifestPath(folder)
        do throws(SystemError) {
            return try FileContents(
                ofFile: path, maximumSize: RevocationFilterManifest.maximumSize, onlyRegular: true
            ).bytes
        } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
    }

    /// Opens a filter, if it is the file of the manifest.
    /// - Parameter suffix: the end of the path behind the file's name; nothing unless given.
    /// - Throws: ``RevocationFilterFileError`` with the expected and the found size or digest.
    package static func filter(
        _ file: RevocationFilterManifest.File, in folder: String, suffix: String = ""
    ) throws(RevocationFilterFileError) -> RevocationFilter {
        let path = "\(folder)/\(file.name)\(suffix)"
        let mapped: MappedFile
        do throws(SystemError) {
            mapped = try MappedFile(ofFile: path, maximumSize: RevocationFilter.maximumSize, followsLinks: false)
        } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: path, problem: error.filterProblem)
        }
        guard mapped.size == file.size else {
            throw RevocationFilterFileError(path: path, problem: "\(mapped.size) bytes, expected \(file.size)")
        }
        // The bytes that are mapped are those that the filter reads, whatever file has the name by then.
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
