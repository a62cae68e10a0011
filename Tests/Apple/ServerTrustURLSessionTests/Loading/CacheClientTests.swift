// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import NIOHTTP1
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustURLSession

@Suite("Clients that share a cache")
struct CacheClientTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var one = client()
        var other = client()
        var control = "max-age=60"
        var vary: String?
        /// Whether the second client gets the first client's response.
        let isShared: Bool
    }

    private static func client(
        _ fields: HTTPHeaders = [:], user: String? = nil, password: String = "secret", certificates: Set<String> = []
    ) -> CacheClient {
        CacheClient(fields: fields, password: user.map { [$0, password] }, certificates: certificates)
    }

    static let rows: [Row] = [
        Row(testDescription: "no credentials", isShared: true),
        Row(
            testDescription: "the same user of a public response", one: client(user: "a"), other: client(user: "a"),
            control: "public", isShared: true),
        Row(
            testDescription: "the same user of a response that isn't public", one: client(user: "a"),
            other: client(user: "a"), isShared: false),
        Row(
            testDescription: "two users", one: client(user: "a"), other: client(user: "b"), control: "public",
            isShared: false),
        Row(
            testDescription: "two passwords", one: client(user: "a"), other: client(user: "a", password: "x"),
            control: "public", isShared: false),
        Row(
            testDescription: "a user name and password that are split differently",
            one: client(user: "a", password: "bc"),
            other: client(user: "ab", password: "c"), control: "public", isShared: false),
        Row(testDescription: "a user and no user", one: client(user: "a"), control: "public", isShared: false),
        Row(testDescription: "no user and a user", other: client(user: "a"), control: "public", isShared: false),
        Row(
            testDescription: "two tokens", one: client(["authorization": "Bearer a"]),
            other: client(["authorization": "Bearer b"]), control: "public", isShared: false),
        Row(
            testDescription: "the same token", one: client(["authorization": "Bearer a"]),
            other: client(["Authorization": "Bearer a"]), control: "public", vary: "Authorization", isShared: true),
        Row(
            testDescription: "the same certificate", one: client(certificates: ["a"]),
            other: client(certificates: ["a"]), isShared: true),
        Row(
            testDescription: "two certificates", one: client(certificates: ["a"]), other: client(certificates: ["b"]),
            control: "public", isShared: false),
        Row(
            testDescription: "a certificate and no certificate", one: client(certificates: ["a"]),
            other: client(certificates: [""]), control: "public", isShared: false),
        Row(
            testDescription: "connections with different certificates", one: client(certificates: ["a", "b"]),
            other: client(certificates: ["a", "b"]), control: "public", isShared: false),
        Row(
            testDescription: "two cookies", one: client(["cookie": "a"]), other: client(["cookie": "b"]),
            isShared: false),
        Row(
            testDescription: "two cookies of a public response", one: client(["cookie": "a"]),
            other: client(["cookie": "b"]), control: "public", isShared: true),
        Row(
            testDescription: "two cookies of a public response that varies by them", one: client(["cookie": "a"]),
            other: client(["cookie": "b"]), control: "public", vary: "Cookie", isShared: false),
        Row(
            testDescription: "two languages", one: client(["accept-language": "de"]),
            other: client(["accept-language": "fr"]), isShared: true),
        Row(
            testDescription: "two languages of a response that varies by them", one: client(["accept-language": "de"]),
            other: client(["accept-language": "fr"]), vary: "accept, Accept-Language", isShared: false),
        Row(testDescription: "a field and an empty one", one: client(["x": ""]), vary: "X", isShared: false),
        Row(
            testDescription: "spaces around a value", one: client(["x": " 1 "]), other: client(["x": "1"]), vary: "X",
            isShared: true),
        Row(testDescription: "a response that varies by everything", vary: "*", isShared: false),
    ]

    @Test("Clients share a response only if they have the same credentials and header fields", arguments: rows)
    func shared(row: Row) throws {
        var fields = ["Cache-Control": row.control]
        fields["Vary"] = row.vary
        let url = try #require(URL(string: "https://api.lab.test/"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        let stored = row.one.fingerprint(of: response)
        #expect((stored != nil && stored == row.other.fingerprint(of: response)) == row.isShared)
    }

    @Test(
        "The session marks a server that received different certificates, and stores nothing for a server that got no request"
    )
    func certificates() throws {
        let memory = CredentialMemory()
        let server = ConnectionKey(origin: try #require(Origin(url: "https://api.lab.test")), delegate: nil)
        let other = ConnectionKey(origin: try #require(Origin(url: "https://api.lab.test:444")), delegate: nil)
        #expect(memory.certificates(for: server).isEmpty)
        memory.recordCertificate("a", for: server)
        memory.recordCertificate("a", for: server)
        #expect(memory.certificates(for: server) == ["a"])
        for chain in ["", "b", "c"] { memory.recordCertificate(chain, for: server) }
        #expect(memory.certificates(for: server).count == 2)
        #expect(memory.certificates(for: other).isEmpty)
    }

    @Test("The session records which certificate a server received, remembered or not, or that it received none")
    func shown() async throws {
        try await SessionLab.with(.good, { $0.clientCertificates = .requested }) { lab in
            let identity = try #require(lab.server.clientIdentity)
            let credential = URLCredential(
                certificateChainPEM: identity.certificatePEM, privateKeyPEM: try identity.key.pemRepresentation(),
                persistence: .none)
            let server = ConnectionKey(origin: try #require(Origin(url: lab.url.absoluteString)), delegate: nil)
            for (credential, expected) in [(credential, identity.certificatePEM), (nil, "")] {
                let delegate = ScriptedDelegate()
                delegate.onSession = {
                    $0.protectionSpace.authenticationMethod == NSURLAuthenticationMethodClientCertificate
                        ? (.useCredential, credential) : (.performDefaultHandling, nil)
                }
                let session = try lab.session(delegate: delegate)
                #expect(try await session.text(lab.url).status == 200)
                let configuration = try #require(session.configuration as? any TrustedSessionConfiguration)
                #expect(configuration.state.scope(for: nil).credentials.certificates(for: server) == [expected])
            }
        }
    }
}
