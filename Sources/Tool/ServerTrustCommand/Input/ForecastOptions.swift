// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import PinLint
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The options for forecasts of certificates and pins.
struct ForecastOptions: ParsableArguments {
    @Option(help: .book("check --ccadb"), completion: .file())
    var ccadb: [String] = []

    @Option(help: .book("check --acme-directory"))
    var acmeDirectory: String?

    func validate() throws {
        guard let acmeDirectory else { return }
        guard acmeDirectory.hasPrefix("https://"), (try? ServerEndpoint(acmeDirectory))?.service == .https else {
            throw ValidationError("--acme-directory: expected an https URL")
        }
    }

    var isAnyGiven: Bool { !ccadb.isEmpty || acmeDirectory != nil }

    /// Returns the certificates of the files of `--ccadb`. It leaves out unreadable ones with a warning.
    /// - Throws: ``CommandFailure`` if a file can't be read or contains no certificate.
    func successors() throws(CommandFailure) -> [Certificate] {
        let input = try CertificateInput.intermediates(ccadb)
        if let first = input.leftOut.first {
            Diagnostics.warn(
                "\(counted(input.leftOut.count, "certificate")) in --ccadb can't be read, such as \(first)")
        }
        return input.certificates
    }

    /// Returns the query for the ACME server, or nil without `--acme-directory`.
    /// - Parameters:
    ///   - anchors: the anchors for the ACME server. They are the same as for the checked servers, because a private CA
    ///     often signs both.
    ///   - timeout: the limit for each request.
    ///   - proxy: the rule that selects a proxy.
    func query(anchors: TrustAnchors, timeout: Duration, proxy: ProxySelection) throws -> RenewalQuery? {
        try acmeDirectory.map { try RenewalQuery(directory: $0, anchors: anchors, timeout: timeout, proxy: proxy) }
    }
}

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
