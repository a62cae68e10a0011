// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import PKIX
import ServerTrust
import ServerTrustLab
import Testing

/// Thirteen delegates as apps for Apple platforms contain them. Their files have no Linux-specific code: the target's
/// module aliases provide `Security`, `CryptoKit` and `CommonCrypto`.
@Suite("Unchanged delegates with import Security")
struct UnchangedDelegateLiveTests {
    /// The data that an app has about its server.
    struct Known: Sendable {
        let host: String
        let leaf: Data
        let intermediate: Data
        let root: Data
        /// The leaf's key in Apple's form: `04 || X || Y`.
        let key: Data

        init(_ server: LabServer) throws {
            let certificates = server.certificates
            self.host = server.host.description
            self.leaf = Data(certificates.chain[0].der)
            self.intermediate = Data(certificates.chain[1].der)
            self.root = Data(certificates.anchors[0].der)
            let certificate = try #require(SecCertificateCreateWithData(nil, leaf as CFData))
            let key = try #require(SecCertificateCopyKey(certificate))
            self.key = try #require(SecKeyCopyExternalRepresentation(key, nil) as Data?)
        }

        func hash(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }
    }

    enum Form: String, CaseIterable, Sendable {
        case headers, certificate, publicKey, anchor, async, taskLevel, asyncTaskLevel, index, oldEvaluation, copiedKey
        case onQueue

        func delegate(_ known: Known) throws -> any URLSessionDelegate {
            switch self {
            case .headers:
                let leaf = try Certificate(der: [UInt8](known.leaf))
                return HeaderPinning(pins: [Data(leaf.subjectPublicKeyInfo.sha256).base64EncodedString()])
            case .certificate: return CertificateComparison(localCertificate: known.leaf)
            case .publicKey: return PublicKeyComparison(certificate: known.leaf)
            case .anchor: return AuthorityAnchor(authority: known.root)
            case .async: return AsyncPinning(hashes: [known.hash(known.intermediate).base64EncodedString()])
            case .taskLevel: return TaskLevel(certificates: [known.leaf])
            case .asyncTaskLevel: return AsyncTaskLevel(keys: [known.host: known.key])
            case .index: return CertificateIndex(intermediate: known.intermediate)
            case .oldEvaluation: return OldEvaluation(certificate: known.leaf)
            case .copiedKey: return CopiedKey(hashes: [known.hash(known.key)])
            case .onQueue: return EvaluationOnQueue(root: known.root)
            }
        }
    }

    /// Sends a request to a server and returns its status or the error code.
    private func load(_ server: LabServer, _ delegate: any URLSessionDelegate) async throws -> Result<Int, URLError> {
        let configuration = URLSessionConfiguration.ephemeral.withServerTrust(
            server.certificates.configuration, connectingTo: [server.host.description: server.address.rawValue])
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: server.url + "/"))
        do {
            let (_, response) = try await session.data(from: url)
            return .success((response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch let error as URLError {
            return .failure(error)
        }
    }

    @Test("Each delegate loads its own server and refuses one with other keys and an expired one")
    func rightAndWrong() async throws {
        let right = try await LabServer.start(.good)
        // The same name with other keys under another CA, which the client's own rules trust.
        let wrong = try await LabServer.start(.good)
        // Separate certificates, which the client's rules refuse although the delegate knows them.
        let expired = try await LabServer.start(.expired)
        do {
            let known = try Known(right)
            for form in Form.allCases {
                #expect(try await load(right, form.delegate(known)) == .success(200), "\(form)")
                await refused(try await load(wrong, form.delegate(known)), wrong, form)
                await refused(try await load(expired, form.delegate(Known(expired))), expired, form)
            }
        } catch {
            for server in [right, wrong, expired] { await server.stop() }
            throw error
        }
        for server in [right, wrong, expired] { await server.stop() }
    }

    private func refused(_ result: Result<Int, URLError>, _ server: LabServer, _ form: Form) async {
        if case .success(let status) = result { Issue.record("\(form) loaded \(server.scenario.name): \(status)") }
        #expect(server.counts.requests == 0, "\(form)")
    }

    @Test("An unchanged delegate logs the metrics of its tasks")
    func metrics() async throws {
        let server = try await LabServer.start(.good)
        let log = MetricsLog()
        let session = URLSession(
            configuration: .ephemeral.withServerTrust(
                server.certificates.configuration,
                connectingTo: [server.host.description: server.address.rawValue]),
            delegate: log, delegateQueue: nil)
        do {
            let url = try #require(URL(string: server.url + "/"))
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                session.dataTask(with: url) { _, _, _ in continuation.resume() }.resume()
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        #expect(log.lines == ["h2, 200, new, 127.0.0.1, TLS 1.3, answered", "0 redirects, measured"])
        session.invalidateAndCancel()
    }

    @Test("Trust on first use accepts a name's first server again and refuses a different one")
    func firstUse() async throws {
        let first = try await LabServer.start(.good)
        let second = try await LabServer.start(.good)
        do {
            #expect(first.host == second.host)
            let delegate = FirstUse()
            #expect(try await load(first, delegate) == .success(200))
            #expect(try await load(first, delegate) == .success(200))
            if case .success = try await load(second, delegate) { Issue.record("another server was loaded") }
            #expect(second.counts.requests == 0)
        } catch {
            for server in [first, second] { await server.stop() }
            throw error
        }
        for server in [first, second] { await server.stop() }
    }
}
