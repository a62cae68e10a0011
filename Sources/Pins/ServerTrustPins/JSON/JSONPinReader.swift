// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Reads this package's own format.
struct JSONPinReader: PinReading {
    /// Returns whether the file is in this format.
    static func recognizes(_ root: PinNode) -> Bool {
        root[JSONKey.schemaVersion.rawValue] != nil
            && [JSONKey.rules, .selection, .unlistedHosts].contains { root[$0.rawValue] != nil }
    }

    /// An object with known keys.
    private struct Object {
        let place: PlacedNode
        let members: [String: PlacedNode]

        subscript(key: JSONKey) -> PlacedNode? { members[key.rawValue] }

        /// Returns a member, or the place of a missing member.
        func member(_ key: JSONKey) -> PlacedNode { self[key] ?? place.member(key.rawValue) }
    }

    var values: PinValueReader

    mutating func configuration(_ root: PlacedNode) throws(PinFileError) -> PinConfiguration {
        let required: [JSONKey] = [.schemaVersion, .selection, .unlistedHosts, .rules]
        guard let document = object(root, JSONKey.document, requiring: required) else {
            try values.check()
            throw PinFileError(PinFileProblem(.pinFileWrongType, at: values.location(root), "expected an object"))
        }
        if let version = document[.schemaVersion] {
            if case .number(let number) = version.value, number == String(JSONKey.version) {
            } else {
                values.add(.pinFileBadValue, version, "expected \(JSONKey.version)")
            }
        }
        let selection: PinConfiguration.Selection? = word(.selection, document)
        let unlisted: PinConfiguration.UnlistedHosts? = word(.unlistedHosts, document)
        _ = text(.schema, document)
        let comment = text(.comment, document)
        let anchors = elements(.anchors, document) { $0.anchor($1) }
        let debugAnchors = elements(.debugAnchors, document) { $0.anchor($1) }
        let settings = elements(.settings, document) { $0.setting($1) }
        let rules = elements(.rules, document) { $0.rule($1) }
        return try values.configuration(
            rules, selection: selection ?? .mostSpecific, unlistedHosts: unlisted ?? .refused, anchors: anchors,
            debugAnchors: debugAnchors, comment: comment, settings: settings)
    }

    // MARK: Values

    private mutating func object(
        _ place: PlacedNode, _ keys: [JSONKey], requiring required: [JSONKey]? = nil
    ) -> Object? {
        guard let members = values.dictionary(place, keys: Set(keys.map(\.rawValue))) else { return nil }
        let object = Object(place: place, members: members)
        require(required ?? keys, object)
        return object
    }

    private mutating func require(_ keys: [JSONKey], _ object: Object) {
        for key in keys where object[key] == nil { values.add(.pinFileMissingKey, object.member(key), "missing") }
    }

    /// Returns the values of an array's elements, if the array exists. Leaves out elements without a value.
    private mutating func elements<Value>(
        _ key: JSONKey, _ object: Object, _ read: (inout Self, PlacedNode) -> Value?
    ) -> [Value] {
        (object[key].flatMap { values.list($0) } ?? []).compactMap { read(&self, $0) }
    }

    private mutating func text(_ key: JSONKey, _ object: Object) -> String? {
        object[key].flatMap { values.string($0) }
    }

    private mutating func boolean(_ key: JSONKey, _ object: Object) -> Bool? {
        object[key].flatMap { values.boolean($0) }
    }

    private mutating func word<Word: RawRepresentable & CaseIterable>(_ key: JSONKey, _ object: Object) -> Word?
    where Word.RawValue == String {
        guard let text = text(key, object) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        values.add(.pinFileBadValue, object.member(key), "\"\(clipped(text))\", expected one of \(words)")
        return nil
    }

    private mutating func time(_ key: JSONKey, _ object: Object) -> Time? {
        guard let text = text(key, object) else { return nil }
        do throws(TimeFormatError) {
            return try Time(rfc3339: text)
        } catch {
            values.add(.pinFileBadDate, object.member(key), error.description)
            return nil
        }
    }

    private mutating func certificate(_ object: Object) -> Certificate? {
        guard let text = text(.certificate, object) else { return nil }
        let place = object.member(.certificate)
        guard let der = try? Base64.decode(text) else {
            values.add(.pinFileBadBase64, place, "not base64, expected a certificate's DER in base64")
            return nil
        }
        return values.certificate(der, place.line, place.path)
    }

    // MARK: Rules

    private mutating func rule(_ place: PlacedNode) -> PinRule? {
        guard let object = object(place, JSONKey.rule, requiring: [.hosts, .mode]) else { return nil }
        let hosts = hosts(object)
        let mode: PinRule.Mode? = word(.mode, object)
        let found = elements(.pins, object) { $0.pin($1) }
        let pins = values.unique(found, object.member(.pins).path)
        if mode == .unpinned, let pins = object[.pins] {
            values.add(.pinFileContradiction, place.line, pins.path, "pins for hosts declared as unpinned")
        } else if mode != nil, mode != .unpinned {
            require([.pins], object)
        }
        let expiry = object[.expires].flatMap { self.expiry($0) }
        let anchors = elements(.anchors, object) { $0.anchor($1) }
        let uris = object[.reportURIs].map { values.reportURIs($0) } ?? []
        let settings = elements(.settings, object) { $0.setting($1) }
        let comment = text(.comment, object)
        guard let hosts, let mode else { return nil }
        return values.rule(
            hosts, mode: mode, pins, expiry: expiry, anchors: anchors, reportURIs: uris, comment: comment,
            settings: settings, place.line, place.path)
    }

