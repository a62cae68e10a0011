// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca crl`: writes the signed list of revoked certificates.
struct CACRL: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca crl", abstract: "Write a CRL with all revoked certificates.")

    @Option(help: ArgumentHelp("Set the days until the next CRL is due, up to 365.", valueName: "n"))
    var days = 7

    @OptionGroup var options: CAOptions

    func validate() throws { try OptionRule.check(.range("--days", days, AuthorityFolder.crlDays)) }

    func run() throws {
        let folder = try options.open()
        let crl = try folder.writeCRL(days: days, at: .now())
        let address = try folder.addresses().crl?.url
        try options.write(
            { _ in "CRL \(crl.number) with \(counted(crl.count, "certificate")), next update \(crl.nextUpdate)" },
            [("file", crl.path), ("der", crl.derPath), ("address", address)]
        ) { json in
            json.member("file", crl.path)
            json.member("der", crl.derPath)
            json.member("crlURL", address)
            json.member("number", Int(crl.number))
            json.member("certificates", crl.count)
            json.member("thisUpdate", crl.thisUpdate.description)
            json.member("nextUpdate", crl.nextUpdate.description)
        }
    }
}
