// The delegate for Apple's URLSession, run on Linux over the stubs: which challenges it answers, and how.
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

/// An app's own: the class is open, and its method may be called.
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
        // Trusted: the credential with the trust. Pins that don't match, hosts without a rule, nothing to evaluate: cancelled.
        try expect(try ask("www.example.com", method, SecTrust(script)), 10)
        try expect(try ask("api.example.com", method, SecTrust(script)), 2)
        try expect(try ask("other.example.com", method, SecTrust(script)), 2)
        try expect(try ask("www.example.com", method, nil), 2)
        try expect(try ask("not a host", method, SecTrust(script)), 2)
        // Somebody else's challenge: the system's.
        try expect(try ask("www.example.com", "NSURLAuthenticationMethodHTTPBasic", nil), 1)
        try expect(delegate.calls.withLock { $0 }, 6)
        try expect(delegate.refusal(of: "api.example.com")?.headline?.code, .pinNotMatched)
        try expect(delegate.refusal(of: "other.example.com")?.headline?.code, .hostNotListed)
        try expect(delegate.refusal(of: "www.example.com") == nil, true)
        let error = URLError(refused: try delegate.refusal(of: "api.example.com").unwrapped(), at: nil)
        try expect(error.code, .serverCertificateUntrusted)
        print("session rehearsal: OK")
    }
}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw Mismatch(description: "nothing there") }
        return self
    }
}
