// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The remedy if nothing was fetched from addresses because they aren't public.
enum FetchHint {
    /// The maximum number of hosts in the hint.
    private static let maximumHosts = 3

    /// Returns a sentence that names `--fetch-from`, or nil if the address rules refused no fetch.
    ///
    /// The addresses come from certificates. The sentence therefore names a host only if it is a DNS name or an IP
    /// address.
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
        return "certificates name addresses that aren't public, so nothing was requested from them; "
            + "if these hosts are yours, add \(options)\(others)"
    }

    private static func host(of url: String) -> String? {
        guard let host = URLComponents(string: url)?.host else { return nil }
        return try? Hostname(host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))).description
    }
}