    private mutating func hosts(_ object: Object) -> [PinnedHosts]? {
        if case .string(JSONKey.anyHost)? = object[.hosts]?.value { return [] }
        var seen: Set<PinnedHosts> = []
        let hosts = elements(.hosts, object) { reader, place -> PinnedHosts? in
            guard let hosts = reader.host(place) else { return nil }
            if seen.insert(hosts).inserted { return hosts }
            reader.values.add(.pinFileDuplicateHost, place, "\(hosts) occurs twice, expected once")
            return nil
        }
        return hosts.isEmpty ? nil : hosts
    }

    /// Returns the hosts of a pattern, or of an object for hosts that no single pattern covers.
    private mutating func host(_ place: PlacedNode) -> PinnedHosts? {
        guard case .dictionary = place.value else {
            return values.string(place).flatMap { values.hosts($0, place.line, place.path) }
        }
        guard let object = object(place, [.name, .includesName, .below]), let text = text(.name, object),
            let name = values.host(text, object.member(.name).line, object.member(.name).path),
            let includesName = boolean(.includesName, object), let word = self.text(.below, object)
        else { return nil }
        guard let below = PinnedHosts.Below(word: word) else {
            values.add(
                .pinFileBadValue, object.member(.below), "\(clipped(word)), expected nothing, oneLabel or anyDepth")
            return nil
        }
        guard let hosts = includesName ? PinnedHosts.host(name, andBelow: below) : .below(name, below) else {
            let problem =
                below == .nothing ? "neither the name nor names below it" : "an IP address has no names below it"
            values.add(.pinFileBadValue, object.member(.below), "no host is covered: \(problem)")
            return nil
        }
        return hosts
    }

    private mutating func pin(_ place: PlacedNode) -> Pin? {
        guard let object = object(place, JSONKey.pin, requiring: [.scope]) else { return nil }
        let scope: PinScope? = word(.scope, object)
        let role: Pin.Role? = word(.role, object)
        let added = time(.added, object)
        let comment = text(.comment, object)
        var value: Pin.Value?
        switch (object[.key], object[.certificate]) {
        case (let key?, nil):
            value = text(.key, object).flatMap { values.key($0, key.line, key.path) }.map { .key($0) }
        case (nil, _?): value = certificate(object).map { .certificate($0) }
        case (_?, _?):
            values.add(.pinFileContradiction, place, "a key and a certificate, expected only one of them")
        case (nil, nil): values.add(.pinFileMissingKey, place, "neither key nor certificate")
        }
        guard let value, let scope else { return nil }
        return Pin(value, scope: scope, role: role, comment: comment, added: added, location: values.location(place))
    }

    private mutating func expiry(_ place: PlacedNode) -> PinExpiry? {
        guard let object = object(place, [.at, .afterwards]) else { return nil }
        let time = time(.at, object)
        let onExpiry: PinExpiry.OnExpiry? = word(.afterwards, object)
        guard let time, let onExpiry else { return nil }
        return PinExpiry(time, onExpiry: onExpiry)
    }

    // MARK: Anchors and settings

    private mutating func anchor(_ place: PlacedNode) -> PinAnchorSource? {
        guard let object = object(place, JSONKey.anchor, requiring: [.source]) else { return nil }
        let overrides = boolean(.overridesPins, object) ?? false
        let source: AnchorWord? = word(.source, object)
        let kind: PinAnchorSource.Kind?
        switch source {
        case .system: kind = .system
        case .user: kind = .user
        case .noAnchor: kind = PinAnchorSource.Kind.none
        case .resource:
            require([.name], object)
            kind = text(.name, object).map { .resource($0) }
        case .certificate:
            require([.certificate], object)
            kind = certificate(object).map { .certificate($0) }
        case nil: kind = nil
        }
        for (key, owner) in [(JSONKey.name, AnchorWord.resource), (.certificate, .certificate)] where source != owner {
            guard let other = object[key] else { continue }
            values.add(.pinFileContradiction, place.line, other.path, "belongs to the source \(owner.rawValue)")
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

    private mutating func setting(_ place: PlacedNode) -> PinSetting? {
        guard let object = object(place, [.format, .key, .value]), let name = text(.format, object),
            let key = text(.key, object), let value = text(.value, object)
        else { return nil }
        guard let format = PinFormat.named(name) else {
            let names = PinFormat.all.map(\.name).joined(separator: ", ")
            values.add(.pinFileBadValue, place, "\"\(clipped(name))\", expected one of \(names)")
            return nil
        }
        return PinSetting(format, key, value)
    }
}
