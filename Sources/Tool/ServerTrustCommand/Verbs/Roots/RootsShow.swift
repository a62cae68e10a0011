// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// `servertrust roots show`: shows the roots that this machine trusts.
struct RootsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots show", abstract: "Show the roots that this machine trusts.")

    @Option(help: .book("roots show --against"), completion: .file())
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
