// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PrivateCA
import ServerTrust

/// `servertrust ca revoke`: marks a certificate as revoked.
struct CARevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca revoke", abstract: "Mark a certificate as revoked.")

    @Argument(
        help: ArgumentHelp("A serial number in hexadecimal, or a file with the certificate.", valueName: "serial|file"),
        completion: .file())
    var certificate: String

    @Option(help: "Why.")
    var reason: IssuedRevocationReason = .unspecified

    @OptionGroup var options: CAOptions

    func run() throws {
        let folder = try options.open()
        // A serial number has 32 digits. If a file has such a name, users can pass ./NAME.
        let isSerialNumber = certificate.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "x" || $0 == "X" }
        guard isSerialNumber || certificate == "-" || FileManager.default.fileExists(atPath: certificate) else {
            throw CommandFailure(
                "\(printable(certificate)): isn't an existing file or a serial number [fileMissing]",
                hint: "servertrust ca list shows the serial numbers; the certificates are in the issued folder")
        }
        let leaf =
            isSerialNumber && !certificate.isEmpty
            ? nil : try CertificateInput.presentedChain([certificate]).certificates.first
        let record =
            if let leaf {
                try folder.revoke(leaf, file: certificate, reason: reason, at: .now())
            } else {
                try folder.revoke(serialNumber: certificate, reason: reason, at: .now())
            }
        try options.write(
            { palette in
                let (time, reason) = (record.revocation?.time.description, record.revocation?.reason.rawValue)
                return "\(palette.bold(record.names.joined(separator: ", "))) revoked \(time ?? "") (\(reason ?? ""))"
            }, [("serial", record.serialNumber)]
        ) { $0.members(of: record) }
        if options.format == .text {
            Diagnostics.hint("clients learn of the revocation from the next CRL; create it with servertrust ca crl")
        }
    }
}
