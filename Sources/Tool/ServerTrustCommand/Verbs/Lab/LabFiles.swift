// SPDX-License-Identifier: Apache-2.0

import PrivateCA
import ServerTrustLab

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files with the anchors of a `Lab`.
///
/// ```text
/// roots.pem          the anchors of all scenarios
/// SCENARIO.pem       the anchors of one scenario
/// ```
struct LabFiles: Sendable {
    /// The given folder, or a new one in the folder for temporary files.
    let folder: String
    private let names: [String]
    private let ownsFolder: Bool

    private static let bundleName = "roots.pem"

    /// The file with the anchors of all scenarios.
    var bundlePath: String { path(Self.bundleName) }

    /// Returns the file with the anchors of a server's scenario.
    func anchorsPath(of server: LabServer) -> String { path(Self.name(of: server)) }

    private func path(_ name: String) -> String { folder + "/" + name }
    private static func name(of server: LabServer) -> String { server.scenario.name + ".pem" }

    /// Writes all files or none, and replaces no existing file.
    /// - Parameter given: the folder, created if it doesn't exist, or nil for a new folder in `TMPDIR`.
    /// - Throws: ``AuthorityFolderError``
    static func write(_ lab: Lab, to given: String?) throws(AuthorityFolderError) -> LabFiles {
        var folder = given ?? ""
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let isNew = given == nil || !FolderFile.exists(folder)
        if given == nil {
            folder = try temporaryFolder()
        } else {
            try FolderFile.makeFolder(folder)
        }
        var contents = [(path: "\(folder)/\(bundleName)", text: lab.anchorsPEM)]
        contents += lab.servers.map { (path: "\(folder)/\(name(of: $0))", text: $0.certificates.anchorsPEM) }
        let files = LabFiles(
            folder: folder, names: [bundleName] + lab.servers.map(name), ownsFolder: isNew)
        do throws(AuthorityFolderError) {
            for file in contents where FolderFile.exists(file.path) { throw AuthorityFolderError(file.path, .exists) }
            try FolderFile.replace(contents.map { ($0.path, Array($0.text.utf8), .open) })
        } catch {
            if isNew { rmdir(folder) }
            throw error
        }
        return files
    }

    /// Removes the files. Also removes the folder if it was created for them and contains no other files.
    func remove() {
        for name in names { unlink(path(name)) }
        if ownsFolder { rmdir(folder) }
    }

    private static func temporaryFolder() throws(AuthorityFolderError) -> String {
        var parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
        let pattern = (parent.isEmpty ? "/tmp" : parent) + "/servertrust-lab-XXXXXX"
        var template = Array(pattern.utf8CString)
        guard mkdtemp(&template) != nil else {
            throw AuthorityFolderError(pattern, .notWritable(String(cString: strerror(errno))))
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
