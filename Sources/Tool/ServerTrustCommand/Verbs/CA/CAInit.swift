// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PrivateCA
import ServerTrust

/// `servertrust ca init`: creates a folder with a root.
struct CAInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca init", abstract: "Create a folder with a root.")

    @Option(help: .book("ca init --permit"), transform: reading(PermittedSubtree.init))
    var permit: [PermittedSubtree] = []

    @Option(help: ArgumentHelp("Set the root's common name. (default: servertrust CA and 8 digits)", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Make the root valid for this many days, up to 7300.", valueName: "n"))
    var days = 3650

    @Option(help: "Choose the type of the root's key.")
    var key: IssuedKeyKind = .p256

    @Option(help: .book("ca init --crl-url"), transform: RevocationAddress.argument(.crl))
    var crlUrl: RevocationAddress?

    @Option(help: .book("ca init --ocsp-url"), transform: RevocationAddress.argument(.ocsp))
    var ocspUrl: RevocationAddress?

    @Flag(help: "Replace an existing CA. Its certificates then belong to no CA.")
    var force = false

    @OptionGroup var options: CAOptions

    func validate() throws { try OptionRule.check(.range("--days", days, AuthorityFolder.rootDays)) }

    func run() throws {
        let folder = try AuthorityFolder.create(
            at: options.folder, commonName: name, permitted: permit, days: days, key: key, crlAddress: crlUrl,
            ocspAddress: ocspUrl, at: .now(), replacing: force)
        if permit.isEmpty {
            Diagnostics.warn(
                "this root can issue certificates for any name, so its key can impersonate any server; see --permit")
        }
        let permitted = permit.map(\.description)
        let (commonName, digest) = (folder.root.subject.commonNames.first, Hex.encode(folder.root.sha256))
        let pointers = RevocationPointers(crl: crlUrl, ocsp: ocspUrl)
        try options.write(
            { "\($0.bold(printable(commonName ?? ""))) until \(folder.root.notAfter)" },
            [
                ("root", folder.rootPath), ("key", folder.rootKeyPath),
                ("issues", permitted.isEmpty ? "anything" : permitted.joined(separator: ", ")), ("sha256", digest),
            ] + pointers.facts
        ) { json in
            json.member("root", folder.rootPath)
            json.member("key", folder.rootKeyPath)
            json.member("commonName", commonName)
            json.member("permitted", permitted)
            json.member("notBefore", folder.root.notBefore.description)
            json.member("notAfter", folder.root.notAfter.description)
            json.member("sha256", digest)
            json.addresses(of: pointers)
        }
        if options.format == .text {
            Diagnostics.hint("to install the root on clients, see servertrust ca install-hints")
        }
    }
}
