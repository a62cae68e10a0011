// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinLint
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// A query to a CA's ACME server for the times when it suggests renewing certificates (RFC 9773). It fetches the
/// directory once.
///
/// If the server doesn't answer, a forecast uses the end of the certificate instead. Such an error is only a warning.
/// It never counts as an error of the checked server.
actor RenewalQuery {
    private let directory: String
    private let client: TrustedHTTPClient
    private let timeout: Duration
    private var base: Task<Result<String, RenewalInformationError>, Never>?
    /// The warnings so far. Each is written once.
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

    /// Returns the time when the CA suggests renewing a certificate. If the CA doesn't say, writes a warning and
    /// returns nil.
    func window(of certificate: Certificate) async -> RenewalWindow? {
        do throws(RenewalInformationError) {
            guard let url = RenewalInformation.url(of: certificate, under: try await renewalInformation()) else {
                throw RenewalInformationError(
                    "\(certificate) has no authority key identifier, which ACME needs to identify it")
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
