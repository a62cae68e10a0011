// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PinUpdates
import ServerTrust

/// The options for a signed list whose manifest names the filters.
struct FilterListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A signed list of pins, whose manifest of filters replaces the server's. (default: none)",
            valueName: "file"), completion: .file())
    var list: String?

    @Option(
        help: ArgumentHelp("A public key that may sign the list. May be repeated.", valueName: "file"),
        completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("The number of them that have to sign. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(
        help: ArgumentHelp(
            "A public key that may change the keys of lists. May be repeated. (default: none)", valueName: "file"),
        completion: .file())
    var rootKey: [String] = []

    @Option(help: ArgumentHelp("The app that the list is for. (default: none)", valueName: "name"))
    var audience: String?

    func validate() throws {
        guard list != nil else {
            guard key.isEmpty, rootKey.isEmpty, threshold == nil, audience == nil else {
                throw ValidationError("--key, --root-key, --threshold and --audience belong to --list")
            }
            return
        }
        guard !key.isEmpty, audience != nil else {
            throw ValidationError("--list needs --key FILE and --audience NAME: without them, any list would do")
        }
    }

    /// Returns the manifest of the signed list; nil without one.
    /// - Throws: ``CommandFailure`` for a list that an app with these keys refuses, and for one without filters.
    func manifest() throws -> RevocationFilterManifest? {
        guard let list, let audience else { return nil }
        let document = try PinsInput.list(list)
        let signers = try Self.signers(key, threshold)
        let root = rootKey.isEmpty ? nil : try Self.signers(rootKey, nil)
        let contents: PinList
        do throws(PinListError) {
            // Of the keys that the list claims none counts: it could name its own.
            contents = try BuiltInPinList(
                audience: audience, configuration: try document.unverifiedList().configuration, signers: signers,
                root: root, issued: Time(secondsSinceEpoch: 0)
            ).verify(document, makeManager: PinsInput.makeManager(ownRules: true))
        } catch {
            throw CommandFailure("\(InputFile.displayName(list)): \(error)")
        }
        guard let filters = contents.filters else {
            throw CommandFailure(
                "\(InputFile.displayName(list)): has no filters", hint: "servertrust pins list sign --filters adds some"
            )
        }
        return filters.manifest
    }

    private static func signers(_ names: [String], _ threshold: Int?) throws -> PinSigners {
        var keys: [PinSigningKey] = []
        for name in names { keys.append(try PinsInput.publicKey(name)) }
        return try PinsInput.signers(keys, threshold ?? 1)
    }
}
