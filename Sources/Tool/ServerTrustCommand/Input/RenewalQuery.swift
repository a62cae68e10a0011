// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO
import TrustSupport

/// A query to a CA's ACME server about the times at which it suggests to renew certificates (RFC 9773). The directory is fetched once.
///
/// Without an answer a forecast has the end of the certificate instead: an error is a warning, and never one of the server that the
/// certificate is from.
actor RenewalQuery {
    private let directory: String
    private let client: TrustedHTTPClient
    private let timeout: Duration
    private var base: Task<Result<String, RenewalInformationError>, Never>?
    /// The warnings so far, each of which is written once.
    private var warnings: Set<String> = []

    init(directory: String, anchors: TrustAnchors, timeout: Duration, proxy: ProxySelection) throws {
        self.directory = directory
        self.timeout = timeout
        var trust = ServerTrustConfiguration.publicWeb
        trust.anchors = anchors
        var configuration = TrustedHTTPConfiguration()
        configuration.proxy = proxy
        client = try TrustedHTTPClient(trust: trust, configuration: configuration)
    }

    /// Returns the time at which the CA suggests to renew a certificate; nil after a warning if it doesn't say.
    func window(of certificate: Certificate) async -> RenewalWindow? {
        do throws(RenewalInformationError) {
            guard let url = RenewalInformation.url(of: certificate, under: try await renewalInformation()) else {
                throw RenewalInformationError("\(certificate) has no authority key identifier, by which ACME names it")
            }
            return try RenewalInformation.window(in: try await Self.body(url, client, timeout))
        } catch {
            let warning = "no renewal information: \(error)"
            if warnings.insert(warning).inserted { Diagnostics.warn(warning) }
            return nil
        }
    }

    private func renewalInformation() async throws(RenewalInformationError) -> String {
        let task =
            base
            ?? Task { [directory, client, timeout] in
                do throws(RenewalInformationError) {
                    return .success(
                        try RenewalInformation.base(inDirectory: try await Self.body(directory, client, timeout)))
                } catch {
                    return .failure(error)
                }
            }
        base = task
        return try await task.value.get()
    }

    private static func body(
        _ url: String, _ client: TrustedHTTPClient, _ timeout: Duration
    ) async throws(RenewalInformationError) -> [UInt8] {
        do {
            let response = try await client.get(
                url: url, within: timeout, maximum: RenewalInformation.maximumSize)
            guard response.status == 200 else {
                throw RenewalInformationError("\(withoutUserInformation(url)) answers \(response.status), expected 200")
            }
            return response.body
        } catch let error as RenewalInformationError {
            throw error
        } catch {
            throw RenewalInformationError("\(withoutUserInformation(url)): \(error)")
        }
    }
}
