// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP

/// `TrustedHTTPClient`.
struct TrustedTestClient: TestedClient {
    private let client: TrustedHTTPClient
    private let url: String

    init(_ kind: ClientKind, port: Int, _ trust: ServerTrustConfiguration, _ options: ClientOptions) throws {
        var configuration = TrustedHTTPConfiguration()
        configuration.dnsOverride = [Site.host: "127.0.0.1"]
        configuration.httpVersion = kind.isHTTP2 ? .automatic : .http1Only
        if options.decompresses { configuration.decompression = .enabled(limit: .ratio(100)) }
        if options.keepsCookies { configuration.cookies = CookieStore() }
        configuration.retries = .upTo(options.retries)
        configuration.timeout.connect = .seconds(2)
        if kind.isClear { configuration.insecurelyPlainHosts = [try Hostname(Site.host)] }
        switch kind {
        case .http1Connect, .http2Connect: configuration.proxy = .always(.server(host: "127.0.0.1", port: port))
        case .http1TLSProxy: configuration.proxy = .always(.https(host: "127.0.0.1", port: port))
        case .http1SOCKS, .http2SOCKS: configuration.proxy = .always(.socks5(host: "127.0.0.1", port: port))
        default: break
        }
        client = try TrustedHTTPClient(trust: trust, configuration: configuration)
        url = "\(kind.isClear ? "http" : "https")://\(Site.host):\(port)/"
    }

    func send(_ request: Request) async throws -> Answer {
        let response = try await client.execute(
            HTTPClientRequest(request, url), timeout: request.limit, bodyTimeout: request.limit)
        return try await Answer(response, request)
    }

    func close() async { await client.shutdown() }
}

/// async-http-client with the gate.
struct GatedTestClient: TestedClient {
    private let client: HTTPClient
    private let url: String

    init(
        _ kind: ClientKind, port: Int, _ trust: ServerTrustConfiguration, anchor: Certificate, _ options: ClientOptions
    ) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: anchor.der, format: .der)])
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.dnsOverride = [Site.host: "127.0.0.1"]
        configuration.httpVersion = kind == .gate1 ? .http1Only : .automatic
        configuration.timeout.read = .milliseconds(500)
        configuration.timeout.connect = .seconds(2)
        if options.decompresses { configuration.decompression = .enabled(limit: .ratio(100)) }
        if kind == .gateSOCKS { configuration.proxy = .socksServer(host: "127.0.0.1", port: port) }
        try configuration.gate(by: trust)
        client = HTTPClient(configuration: configuration)
        url = "https://\(Site.host):\(port)/"
    }

    func send(_ request: Request) async throws -> Answer {
        let response = try await client.execute(HTTPClientRequest(request, url), timeout: TimeAmount(request.limit))
        return try await Answer(response, request)
    }

    func close() async { try? await client.shutdown() }
}

extension HTTPClientRequest {
    init(_ request: Request, _ url: String) {
        self.init(url: url)
        method = HTTPMethod(rawValue: request.method)
        guard !request.body.isEmpty else { return }
        if request.streams {
            let isKnown = request.body.count.isMultiple(of: 3)
            body = .stream(
                SlowBody(bytes: request.body), length: isKnown ? .known(Int64(request.body.count)) : .unknown)
        } else {
            body = .bytes(ByteBuffer(bytes: request.body))
        }
    }
}

/// A body that arrives in eight pieces, with a pause before each.
struct SlowBody: AsyncSequence, Sendable {
    let bytes: [UInt8]

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>
        let size: Int

        mutating func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            try await Task.sleep(for: .milliseconds(2))
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            return ByteBuffer(bytes: piece)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...], size: bytes.count / 8 + 1) }
}

extension Answer {
    init(_ response: HTTPClientResponse, _ request: Request) async throws {
        let bytes = request.readsBody ? Array(buffer: try await response.body.collect(upTo: 1 << 20)) : []
        self.init(status: Int(response.status.code), body: bytes)
    }
}
