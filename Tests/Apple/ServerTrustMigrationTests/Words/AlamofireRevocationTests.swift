// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustMigration
import Testing

@Suite("Policies for Alamofire's revocation options")
struct AlamofireRevocationTests {
    /// The deprecated spellings, called through a protocol because a deprecated call is an error in this package.
    private protocol Spellings {
        func evaluator(_ options: Int) -> RevocationTrustEvaluator
        func standard() -> [RevocationTrustEvaluator]
    }

    private struct Alamofire: Spellings {
        @available(*, deprecated)
        func evaluator(_ options: Int) -> RevocationTrustEvaluator {
            RevocationTrustEvaluator(options: RevocationTrustEvaluator.Options(rawValue: options))
        }

        @available(*, deprecated)
        func standard() -> [RevocationTrustEvaluator] {
            [
                .revocationChecking, .revocationChecking(), RevocationTrustEvaluator(options: .any),
                RevocationTrustEvaluator(performDefaultValidation: false),
            ]
        }
    }

    private let spellings: any Spellings = Alamofire()

    @Test("The standard spellings mean best effort with OCSP and CRLs")
    func standard() {
        for evaluator in spellings.standard() { #expect(evaluator.policy == .bestEffort) }
    }

    @Test(
        "Each option sets its part of the policy",
        arguments: [
            (0, RevocationPolicy(.bestEffort)),
            (1, RevocationPolicy(.bestEffort, sources: .ocsp)),
            (2, RevocationPolicy(.bestEffort, sources: .crls)),
            (3, RevocationPolicy(.bestEffort)),
            (7, RevocationPolicy(.bestEffort, prefersCRLs: true)),
            (8, RevocationPolicy(.required)),
            (10, RevocationPolicy(.required, sources: .crls)),
            (16, RevocationPolicy(.bestEffort, fetching: false)),
            (27, RevocationPolicy(.required, fetching: false)),
        ])
    func options(_ bits: Int, _ policy: RevocationPolicy) {
        #expect(spellings.evaluator(bits).policy == policy)
    }
}
