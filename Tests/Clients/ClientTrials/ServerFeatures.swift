// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustTesting
import ServerTrustURLSession

@testable import ServerTrustLab

/// Which servers a client accepts.
let serverFeatures: [Feature] = [
    Feature("private-ca", "Trusts a private CA in one client, not in the whole process") { client in
        let server = try await Site(isKnown: false).start()
        return try await client.get(server.url + "/", Setup(server)).status == 200
    },
    Feature("unknown-ca", "Refuses an unknown CA before it sends a byte of the request") { client in
        try await client.refuses(Site(isKnown: false).start(), Setup(anchors: [Site().root.certificate]))
    },
    Feature("expired", "Refuses an expired certificate") { client in
        let server = try await Site {
            $0.notBefore = Time.now().advanced(by: -30 * 86_400)
            $0.notAfter = Time.now().advanced(by: -86_400)
        }.start()
        return try await client.refuses(server, Setup(server))
    },
    Feature("other-host", "Refuses a certificate for another host") { client in
        let server = try await Site { $0.dnsNames = ["other.example"] }.start()
        return try await client.refuses(server, Setup(server))
    },
    Feature("pins", "Refuses a key that isn't pinned, although the CA is trusted") { client in
        let (site, other) = (try Site(isKnown: false), try Site())
        let server = try await other.start()
        var setup = Setup(anchors: [site.root.certificate, other.root.certificate])
        setup.evaluator = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pinsRiskingLockout: [SPKIPin(site.intermediate.certificate)]))
        return try await client.refuses(server, setup)
    },
    Feature("revoked", "Refuses a certificate that a CRL revokes") { client in
        let site = try Site()
        let server = try await site.start()
        var setup = Setup(server)
        setup.revocationData = RevocationData(crls: [try site.crl(revoking: site.leaf.certificate)])
        setup.evaluator = RevocationTrustEvaluator()
        return try await client.refuses(server, setup)
    },
    Feature("must-staple", "Refuses a must-staple certificate without a staple") { client in
        let server = try await Site { $0.mustStaple = true }.start()
        var setup = Setup(server)
        setup.evaluator = RevocationTrustEvaluator()
        return try await client.refuses(server, setup)
    },
    Feature("staple", "Requires revocation evidence and accepts a stapled OCSP response") { client in
        // A client that can't require evidence also accepts the server without a staple.
        let site = try Site { $0.ocspResponders = ["http://localhost/ocsp"] }
        let staple = try site.intermediate.ocspResponse {
            $0.producedAt = site.now.advanced(by: -60)
            $0.add(site.leaf.certificate) {
                $0.thisUpdate = site.now.advanced(by: -60)
                $0.nextUpdate = site.now.advanced(by: 86_400)
            }
        }.der
        let stapling = try await StaplingServer.start(site, staple: staple)
        let bare = try await StaplingServer.start(site, staple: nil)
        var setup = Setup(anchors: [site.root.certificate])
        setup.requiresRevocation = true
        defer {
            stapling.stop()
            bare.stop()
        }
        guard try await client.get(stapling.url, setup).status == 200 else { return false }
        do {
            _ = try await client.get(bare.url, setup)
            return false
        } catch {
            return true
        }
    },
    Feature("missing-intermediate", "Fetches an intermediate that the server doesn't send") { client in
        guard client.isOurs else {
            let server = try await Site().start(isComplete: false)
            return try await client.get(server.url + "/", Setup(server)).status == 200
        }
        let server = try await LabServer.start(.servedIntermediate)
        var setup = Setup(server)
        setup.addresses = [server.host.description: "127.0.0.1"]
        var trust = try setup.trust
        trust.fetching = TrustFetchCoordinator(
            fetcher: try HTTPTrustFetcher(rules: AddressRules(allowedHosts: [Hostname("127.0.0.1")])))
        if client == .trusted {
            let trusted = try TrustedHTTPClient(trust: trust, configuration: setup.trustedConfiguration)
            let request = HTTPClientRequest(url: server.url + "/")
            return try await trusted.execute(request, timeout: .seconds(10)).status == .ok
        }
        let session = URLSession(
            configuration: setup.sessionConfiguration.withServerTrust(trust, connectingTo: setup.addresses))
        guard let url = URL(string: server.url) else { return false }
        return (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode == 200
    },
    Feature("reevaluation", "Closes open connections when new rules refuse their server") { client in
        let (site, other) = (try Site(), try Site())
        let server = try await site.start()
        let setup = Setup(server)
        let trust = try setup.trust
        let stricter = SPKIPinsTrustEvaluator(
            try SPKIPinSet(pinsRiskingLockout: [SPKIPin(other.intermediate.certificate)]))
        switch client {
        case .trusted:
            let trusted = try TrustedHTTPClient(trust: trust, configuration: setup.trustedConfiguration)
            _ = try await trusted.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(10)).body
                .collect(upTo: 1 << 20)
            trust.manager.replaceRules(by: try ServerTrustManager(evaluators: ["localhost": stricter]), denied: nil)
            // The change of the rules may have closed the connection before.
            await trusted.reevaluateConnections()
            return trusted.openConnections == 0
        case .session:
            let session = URLSession(configuration: setup.sessionConfiguration.withServerTrust(trust))
            guard let url = URL(string: server.url) else { return false }
            _ = try await session.data(from: url)
            trust.manager.replaceRules(by: try ServerTrustManager(evaluators: ["localhost": stricter]), denied: nil)
            await session.reevaluateServerTrust()
            // The server notices the closed connection a little later.
            for _ in 0..<100 where server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(20)) }
            return server.counts.openConnections == 0
        case .gated:
            var configuration = try setup.clientConfiguration
            let gate = try configuration.gate(by: trust)
            let gated = HTTPClient(configuration: configuration)
            _ = try await gated.execute(HTTPClientRequest(url: server.url + "/"), timeout: .seconds(10)).body
                .collect(upTo: 1 << 20)
            trust.manager.replaceRules(by: try ServerTrustManager(evaluators: ["localhost": stricter]), denied: nil)
            await gate.reevaluateConnections()
            for _ in 0..<100 where server.counts.openConnections > 0 { try await Task.sleep(for: .milliseconds(20)) }
            let isClosed = server.counts.openConnections == 0
            try await gated.shutdown()
            return isClosed
        case .ahc, .foundation: return false
        }
    },
    Feature("challenge", "Asks a delegate to evaluate the server (`NSURLAuthenticationMethodServerTrust`)") { client in
        guard client == .session || client == .foundation else { return false }
        let server = try await Site().start()
        let delegate = AskedDelegate()
        guard let url = URL(string: server.url) else { return false }
        _ = try await Setup(server).session(client, delegate: delegate).data(from: url)
        return delegate.isAsked.withLock { $0 }
    },
    Feature("client-certificate", "Presents a client certificate") { client in
        let server = try await Site().start { $0.clientCertificates = .required }
        var setup = Setup(server)
        setup.identity = server.clientIdentity
        guard client == .session else { return try await client.get(server.url + "/", setup).status == 200 }
        guard let identity = server.clientIdentity, let url = URL(string: server.url) else { return false }
        let delegate = AskedDelegate()
        delegate.credential = try URLCredential(
            certificateChainPEM: PEM.encode(identity.certificate.der, label: "CERTIFICATE"),
            privateKeyPEM: identity.key.pemRepresentation(), persistence: .none)
        let response = try await setup.session(client, delegate: delegate).data(from: url).1
        return (response as? HTTPURLResponse)?.statusCode == 200
    },
]
