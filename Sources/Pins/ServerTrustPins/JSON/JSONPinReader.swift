// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Reads this package's own format.
struct JSONPinReader {
    typealias Keys = JSONKeys

    /// Returns whether the file is in this format.
    static func recognizes(_ root: PinNode) -> Bool {
        root[Keys.schemaVersion] != nil && root[Keys.rules] != nil
    }

    /// An object with known keys.
    private struct Object {
        let node: PinNode
        let path: String
        let members: [String: PinNode]

        func path(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
    }

    private var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = JSONPinReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        let required = [Keys.schemaVersion, Keys.selection, Keys.unlistedHosts, Keys.rules]
        guard let document = object(root, "", Keys.document, requiring: required) else {
            try values.diagnostics.check()
            throw PinFileError(
                PinFileProblem(.pinFileWrongType, at: values.diagnostics.location(root.line, ""), "expected an object"))
        }
        if let node = document.members[Keys.schemaVersion] {
            if case .number(let number) = node.value, number == String(Keys.version) {
            } else {
                add(.pinFileBadValue, document, Keys.schemaVersion, "expected \(Keys.version)")
            }
        }
        let selection: PinConfiguration.Selection? = word(Keys.selection, document)
        let unlisted: PinConfiguration.UnlistedHosts? = word(Keys.unlistedHosts, document)
        _ = text(Keys.schema, document)
        let comment = text(Keys.comment, document)
        let anchors = elements(Keys.anchors, document) { $0.anchor($1, $2) }
        let debugAnchors = elements(Keys.debugAnchors, document) { $0.anchor($1, $2) }
        let settings = elements(Keys.settings, document) { $0.setting($1, $2) }
        let rules = elements(Keys.rules, document) { $0.rule($1, $2) }
        return try values.diagnostics.configuration { () throws(PinRuleError) in
            try PinConfiguration(
                rules: rules, selection: selection ?? .mostSpecific, unlistedHosts: unlisted ?? .refused,
                anchors: anchors, debugAnchors: debugAnchors, comment: comment, settings: settings)
        }
    }

    // MARK: Values

    private mutating func object(
        _ node: PinNode, _ path: String, _ keys: Set<String>, requiring required: [String]
    ) -> Object? {
        guard let members = values.dictionary(node, path, keys: keys) else { return nil }
        let object = Object(node: node, path: path, members: members)
        require(required, object)
        return object
    }

    private mutating func require(_ keys: [String], _ object: Object) {
        for key in keys where object.members[key] == nil { add(.pinFileMissingKey, object, key, "missing") }
    }

    /// Adds a problem with a member, at the line of the member or of the object that lacks it.
    private mutating func add(_ code: ErrorCode, _ object: Object, _ key: String, _ detail: String) {
        values.diagnostics.add(code, (object.members[key] ?? object.node).line, object.path(key), detail)
    }

    /// Returns the values of an array's elements, if the array exists. Leaves out elements without a value.
    private mutating func elements<Value>(
        _ key: String, _ object: Object, _ read: (inout Self, PinNode, String) -> Value?
    ) -> [Value] {
        let path = object.path(key)
        return (object.members[key].flatMap { values.list($0, path) } ?? []).enumerated().compactMap { index, element in
            read(&self, element, "\(path)[\(index)]")
        }
    }

    private mutating func text(_ key: String, _ object: Object) -> String? {
        object.members[key].flatMap { values.string($0, object.path(key)) }
    }

    private mutating func boolean(_ key: String, _ object: Object) -> Bool? {
        object.members[key].flatMap { values.boolean($0, object.path(key)) }
    }

