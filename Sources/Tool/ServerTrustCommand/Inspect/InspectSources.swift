// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import ServerTrust

/// A named source of objects: a file, a file in a folder, standard input, or a server.
struct InspectSource: Sendable {
    enum Place: Sendable {
        case file(String)
        case server(ServerEndpoint)
    }
    let place: Place
    /// The name in reports.
    let name: String

    /// The maximum number of files in a folder.
    static let maximumFiles = 10_000

    /// Returns the sources that the arguments name, in the same order. A folder's files come by name, each once,
    /// without the files of its subfolders.
    ///
    /// The name of an existing file or folder is that file or folder. So is a text with a slash and no scheme. Any
    /// other text names a server.
    /// - Throws: ``CommandFailure`` for a name that is neither a file nor a server, and for a folder that can't be
    ///   read.
    static func all(_ arguments: [String], startTLS: StartTLSProtocol?) throws(CommandFailure) -> [InspectSource] {
        var sources: [InspectSource] = []
        for argument in arguments { sources += try named(argument, startTLS) }
        return sources
    }

    private static func named(_ argument: String, _ startTLS: StartTLSProtocol?) throws(CommandFailure)
        -> [InspectSource]
    {
        var isFolder: ObjCBool = false
        let exists = argument == "-" || FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
        if exists, argument != "-", isFolder.boolValue { return try files(in: argument) }
        let isPath = argument.contains("/") && !argument.contains("://")
        guard !exists, !isPath else {
            return [InspectSource(place: .file(argument), name: InputFile.displayName(argument))]
        }
        do throws(ArgumentProblem) {
            let endpoint = try EndpointArgument.endpoint(argument, startTLS: startTLS)
            return [InspectSource(place: .server(endpoint), name: endpoint.description)]
        } catch {
            throw CommandFailure("\(argument): no such file, and \(error)")
        }
    }

    private static func files(in folder: String) throws(CommandFailure) -> [InspectSource] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw CommandFailure("\(folder): the folder can't be read")
        }
        var seen: Set<String> = []
        var sources: [InspectSource] = []
        for name in names {
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            // Folders of anchors contain several links to each file.
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            // Reading other types, such as named pipes, may never end.
            let type = try? FileManager.default.attributesOfItem(atPath: resolved)[.type] as? FileAttributeType
            guard type == .typeRegular, seen.insert(resolved).inserted else { continue }
            sources.append(InspectSource(place: .file(path), name: path))
        }
        guard sources.count <= maximumFiles else {
            throw CommandFailure("\(folder): \(sources.count) files, expected at most \(maximumFiles)")
        }
        guard !sources.isEmpty else { throw CommandFailure("\(folder): the folder has no files") }
        return sources
    }
}

/// The objects of a source, and its bytes if the source is a file.
struct InspectedSource: Sendable {
    let name: String
    let objects: [InspectedObject]
    /// Remarks on a file's encodings or on a server's handshake.
    var notes: [String] = []
    /// The notes about certificates with the issuer and serial number of an earlier one, by the object's number.
    var reusedNumbers: [Int: String] = [:]
    /// The failure if another key than the leaf's signs a server's handshake, or nil for files and other servers.
    var handshakeFailure: TrustFailure?
    /// The bytes of a file. Empty for a server.
    var bytes: [UInt8] = []
}

extension InspectedObject {
    /// The bytes to show. Empty for private keys, and for objects that claim to be private keys.
    var shownDER: [UInt8] { kind == .privateKey || kind == .encryptedPrivateKey ? [] : der }
}
