// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// `servertrust roots show`: shows the roots that this machine trusts.
struct RootsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the roots that this machine trusts.",
        discussion: """
            $ servertrust roots show
            /etc/ssl/certs/ca-certificates.crt: 138 roots, 1 of them the administrator's own
            until       sha256            root
            2028-01-28  ebd41040e4bb3ec7  CN=GlobalSign Root CA,OU=Root CA,O=...
            ...

            $ servertrust roots show --against certdata.txt
            Adds the list's conditions to each root.
            """)

    @Option(
        help: ArgumentHelp("Add the conditions of this root program's list. (default: none)", valueName: "file"),
        completion: .file())
    var against: String?

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func run() throws {
        let list = try against.map { file throws(CommandFailure) in try RootListInput.read(file) }
        let system = try RootStore.read()
        let audit = RootAudit(system, against: list)
        try format.write {
            Self.text(system, audit, list, $0)
        } json: {
            JSONWriter.answer { json in
                json.object("store", system.write)
                json.key("list")
                if let list { json.object(list.write) } else { json.null() }
                json.objects("roots", of: audit.roots) { $1.write(to: &$0) }
            }
        }
    }

    private static func text(
        _ system: SystemAnchors, _ audit: RootAudit, _ list: RootList?, _ palette: Palette
    ) -> String {
        let own = audit.roots.count(where: \.isAdministratorsOwn)
        var lines = [
            "\(RootStore.name(system)): \(counted(system.store.count, "root"))"
                + (own > 0 ? ", \(own) of them the administrator's own" : "")
        ]
        if let list { lines.append("list: \(printable(list.source)), \(counted(list.count, "root"))") }
        lines.append(palette.bold("until".padded(to: 12) + "sha256".padded(to: 18) + "root"))
        for root in audit.roots {
            let certificate = root.certificate
            lines.append(
                certificate.notAfter.description.prefix(10).description.padded(to: 12)
                    + Hex.encode(certificate.sha256.prefix(8)).padded(to: 18)
                    + printable(certificate.subject.description))
            if root.isAdministratorsOwn { lines.append(String(repeating: " ", count: 30) + "the administrator's own") }
            if let words = root.words { lines.append(String(repeating: " ", count: 30) + palette.bad(words)) }
        }
        for warning in system.warnings.prefix(20) { lines.append("left out: \(printable(warning.description))") }
        if system.warnings.count > 20 { lines.append("left out: \(system.warnings.count - 20) more") }
        return lines.joined(separator: "\n") + "\n"
    }
}
