// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca crl`: writes the signed list of revoked certificates.
struct CACRL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crl",
        abstract: "Write a CRL with all revoked certificates.",
        discussion: """
            $ servertrust ca crl --days 30
            OK    CRL 3 with 1 certificate, next update 2026-12-21T08:30:00Z
                  file     ca/crl.pem
                  der      ca/root.crl

            Serve the DER file at the address of servertrust ca init --crl-url. Clients
            accept no PEM there. Each run replaces the whole file, so you can link to it.

            $ openssl verify -crl_check -CAfile ca/root.pem -CRLfile ca/crl.pem \\
                ca/issued/api.example.com.pem
            """)

    @Option(help: ArgumentHelp("Set the days until the next CRL is due, up to 365.", valueName: "n"))
    var days = 7

    @OptionGroup var options: CAOptions

    func validate() throws { try checkDays(days, AuthorityFolder.crlDays) }

    func run() throws {
        let folder = try options.open()
        let crl = try reportingCAErrors { () throws(AuthorityFolderError) in
            try folder.writeCRL(days: days, at: .now())
        }
        let address = try reportingCAErrors { () throws(AuthorityFolderError) in try folder.addresses().crl?.url }
        try options.write(
            text: { palette in
                """
                \(palette.good("OK"))    CRL \(crl.number) with \(counted(crl.count, "certificate")), next update \(crl.nextUpdate)
                      file     \(printable(crl.path))
                      der      \(printable(crl.derPath))\(address.map { "\n      address  \($0)" } ?? "")

                """
            },
            json: [
                { json in
                    json.key("file")
                    json.string(crl.path)
                    json.key("der")
                    json.string(crl.derPath)
                    json.key("crlURL")
                    json.string(address)
                    json.key("number")
                    json.number(Int(crl.number))
                    json.key("certificates")
                    json.number(crl.count)
                    json.key("thisUpdate")
                    json.string(crl.thisUpdate.description)
                    json.key("nextUpdate")
                    json.string(crl.nextUpdate.description)
                }
            ])
    }
}
