// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrust
@testable import ServerTrustTesting

@Suite("CannedFetcher")
struct CannedFetcherTests {
    private let url = "http://ca.example.com/ca.cer"

    @Test("A canned fetcher responds by URL and counts every request")
    func answers() async throws {
        let fetcher = CannedFetcher()
        fetcher.answer(url, with: [1, 2, 3], maximumAge: .seconds(60))
        let response = try await fetcher.fetch(TrustFetchRequest(.issuer, url: url))
        #expect(response == TrustFetchResponse(body: [1, 2, 3], maximumAge: .seconds(60)))
        fetcher.answer(url, with: [4])
        #expect(try await fetcher.fetch(TrustFetchRequest(.issuer, url: url)).body == [4])
        await expect(.fetchUnreachable) { try await fetcher.fetch(TrustFetchRequest(.crl, url: url + "/other")) }
        #expect(fetcher.count(of: url) == 2)
        #expect(fetcher.requests.map(\.resource) == [.issuer, .issuer, .crl])
    }

    private static let codes: [ErrorCode] = [
        .fetchUnsupportedAddress, .fetchForbiddenAddress, .fetchUnreachable, .fetchStatus, .fetchTooLarge,
        .fetchTooManyRedirects, .fetchTimedOut, .fetchCancelled, .fetchProtocolViolation,
    ]

    @Test("A canned fetcher fails with the prepared code", arguments: codes)
    func failures(code: ErrorCode) async {
        let fetcher = CannedFetcher()
        fetcher.fail(url, with: code)
        await expect(code) { try await fetcher.fetch(TrustFetchRequest(.issuer, url: url)) }
        #expect(fetcher.count(of: url) == 1)
    }

    @Test("A canned fetcher enforces the request's size and time limits")
    func limits() async throws {
        let fetcher = CannedFetcher()
        fetcher.answer(url, with: [UInt8](repeating: 0, count: 100))
        let exactly = TrustFetchRequest(.issuer, url: url, maximumBytes: 100)
        #expect(try await fetcher.fetch(exactly).body.count == 100)
        await expect(.fetchTooLarge) { try await fetcher.fetch(TrustFetchRequest(.issuer, url: url, maximumBytes: 99)) }
        fetcher.answer(url, with: [1], after: .seconds(3600))
        await expect(.fetchTimedOut) {
            try await fetcher.fetch(TrustFetchRequest(.issuer, url: url, timeout: .milliseconds(20)))
        }
        fetcher.answer(url, with: [1], after: .milliseconds(20))
        #expect(try await fetcher.fetch(TrustFetchRequest(.issuer, url: url)).body == [1])
    }

    @Test("A canned fetcher ends early when it is canceled")
    func cancellation() async {
        let fetcher = CannedFetcher()
        fetcher.answer(url, with: [1], after: .seconds(3600))
        let request = TrustFetchRequest(.issuer, url: url, timeout: .seconds(7200))
        let task = Task { try await fetcher.fetch(request) }
        while fetcher.requests.isEmpty { await Task.yield() }
        task.cancel()
        await expect(.fetchCancelled) { try await task.value }
    }

    @Test("A canned fetcher passes OCSP requests to a responder, over POST and GET")
    func responder() async throws {
        let root = try TestAuthority.root()
        let responder = TestOCSPResponder(root) { _ in .good }
        let fetcher = CannedFetcher()
        let address = "http://ocsp.example.com"
        fetcher.answer(address, with: responder)
        let malformed = TestOCSPResponse.error(.malformedRequest).der
        #expect(try await fetcher.fetch(TrustFetchRequest(.ocsp, url: address, body: [0])).body == malformed)
        // SEQUENCE { SEQUENCE { SEQUENCE {} } }: a request without a certificate.
        #expect(try await fetcher.fetch(TrustFetchRequest(.ocsp, url: address + "/MAQwAjAA")).body == malformed)
        let other = TrustFetchRequest(.crl, url: address + "/MAQwAjAA")
        await expect(.fetchUnreachable) { try await fetcher.fetch(other) }
    }

    private func expect(
        _ code: ErrorCode, _ body: () async throws -> some Sendable,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: TrustFetchError.self, sourceLocation: location) { _ = try await body() }
        #expect(error?.code == code, sourceLocation: location)
    }
}
