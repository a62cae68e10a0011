// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension CheckReport {
    /// Returns the presented certificates in the order that the server sent them, with subject and issuer before each.
    func pem() -> String {
        var text = ""
        for report in results.flatMap(\.steps).compactMap(\.report) {
            text += "# \(report.host):\(report.port)\n"
            for (index, certificate) in report.presentedChain.certificates.enumerated() {
                let number = report.presentedChain.place(ofReadable: index) + 1
                text += "# number \(number) subject \(printable(certificate.abridgedDescription(toBytes: 1024)))\n"
                text += "#   issuer \(printable(certificate.abridgedIssuer(toBytes: 1024)))\n"
                text += PEM.encode(certificate.der, label: "CERTIFICATE")
            }
            for unreadable in report.presentedChain.unreadable {
                text += "# number \(unreadable.index + 1) can't be read\n"
            }
        }
        return text
    }
}
