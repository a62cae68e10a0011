// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import ServerTrustMigration
import ServerTrustPins
import ServerTrustTesting
import ServerTrustURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
import SecurityCompatibility
#endif

/// `URLSession` with a delegate as on Apple platforms, with pins from an `Info.plist`, with a store of pinned
/// certificates, and with errors that have codes.
///
/// The servers are real lab servers on loopback.
@main
struct URLSessionExample {
    static func main() async throws {
        try await dispositions()
        try await pinsOfInfoPlist()
        try await storeOfCertificates()
        try await errorCodes()
    }

    /// A delegate's four answers about a good server, and about a server of an unknown CA.
    static func dispositions() async throws {
        print("the four dispositions")
        let good = try await server()
        let unknown = try await server("Another Root")
        for (name, server, anchors) in [
            ("good", good, good.certificates.anchors), ("unknown CA", unknown, good.certificates.anchors),
        ] {
            print("  \(name):")
            for (title, disposition) in [
                ("default handling", URLSession.AuthChallengeDisposition.performDefaultHandling),
                ("use credential", .useCredential), ("cancel", .cancelAuthenticationChallenge),
                ("reject", .rejectProtectionSpace),
            ] {
                let session = URLSession(
                    configuration: .ephemeral.withServerTrust(try trust(DefaultTrustEvaluator(), anchors)),
                    delegate: AnsweringDelegate(disposition), delegateQueue: nil)
                print("    \(title): \(await load(server, session))")
                session.finishTasksAndInvalidate()
            }
        }
        await good.stop()
        await unknown.stop()
    }

    /// Pins in an app's format for App Transport Security.
    static func pinsOfInfoPlist() async throws {
        print("pins of an Info.plist")
        let good = try await server()
        let other = try await server()
        let pin = SPKIPin(good.certificates.chain[0])
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
              <key>localhost</key><dict>
                <key>NSPinnedLeafIdentities</key><array><dict>
                  <key>SPKI-SHA256-BASE64</key><string>\(pin.description.dropFirst("sha256/".count))</string>
                </dict></array>
              </dict>
            </dict></dict></dict></plist>
            """
        let configuration = try PinConfiguration(reading: Array(plist.utf8), file: "Info.plist")
        for (name, server) in [("pinned key", good), ("another key", other)] {
            var trust = try configuration.serverTrustConfiguration()
            trust.anchors = .only(server.certificates.anchors)
            let session = URLSession(configuration: .ephemeral.withServerTrust(trust))
            print("  \(name): \(await load(server, session))")
            session.finishTasksAndInvalidate()
        }
        await good.stop()
        await other.stop()
    }

    /// Certificates by domain in a property list, which is read for each connection, as in ISPCertificatePinning.
    static func storeOfCertificates() async throws {
        print("a store of certificates")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = try await server()
        let other = try await server()
        let store = ISPPinStore(file: folder.appendingPathComponent("SSLPins.plist").path)
        try store.setUp(["localhost": [good.certificates.chain[0].der]])
        for (name, server) in [("pinned certificate", good), ("another one", other)] {
            let session = URLSession(
                configuration: .ephemeral.withServerTrust(
                    try trust(DefaultTrustEvaluator(), server.certificates.anchors)),
                delegate: PinnedCertificateDelegate(store), delegateQueue: nil)
            print("  \(name): \(await load(server, session))")
            session.finishTasksAndInvalidate()
        }
        await good.stop()
        await other.stop()
    }

    /// Errors by their codes, Apple's and this package's.
    static func errorCodes() async throws {
        print("errors")
        let now = Time.now()
        let servers: [(String, LabServer)] = [
            ("expired", try await server { $0.notAfter = now.advanced(by: .days(-1)) }),
            ("not yet valid", try await server { $0.notBefore = now.advanced(by: .days(1)) }),
            ("another name", try await server { $0.dnsNames = ["api.example.com"] }),
            ("unknown CA", try await server("Another Root")),
        ]
        let ours = try TestAuthority.root(CertificateTemplate.authority("Our Root").valid(around: now))
        for (name, server) in servers {
            let anchors = name == "unknown CA" ? [ours.certificate] : server.certificates.anchors
            let session = URLSession(
                configuration: .ephemeral.withServerTrust(try trust(DefaultTrustEvaluator(), anchors)))
            print("  \(name): \(await load(server, session))")
            session.finishTasksAndInvalidate()
            await server.stop()
        }
    }

    // MARK: - Shared by the parts

    /// Sends a request, and returns its status or the codes of its error.
    static func load(_ server: LabServer, _ session: URLSession) async -> String {
        guard let url = URL(string: "https://localhost:\(server.port)/") else { return "no address" }
        do {
            let (_, response) = try await session.data(from: url)
            return "status \((response as? HTTPURLResponse)?.statusCode ?? 0)"
        } catch let error as URLError {
            // The verdict has all failures, paths and advice. Programs branch on the codes.
            guard let failure = error.serverTrustVerdict?.headline else { return "error \(error.code.rawValue)" }
            return "error \(error.code.rawValue), \(failure.code)"
        } catch {
            return "\(error)"
        }
    }

    static func trust(_ evaluator: any TrustEvaluator, _ anchors: [Certificate]) throws -> ServerTrustConfiguration {
        var trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: ["localhost": evaluator]))
        trust.anchors = .only(anchors)
        return trust
    }

    /// Starts a server on loopback whose certificate is from a separate CA.
    static func server(
        _ authority: String = "Example Root", _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) async throws -> LabServer {
        let now = Time.now()
        let root = try TestAuthority.root(CertificateTemplate.authority(authority).valid(around: now))
        let leaf = try root.issue(CertificateTemplate.leaf("localhost").valid(around: now).with(change))
        return try await LabServer.start(.custom(host: "localhost", leaf: leaf, anchors: [root.certificate]))
    }
}

/// A delegate that gives one answer to every challenge about a server, written as for Apple platforms.
final class AnsweringDelegate: NSObject, URLSessionDelegate {
    private let disposition: URLSession.AuthChallengeDisposition

    init(_ disposition: URLSession.AuthChallengeDisposition) { self.disposition = disposition }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(disposition, disposition == .useCredential ? URLCredential(trust: trust) : nil)
    }
}

/// A delegate like ISPCertificatePinning's base class: evaluation first, then the pinned certificate.
final class PinnedCertificateDelegate: NSObject, URLSessionDelegate {
    private let store: ISPPinStore

    init(_ store: ISPPinStore) { self.store = store }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        guard let trust = space.serverTrust else { return completionHandler(.performDefaultHandling, nil) }
        let verdict = trust.verdict
        guard verdict.isTrusted, store.verifyPinnedCertificate(for: verdict, domain: space.host) else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
