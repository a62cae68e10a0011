// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PrivateCA
import ServerTrust

/// `servertrust ca init`: creates a folder with a root.
struct CAInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a folder with a root.",
        usage: "servertrust ca init [--permit <name> ...] [<options>]",
        discussion: HelpDetail.discussion(
            """
            $ servertrust ca init --permit example.com --permit 192.0.2.0/24
            OK    servertrust CA 5f0c1d9e until 2036-11-18T08:30:00Z
                  root     ca/root.pem
                  key      ca/root.key
                  issues   example.com, 192.0.2.0/24
                  sha256   0f8d...

            With --permit, the root is useless for other names, even to someone who steals
            its key. If you permit no domain, no IPv4 or no IPv6, that kind is excluded.

            With --crl-url and --ocsp-url, every certificate tells clients where to learn
            whether it is revoked. Serve root.crl, which servertrust ca crl writes, at the
            first address, and servertrust ca ocsp serve at the second. Both are http://,
            because the responses are signed and clients couldn't check another
            certificate for them.

            $ servertrust ca init --crl-url http://crl.example.com/root.crl \\
                --ocsp-url http://ocsp.example.com/
            """))

    @Option(
        help: ArgumentHelp(
            "Restrict the CA to this domain or network. May be repeated. (default: anything)", valueName: "name"),
        transform: reading(PermittedSubtree.init))
    var permit: [PermittedSubtree] = []

    @Option(help: ArgumentHelp("Set the root's common name. (default: servertrust CA and 8 digits)", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Make the root valid for this many days, up to 7300.", valueName: "n"))
    var days = 3650

    @Option(help: "Choose the type of the root's key.")
    var key: IssuedKeyKind = .p256

    @Option(
        help: ArgumentHelp("Put this CRL address in certificates. (default: none)", valueName: "url"),
        transform: RevocationAddress.argument(.crl))
    var crlUrl: RevocationAddress?

    @Option(
        help: ArgumentHelp("Put this OCSP responder address in certificates. (default: none)", valueName: "url"),
        transform: RevocationAddress.argument(.ocsp))
    var ocspUrl: RevocationAddress?

    @Flag(help: "Replace an existing CA. Its certificates then belong to no CA.")
    var force = false

    @OptionGroup var options: CAOptions

    func validate() throws { try OptionRule.check(.range("--days", days, AuthorityFolder.rootDays)) }

    func run() throws {
        let folder = try reportingCAErrors {
            try AuthorityFolder.create(
                at: options.folder, commonName: name, permitted: permit, days: days, key: key, crlAddress: crlUrl,
                ocspAddress: ocspUrl, at: .now(), replacing: force)
        }
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
