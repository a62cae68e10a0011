// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import PrivateCA
import ServerTrust

/// `servertrust ca list`: shows the issued certificates.
struct CAList: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca list", abstract: "Show the issued certificates, oldest first.")

    @OptionGroup var options: CAOptions

    func run() throws {
        let folder = try options.open()
        let records = try folder.records()
        let now = Time.now()
        try options.format.write { palette in
            func line(_ serial: String, _ status: String, _ until: String, _ days: String, _ usage: String) -> String {
                serial.padded(to: 34) + status.padded(to: 9) + until.padded(to: 22) + days.padded(to: 6)
                    + usage.padded(to: 12)
            }
            let rows = records.map { record in
                line(
                    record.serialNumber, record.status(at: now).rawValue, record.notAfter.description,
                    "\(DaysLeft(until: record.notAfter, at: now).days)", record.purpose.rawValue)
                    + printable(record.names.joined(separator: ", "))
            }
            let header = line("serial", "status", "until", "days", "usage") + "names"
            return ([palette.bold(header)] + rows).joined(separator: "\n") + "\n"
        } json: {
            JSONWriter.answer(of: records) { json, record in
                json.members(of: record)
                json.member("status", record.status(at: now).rawValue)
            }
        }
        try options.warnOfLeftovers(in: folder)
    }
}