    private mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String, _ object: Object) -> Word?
    where Word.RawValue == String {
        guard let text = text(key, object) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        add(.pinFileBadValue, object, key, "\"\(clipped(text))\", expected one of \(words)")
        return nil
    }

    private mutating func time(_ key: String, _ object: Object) -> Time? {
        guard let text = text(key, object) else { return nil }
        do throws(TimeFormatError) {
            return try Time(rfc3339: text)
        } catch {
            add(.pinFileBadDate, object, key, error.description)
            return nil
        }
    }

    private mutating func certificate(_ key: String, _ object: Object) -> Certificate? {
        guard let text = text(key, object) else { return nil }
        guard let der = try? Base64.decode(text) else {
            add(.pinFileBadBase64, object, key, "not base64, expected a certificate's DER in base64")
            return nil
        }
        return values.certificate(der, object.members[key]?.line, object.path(key))
    }

    // MARK: Rules

    private mutating func rule(_ node: PinNode, _ path: String) -> PinRule? {
        guard let object = object(node, path, Keys.rule, requiring: [Keys.hosts, Keys.mode]) else { return nil }
        let hosts = hosts(object)
        let mode: PinRule.Mode? = word(Keys.mode, object)
        let found = elements(Keys.pins, object) { $0.pin($1, $2) }
        let pins = values.unique(found, object.path(Keys.pins))
        if mode == .unpinned, object.members[Keys.pins] != nil {
            values.diagnostics.add(
                .pinFileContradiction, node.line, object.path(Keys.pins), "pins for hosts declared as unpinned")
        } else if mode != nil, mode != .unpinned {
            require([Keys.pins], object)
        }
        let expiry = object.members[Keys.expires].flatMap { self.expiry($0, object.path(Keys.expires)) }
        let anchors = elements(Keys.anchors, object) { $0.anchor($1, $2) }
        let uris = elements(Keys.reportURIs, object) { reader, node, path in
            reader.values.string(node, path).flatMap { reader.values.reportURI($0, node.line, path) }
        }
        let settings = elements(Keys.settings, object) { $0.setting($1, $2) }
        let comment = text(Keys.comment, object)
        guard let hosts, let mode else { return nil }
        let location = values.diagnostics.location(node.line, path)
        return values.diagnostics.rule(location) { () throws(PinRuleError) in
            try PinRule(
                hosts: hosts, mode: mode, pins: pins, expiry: expiry, anchors: anchors, reportURIs: uris,
                comment: comment, settings: settings, location: location)
        }
    }

    private mutating func hosts(_ object: Object) -> [PinnedHosts]? {
        if case .string(Keys.anyHost)? = object.members[Keys.hosts]?.value { return [] }
        var seen: Set<PinnedHosts> = []
        let hosts = elements(Keys.hosts, object) { reader, node, path -> PinnedHosts? in
            guard let hosts = reader.host(node, path) else { return nil }
            if seen.insert(hosts).inserted { return hosts }
            reader.values.diagnostics.add(
                .pinFileDuplicateHost, node.line, path, "\(hosts) occurs twice, expected once")
            return nil
        }
        return hosts.isEmpty ? nil : hosts
    }

    /// Returns the hosts of a pattern, or of an object for hosts that no single pattern covers.
    private mutating func host(_ node: PinNode, _ path: String) -> PinnedHosts? {
        guard case .dictionary = node.value else {
            guard let text = values.string(node, path) else { return nil }
            return values.hosts(text, node.line, path)
        }
        let keys = [Keys.name, Keys.includesName, Keys.below]
        guard let object = object(node, path, Set(keys), requiring: keys), let text = text(Keys.name, object),
            let name = values.host(text, object.members[Keys.name]?.line, object.path(Keys.name)),
            let includesName = boolean(Keys.includesName, object), let word = self.text(Keys.below, object)
        else { return nil }
        guard let below = PinnedHosts.Below(word: word) else {
            add(.pinFileBadValue, object, Keys.below, "\(clipped(word)), expected nothing, oneLabel or anyDepth")
            return nil
        }
        guard let hosts = includesName ? PinnedHosts.host(name, andBelow: below) : .below(name, below) else {
            let problem =
                below == .nothing ? "neither the name nor names below it" : "an IP address has no names below it"
            add(.pinFileBadValue, object, Keys.below, "no host is covered: \(problem)")
            return nil
        }
        return hosts
    }

    private mutating func pin(_ node: PinNode, _ path: String) -> Pin? {
        guard let object = object(node, path, Keys.pin, requiring: [Keys.scope]) else { return nil }
        let scope: PinScope? = word(Keys.scope, object)
        let role: Pin.Role? = word(Keys.role, object)
        let added = time(Keys.added, object)
        let comment = text(Keys.comment, object)
        var value: Pin.Value?
        switch (object.members[Keys.key], object.members[Keys.certificate]) {
        case (let key?, nil):
            value = text(Keys.key, object).flatMap { values.key($0, key.line, object.path(Keys.key)) }.map { .key($0) }
        case (nil, _?): value = certificate(Keys.certificate, object).map { .certificate($0) }
        case (_?, _?):
            values.diagnostics.add(
                .pinFileContradiction, node.line, path, "a key and a certificate, expected only one of them")
        case (nil, nil):
            values.diagnostics.add(.pinFileMissingKey, node.line, path, "neither \(Keys.key) nor \(Keys.certificate)")
        }
        guard let value, let scope else { return nil }
        let location = values.diagnostics.location(node.line, path)
        return Pin(value, scope: scope, role: role, comment: comment, added: added, location: location)
    }

    private mutating func expiry(_ node: PinNode, _ path: String) -> PinExpiry? {
        let keys = [Keys.at, Keys.onExpiry]
        guard let object = object(node, path, Set(keys), requiring: keys) else { return nil }
        let time = time(Keys.at, object)
        let onExpiry: PinExpiry.OnExpiry? = word(Keys.onExpiry, object)
        guard let time, let onExpiry else { return nil }
        return PinExpiry(time, onExpiry: onExpiry)
    }

    // MARK: Anchors and settings

    private mutating func anchor(_ node: PinNode, _ path: String) -> PinAnchorSource? {
        let keys: Set = [Keys.source, Keys.name, Keys.certificate, Keys.overridesPins]
        guard let object = object(node, path, keys, requiring: [Keys.source]) else { return nil }
        let overrides = boolean(Keys.overridesPins, object) ?? false
        let source: AnchorWord? = word(Keys.source, object)
        let kind: PinAnchorSource.Kind?
        switch source {
        case .system: kind = .system
        case .user: kind = .user
        case .noAnchor: kind = PinAnchorSource.Kind.none
        case .resource:
            require([Keys.name], object)
            kind = text(Keys.name, object).map { .resource($0) }
        case .certificate:
            require([Keys.certificate], object)
            kind = certificate(Keys.certificate, object).map { .certificate($0) }
        case nil: kind = nil
        }
        for (key, owner) in [(Keys.name, AnchorWord.resource), (Keys.certificate, .certificate)]
        where object.members[key] != nil && source != owner {
            values.diagnostics.add(
                .pinFileContradiction, node.line, object.path(key), "belongs to the source \(owner.rawValue)")
        }
        return kind.map { PinAnchorSource($0, overridesPins: overrides) }
    }

    private enum AnchorWord: String, CaseIterable {
        case system
        case user
        case resource
        case certificate
        case noAnchor = "none"
    }

    private mutating func setting(_ node: PinNode, _ path: String) -> PinSetting? {
        let keys = [Keys.format, Keys.key, Keys.value]
        guard let object = object(node, path, Set(keys), requiring: keys), let name = text(Keys.format, object),
            let key = text(Keys.key, object), let value = text(Keys.value, object)
        else { return nil }
        guard let format = PinFormat.named(name) else {
            let names = PinFormat.all.map(\.name).joined(separator: ", ")
            values.diagnostics.add(
                .pinFileBadValue, node.line, path, "\"\(clipped(name))\", expected one of \(names)")
            return nil
        }
        return PinSetting(format, key, value)
    }
}
