// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca init`: a folder with a root.
struct CAInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a folder with a root in it.",
        usage: "servertrust ca init [--permit <name> ...] [<options>]",
        discussion: """
            $ servertrust ca init --permit example.com --permit 192.0.2.0/24
            OK    servertrust CA 5f0c1d9e until 2036-11-18T08:30:00Z
                  root     ca/root.pem
                  key      ca/root.key
                  issues   example.com, 192.0.2.0/24
                  sha256   0f8d...

            With --permit the root is of no use for other names, even to a thief of its
            key: domains, IPv4 and IPv6 of which nothing is permitted are excluded.
            """)

    @Option(
        help: ArgumentHelp(
            "A domain or network that it may issue for. May be repeated. (default: anything)", valueName: "name"),
        transform: reading(PermittedSubtree.init))
    var permit: [PermittedSubtree] = []

    @Option(help: ArgumentHelp("The root's common name. (default: servertrust CA and 8 digits)", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The days of the root's validity, up to 7300.", valueName: "n"))
    var days = 3650

    @Option(help: "The kind of the root's key.")
    var key: IssuedKeyKind = .p256

    @Flag(help: "Replace a CA that is there. What it has issued is then of no CA.")
    var force = false

    @OptionGroup var options: CAOptions

    func validate() throws { try checkDays(days, AuthorityFolder.rootDays) }

    func run() throws {
        if permit.isEmpty {
            Diagnostics.warn(
                "this root may issue for any name: with its key any server can be impersonated; see --permit")
        }
        let folder = try reportingCAErrors { () throws(AuthorityFolderError) in
            try AuthorityFolder.create(
                at: options.folder, commonName: name, permitted: permit, days: days, key: key, at: .now(),
                replacing: force)
        }
        let permitted = permit.map(\.description)
        try options.write(
            text: { palette in
                """
                \(palette.good("OK"))    \(palette.bold(printable(folder.root.subject.commonNames.first ?? ""))) until \(folder.root.notAfter)
                      root     \(printable(folder.rootPath))
                      key      \(printable(folder.rootKeyPath))
                      issues   \(permitted.isEmpty ? "anything" : permitted.joined(separator: ", "))
                      sha256   \(Hex.encode(folder.root.sha256))

                """
            },
            json: [
                { json in
                    json.key("root")
                    json.string(folder.rootPath)
                    json.key("key")
                    json.string(folder.rootKeyPath)
                    json.key("commonName")
                    json.string(folder.root.subject.commonNames.first)
                    json.key("permitted")
                    json.array(of: permitted) { $0.string($1) }
                    json.key("notBefore")
                    json.string(folder.root.notBefore.description)
                    json.key("notAfter")
                    json.string(folder.root.notAfter.description)
                    json.key("sha256")
                    json.string(Hex.encode(folder.root.sha256))
                }
            ])
        if options.format == .text { Diagnostics.hint("how clients take the root: servertrust ca install-hints") }
    }
}
