// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust
import ServerTrustHTTP

/// The options for forecasts of certificates and pins.
struct ForecastOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Certificates of CAs that may issue the next certificate: a ccadb.org report with PEM, or any file of certificates. They are not trusted. May be repeated. (default: only those already available to this run)",
            valueName: "file"), completion: .file())
    var ccadb: [String] = []

    @Option(
        help: ArgumentHelp(
            "Ask the CA's ACME directory when to renew (RFC 9773). (default: not asked)",
            valueName: "url"))
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
