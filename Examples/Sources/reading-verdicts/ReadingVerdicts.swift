// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// All parts of a verdict: failures with both sides, the paths that were tried, the checks, the date, and JSON.
@main
struct ReadingVerdicts {
    static func main() throws {
        // A CA that two roots have signed. One root has expired, and so has an earlier certificate of the other.
        let yesterday = TestAuthority.now.advanced(by: .days(-1))
        let old = try TestAuthority.root(.authority("Old Root").with { $0.notAfter = yesterday })
        let root = try TestAuthority.root(.authority("New Root"))
        let earlier = try TestAuthority.root(.authority("New Root").with { $0.notAfter = yesterday }, key: root.key)
        let issuing = try root.intermediate(.authority("Issuing CA"))
        let crossSigned = try issuing.crossSigned(by: old)
        let leaf = try issuing.issue(.leaf("api.example.com"))
        let chain = [leaf.certificate, issuing.certificate, crossSigned.certificate]

        for (title, host, anchors) in [
            ("a machine that was never updated", "api.example.com", [old.certificate, earlier.certificate]),
            ("another host", "www.example.com", [old.certificate, root.certificate]),
            ("the right host, and both roots", "api.example.com", [old.certificate, root.certificate]),
        ] {
            var trust = Trust(presentedChain: chain, host: try Hostname(host))
            trust.anchors = .only(anchors)
            trust.verifyDate = .at(TestAuthority.now)
            let verdict = trust.evaluate()
            print("\(title): \(verdict.isTrusted ? "trusted" : "not trusted")")
            report(verdict)
            try store(verdict)
        }
    }

    static func report(_ verdict: TrustVerdict) {
        for failure in verdict.failures {
            let expected = failure.expected.map { "\($0)" } ?? "-"
            let found = failure.found.map { "\($0)" } ?? "-"
            print("  \(failure.code) (\(failure.code.severity.rawValue)): expected \(expected), found \(found)")
        }
        for path in verdict.rejectedPaths {
            let names = path.certificates.map(\.description)
            let codes = path.failures.map(\.code.name).joined(separator: ", ")
            print("  tried \(names.joined(separator: " < ")): \(codes)")
        }
        print("  checked: \(verdict.checked.map(\.name).joined(separator: ", "))")
        print("  not checked: \(verdict.notChecked.map(\.name).joined(separator: ", "))")
        if verdict.isTrusted, let end = verdict.firstNotAfter { print("  the first certificate expires on \(end)") }
        if let until = verdict.unchangedUntil { print("  another evaluation changes nothing until \(until)") }
    }

    /// Stores a verdict as a record, for a log or a support request.
    static func store(_ verdict: TrustVerdict) throws {
        let json = try JSONEncoder().encode(verdict)
        let record = try JSONDecoder().decode(TrustVerdict.self, from: json)
        print("  record: \(record.result.rawValue), \(record.headline?.code.name ?? "no failure")")
    }
}
