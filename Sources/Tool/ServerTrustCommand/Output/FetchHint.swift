// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The remedy for addresses that were not fetched from because they aren't public.
enum FetchHint {
    /// The largest number of hosts in the hint.
    private static let maximumHosts = 3

    /// Returns a sentence that names `--fetch-from`; nil unless the address rules refused a fetch.
    ///
    /// The addresses are from certificates, so a host is named only if it is a DNS name or an IP address.
    static func text(_ fetched: [TrustFetchRecord]) -> String? {
        let refused = fetched.compactMap(\.failure).filter { $0.code == .fetchForbiddenAddress }
        guard !refused.isEmpty else { return nil }
        var hosts: [String] = []
        for url in refused.map(\.url) {
            guard let host = host(of: url), !hosts.contains(host) else { continue }
            hosts.append(host)
        }
        let options =
            hosts.isEmpty
            ? "--fetch-from HOST" : hosts.prefix(maximumHosts).map { "--fetch-from \($0)" }.joined(separator: " ")
        let others = hosts.count > maximumHosts ? " and so on" : ""
        return "certificates name addresses that are not public, and nothing was requested from them; "
            + "if these hosts are yours, add \(options)\(others)"
    }

    private static func host(of url: String) -> String? {
        guard let host = URLComponents(string: url)?.host else { return nil }
        return try? Hostname(host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))).description
    }
}
