// SPDX-License-Identifier: Apache-2.0

import PKIX

extension FailureGuides {
    static let budgets: [FailureGuide] = [
        budget(
            .depthBudgetExceeded,
            "Every path that the engine found has more than 32 certificates, including the leaf and the anchor.",
            sign: "`openssl s_client -connect HOST:443 -showcerts </dev/null | grep -c BEGIN` prints a large number.",
            cause: "A private PKI has a CA for every unit of an organization, each below the previous one.",
            remedy:
                "Issue the server's certificate closer to the root. The longest chains in use have six certificates."),
        budget(
            .signatureBudgetExceeded,
            "The search for a path needed signature checks that cost more than 200 P-256 checks.",
            sign: "The chain has many CAs with one name and different keys. `servertrust inspect HOST` lists them.",
            cause: "The server sends a bundle of all CA certificates that were ever issued under one name.",
            remedy: "Send one certificate for each CA in the path, and avoid P-521 and RSA-4096 keys where you can."
        ),
        budget(
            .comparisonBudgetExceeded,
            "The search needed more than 250,000 comparisons between names and name constraints.",
            sign:
                "`openssl x509 -noout -ext nameConstraints -in ca.pem | wc -l` prints a number in the hundreds, and the leaf has hundreds of names.",
            cause: "A CA with thousands of permitted domains issues certificates with hundreds of names.",
            remedy:
                "Split the certificate into several with fewer names, or the CA into several with fewer permitted domains."
        ),
        budget(
            .stepBudgetExceeded, "The search tried more than 4,000 issuers, counted over all paths.",
            sign: "The chain has many certificates with few different names. Each pair multiplies the number of paths.",
            cause:
                "Several CAs cross-signed each other in both directions, and the server sends all these certificates, or the client's configuration contains them.",
            remedy: "Send the one path that clients need. Leave out cross-signed certificates for other paths."),
        budget(
            .workBudgetExceeded,
            "Parsing and comparing the certificates took more than 20 million units of work, which is about 20 to 40 milliseconds.",
            sign: "One certificate is very large: `openssl s_client -connect HOST:443 -showcerts </dev/null | wc -c`.",
            cause:
                "A certificate has thousands of names or extensions, or names in scripts that are expensive to compare.",
            remedy: "Have certificates issued only for the names that the server serves."),
        budget(
            .byteBudgetExceeded, "The certificates together are larger than 4 MiB.",
            sign: "The message states the size. A typical chain on the public web is about 5 KB long.",
            cause:
                "A whole bundle of roots or intermediates is configured as the server's chain, or as the client's extra intermediates.",
            remedy: "Send only the chain: `ssl_certificate fullchain.pem;` without `ca-bundle.crt`."),
    ]

    private static func budget(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " The evaluation reached no decision, so the server isn't trusted.", sign: sign,
            causes: [
                cause, "An attacker made the certificates to use up the client's processor time or memory.",
            ],
            serverRemedies: [
                remedy,
                "Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.",
            ],
            customization: .none(
                because: "The budget protects the client, and an evaluation that stops early has found no path."),
            never: ["Raising limits until a server passes: the next chain will be larger."])
    }
}
