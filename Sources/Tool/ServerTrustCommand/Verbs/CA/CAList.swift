// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PrivateCA
import ServerTrust

/// `servertrust ca list`: shows the issued certificates.
struct CAList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the issued certificates, oldest first.",
        discussion: """
            $ servertrust ca list
            serial       status  until                 days  usage       names
            5f0c1d9e...  valid   2027-02-19T08:30:00Z  89    serverAuth  api.example.com
            """)

    @OptionGroup var options: CAOptions

    func run() throws {
        let folder = try options.open()
        let records = try reportingCAErrors { () throws(AuthorityFolderError) in try folder.records() }
        let now = Time.now()
        try options.write(
            text: { palette in
                let header =
                    "serial".padded(to: 34) + "status".padded(to: 9) + "until".padded(to: 22) + "days".padded(to: 6)
                    + "usage".padded(to: 12)
                    + "names"
                let rows = records.map { record in
                    record.serialNumber.padded(to: 34) + record.status(at: now).rawValue.padded(to: 9)
                        + record.notAfter.description.padded(to: 22)
                        + "\(DaysLeft(until: record.notAfter, at: now).days)".padded(to: 6)
                        + record.purpose.rawValue.padded(to: 12)
                        + printable(record.names.joined(separator: ", "))
                }
                return ([palette.bold(header)] + rows).joined(separator: "\n") + "\n"
            },
            json: records.map { record in
                { json in
                    json.members(of: record)
                    json.key("status")
                    json.string(record.status(at: now).rawValue)
                }
            })
        try options.warnOfLeftovers(in: folder)
    }
}
