// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import PKIX
import ServerTrust
import ServerTrustNIO
import Testing

@testable import ServerTrustCommand
@testable import ServerTrustPins

@Suite("Error names in the command's output") struct ReportedNameTests {
    /// Returns the names that the command prints for the codes with a prefix.
    private static func names(_ prefix: String, _ name: (ErrorCode) -> String) -> [(code: String, name: String)] {
        Guides.errors.entries.map(\.name).filter { $0.hasPrefix(prefix) }.map { ($0, name(ErrorCode($0))) }
    }

    private static let names =
        names("connection") { ConnectionFailure($0, host: nil).reportedReason }
        + names("fetch") { TrustFetchError($0, url: "").reportedName } + names("pinFile") { $0.inPinFile }
        + names("pinList") { $0.inPinList }

    @Test("explain finds the page for every code from the name that the command prints", arguments: names)
    func explained(code: String, name: String) {
        #expect(Guides.errors(reportedAs: name).contains { $0.name == code })
        #expect(ExplainedCode.named(code) != nil)
    }

    @Test("A name that the command prints belongs to no other code")
    func others() {
        for name in Set(Self.names.map(\.name)) {
            let codes = Self.names.filter { $0.name == name }.map(\.code)
            #expect(Set(Guides.errors(reportedAs: name).map(\.name)) == Set(codes), "\(name)")
        }
    }

    @Test(
        "explain shows all codes that share a printed name",
        arguments: [
            ("plainHTTP", ["connectionPlainHTTP (error)"]), ("rollback", ["pinListRollback (error)"]),
            (
                "timedOut",
                ["fetchTimedOut (error)", "connectionTimedOut (error)", "connectionEvaluationTimedOut (error)"]
            ),
            ("signatureInvalid", ["signatureInvalid (fatal)", "pinListSignatureInvalid (error)"]),
            ("malformed", ["fetchMalformed (error)", "pinListMalformed (error)"]),
            (
                "redirect",
                [
                    "redirectToPlainHTTP (error)", "redirectMalformed (error)", "redirectLimitExceeded (error)",
                    "redirectCycle (error)",
                ]
            ),
        ])
    func command(name: String, titles: [String]) throws {
        let page = try Tool.run(["explain", name])
        #expect(page.status == 0)
        // The page of a failure ends with the other codes of its name.
        let shown = page.lines.compactMap { line in
            line.firstMatch(of: /^(?:  Or )?(\w+ \((?:error|fatal)\))(?:$|:)/).map { String($0.1) }
        }
        #expect(shown == titles)
    }

    @Test("explain doesn't treat a message as a list of codes, even if it contains code names")
    func words() throws {
        let page = try Tool.run(["explain", "certificate", "has", "expired"])
        #expect(page.status == 0)
        #expect(page.lines.contains { $0.contains("certificateExpired") })
        let names = try Tool.run(["explain", "rollback", "notLiteral"])
        #expect(
            names.lines.filter { $0.hasSuffix(" (error)") } == ["pinListRollback (error)", "pinFileNotLiteral (error)"])
    }
}
