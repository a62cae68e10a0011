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

    private static func pinKeys(in node: PinNode) -> [PinNode.Member] {
        guard case .dictionary(let members) = node.value else { return [] }
        let keys = [domains] + lists.map(\.key)
        return members.filter { member in keys.contains { member.key.isExactly($0) } }
    }

    /// Reports pins in exceptions, and at the root of an Info.plist.
    mutating func checkMisplaced(_ root: PlacedNode) {
        let right = root.member(Self.transport).member(Self.domains).path
        if let domains = root[Self.domains], Self.isInfoPlist(root.node) {
            values.add(
                .pinFileMisplacedKey, as: .odd, domains,
                "pins at the root of the Info.plist, where the system never looks for them, expected them in \(right)")
        }
        guard let exceptions = root[Self.transport]?[Self.exceptions],
            case .dictionary(let members) = exceptions.value
        else { return }
        for member in members {
            let isList = member.key.isExactly(Self.domains)
            let place = isList ? exceptions : exceptions.member(member.key, member.node)
            for key in isList ? [member] : Self.pinKeys(in: member.node) {
                values.add(
                    .pinFileMisplacedKey, as: .odd, place.member(key.key, key.node),
                    "pins in an exception, where the system never looks for them, expected them in \(right)")
            }
        }
    }

    /// Returns the statements about connections without TLS.
    func cleartext(_ root: PlacedNode) -> [CleartextStatement] {
        guard let transport = root[Self.transport] else { return [] }
        var statements: [CleartextStatement] = []
        if let loads = transport[Self.arbitraryLoads], case .boolean(true) = loads.value,
            Self.narrower.allSatisfy({ transport[$0] == nil })
        {
            statements.append(CleartextStatement(nil, isPermitted: true, at: values.location(loads)))
        }
        guard let exceptions = transport[Self.exceptions], case .dictionary(let members) = exceptions.value else {
            return statements
        }
        for member in members {
            guard case .dictionary = member.node.value, let name = try? Hostname(member.key) else { continue }
            let below: PinnedHosts.Below = Self.isTrue(member.node[Self.includesSubdomains]) ? .anyDepth : .nothing
            let key = Self.insecureLoads.first { Self.isTrue(member.node[$0]) }
            let line = key.flatMap { member.node[$0]?.line } ?? member.node.line
            statements.append(
                CleartextStatement(
                    .host(name, andBelow: below) ?? .only(name), isPermitted: key != nil,
                    at: values.location(line, exceptions.member(member.key).path)))
        }
        return statements
    }

    private static func isTrue(_ node: PinNode?) -> Bool {
        if case .boolean(true)? = node?.value { true } else { false }
    }
}
