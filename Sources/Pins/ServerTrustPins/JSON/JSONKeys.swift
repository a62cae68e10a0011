// SPDX-License-Identifier: Apache-2.0

/// The keys of this package's own format. The schema is Documentation/pins.schema.json. Change both together.
enum JSONKeys {
    static let schema = "$schema"
    static let schemaVersion = "schemaVersion"
    static let comment = "comment"
    static let selection = "selection"
    static let unlistedHosts = "unlistedHosts"
    static let anchors = "anchors"
    static let debugAnchors = "debugAnchors"
    static let settings = "settings"
    static let rules = "rules"

    static let hosts = "hosts"
    static let mode = "mode"
    static let pins = "pins"
    static let expires = "expires"
    static let reportURIs = "reportURIs"

    static let key = "key"
    static let certificate = "certificate"
    static let scope = "scope"
    static let role = "role"
    static let added = "added"

    static let at = "at"
    static let onExpiry = "afterwards"

    static let name = "name"
    static let includesName = "includesName"
    static let below = "below"

    static let source = "source"
    static let overridesPins = "overridesPins"

    static let format = "format"
    static let value = "value"

    static let document: Set<String> = [
        schema, schemaVersion, comment, selection, unlistedHosts, anchors, debugAnchors, settings, rules,
    ]
    static let rule: Set<String> = [hosts, mode, pins, expires, anchors, reportURIs, comment, settings]
    static let pin: Set<String> = [key, certificate, scope, role, comment, added]

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
