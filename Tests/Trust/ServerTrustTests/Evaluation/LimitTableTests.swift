// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

/// The rule for limits: what a limit cut off is never "no evidence". The table is Documentation/Generated/LimitTable.md.
@Suite("Limits of evidence and revocations beyond them")
struct LimitTableTests {
    private static let scene = Result { try EvidenceScene() }

    @Test("A revocation beyond a limit refuses the server in every mode", arguments: LimitRow.all)
    func revoked(row: LimitRow) throws {
        for mode in RevocationPolicy.Mode.allCases {
            let verdict = try row.verdict(Self.scene.get(), mode)
            #expect(Set(verdict.codes) == [row.isAnswered ? .certificateRevoked : .revocationUnavailable], "\(mode)")
            guard !row.isAnswered else { continue }
            #expect(verdict.revocation.first?.exceedsBudget == true, "\(mode)")
        }
    }

    @Test("Evidence beyond a limit refuses only the certificates that it may concern")
    func junk() throws {
        let scene = try Self.scene.get()
        let other = try scene.root.intermediate(.authority("Other CA"))
        let forged = try (0..<500).map { number in
            try other.crl {
                ($0.hasWrongSignature, $0.number) = (true, UInt64(number))
                $0.revoke(scene.leaf)
            }.der
        }
        let signer = try other.issue(.ocspSigner())
        let response = try other.ocspResponse(signedBy: signer) {
            $0.add(scene.leaf, .revoked) { $0.issuer = other }
            $0.certificates = Array(repeating: scene.leaf, count: 20)
        }
        let own = try scene.issuer.crl()
        let verdict = try scene.verdict(Evidence(crls: forged + [own.der], responses: [response.der]), .required)
        #expect(verdict.isTrusted && verdict.revocation.first?.status == .good)
    }

    @Test("A list that is larger than its reader accepts is an error, and no part of it is used")
    func lists() {
        #expect(throws: DeniedListError.self) {
            try DeniedList([UInt8](repeating: 0x20, count: DeniedList.maximumSize + 1))
        }
        #expect(throws: CTLogListError.self) {
            try CTLogList(json: [UInt8](repeating: 0x20, count: CTLogList.maximumSize + 1), now: TestAuthority.now)
        }
        #expect(throws: RootListError.self) { try RootList([UInt8](repeating: 0x20, count: 32 << 20 + 1)) }
        #expect(throws: ClubcardError.self) { try RevocationFilter([4, 0, 0xff, 0xff]) }
    }

    @Test("The table in Documentation/Generated/LimitTable.md contains these limits and verdicts")
    func documentation() throws {
        var text = """
            <!-- SPDX-License-Identifier: Apache-2.0 -->
            # Limits: what happens to a revocation beyond them

            A limit never turns evidence into "no evidence". In each row, the evidence revokes the leaf of an otherwise valid chain, but only
            beyond the limit, or behind parts that can't be read. The engine either finds the revocation anyway, or refuses the server because
            it couldn't read everything (`budgetExceeded`), whether revocation is off, best effort or required. "Signature first" says
            whether the engine verifies the author's signature before it does the work. Where it doesn't, forged evidence can have a server
            refused, but only a server whose certificate has the evidence's issuer. Only your own code can supply evidence beyond the limits of
            bytes.

            Evidence that isn't a CRL or an OCSP response at all is left out with a warning, because its signature can't be verified. A list of
            roots, logs, denied certificates or pins that exceeds its reader's limit is an error when you load it. No part of it is used.
            `LimitTableTests` compares this page, and writes it with `SERVERTRUST_WRITE_DOCUMENTATION=1`.

            | evidence | limit | who sets the count | signature first | off | best effort | required |
            |---|---|---|---|---|---|---|

            """
        for row in LimitRow.all {
            let cells = try [RevocationPolicy.Mode.off, .bestEffort, .required].map {
                try row.verdict(Self.scene.get(), $0).limitCell
            }
            text += "| \(row.evidence) | \(row.limit) | \(row.author) | \(row.isVerifiedFirst ? "yes" : "no") | "
            text += cells.joined(separator: " | ") + " |\n"
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Generated/LimitTable.md")
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}

extension TrustVerdict {
    /// The verdict in a cell of the table.
    fileprivate var limitCell: String {
        let isBudget = revocation.first?.exceedsBudget == true
        return (isTrusted ? "trusted" : "**refused**: ") + (codes.first?.name ?? "")
            + (isBudget ? " (budgetExceeded)" : "")
    }
}
