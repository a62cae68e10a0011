// SPDX-License-Identifier: Apache-2.0

import Foundation
import Inspection
import ServerTrust
import TrustSupport

/// A named source of objects: a file, a folder's file, standard input, or a server.
struct InspectSource: Sendable {
    enum Place: Sendable {
        case file(String)
        case server(ServerEndpoint)
    }
    let place: Place
    /// The name for reports.
    let name: String

    /// The largest number of files of one folder.
    static let maximumFiles = 10_000

    /// Returns the sources that arguments name, in their order; the files of a folder by name, each once, without those of its folders.
    ///
    /// A name that exists is a file. A text with a slash and no scheme is one, too; any other names a server.
    /// - Throws: ``CommandFailure`` for a name that is neither, and for a folder that can't be read.
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
            // Folders of anchors name each file several times, by links.
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            // Others, such as named pipes, may never end.
            let type = try? FileManager.default.attributesOfItem(atPath: resolved)[.type] as? FileAttributeType
            guard type == .typeRegular, seen.insert(resolved).inserted else { continue }
            sources.append(InspectSource(place: .file(path), name: path))
        }
        guard sources.count <= maximumFiles else {
            throw CommandFailure("\(folder): \(sources.count) files, expected at most \(maximumFiles)")
        }
        guard !sources.isEmpty else { throw CommandFailure("\(folder): the folder has no file") }
        return sources
    }
}

/// A source that was read: its objects, and its bytes if it is a file.
struct InspectedSource: Sendable {
    let name: String
    let objects: [InspectedObject]
    /// Remarks on the encodings of a file, or on the handshake of a server.
    var notes: [String] = []
    /// The failure of a server's handshake that is signed by another key than the leaf's; nil for files and for other servers.
    var handshakeFailure: TrustFailure?
    /// The bytes of a file; empty for a server.
    var bytes: [UInt8] = []
}

extension InspectedObject {
    /// The bytes that may leave the program: none of an object that is a private key, or was to be one.
    var shownDER: [UInt8] { kind == .privateKey || kind == .encryptedPrivateKey ? [] : der }
}
