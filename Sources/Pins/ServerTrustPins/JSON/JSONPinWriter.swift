// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Writes this package's own format, which can represent every configuration.
package enum JSONPinWriter {
    typealias Keys = JSONKeys

    package static func tree(_ configuration: PinConfiguration) -> PinTree {
        .object([
            Keys.schemaVersion: .integer(Keys.version),
            Keys.selection: .string(configuration.selection.rawValue),
            Keys.unlistedHosts: .string(configuration.unlistedHosts.rawValue),
            Keys.comment: configuration.comment.map { .string($0) },
            Keys.anchors: list(configuration.anchors, anchor),
            Keys.debugAnchors: list(configuration.debugAnchors, anchor),
            Keys.settings: list(configuration.settings, setting),
            Keys.rules: .list(configuration.rules.map(rule)),
        ])
    }

    /// Returns a list of values, or nil for none.
    private static func list<Value>(_ values: [Value], _ tree: (Value) -> PinTree) -> PinTree? {
        values.isEmpty ? nil : .list(values.map(tree))
    }

    private static func rule(_ rule: PinRule) -> PinTree {
        .object([
            Keys.hosts: rule.isForAnyHost ? .string(Keys.anyHost) : .list(rule.hosts.map(hosts)),
            Keys.mode: .string(rule.mode.rawValue),
            Keys.comment: rule.comment.map { .string($0) },
            Keys.pins: list(rule.pins, pin),
            Keys.expires: rule.expiry.map { expiry in
                .object([
                    Keys.at: .string(expiry.time.description), Keys.onExpiry: .string(expiry.onExpiry.rawValue),
                ])
            },
            Keys.anchors: list(rule.anchors, anchor),
            Keys.reportURIs: list(rule.reportURIs) { .string($0) },
            Keys.settings: list(rule.settings, setting),
        ])
    }

    private static func hosts(_ hosts: PinnedHosts) -> PinTree {
        if let pattern = hosts.pattern { return .string(pattern) }
        return .object([
            Keys.name: .string(hosts.name.description), Keys.includesName: .boolean(hosts.includesName),
            Keys.below: .string(hosts.below.word),
        ])
    }

    private static func pin(_ pin: Pin) -> PinTree {
        let (key, value): (String, PinTree) =
            switch pin.value {
            case .key(let key): (Keys.key, .string(key.description))
            case .certificate(let certificate): (Keys.certificate, .data(certificate.der))
            }
        return .object([
            key: value,
            Keys.scope: .string(pin.scope.rawValue),
            Keys.role: pin.role.map { .string($0.rawValue) },
            Keys.comment: pin.comment.map { .string($0) },
            Keys.added: pin.added.map { .string($0.isMidnight ? $0.day : $0.description) },
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
        return .object([
            Keys.source: .string(source), Keys.name: name, Keys.certificate: certificate,
            Keys.overridesPins: anchor.overridesPins ? .boolean(true) : nil,
        ])
    }

    private static func setting(_ setting: PinSetting) -> PinTree {
        .object([
            Keys.format: .string(setting.format.name), Keys.key: .string(setting.key),
            Keys.value: .string(setting.value),
        ])
    }
}
