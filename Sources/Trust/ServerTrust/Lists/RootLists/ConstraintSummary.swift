// SPDX-License-Identifier: Apache-2.0

import PKIX

extension AnchorConstraints {
    /// The constraints in words, such as `leaves issued until 2026-04-15T23:59:59Z`. Empty without
    /// constraints. Domains are text from a file.
    package var summary: String {
        var parts = dates.map(\.summary)
        if let permittedDomains {
            parts.append(permittedDomains.isEmpty ? "no name" : "names in " + Self.list(permittedDomains))
        }
        if !excludedDomains.isEmpty { parts.append("no name in " + Self.list(excludedDomains)) }
        if let purposes {
            parts.append(
                purposes.isEmpty ? "no purpose" : "purpose " + purposes.map(\.rawValue).sorted().joined(separator: ", ")
            )
        }
        if isUndecidable { parts.append("unknown constraints") }
        return parts.joined(separator: ", ")
    }

    private static func list(_ domains: [String]) -> String {
        domains.prefix(8).joined(separator: ", ") + (domains.count > 8 ? " and \(domains.count - 8) more" : "")
    }
}

extension IssuanceLimit {
    fileprivate var summary: String {
        switch (clock, side) {
        case (.timestamps, .notAfter): "leaves with a log's timestamp until \(date)"
        case (.timestamps, .after): "leaves with all timestamps of logs after \(date)"
        case (_, .notAfter): "leaves issued until \(date)"
        case (_, .after): "leaves issued after \(date)"
        }
    }
}
