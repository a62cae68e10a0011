// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

extension TrustAnchors.Unlisted: ExpressibleByArgument {}

/// The options for the list of a root program over the anchors.
struct RootsOverlayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A root program's list: its conditions apply to the anchors. (default: SERVERTRUST_ROOTS_OVERLAY)",
            valueName: "file"),
        completion: .file())
    var rootsOverlay: String?

    @Option(
        help: ArgumentHelp(
            "Refuse or keep system roots that a complete list lacks. (default: refuse)", valueName: "word"))
    var rootsUnlisted: TrustAnchors.Unlisted?

    func validate() throws {
        guard rootsOverlay != nil || rootsUnlisted == nil else {
            throw ValidationError("--roots-unlisted goes with --roots-overlay")
        }
    }

    /// Reads the list, by default that of the environment, which applies to anchors of the command line as well; nil if neither names a file.
    /// - Throws: ``CommandFailure`` with file and line if it can't be read.
    func overlay() throws(CommandFailure) -> RootsOverlay? {
        if let rootsOverlay {
            return RootsOverlay(list: try RootListInput.read(rootsOverlay), unlisted: rootsUnlisted ?? .refuse)
        }
        guard let file = SystemAnchors.overlayFile() else { return nil }
        do throws(RootListError) {
            return RootsOverlay(list: try RootList(contentsOfFile: file))
        } catch {
            throw CommandFailure("\(SystemAnchors.overlayVariable): \(error)", hint: RootListInput.hint)
        }
    }
}

/// The list of a root program over anchors, as it was asked for on the command line.
struct RootsOverlay: Sendable {
    var list: RootList
    var unlisted = TrustAnchors.Unlisted.refuse
}

extension TrustAnchors {
    /// Returns these anchors under the conditions of a list; the same ones for nil.
    func applying(_ overlay: RootsOverlay?) -> TrustAnchors {
        guard let overlay else { return self }
        return applying(overlay.list, unlisted: overlay.unlisted)
    }
}

/// The lists of root programs in files that were named on the command line.
enum RootListInput {
    /// The forms of lists, for people.
    static let hint = "a list is certdata.txt, root_store.textproto, p11-kit's or OpenSSL's form, or JSON"

    /// Reads a list.
    /// - Parameter file: the name; `-` is standard input, whose list has no date unless its form has one.
    /// - Throws: ``CommandFailure`` with file and line if it can't be read.
    static func read(_ file: String) throws(CommandFailure) -> RootList {
        let bytes = file == "-" ? try InputFile.read(file) : nil
        do throws(RootListError) {
            guard let bytes else { return try RootList(contentsOfFile: file) }
            return try RootList(bytes)
        } catch {
            // An error about the form has the forms.
            throw CommandFailure(
                file == "-" ? "standard input: \(error)" : error.description,
                hint: error.description.contains("certdata.txt") ? nil : hint)
        }
    }
}
