// SPDX-License-Identifier: Apache-2.0

// Runs the delegate for Apple's URLSession on Linux with the stubs, and checks which challenges it answers and how.
import AppleURLSession
import Foundation
import PKIX
import Security
import ServerTrust
import ServerTrustTesting
import ServerTrustURLSession

struct Mismatch: Error, CustomStringConvertible {
    let description: String
}

func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
    guard found == expected else { throw Mismatch(description: "line \(line): found \(found), expected \(expected)") }
}

/// An app's own subclass: the class is open, and the app can call its method.
final class AppDelegate: ServerTrustSessionDelegate, @unchecked Sendable {
    let calls = Locked(0)

    override func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.withLock { $0 += 1 }
        super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }
}

@main
struct SessionRehearsal {
    static func main() throws {
        let root = try TestAuthority.root()
        let leaf = try root.issue(.leaf("www.example.com")).certificate
        let stranger = try TestAuthority.root().certificate
        var script = SecTrust.Script()
        script.certificates = [leaf.der, root.certificate.der]
        let good = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(root.certificate)]))
        let bad = SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(stranger)]))
        let delegate = AppDelegate(
            try ServerTrustManager(evaluators: ["www.example.com": good, "api.example.com": bad]))

        func ask(_ host: String, _ method: String, _ trust: SecTrust?) throws -> Int {
            let space = URLProtectionSpace(host: host, authenticationMethod: method, serverTrust: trust)
            let found = Locked<[Int]>([])
            delegate.urlSession(URLSession(), didReceive: URLAuthenticationChallenge(space)) {
                disposition, credential in
                let hasCredential = credential != nil
                found.withLock { $0.append(disposition.rawValue + (hasCredential ? 10 : 0)) }
            }
            delegate.urlSession(URLSession(), task: URLSessionTask(), didReceive: URLAuthenticationChallenge(space)) {
                disposition, credential in
                let hasCredential = credential != nil
                found.withLock { $0.append(disposition.rawValue + (hasCredential ? 10 : 0)) }
            }
            let answers = found.withLock { $0 }
            try expect(answers.count, 2)
            try expect(answers.first, answers.last)
            return answers.first ?? -1
        }
        let method = NSURLAuthenticationMethodServerTrust
        // A trusted server gets the credential with the trust. The delegate cancels if the pins don't match, the host
        // has no rule, or there is nothing to evaluate.
        try expect(try ask("www.example.com", method, SecTrust(script)), 10)
        try expect(try ask("api.example.com", method, SecTrust(script)), 2)
        try expect(try ask("other.example.com", method, SecTrust(script)), 2)
        try expect(try ask("www.example.com", method, nil), 2)
        try expect(try ask("not a host", method, SecTrust(script)), 2)
        // The delegate leaves challenges of other kinds to the system.
        try expect(try ask("www.example.com", "NSURLAuthenticationMethodHTTPBasic", nil), 1)
        try expect(delegate.calls.withLock { $0 }, 6)
        try expect(delegate.refusal(of: "api.example.com")?.headline?.code, .pinNotMatched)
        try expect(delegate.refusal(of: "other.example.com")?.headline?.code, .hostNotListed)
        try expect(delegate.refusal(of: "www.example.com") == nil, true)
        let error = URLError(refused: try delegate.refusal(of: "api.example.com").unwrapped(), at: nil)
        try expect(error.code, .serverCertificateUntrusted)
        try withAnotherDelegate(leaf: leaf, root: root.certificate)
        try withSettings(leaf: leaf, root: root.certificate, stranger: stranger)
        print("session rehearsal: OK")
    }
}

extension SessionRehearsal {
    /// The delegate applies the settings of a whole configuration. Its anchors replace the system's. Without settings,
    /// the system evaluates.
    static func withSettings(leaf: Certificate, root: Certificate, stranger: Certificate) throws {
        var script = SecTrust.Script()
        script.certificates = [leaf.der, root.der]
        for (anchor, expected) in [(nil, 10), (root, 10), (stranger, 2)] as [(Certificate?, Int)] {
            var trust = ServerTrustConfiguration(
                try ServerTrustManager(evaluators: ["www.example.com": DefaultTrustEvaluator()], memory: nil))
            if let anchor { trust.anchors = .only([anchor]) }
            let space = URLProtectionSpace(
                host: "www.example.com", authenticationMethod: NSURLAuthenticationMethodServerTrust,
                serverTrust: SecTrust(script))
            let found = Locked(-1)
            ServerTrustSessionDelegate(trust).urlSession(
                URLSession(), didReceive: URLAuthenticationChallenge(space)
            ) { disposition, credential in
                let hasCredential = credential != nil
                found.withLock { $0 = disposition.rawValue + (hasCredential ? 10 : 0) }
            }
            try expect(found.withLock { $0 }, expected)
        }
    }

