// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import ServerTrust
import ServerTrustTesting

@main
struct TrustReportExample {
    static func main() throws {
        // A server with an expired certificate.
        let root = try TestAuthority.root(.authority("Example Root"))
        let authority = try root.intermediate(.authority("Example CA"))
        let leaf = try authority.issue(
            .leaf("www.example.com").with { $0.notAfter = TestAuthority.now.advanced(by: .days(-1)) })
        var trust = Trust(
            presentedChain: [leaf.certificate, authority.certificate], host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(TestAuthority.now)
        let verdict = trust.evaluate()

        // The report is a value: an app can show it in a panel, and Codable can transfer it.
        let report = TrustReport(
            verdict, presented: trust.presentedChain, name: "www.example.com:443",
            facts: [TrustReport.Field("TLS version", "TLS 1.3")])
        print(report.headline)
        for index in report.path?.certificates ?? [] {
            let certificate = report.certificates[index]
            let place = certificate.role?.rawValue ?? "unused"
            print("  \(place): \(certificate.name), \(certificate.number.map { "sent as number \($0)" } ?? "not sent")")
        }
        for check in report.checks where check.status == .failed {
            for failure in check.failures {
                print("  \(check.title): expected \(failure.expected ?? "?"), found \(failure.found ?? "?")")
            }
        }
        if let step = report.nextSteps.first { print("  next: \(step.text)") }

        // As a page, the report is one file.
        let page = report.html()
        print("a page with a drawing: \(page.contains("<svg"))")

        let copy = try JSONDecoder().decode(TrustReport.self, from: JSONEncoder().encode(report))
        print("the same after JSON: \(copy == report)")
    }
}
