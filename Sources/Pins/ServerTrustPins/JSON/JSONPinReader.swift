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

    private var values: PinValueReader

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = JSONPinReader(values: PinValueReader(file: file))
        return try reader.configuration(root)
    }

    private mutating func configuration(_ root: PinNode) throws(PinFileError) -> PinConfiguration {
        guard let keys = values.dictionary(root, "", keys: Keys.document) else {
            try values.diagnostics.check()
            throw PinFileError(
                PinFileProblem(.pinFileWrongType, at: values.diagnostics.location(root.line, ""), "expected an object"))
        }
        if let node = required(Keys.schemaVersion, keys, root, "") {
            if case .number(let number) = node.value, number == String(Keys.version) {
            } else {
                values.diagnostics.add(.pinFileBadValue, node.line, Keys.schemaVersion, "expected \(Keys.version)")
            }
        }
        let selection: PinConfiguration.Selection? = required(Keys.selection, keys, root, "").flatMap {
            word($0, Keys.selection)
        }
        let unlisted: PinConfiguration.UnlistedHosts? = required(Keys.unlistedHosts, keys, root, "").flatMap {
            word($0, Keys.unlistedHosts)
        }
        if let node = keys[Keys.schema] { _ = values.string(node, Keys.schema) }
        let comment = text(Keys.comment, keys, "")
        let anchors = keys[Keys.anchors].map { self.anchors($0, Keys.anchors) } ?? []
        let debugAnchors = keys[Keys.debugAnchors].map { self.anchors($0, Keys.debugAnchors) } ?? []
        let settings = keys[Keys.settings].map { self.settings($0, Keys.settings) } ?? []
        var rules: [PinRule] = []
        if let node = required(Keys.rules, keys, root, "") {
            for (index, element) in (values.list(node, Keys.rules) ?? []).enumerated() {
                if let rule = rule(element, "\(Keys.rules)[\(index)]") { rules.append(rule) }
            }
        }
        return try values.diagnostics.configuration { () throws(PinConfigurationError) in
            try PinConfiguration(
                rules: rules, selection: selection ?? .mostSpecific, unlistedHosts: unlisted ?? .refused,
                anchors: anchors, debugAnchors: debugAnchors, comment: comment, settings: settings)
        }
    }

    // MARK: Values

    private mutating func required(
        _ key: String, _ keys: [String: PinNode], _ node: PinNode, _ path: String
    ) -> PinNode? {
        if keys[key] == nil { values.diagnostics.add(.pinFileMissingKey, node.line, values.join(path, key), "missing") }
        return keys[key]
    }

    private mutating func text(_ key: String, _ keys: [String: PinNode], _ path: String) -> String? {
        keys[key].flatMap { values.string($0, values.join(path, key)) }
    }

    private mutating func word<Word: RawRepresentable & CaseIterable>(_ node: PinNode, _ path: String) -> Word?
    where Word.RawValue == String {
        guard let text = values.string(node, path) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        values.diagnostics.add(.pinFileBadValue, node.line, path, "\"\(clipped(text))\", expected one of \(words)")
        return nil
    }

    private mutating func time(_ node: PinNode, _ path: String) -> Time? {
        guard let text = values.string(node, path) else { return nil }
        do throws(TimeFormatError) {
            return try Time(rfc3339: text)
        } catch {
            values.diagnostics.add(.pinFileBadDate, node.line, path, error.description)
            return nil
        }
    }

    // MARK: Rules

    private mutating func rule(_ node: PinNode, _ path: String) -> PinRule? {
        guard let keys = values.dictionary(node, path, keys: Keys.rule) else { return nil }
        func at(_ key: String) -> String { "\(path).\(key)" }
        let hosts = required(Keys.hosts, keys, node, path).flatMap { self.hosts($0, at(Keys.hosts)) }
        let mode: PinRule.Mode? = required(Keys.mode, keys, node, path).flatMap { word($0, at(Keys.mode)) }
        let pins = keys[Keys.pins].map { self.pins($0, at(Keys.pins)) } ?? []
        if mode == .unpinned, keys[Keys.pins] != nil {
            values.diagnostics.add(
                .pinFileContradiction, node.line, at(Keys.pins), "pins for hosts declared as unpinned")
        } else if mode != nil, mode != .unpinned {
            _ = required(Keys.pins, keys, node, path)
        }
        let expiry = keys[Keys.expires].flatMap { self.expiry($0, at(Keys.expires)) }
        let anchors = keys[Keys.anchors].map { self.anchors($0, at(Keys.anchors)) } ?? []
        let uris = keys[Keys.reportURIs].map { self.reportURIs($0, at(Keys.reportURIs)) } ?? []
        let settings = keys[Keys.settings].map { self.settings($0, at(Keys.settings)) } ?? []
        let comment = text(Keys.comment, keys, path)
        guard let hosts, let mode else { return nil }
        let location = values.diagnostics.location(node.line, path)
        return values.diagnostics.rule(location) { () throws(PinRuleError) in
            try PinRule(
                hosts: hosts, mode: mode, pins: pins, expiry: expiry, anchors: anchors, reportURIs: uris,
                comment: comment, settings: settings, location: location)
        }
    }

    private mutating func hosts(_ node: PinNode, _ path: String) -> [PinnedHosts]? {
        if case .string(Keys.anyHost) = node.value { return [] }
        guard let elements = values.list(node, path), !elements.isEmpty else { return nil }
        var hosts: [PinnedHosts] = []
        var seen: Set<PinnedHosts> = []
        for (index, element) in elements.enumerated() {
            guard let host = host(element, "\(path)[\(index)]") else { continue }
            guard seen.insert(host).inserted else {
                values.diagnostics.add(
                    .pinFileDuplicateHost, element.line, "\(path)[\(index)]", "\(host) occurs twice, expected once")
                continue
            }
            hosts.append(host)
        }
        return hosts.isEmpty ? nil : hosts
    }

    /// Returns the hosts of a pattern, or of an object for hosts that no single pattern covers.
    private mutating func host(_ node: PinNode, _ path: String) -> PinnedHosts? {
        guard case .dictionary = node.value else {
            guard let text = values.string(node, path) else { return nil }
            return values.hosts(text, node.line, path)
        }
        guard let keys = values.dictionary(node, path, keys: [Keys.name, Keys.includesName, Keys.below]),
            let nameNode = required(Keys.name, keys, node, path),
            let text = values.string(nameNode, values.join(path, Keys.name)),
            let name = values.host(text, nameNode.line, values.join(path, Keys.name)),
            let includesNode = required(Keys.includesName, keys, node, path),
            let includesName = values.boolean(includesNode, values.join(path, Keys.includesName)),
            let belowNode = required(Keys.below, keys, node, path),
            let word = values.string(belowNode, values.join(path, Keys.below))
        else { return nil }
        let location = values.join(path, Keys.below)
        guard let below = PinnedHosts.Below(word: word) else {
            values.diagnostics.add(
                .pinFileBadValue, belowNode.line, location, "\(clipped(word)), expected nothing, oneLabel or anyDepth")
            return nil
        }
        guard let hosts = includesName ? PinnedHosts.host(name, andBelow: below) : .below(name, below) else {
            let problem =
                below == .nothing ? "neither the name nor names below it" : "an IP address has no names below it"
            values.diagnostics.add(.pinFileBadValue, belowNode.line, location, "no host is covered: \(problem)")
            return nil
        }
        return hosts
    }

    private mutating func pins(_ node: PinNode, _ path: String) -> [Pin] {
        var pins: [Pin] = []
        for (index, element) in (values.list(node, path) ?? []).enumerated() {
            if let pin = pin(element, "\(path)[\(index)]") { pins.append(pin) }
        }
        return values.unique(pins, path)
    }

    private mutating func pin(_ node: PinNode, _ path: String) -> Pin? {
        guard let keys = values.dictionary(node, path, keys: Keys.pin) else { return nil }
        func at(_ key: String) -> String { "\(path).\(key)" }
        let scope: PinScope? = required(Keys.scope, keys, node, path).flatMap { word($0, at(Keys.scope)) }
        let role: Pin.Role? = keys[Keys.role].flatMap { word($0, at(Keys.role)) }
        let added = keys[Keys.added].flatMap { time($0, at(Keys.added)) }
        let comment = text(Keys.comment, keys, path)
        var value: Pin.Value?
        switch (keys[Keys.key], keys[Keys.certificate]) {
        case (let key?, nil):
            if let text = values.string(key, at(Keys.key)) {
                value = values.key(text, key.line, at(Keys.key)).map { .key($0) }
            }
        case (nil, let certificate?):
            value = self.certificate(certificate, at(Keys.certificate)).map { .certificate($0) }
        case (_?, _?):
            values.diagnostics.add(
                .pinFileContradiction, node.line, path, "a key and a certificate, expected only one of them")
        case (nil, nil):
            values.diagnostics.add(.pinFileMissingKey, node.line, path, "neither \(Keys.key) nor \(Keys.certificate)")
        }
        guard let value, let scope else { return nil }
        return Pin(
            value, scope: scope, role: role, comment: comment, added: added,
            location: values.diagnostics.location(node.line, path))
    }

    private mutating func certificate(_ node: PinNode, _ path: String) -> Certificate? {
        guard let text = values.string(node, path) else { return nil }
        guard let der = try? Base64.decode(text) else {
            values.diagnostics.add(
                .pinFileBadBase64, node.line, path, "not base64, expected a certificate's DER in base64")
            return nil
        }
        return values.certificate(der, node.line, path)
    }

    private mutating func expiry(_ node: PinNode, _ path: String) -> PinExpiry? {
        guard let keys = values.dictionary(node, path, keys: [Keys.at, Keys.onExpiry]) else { return nil }
        let time = required(Keys.at, keys, node, path).flatMap { self.time($0, values.join(path, Keys.at)) }
        let onExpiry: PinExpiry.OnExpiry? = required(Keys.onExpiry, keys, node, path).flatMap {
            word($0, values.join(path, Keys.onExpiry))
        }
        guard let time, let onExpiry else { return nil }
        return PinExpiry(time, onExpiry: onExpiry)
    }

    private mutating func reportURIs(_ node: PinNode, _ path: String) -> [String] {
        var uris: [String] = []
        for (index, element) in (values.list(node, path) ?? []).enumerated() {
            let path = "\(path)[\(index)]"
            if let text = values.string(element, path), let uri = values.reportURI(text, element.line, path) {
                uris.append(uri)
            }
        }
        return uris
    }

    // MARK: Anchors and settings

    private mutating func anchors(_ node: PinNode, _ path: String) -> [PinAnchorSource] {
        var anchors: [PinAnchorSource] = []
        for (index, element) in (values.list(node, path) ?? []).enumerated() {
            if let anchor = anchor(element, "\(path)[\(index)]") { anchors.append(anchor) }
        }
        return anchors
    }

    private mutating func anchor(_ node: PinNode, _ path: String) -> PinAnchorSource? {
        guard
            let keys = values.dictionary(
                node, path, keys: [Keys.source, Keys.name, Keys.certificate, Keys.overridesPins])
        else { return nil }
        let overrides =
            keys[Keys.overridesPins].flatMap { values.boolean($0, values.join(path, Keys.overridesPins)) } ?? false
        let source: AnchorWord? = required(Keys.source, keys, node, path).flatMap {
            word($0, values.join(path, Keys.source))
        }
        let kind: PinAnchorSource.Kind?
        switch source {
        case .system: kind = .system
        case .user: kind = .user
        case .noAnchor: kind = PinAnchorSource.Kind.none
        case .resource:
            _ = required(Keys.name, keys, node, path)
            kind = text(Keys.name, keys, path).map { .resource($0) }
        case .certificate:
            kind = required(Keys.certificate, keys, node, path)
                .flatMap { certificate($0, values.join(path, Keys.certificate)) }.map { .certificate($0) }
        case nil: kind = nil
        }
        for (key, owner) in [(Keys.name, AnchorWord.resource), (Keys.certificate, .certificate)]
        where keys[key] != nil && source != owner {
            values.diagnostics.add(
                .pinFileContradiction, node.line, values.join(path, key), "belongs to the source \(owner.rawValue)")
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

    private mutating func settings(_ node: PinNode, _ path: String) -> [PinSetting] {
        var settings: [PinSetting] = []
        for (index, element) in (values.list(node, path) ?? []).enumerated() {
            let path = "\(path)[\(index)]"
            guard let keys = values.dictionary(element, path, keys: [Keys.format, Keys.key, Keys.value]) else {
                continue
            }
            for key in [Keys.format, Keys.key, Keys.value] { _ = required(key, keys, element, path) }
            guard let name = text(Keys.format, keys, path), let key = text(Keys.key, keys, path),
                let value = text(Keys.value, keys, path)
            else { continue }
            guard let format = PinFormat.named(name) else {
                let names = PinFormat.all.map(\.name).joined(separator: ", ")
                values.diagnostics.add(
                    .pinFileBadValue, element.line, path, "\"\(clipped(name))\", expected one of \(names)")
                continue
            }
            settings.append(PinSetting(format, key, value))
        }
        return settings
    }
}
