// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustHTTP

@testable import ServerTrust

/// `HTTPTrustFetcher`, as OCSP, CRLs and missing issuers use it.
struct FetcherTestClient: TestedClient {
    private let fetcher: HTTPTrustFetcher
    private let kind: TrustResource.Kind
    private let url: String

    init(port: Int, _ options: ClientOptions) throws {
        guard let loopback = IPAddress("127.0.0.1") else { throw NoAnswer() }
        fetcher = try HTTPTrustFetcher(rules: AddressRules(allowedAddresses: [loopback]))
        kind = options.keepsCookies ? .ocsp : options.decompresses ? .crl : .issuer
        url = "http://127.0.0.1:\(port)/resource"
    }

    func send(_ request: Request) async throws -> Answer {
        let body: [UInt8]? = kind == .ocsp ? [0x30, 0] : nil
        let response = try await fetcher.fetch(
            TrustFetchRequest(kind, url: url, body: body, maximumBytes: 1 << 16, timeout: request.limit))
        return Answer(status: 200, body: response.body)
    }

    func close() async { await fetcher.shutdown() }
}
