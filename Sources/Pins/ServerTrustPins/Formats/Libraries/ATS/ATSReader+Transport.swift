// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The settings in `NSAppTransportSecurity` other than pins (Apple, NSAppTransportSecurity in the Information Property
// List). They permit connections without TLS, or contain pins in places where the system doesn't look for them. The
// reader skips values of wrong types, because they don't concern pins.

extension ATSReader {
    private static let exceptions = "NSExceptionDomains"
    private static let arbitraryLoads = "NSAllowsArbitraryLoads"
    /// The keys that make the system treat `NSAllowsArbitraryLoads` as false, since iOS 10 and macOS 10.12.
    private static let narrower = [
        "NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInWebContent", "NSAllowsLocalNetworking",
    ]
    /// The keys that permit connections without TLS to a domain. The second and third are older names.
    private static let insecureLoads = [
        "NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads",
        "NSThirdPartyExceptionAllowsInsecureHTTPLoads",
    ]

    /// Returns whether a dictionary is a whole Info.plist rather than a fragment of its transport settings. A whole
    /// Info.plist has these settings, or entries that describe the bundle.
    static func isInfoPlist(_ root: PinNode) -> Bool {
        guard case .dictionary(let members) = root.value else { return false }
        return members.contains { $0.key.isExactly(transport) || $0.key.hasPrefix("CFBundle") }
    }

    /// Returns whether pins are in places where the system never looks for them: in exceptions, or at the root of an
    /// Info.plist.
    static func hasMisplacedPins(_ root: PinNode) -> Bool {
        if root[domains] != nil, isInfoPlist(root) { return true }
        guard let exceptions = root[transport]?[exceptions], case .dictionary(let members) = exceptions.value else {
            return false
        }
        return members.contains { $0.key.isExactly(domains) || !pinKeys(in: $0.node).isEmpty }
    }

    /// Returns the key of a dictionary that is probably a misspelling of `key`.
    static func slip(in node: PinNode, for key: String) -> String? {
        guard case .dictionary(let members) = node.value else { return nil }
        let wanted = Array(key.lowercased())
        return members.prefix(1000).map(\.key).first {
            !$0.isExactly(key) && abs($0.utf8.count - key.utf8.count) <= 2
                && editDistance(Array($0.lowercased()), wanted) <= 2
        }
    }

    private static func pinKeys(in node: PinNode) -> [PinNode.Member] {
        guard case .dictionary(let members) = node.value else { return [] }
        let keys = [domains] + lists.map(\.key)
        return members.filter { member in keys.contains { member.key.isExactly($0) } }
    }

    /// Reports pins in exceptions, and at the root of an Info.plist.
    mutating func checkMisplaced(_ root: PinNode) {
        let place = values.join(Self.transport, Self.domains)
        if let node = root[Self.domains], Self.isInfoPlist(root) {
            values.diagnostics.add(
                .pinFileMisplacedKey, as: .odd, node.line, Self.domains,
                "pins at the root of the Info.plist, where the system never looks for them, expected them in \(place)")
        }
        guard let exceptions = root[Self.transport]?[Self.exceptions], case .dictionary(let members) = exceptions.value
        else { return }
        let path = values.join(Self.transport, Self.exceptions)
        for member in members {
            let found = member.key.isExactly(Self.domains) ? [member] : Self.pinKeys(in: member.node)
            for key in found {
                let keyPath = member.key.isExactly(Self.domains) ? path : values.join(path, member.key)
                values.diagnostics.add(
                    .pinFileMisplacedKey, as: .odd, key.node.line, values.join(keyPath, key.key),
                    "pins in an exception, where the system never looks for them, expected them in \(place)")
            }
        }
    }

    /// Returns the statements about connections without TLS.
    func cleartext(_ root: PinNode) -> [CleartextStatement] {
        guard let transport = root[Self.transport] else { return [] }
        var statements: [CleartextStatement] = []
        if let node = transport[Self.arbitraryLoads], case .boolean(true) = node.value,
            Self.narrower.allSatisfy({ transport[$0] == nil })
        {
            let path = values.join(Self.transport, Self.arbitraryLoads)
            statements.append(
                CleartextStatement(nil, isPermitted: true, at: values.diagnostics.location(node.line, path)))
        }
        guard let exceptions = transport[Self.exceptions], case .dictionary(let members) = exceptions.value else {
            return statements
        }
        let path = values.join(Self.transport, Self.exceptions)
        for member in members {
            guard case .dictionary = member.node.value, let name = try? Hostname(member.key) else { continue }
            let below: PinnedHosts.Below = Self.isTrue(member.node[Self.includesSubdomains]) ? .anyDepth : .nothing
            let key = Self.insecureLoads.first { Self.isTrue(member.node[$0]) }
            let line = key.flatMap { member.node[$0]?.line } ?? member.node.line
            statements.append(
                CleartextStatement(
                    .host(name, andBelow: below) ?? .only(name), isPermitted: key != nil,
                    at: values.diagnostics.location(line, values.join(path, member.key))))
        }
        return statements
    }

    private static func isTrue(_ node: PinNode?) -> Bool {
        if case .boolean(true)? = node?.value { true } else { false }
    }
}
