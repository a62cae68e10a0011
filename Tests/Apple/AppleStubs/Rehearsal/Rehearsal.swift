// SPDX-License-Identifier: Apache-2.0

// Runs the bridge to Apple's Security framework on Linux with the stub. CoreFoundation is real, and the system's
// answers are scripted. The program shows that the bridge reads and writes arrays, data, strings, dates, errors and
// dictionaries correctly. It can't show the behavior of Apple's framework.
import PKIX
import Security
import ServerTrust
import ServerTrustTesting

struct Mismatch: Error, CustomStringConvertible {
    let description: String
}

func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
    guard found == expected else { throw Mismatch(description: "line \(line): found \(found), expected \(expected)") }
}

@main
struct Rehearsal {
    static func main() throws {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue(.leaf("www.example.com")).certificate
        let path = [leaf, intermediate.certificate, root.certificate]
        let host = try Hostname("www.example.com")
        let pins = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(root.certificate)]))
        let manager = try ServerTrustManager(evaluators: ["www.example.com": pins])

        // Trusted, with details.
        var script = SecTrust.Script()
        script.certificates = path.map(\.der)
        script.trueDetails = [kSecTrustCertificateTransparency]
        script.falseDetails = [kSecTrustRevocationChecked]
        var secTrust = SecTrust(script)
        var verdict = try manager.requireTrust(secTrust, host: host)
        try expect(verdict.result, .unspecified)
        try expect(verdict.path, path)
        try expect(verdict.matchedPin?.certificate, 2)
        try expect(verdict.checked.contains(.certificateTransparency), true)
        try expect(verdict.notChecked, [.revocation])
        try expect(secTrust.policies.map(\.text), ["server www.example.com"])
        let now = Double(verdict.evaluationDate.secondsSinceEpoch)
        try expect(secTrust.date.map { $0 + 978_307_200 }, now)

        // The name, date and revocation results that the trust object reports.
        script.trueDetails.append(kSecTrustRevocationChecked)
        script.falseDetails = []
        secTrust = SecTrust(script)
        var trust = Trust(secTrust, host: host)
        trust.identity = .insecurelyAnyName
        trust.revocation = .required
        trust.verifyDate = .at(Time(secondsSinceEpoch: 978_307_201))
        verdict = trust.evaluate()
        try expect(verdict.isTrusted, true)
        try expect(verdict.notChecked, [.identity])
        try expect(secTrust.policies.map(\.text), ["server any", "revocation 11"])
        try expect(secTrust.date, 1)

        // Everything in a revocation policy that the system supports. The bridge warns about the scope and extra
        // intermediates.
        let flags: [(RevocationPolicy, String)] = [
            (.bestEffort, "revocation 3"), (RevocationPolicy(.bestEffort, sources: .ocsp), "revocation 1"),
            (RevocationPolicy(.bestEffort, sources: .crls), "revocation 2"),
            (RevocationPolicy(.bestEffort, sources: .crls, prefersCRLs: true), "revocation 6"),
            (RevocationPolicy(.bestEffort, sources: .ocsp, fetching: false), "revocation 17"),
            (RevocationPolicy(.required, prefersCRLs: true, fetching: false), "revocation 31"),
        ]
        for (policy, text) in flags {
            verdict = RevocationTrustEvaluator(policy).evaluate(secTrust, host: host)
            try expect(verdict.isTrusted, true)
            try expect(verdict.warnings, [])
            try expect(secTrust.policies.map(\.text), ["server www.example.com", text])
        }
        trust = Trust(secTrust, host: host)
        trust.intermediates = [intermediate.certificate]
        verdict = RevocationTrustEvaluator(RevocationPolicy(.bestEffort, scope: .leaf)).evaluate(trust)
        try expect(verdict.isTrusted, true)
        try expect(verdict.warnings.count, 2)
        // If the system doesn't report a check, the bridge warns about best effort.
        script.trueDetails = []
        verdict = RevocationTrustEvaluator().evaluate(SecTrust(script), host: host)
        try expect(verdict.revocationGaps, [.notCheckedBySystem])
        // A name that differs from the host.
        secTrust = SecTrust(script)
        verdict = DefaultTrustEvaluator(expecting: try Hostname("other.example")).evaluate(secTrust, host: host)
        try expect(verdict.referenceName?.description, "other.example")
        try expect(secTrust.policies.map(\.text), ["server other.example"])

        // Refused.
        script.error = -67602
        script.result = .recoverableTrustFailure
        verdict = manager.evaluate(SecTrust(script), host: host)
        try expect(verdict.failures.map(\.code), [.systemRefused])
        try expect(verdict.failures.map(\.found), [.text("errSecHostNameMismatch (-67602)")])
        let other = try Hostname("192.0.2.1")
        secTrust = SecTrust(script)
        verdict = DefaultTrustEvaluator().evaluate(secTrust, host: other)
        try expect(verdict.failures.map(\.code), [.hostMismatch])
        try expect(secTrust.policies.map(\.text), ["server 192.0.2.1"])

        // The system returns no answer.
        script.statusOfPolicies = -50
        verdict = manager.evaluate(SecTrust(script), host: host)
        try expect(verdict.failures.map(\.code), [.systemEvaluationUnavailable])
        try expect(verdict.result, .otherError)
        verdict = manager.evaluate(SecTrust(SecTrust.Script()), host: host)
        try expect(verdict.failures.map(\.code), [.presentedChainEmpty])

        // The package's own engine, with the same chain.
        trust = Trust(SecTrust(script), host: host, using: .own)
        trust.verifyDate = .at(TestAuthority.now)
        trust.anchors = .only([root.certificate])
        try expect(manager.evaluate(trust).result, .unspecified)
        trust.anchors = .only([])
        try expect(manager.evaluate(trust).failures.map(\.code), [.untrustedRoot])
        print("rehearsal: OK")
    }
}
