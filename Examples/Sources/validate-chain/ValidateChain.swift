// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Evaluates a chain from a PEM file, leaf first, for a host, with the system's anchors, today or at another date.
///
///     swift run --package-path Examples validate-chain chain.pem www.example.com
///     swift run --package-path Examples validate-chain chain.pem www.example.com 2027-01-01
@main
struct ValidateChain {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first, let name = arguments.dropFirst().first, arguments.count <= 3 else {
            print("usage: validate-chain FILE HOST [DATE]")
            exit(64)
        }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let chain = try CertificateFile.certificates(in: bytes, name: file)

        var trust = Trust(presentedChain: chain, host: try Hostname(name))
        if let date = arguments.dropFirst(2).first { trust.verifyDate = .at(try Time(rfc3339: date)) }

        let verdict = trust.evaluate()  // synchronous, no network
        print(verdict)
        exit(verdict.isTrusted ? 0 : 1)
    }
}
