// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust

@Suite("Server endpoints")
struct ServerEndpointTests {
    static let endpoints: [(String, StartTLSProtocol?, String, StartTLSProtocol?)] = [
        ("api.example.com", nil, "https://api.example.com/", nil),
        ("api.example.com:8443", nil, "https://api.example.com:8443/", nil),
        ("https://api.example.com/login?a#b", nil, "https://api.example.com/login?a", nil),
        ("mail.example.com", .smtp, "smtp://mail.example.com/", .smtp),
        ("mail.example.com:587", .smtp, "smtp://mail.example.com:587/", .smtp),
        ("SMTP://mail.example.com", nil, "smtp://mail.example.com/", .smtp),
        ("submission://mail.example.com", .smtp, "submission://mail.example.com/", .smtp),
        ("imaps://[::1]", nil, "imaps://[::1]/", nil),
        ("fe80::1%eth0", nil, "https://[fe80::1%25eth0]/", nil),
        ("[fe80::1%eth0]:8443", nil, "https://[fe80::1%25eth0]:8443/", nil),
        ("https://[fe80::1%25eth0]/a", nil, "https://[fe80::1%25eth0]/a", nil),
        ("postgresql://db.example.com:6432/app", nil, "postgresql://db.example.com:6432/app", .postgres),
    ]

    @Test("A string names a server, its service and its port", arguments: endpoints)
    func read(_ text: String, _ startTLS: StartTLSProtocol?, _ url: String, _ found: StartTLSProtocol?) throws {
        let endpoint = try ServerEndpoint(text, startTLS: startTLS)
        #expect(endpoint.url == url)
        #expect(endpoint.service.startTLS == found)
    }

    @Test(
        "Any other string names no server",
        arguments: [
            ("foo://api.example.com", nil), ("https://api.example.com", .smtp), ("imaps://mail.example.com", .imap),
            ("ldap://ldap.example.com", .smtp), ("smtp://user@mail.example.com", nil), ("smtp://", nil),
        ] as [(String, StartTLSProtocol?)])
    func refused(_ text: String, _ startTLS: StartTLSProtocol?) {
        #expect(throws: ServerEndpointError.self) { _ = try ServerEndpoint(text, startTLS: startTLS) }
    }

    @Test("Each plaintext protocol has a service", arguments: StartTLSProtocol.allCases)
    func service(startTLS: StartTLSProtocol) {
        let service = ServerService(startTLS)
        #expect(service.startTLS == startTLS)
        #expect(service.scheme == startTLS.rawValue)
        #expect(service.port != 443)
    }
}
