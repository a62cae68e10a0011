// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

extension TrustAnchors.Unlisted: ExpressibleByArgument {}

/// The options for a root program's list that applies to the anchors.
struct RootsOverlayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Apply the conditions of this root program's list to the anchors. (default: SERVERTRUST_ROOTS_OVERLAY)",
            valueName: "file"),
        completion: .file())
    var rootsOverlay: String?

    @Option(
        help: ArgumentHelp(
            "Refuse or keep system roots that a complete list doesn't contain. (default: refuse)", valueName: "word"))
    var rootsUnlisted: TrustAnchors.Unlisted?

    func validate() throws {
        try OptionRule.check(.requires(["--roots-overlay": rootsOverlay], for: ["--roots-unlisted": rootsUnlisted]))
    }

    /// Reads the list, by default the one that the environment names. It also applies to anchors from the command line.
    /// Returns nil if neither names a file.
    /// - Throws: ``CommandFailure`` with file and line if it can't be parsed.
    func overlay() throws(CommandFailure) -> RootsOverlay? {
        if let rootsOverlay {
            return RootsOverlay(list: try RootListInput.read(rootsOverlay), unlisted: rootsUnlisted ?? .refuse)
        }
        guard let file = SystemAnchors.overlayFile() else { return nil }
        return try CommandFailure.of(SystemAnchors.overlayVariable, hint: RootListInput.hint) {
            RootsOverlay(list: try RootList(contentsOfFile: file))
        }
    }
}

/// A root program's list that applies to anchors, as requested on the command line.
struct RootsOverlay: Sendable {
    var list: RootList
    var unlisted = TrustAnchors.Unlisted.refuse
}

extension TrustAnchors {
    /// Returns these anchors with a list's conditions applied, or unchanged if the list is nil.
    func applying(_ overlay: RootsOverlay?) -> TrustAnchors {
        guard let overlay else { return self }
        return applying(overlay.list, unlisted: overlay.unlisted)
    }
}

/// A reader for root programs' lists in files that the command line names.
enum RootListInput {
    /// The supported formats of lists, for people.
    static let hint = "expected certdata.txt, root_store.textproto, p11-kit's or OpenSSL's format, or JSON"

    /// Reads a list.
    /// - Parameter file: the name; `-` is standard input. A list from standard input has no date unless its format
    ///   contains one.
    /// - Throws: ``CommandFailure`` with file and line if it can't be parsed.
    static func read(_ file: String) throws(CommandFailure) -> RootList {
        let bytes = file == "-" ? try InputFile.read(file) : nil
        do throws(RootListError) {
            guard let bytes else { return try RootList(contentsOfFile: file) }
            return try RootList(bytes)
        } catch {
            // An error about the format already names the supported formats.
            throw CommandFailure(
                file == "-" ? "standard input: \(error)" : error.description,
                hint: error.description.contains("certdata.txt") ? nil : hint)
        }
    }
}
