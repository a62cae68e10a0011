// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `servertrust crl`: CRLs.
struct CRL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crl",
        abstract: "Fetch CRLs before they are needed.",
        discussion: """
            $ servertrust crl prefetch --issuers chains.pem
            $ servertrust crl prefetch --hosts servers.txt

            servertrust ca crl makes the CRL of a private CA.
            """,
        subcommands: [CRLPrefetchVerb.self])
}
