// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// The options for a signed list whose manifest names the filters.
struct FilterListOptions: ParsableArguments {
    @Option(help: .book("cache update --list"), completion: .file())
    var list: String?

    @Option(help: .book("cache update --key"), completion: .file())
    var key: [String] = []

    @Option(help: ArgumentHelp("Require signatures by this many keys. (default: 1)", valueName: "n"))
    var threshold: Int?

    @Option(help: .book("cache update --root-key"), completion: .file())
    var rootKey: [String] = []

    @Option(help: ArgumentHelp("Expect a list for this app. (default: none)", valueName: "name"))
    var audience: String?

    func validate() throws {
        try OptionRule.check(
            .requires(
                ["--list": list],
                for: ["--key": key, "--root-key": rootKey, "--threshold": threshold, "--audience": audience]),
            .that(
                list == nil || !key.isEmpty && audience != nil,
                "--list requires --key FILE and --audience NAME; without them, any list would be accepted"))
    }

    /// Returns the manifest of the signed list, or nil without a list.
    /// - Throws: ``CommandFailure`` for a list that an app with these keys refuses, and for a list without filters.
    func manifest() throws -> RevocationFilterManifest? {
        guard let list, let audience else { return nil }
        let document = try PinsInput.list(list)
        let signers = try PinsInput.signers(key.map(PinsInput.publicKey), threshold ?? 1)
        let root = try PinsInput.signers(inFiles: rootKey)
        // Ignores the keys that the list claims, because a list could name its signer's key.
        let contents = try CommandFailure.of(InputFile.displayName(list)) {
            try PinsInput.start(document, audience: audience, signers: signers, root: root)
                .verify(document, makeManager: PinsInput.makeManager(ownRules: true))
        }
        guard let filters = contents.filters else {
            throw CommandFailure(
                "\(InputFile.displayName(list)): has no filters",
                hint: "add filters with servertrust pins list sign --filters"
            )
        }
        return filters.manifest
    }
}
