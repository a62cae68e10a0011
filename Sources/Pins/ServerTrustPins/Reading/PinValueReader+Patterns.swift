// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinValueReader {
    /// Reads a pattern: a name, or a name after `*.` or `**.`. `*.` covers exactly one label below the name. `**.`
    /// covers the name itself and everything below it.
    mutating func hosts(
        _ pattern: String, _ line: Int?, _ path: String, mapsInternational: Bool = false
    ) -> PinnedHosts? {
        let stars = pattern.hasPrefix("**.") ? 3 : pattern.hasPrefix("*.") ? 2 : 0
        guard let name = host(String(pattern.dropFirst(stars)), line, path, mapsInternational: mapsInternational) else {
            return nil
        }
        let hosts: PinnedHosts? =
            switch stars {
            case 3: .host(name, andBelow: .anyDepth)
            case 2: .below(name, .oneLabel)
            default: .only(name)
            }
        if hosts == nil {
            add(.pinFileBadHost, line, path, "a wildcard before an IP address, expected the address without it")
        }
        return hosts
    }
}
