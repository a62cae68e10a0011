// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Writes this package's own format, which can represent every configuration.
package enum JSONPinWriter {
    package static func tree(_ configuration: PinConfiguration) -> PinTree {
        object([
            .schemaVersion: .integer(JSONKey.version),
            .selection: .string(configuration.selection.rawValue),
            .unlistedHosts: .string(configuration.unlistedHosts.rawValue),
            .comment: configuration.comment.map { .string($0) },
            .anchors: list(configuration.anchors, anchor),
            .debugAnchors: list(configuration.debugAnchors, anchor),
            .settings: list(configuration.settings, setting),
            .rules: .list(configuration.rules.map(rule)),
        ])
    }

    private static func object(_ members: KeyValuePairs<JSONKey, PinTree?>) -> PinTree {
        .dictionary(members.compactMap { key, value in value.map { (key.rawValue, nil, $0) } })
    }

    /// Returns a list of values, or nil for none.
    private static func list<Value>(_ values: [Value], _ tree: (Value) -> PinTree) -> PinTree? {
        values.isEmpty ? nil : .list(values.map(tree))
    }

    private static func rule(_ rule: PinRule) -> PinTree {
        object([
            .hosts: rule.isForAnyHost ? .string(JSONKey.anyHost) : .list(rule.hosts.map(hosts)),
            .mode: .string(rule.mode.rawValue),
            .comment: rule.comment.map { .string($0) },
            .pins: list(rule.pins, pin),
            .expires: rule.expiry.map { expiry in
                object([
                    .at: .string(expiry.time.description), .afterwards: .string(expiry.onExpiry.rawValue),
                ])
            },
            .anchors: list(rule.anchors, anchor),
            .reportURIs: list(rule.reportURIs) { .string($0) },
            .settings: list(rule.settings, setting),
        ])
    }

    private static func hosts(_ hosts: PinnedHosts) -> PinTree {
        if let pattern = hosts.pattern { return .string(pattern) }
        return object([
            .name: .string(hosts.name.description), .includesName: .boolean(hosts.includesName),
            .below: .string(hosts.below.word),
        ])
    }

    private static func pin(_ pin: Pin) -> PinTree {
        let (key, value): (JSONKey, PinTree) =
            switch pin.value {
            case .key(let key): (.key, .string(key.description))
            case .certificate(let certificate): (.certificate, .data(certificate.der))
            }
        return object([
            key: value,
            .scope: .string(pin.scope.rawValue),
            .role: pin.role.map { .string($0.rawValue) },
            .comment: pin.comment.map { .string($0) },
            .added: pin.added.map { .string($0.isMidnight ? $0.day : $0.description) },
        ])
    }

    private static func anchor(_ anchor: PinAnchorSource) -> PinTree {
        var name: PinTree?
        var certificate: PinTree?
        let source: String
        switch anchor.kind {
        case .system: source = "system"
        case .user: source = "user"
        case .none: source = "none"
        case .resource(let resource): (source, name) = ("resource", .string(resource))
        case .certificate(let found): (source, certificate) = ("certificate", .data(found.der))
        }
        return object([
            .source: .string(source), .name: name, .certificate: certificate,
            .overridesPins: anchor.overridesPins ? .boolean(true) : nil,
        ])
    }

    private static func setting(_ setting: PinSetting) -> PinTree {
        object([
            .format: .string(setting.format.name), .key: .string(setting.key),
            .value: .string(setting.value),
        ])
    }
}
