// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PrivateCA
import ServerTrust

/// `servertrust ca install-hints`: shows how to install the root on clients.
struct CAInstallHints: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca install-hints", abstract: "Print instructions for installing the root on each platform.")

    @Option(help: "Choose a platform. May be repeated. (default: all)")
    var platform: [InstallHint.Platform] = []

    @OptionGroup var options: CAOptions

    func run() throws {
        let folder = try options.open()
        let path = folder.rootPath
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let hints = folder.installHints(rootPath: absolute)
            .filter { platform.isEmpty || platform.contains($0.platform) }
        try options.format.write { palette in
            hints.map { hint in
                ([palette.bold(hint.title)] + hint.install.map { "  " + printable($0) }
                    + hint.remove.map { "  " + palette.faint("undo: " + printable($0)) }
                    + (hint.note.isEmpty ? [] : ["  " + palette.faint("note: " + hint.note)]))
                    .joined(separator: "\n")
            }.joined(separator: "\n\n") + "\n"
        } json: {
            JSONWriter.answer(of: hints) { json, hint in
                json.member("platform", hint.platform.rawValue)
                json.member("title", hint.title)
                json.member("install", hint.install)
                json.member("remove", hint.remove)
                json.member("note", hint.note)
            }
        }
        Diagnostics.hint("nothing was installed; run these commands wherever the root should be trusted")
    }
}

extension InstallHint.Platform: ExpressibleByArgument {}
