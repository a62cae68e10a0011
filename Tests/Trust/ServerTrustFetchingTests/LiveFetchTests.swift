// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustCache
import ServerTrustHTTP
import Testing

@testable import ServerTrustTesting

/// Servers from other projects on loopback. Each row has its own leaf, which points to the row's server.
@Suite(.serialized, .enabled(if: !Servers.areMissing)) struct LiveFetchTests {
    static let host = "www.example.com"
    /// The machine's clock, because OpenSSL's responder can't use another.
    let now = Time.now()
    let servers: Servers
    let authority: TestAuthority
    let stranger: TestAuthority

    init() throws {
        self.servers = try Servers()
        let (from, to) = (now.advanced(by: -86_400), now.advanced(by: 30 * 86_400))
        func template(_ name: String) -> CertificateTemplate {
            .authority(name).with { ($0.notBefore, $0.notAfter) = (from, to) }
        }
        self.authority = try .root(template("Live CA"))
        self.stranger = try .root(template("Live CA"))
        try servers.write("ca.pem", PEM.encode(authority.certificate.der, label: "CERTIFICATE"))
        try servers.write("ca.key", try authority.key.pemRepresentation())
    }

    private func leaf(
        of issuer: TestAuthority? = nil, _ change: (inout CertificateTemplate) -> Void
    ) throws -> Certificate {
        try (issuer ?? authority).issue(
            .leaf(Self.host).with {
                ($0.notBefore, $0.notAfter) = (now.advanced(by: -3600), now.advanced(by: 86_400))
                change(&$0)
            }
        ).certificate
    }

    private func trust(_ chain: [Certificate], _ check: RevocationPolicy.Mode = .off) throws -> Trust {
        var trust = Trust(presentedChain: chain, host: try Hostname(Self.host))
        trust.anchors = .only([authority.certificate])
        trust.revocation.mode = check
        return trust
    }

    private func resources(
        isAllowed: Bool = true, cache: (any TrustResourceCache)? = nil
    ) throws -> TrustFetchCoordinator {
        var limits = TrustResourceLimits()
        limits.fetchTimeout = .seconds(2)
        let loopback = try #require(IPAddress("127.0.0.1"))
        let rules = isAllowed ? AddressRules(allowedAddresses: [loopback]) : .publicOnly
        return TrustFetchCoordinator(fetcher: try HTTPTrustFetcher(rules: rules), cache: cache, limits: limits)
    }

    /// Returns `good`, `revoked`, or the obstacles.
    private func finding(_ verdict: TrustVerdict) -> String {
        // A refused path has no finding, so this reads its failure.
        if verdict.failures.contains(where: { $0.code == .certificateRevoked }) { return "revoked" }
        switch verdict.revocation.first?.status {
        case .good: return "good"
        case .revoked: return "revoked"
        case .exempt(let exemption): return exemption.rawValue
        case .unobtainable(let obstacles): return obstacles.map(\.name).joined(separator: " ")
        case .unchecked, nil: return "unchecked"
        }
    }

    @Test("Real servers provide the status of good and revoked certificates", .timeLimit(.minutes(10)))
    func revocationIsFoundOutFromRealServersGoodAndBad() async throws {
        let nginx = try await servers.startNginx()
        // A port that the system assigns to no program.
        let dead = "http://127.0.0.1:1"
        var rows: [(name: String, expected: String, leaf: Certificate)] = []

        // `openssl ocsp` gets the leaves from its index, so they come first.
        let placeholder = "http://127.0.0.1:1"
        let kinds = ["good", "revoked", "unknown"]
        var index = ""
        var serials: [String: [UInt8]] = [:]
        for (number, kind) in kinds.enumerated() {
            serials[kind] = [0x41, UInt8(number)]
            let serial = "41\(Hex.encode([UInt8(number)]))"
            if kind == "good" { index += "V\t350101000000Z\t\t\(serial)\tunknown\t/CN=good\n" }
            if kind == "revoked" {
                index += "R\t350101000000Z\t250101000000Z,keyCompromise\t\(serial)\tunknown\t/CN=revoked\n"
            }
        }
        try servers.write("index.txt", index)
        let openssl = try await servers.startOpenSSL()
        #expect(openssl != placeholder)
        for kind in kinds {
            let leaf = try leaf {
                $0.serialNumber = serials[kind]
                $0.ocspResponders = [openssl]
            }
            rows.append(("openssl ocsp: \(kind)", kind == "unknown" ? "ocspUnknown" : kind, leaf))
        }

        // Responses from files, which OpenSSL's responder doesn't give.
        func addOCSP(
            _ name: String, _ expected: String, at place: String = "", _ answer: (Certificate) throws -> [UInt8]
        ) throws {
            let file = "o\(rows.count)"
            let leaf = try leaf { $0.ocspResponders = ["\(nginx)\(place)/\(file)"] }
            try servers.write(file, try answer(leaf))
            rows.append(("ocsp: \(name)", expected, leaf))
        }
        func response(
            _ leaf: Certificate, from: Int64 = -3600, to: Int64 = 3600,
            _ change: (inout TestOCSPResponse.Template) -> Void = { _ in }
        ) throws -> [UInt8] {
            try authority.ocspResponse { template in
                template.producedAt = now.advanced(by: from)
                template.add(leaf) {
                    ($0.thisUpdate, $0.nextUpdate) = (now.advanced(by: from), now.advanced(by: to))
                }
                change(&template)
            }.der
        }
        let other = try leaf { _ in }
        try addOCSP("good", "good") { try response($0) }
        try addOCSP("good, after a redirect", "good", at: "/moved") { try response($0) }
        try addOCSP("expired", "ocspExpired") { try response($0, from: -7200, to: -3600) }
        try addOCSP("of tomorrow", "ocspNotYetValid") { try response($0, from: 86_400, to: 90_000) }
        try addOCSP("wrongly signed", "ocspSignatureInvalid") { try response($0) { $0.hasWrongSignature = true } }
        try addOCSP("another's", "ocspSignatureInvalid") { try response($0) { $0.signingKey = stranger.key } }
        try addOCSP("replayed from another certificate", "noEvidence") { _ in try response(other) }
        try addOCSP("try later", "ocspTryLater") { _ in TestOCSPResponse.error(.tryLater).der }
        // nginx serves no file for the POST that follows.
        try addOCSP("a web page", "malformed status") { _ in Array("<html></html>".utf8) }
        try addOCSP("slow", "timedOut", at: "/slow") { try response($0) }
        try addOCSP("oversized", "tooLarge") { _ in Array(repeating: 0x30, count: 70_000) }
        rows.append(("ocsp: dead", "unreachable", try leaf { $0.ocspResponders = [dead] }))
        rows.append(("ocsp: not found", "status", try leaf { $0.ocspResponders = ["\(nginx)/none"] }))

        func addCRL(
            _ name: String, _ expected: String, at place: String = "", _ answer: (Certificate) throws -> [UInt8]
        ) throws {
            let file = "c\(rows.count)"
            let leaf = try leaf {
                $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: "\(nginx)\(place)/\(file)")]
            }
            try servers.write(file, try answer(leaf))
            rows.append(("crl: \(name)", expected, leaf))
        }
        func crl(
            _ from: Int64 = -3600, _ to: Int64 = 3600, _ change: (inout TestCRL.Template) -> Void = { _ in }
        ) throws -> [UInt8] {
            try authority.identity.crl {
                ($0.thisUpdate, $0.nextUpdate) = (now.advanced(by: from), now.advanced(by: to))
                change(&$0)
            }.der
        }
        try addCRL("good", "good") { _ in try crl() }
        try addCRL("good, after a redirect", "good", at: "/moved") { _ in try crl() }
        try addCRL("revoked", "revoked") { leaf in try crl { $0.revoke(leaf, at: now.advanced(by: -3600)) } }
        try addCRL("expired", "crlExpired") { _ in try crl(-7200, -3600) }
        try addCRL("wrongly signed", "crlSignatureInvalid") { _ in try crl { $0.hasWrongSignature = true } }
        try addCRL("another's", "crlSignatureInvalid") { _ in try crl { $0.signingKey = stranger.key } }
        try addCRL("cut off", "malformed") { _ in try crl().dropLast() }
        try addCRL("slow", "timedOut", at: "/slow") { _ in try crl() }
        try addCRL("oversized", "tooLarge") { _ in Array(repeating: 0x30, count: 33 << 20) }
        rows.append(
            (
                "crl: dead", "unreachable",
                try leaf { $0.crlDistributionPoints = [TestDistributionPoint(stringLiteral: dead + "/a.crl")] }
            ))

        var table = "expected against found\n"
        for row in rows {
            let required = await (try trust([row.leaf], .required)).evaluate(fetching: try resources())
            let bestEffort = await (try trust([row.leaf], .bestEffort)).evaluate(fetching: try resources())
            let found = finding(required)
            table += "  \(row.name): \(row.expected) / \(found), required "
            table +=
                "\(required.isTrusted ? "trusts" : "refuses"), best effort \(bestEffort.isTrusted ? "trusts" : "refuses")\n"
            #expect(found == row.expected, "\(row.name)")
            #expect(required.isTrusted == (row.expected == "good"), "\(row.name)")
            #expect(bestEffort.isTrusted == (row.expected != "revoked"), "\(row.name)")
        }
        // The client doesn't contact loopback addresses unless the app allows it.
        let good = try #require(rows.first { $0.name == "crl: good" })
        let refused = await (try trust([good.leaf], .required)).evaluate(fetching: try resources(isAllowed: false))
        #expect(finding(refused) == "forbiddenAddress")
        print(table)
    }

    @Test("Issuers come from a real server the first time and from the cache afterwards", .timeLimit(.minutes(10)))
    func issuersComeFromARealServerOnceAndThenFromTheCache() async throws {
        let nginx = try await servers.startNginx()
        let (from, to) = (now.advanced(by: -86_400), now.advanced(by: 30 * 86_400))
        let intermediate = try authority.intermediate(
            .authority("Live Intermediate").with { ($0.notBefore, $0.notAfter) = (from, to) })
        try servers.write("ca.cer", intermediate.certificate.der)
        // A bundle in the form that OpenSSL writes.
        try servers.write("bundle.pem", PEM.encode(intermediate.certificate.der, label: "CERTIFICATE"))
        let process = Process()
        process.executableURL = Servers.openssl
        process.currentDirectoryURL = servers.folder
        process.arguments = ["crl2pkcs7", "-nocrl", "-certfile", "bundle.pem", "-outform", "DER", "-out", "ca.p7c"]
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        #expect(process.terminationStatus == 0)
        for file in ["ca.cer", "ca.p7c", "moved/ca.cer"] {
            let leaf = try leaf(of: intermediate) { $0.caIssuers = ["\(nginx)/\(file)"] }
            let trust = try trust([leaf])
            #expect(!trust.evaluate().isTrusted)
            let database = servers.folder.appendingPathComponent("cache-\(file.replacing("/", with: "-")).sqlite").path
            let cache = try SQLiteTrustCache(file: database) { _ in }
            let first = try resources(cache: cache)
            #expect(await trust.evaluate(fetching: first).fetched.map(\.source) == [.network])
            #expect(await trust.evaluate(fetching: first).fetched.map(\.source) == [.memory])
            // The cache writes it after the answer is returned.
            for _ in 0..<500 where try await cache.bytes == 0 { try await Task.sleep(for: .milliseconds(2)) }
            // Another process, without the network.
            let second = try resources(isAllowed: false, cache: try SQLiteTrustCache(file: database) { _ in })
            let verdict = await trust.evaluate(fetching: second)
            #expect(verdict.isTrusted)
            #expect(verdict.fetched.map(\.source) == [.cache])
        }
    }
}
