// SPDX-License-Identifier: Apache-2.0

/// The keys of this package's own format. The schema is Documentation/pins.schema.json. Change both together.
enum JSONKey: String {
    case schema = "$schema"
    case schemaVersion, comment, selection, unlistedHosts, anchors, debugAnchors, settings, rules
    case hosts, mode, pins, expires, reportURIs
    case key, certificate, scope, role, added
    case at, afterwards
    case name, includesName, below
    case source, overridesPins
    case format, value

    static let document: [JSONKey] = [
        schema, schemaVersion, comment, selection, unlistedHosts, anchors, debugAnchors, settings, rules,
    ]
    static let rule: [JSONKey] = [hosts, mode, pins, expires, anchors, reportURIs, comment, settings]
    static let pin: [JSONKey] = [key, certificate, scope, role, comment, added]
    static let anchor: [JSONKey] = [source, name, certificate, overridesPins]

    /// The value of `hosts` for any host.
    static let anyHost = "any"
    static let version = 1
}

extension PinnedHosts.Below {
    private static let words = ["nothing", "oneLabel", "anyDepth"]

    /// The word in JSON.
    var word: String { Self.words[rawValue] }

    init?(word: String) {
        guard let index = Self.words.firstIndex(of: word) else { return nil }
        self.init(rawValue: index)
    }
}