    /// Another package's delegate behind this one: this package's rules limit its decisions, and its changes to the
    /// trust come too late.
    static func withAnotherDelegate(leaf: Certificate, root: Certificate) throws {
        let stranger = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pinsRiskingLockout: [SPKIPin(try TestAuthority.root().certificate)]))
        let manager = try ServerTrustManager(
            rules: [
                "www.example.com": .enforced(DefaultTrustEvaluator()), "pinned.example.com": .enforced(stranger),
                "denied.example.com": .denied,
            ], memory: nil)
        let delegate = ServerTrustSessionDelegate(manager)
        var good = SecTrust.Script()
        good.certificates = [leaf.der, root.der]
        var recoverable = good
        recoverable.error = -67843
        recoverable.result = .recoverableTrustFailure
        recoverable.certificates = [leaf.der]
        var fatal = recoverable
        fatal.error = -67820
        fatal.result = .fatalTrustFailure

        /// Returns the disposition that the system gets (plus 10 with a credential), and how often the delegate was
        /// called.
        func ask(
            _ host: String, _ script: SecTrust.Script, _ answers: [URLSession.AuthChallengeDisposition],
            credential: Bool = true, meanwhile: (SecTrust) throws -> Void = { _ in }
        ) throws -> [Int] {
            let trust = SecTrust(script)
            let space = URLProtectionSpace(
                host: host, authenticationMethod: NSURLAuthenticationMethodServerTrust, serverTrust: trust)
            let found = Locked<[Int]>([])
            let asked = Locked(0)
            delegate.answer(
                URLAuthenticationChallenge(space),
                asking: { reply in
                    asked.withLock { $0 += 1 }
                    do { try meanwhile(trust) } catch { return }
                    for answer in answers { reply(answer, credential ? URLCredential(trust: trust) : nil) }
                },
                completionHandler: { disposition, credential in
                    let hasCredential = credential != nil
                    found.withLock { $0.append(disposition.rawValue + (hasCredential ? 10 : 0)) }
                })
            return found.withLock { $0 } + [asked.withLock { $0 }]
        }
        // The delegate accepts, leaves to default handling, and refuses a good server. Its first answer counts.
        try expect(try ask("www.example.com", good, [.useCredential]), [10, 1])
        try expect(try ask("www.example.com", good, [.performDefaultHandling]), [10, 1])
        try expect(try ask("www.example.com", good, [.cancelAuthenticationChallenge, .useCredential]), [2, 1])
        try expect(try ask("www.example.com", good, [.rejectProtectionSpace]), [2, 1])
        // In default evaluation, the delegate can accept recoverable failures with a credential, but not fatal ones.
        try expect(try ask("www.example.com", recoverable, [.performDefaultHandling]), [2, 1])
        try expect(try ask("www.example.com", recoverable, [.useCredential], credential: false), [2, 1])
        try expect(try ask("www.example.com", recoverable, [.useCredential, .cancelAuthenticationChallenge]), [10, 1])
        try expect(try ask("www.example.com", fatal, [.useCredential]), [2, 1])
        // Pins apply, and the delegate isn't called for hosts that are denied or have no rule.
        try expect(try ask("pinned.example.com", good, [.useCredential]), [2, 1])
        try expect(delegate.refusal(of: "pinned.example.com")?.headline?.code, .pinNotMatched)
        try expect(try ask("denied.example.com", good, [.useCredential]), [2, 0])
        try expect(try ask("other.example.com", good, [.useCredential]), [2, 0])
        // The trust has already been evaluated, so a later answer from the system doesn't matter.
        try expect(try ask("www.example.com", fatal, [.performDefaultHandling]) { $0.script = good }, [2, 1])
        try expect(try ask("pinned.example.com", fatal, [.useCredential]) { $0.script = good }, [2, 1])
        // If the rules change while the delegate decides, the server is refused, whatever the earlier verdict was.
        let denying = try ServerTrustManager(rules: ["www.example.com": .denied])
        try expect(
            try ask("www.example.com", good, [.useCredential]) { _ in manager.replaceRules(by: denying, denied: nil)
            },
            [2, 1])
        try expect(try ask("www.example.com", good, [.useCredential]), [2, 0])
    }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw Mismatch(description: "nothing there") }
        return self
    }
}
