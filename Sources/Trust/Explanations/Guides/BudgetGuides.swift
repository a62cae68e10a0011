// SPDX-License-Identifier: Apache-2.0

import PKIX

extension FailureGuides {
    static let budgets: [FailureGuide] = [
        budget(
            .depthBudgetExceeded,
            "Every path that was found has more than 32 certificates, the leaf and the anchor included.",
            sign: "`openssl s_client -connect HOST:443 -showcerts </dev/null | grep -c BEGIN` prints a large number.",
            cause: "A private PKI has a CA for every unit of an organization, each below the other.",
            remedy:
                "Issue the server's certificate closer to the root: the longest chains in use have six certificates."),
        budget(
            .signatureBudgetExceeded,
            "The search for a path needed more than 200 signature checks, in units of one with P-256.",
            sign: "The chain has many CAs of one name with different keys; `servertrust inspect HOST` lists them.",
            cause: "A bundle of all CA certificates ever issued under one name is sent as the chain.",
            remedy: "Send one certificate for each CA of the path, and let keys of P-521 and RSA-4096 be the exception."
        ),
        budget(
            .comparisonBudgetExceeded,
            "The search needed more than 250,000 comparisons of names with name constraints.",
            sign:
                "`openssl x509 -noout -ext nameConstraints -in ca.pem | wc -l` and the number of the leaf's names are both in the hundreds.",
            cause: "A CA with a list of thousands of permitted domains issues certificates with hundreds of names.",
            remedy: "Split the certificate into several with fewer names, or the CA into several with shorter lists."),
        budget(
            .stepBudgetExceeded, "The search tried more than 4,000 issuers on all paths together.",
            sign: "The chain has many certificates of few names: each pair multiplies the number of paths.",
            cause:
                "Several CAs have cross-signed each other in both directions, and all these certificates are sent or configured.",
            remedy: "Send the one path that clients need; leave cross-signed certificates for others out."),
        budget(
            .workBudgetExceeded,
            "Reading and comparing the certificates took more than 20 million units of work, some 20 to 40 milliseconds.",
            sign: "One certificate is very large: `openssl s_client -connect HOST:443 -showcerts </dev/null | wc -c`.",
            cause:
                "A certificate has thousands of names or extensions, or names in scripts that are costly to compare.",
            remedy: "Have certificates issued with the names that the server serves, and no others."),
        budget(
            .byteBudgetExceeded, "The certificates together are larger than 4 MiB.",
            sign: "The message has the size; the chain of the public web has some 5 KB.",
            cause:
                "A whole bundle of roots or intermediates is configured as the server's chain, or as extra intermediates of the client.",
            remedy: "Send the chain alone: `ssl_certificate fullchain.pem;` and no `ca-bundle.crt`."),
    ]

    private static func budget(
        _ code: TrustFailure.Code, _ meaning: String, sign: String, cause: String, remedy: String
    ) -> FailureGuide {
        FailureGuide(
            code, meaning: meaning + " No decision was reached, which is no trust.", sign: sign,
            causes: [
                cause, "The certificates are made to keep the client busy: an attack on its processor or memory.",
            ],
            serverRemedies: [
                remedy,
                "Compare with `servertrust check HOST --fix`, which prints the shortest chain: an honest server needs less than a twentieth of the budget.",
            ],
            customization: .none(
                because: "The budget protects the client, and an evaluation that was stopped has found no path."),
            never: ["Raising limits until a server passes: the next chain is larger."])
    }
}
