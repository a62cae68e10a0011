// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Writes this package's own format, which can represent every configuration.
package enum JSONPinWriter {
    typealias Keys = JSONKeys
    private typealias Members = [(key: String, comment: String?, value: PinTree)]

    package static func tree(_ configuration: PinConfiguration) -> PinTree {
        var members: Members = [
            (Keys.schemaVersion, nil, .integer(Keys.version)),
            (Keys.selection, nil, .string(configuration.selection.rawValue)),
            (Keys.unlistedHosts, nil, .string(configuration.unlistedHosts.rawValue)),
        ]
        if let comment = configuration.comment { members.append((Keys.comment, nil, .string(comment))) }
        append(configuration.anchors, Keys.anchors, to: &members)
        append(configuration.debugAnchors, Keys.debugAnchors, to: &members)
        append(configuration.settings, to: &members)
        members.append((Keys.rules, nil, .list(configuration.rules.map(rule))))
        return .dictionary(members)
    }

    private static func rule(_ rule: PinRule) -> PinTree {
        var members: Members = [
            (Keys.hosts, nil, rule.isForAnyHost ? .string(Keys.anyHost) : .list(rule.hosts.map(hosts))),
            (Keys.mode, nil, .string(rule.mode.rawValue)),
        ]
        if let comment = rule.comment { members.append((Keys.comment, nil, .string(comment))) }
        if !rule.pins.isEmpty { members.append((Keys.pins, nil, .list(rule.pins.map(pin)))) }
        if let expiry = rule.expiry {
            members.append(
                (
                    Keys.expires, nil,
                    .dictionary([
                        (Keys.at, nil, .string(expiry.time.description)),
                        (Keys.onExpiry, nil, .string(expiry.onExpiry.rawValue)),
                    ])
                ))
        }
        append(rule.anchors, Keys.anchors, to: &members)
        if !rule.reportURIs.isEmpty {
            members.append((Keys.reportURIs, nil, .list(rule.reportURIs.map { .string($0) })))
        }
        append(rule.settings, to: &members)
        return .dictionary(members)
    }

    private static func hosts(_ hosts: PinnedHosts) -> PinTree {
        if let pattern = hosts.pattern { return .string(pattern) }
        return .dictionary([
            (Keys.name, nil, .string(hosts.name.description)),
            (Keys.includesName, nil, .boolean(hosts.includesName)),
            (Keys.below, nil, .string(hosts.below.word)),
        ])
    }

    private static func pin(_ pin: Pin) -> PinTree {
        var members: Members = []
        switch pin.value {
        case .key(let key): members.append((Keys.key, nil, .string(key.description)))
        case .certificate(let certificate): members.append((Keys.certificate, nil, .data(certificate.der)))
        }
        members.append((Keys.scope, nil, .string(pin.scope.rawValue)))
        if let role = pin.role { members.append((Keys.role, nil, .string(role.rawValue))) }
        if let comment = pin.comment { members.append((Keys.comment, nil, .string(comment))) }
        if let added = pin.added {
            members.append((Keys.added, nil, .string(added.isMidnight ? added.day : added.description)))
        }
        return .dictionary(members)
    }

    private static func append(_ anchors: [PinAnchorSource], _ key: String, to members: inout Members) {
        guard !anchors.isEmpty else { return }
        members.append((key, nil, .list(anchors.map(anchor))))
    }

    private static func anchor(_ anchor: PinAnchorSource) -> PinTree {
        var members: Members
        switch anchor.kind {
        case .system: members = [(Keys.source, nil, .string("system"))]
        case .user: members = [(Keys.source, nil, .string("user"))]
        case .none: members = [(Keys.source, nil, .string("none"))]
        case .resource(let name):
            members = [(Keys.source, nil, .string("resource")), (Keys.name, nil, .string(name))]
        case .certificate(let certificate):
            members = [(Keys.source, nil, .string("certificate")), (Keys.certificate, nil, .data(certificate.der))]
        }
        if anchor.overridesPins { members.append((Keys.overridesPins, nil, .boolean(true))) }
        return .dictionary(members)
    }

    private static func append(_ settings: [PinSetting], to members: inout Members) {
        guard !settings.isEmpty else { return }
        members.append(
            (
                Keys.settings, nil,
                .list(
                    settings.map { setting in
                        .dictionary([
                            (Keys.format, nil, .string(setting.format.name)), (Keys.key, nil, .string(setting.key)),
                            (Keys.value, nil, .string(setting.value)),
                        ])
                    })
            ))
    }
}
