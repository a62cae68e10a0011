// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// `res/xml/network_security_config.xml`, as Android reads it (XmlConfigSource.java, ApplicationConfig.java,
// NetworkSecurityTrustManager.java). The domain that is exactly the host applies. Otherwise, the longest domain that
// includes subdomains applies, at any depth. A nested domain-config inherits from the elements around it. After the
// expiration, there is no pin set. A path that ends in an anchor with overridePins needs no pin. Android skips unknown
// elements and attributes. An empty pin-set pins nothing, and empty trust-anchors trust nothing. This reader resolves
// the inheritance, so that each rule is complete. On Android, the expiration is a day in the device's time zone. Here,
// it is a day in UTC.
//
// `trustkit-config` is TrustKit-Android's element (TrustKitConfigurationParser.java). Android enforces the pins
// regardless of this element.

package struct AndroidReader: PinReading {
    /// Returns whether the file is in this format.
    static func recognizes(_ root: XMLElement) -> Bool { root.name == "network-security-config" }

    /// The values that a nested configuration inherits.
    private struct Inherited {
        var pins: [Pin] = []
        var expiry: PinExpiry?
        var anchors: [PinAnchorSource] = []
        var reportURIs: [String] = []
        var settings: [PinSetting] = []

        /// Whether connections without TLS are permitted, or nil if no element specifies it.
        var isCleartextPermitted: Bool? {
            settings.first { $0.key == AndroidReader.cleartextFlag }.map { $0.value == "true" }
        }

        mutating func set(_ setting: PinSetting) {
            settings.removeAll { $0.key == setting.key }
            settings.append(setting)
        }
    }

    /// An element with its key path.
    private struct Place {
        let element: XMLElement
        let path: String

        var line: Int { element.line }
        var text: String { element.text.trimmed }

        /// Returns the children with a name, with their positions in the path.
        func all(_ name: String) -> [Place] {
            element.children.filter { $0.name == name }.enumerated().map { index, child in
                Place(element: child, path: "\(path).\(name)[\(index)]")
            }
        }
    }

    package var values: PinValueReader
    private var rules: [PinRule] = []
    private var seen: [Hostname: Int?] = [:]
    private var cleartext: [CleartextStatement] = []
    private var anchorsLocation: PinFileLocation?
    private var debugAnchorsLocation: PinFileLocation?
    /// The number of pins, anchors and addresses in the rules of nested elements.
    private var nestedValues = 0

    /// The maximum of `nestedValues`. Inheritance makes a file's rules grow with the square of its size. Real files
    /// contain tens of values.
    private static let maximumNestedValues = 20_000
    private static let cleartextFlag = "cleartextTrafficPermitted"
    private static let flags = [cleartextFlag, "hstsEnforced"]
    /// The name of TrustKit's element. With `@` and the name of an attribute, it is the key of the element's settings.
    package static let trustKit = "trustkit-config"
    private static let trustKitFlags = ["enforcePinning", "disableDefaultReportUri"]

    package init(values: PinValueReader) { self.values = values }

    package mutating func configuration(_ tree: XMLTree) throws(PinFileError) -> PinConfiguration {
        let root = Place(element: tree.root, path: tree.root.name)
        guard Self.recognizes(tree.root) else {
            add(.pinFileUnknownKey, root, "expected <network-security-config>")
            throw PinFileError(values.problems[0])
        }
        check(root, children: ["base-config", "domain-config", "debug-overrides"], attributes: [])
        var base = Inherited()
        if let place = only("base-config", in: root) {
            checkGlobal(place)
            base = inherited(Inherited(), place)
            anchorsLocation = location(ofAnchorsIn: place)
            if let isPermitted = base.isCleartextPermitted {
                cleartext.append(CleartextStatement(nil, isPermitted: isPermitted, at: location(of: place)))
            }
        }
        var debug: [PinAnchorSource] = []
        if let place = only("debug-overrides", in: root) {
            checkGlobal(place)
            for name in Self.flags where place.element.attributes[name] != nil {
                add(
                    .pinFileContradiction, as: .odd, place, attribute: name,
                    "an attribute of debug-overrides, where Android reads only the anchors")
            }
            if let anchors = only("trust-anchors", in: place) {
                debugAnchorsLocation = location(ofAnchorsIn: place)
                debug = self.anchors(anchors, overridesPins: true)
            }
        }
        // Anchors and settings of the base belong to the configuration. A domain also has its own anchors and settings.
        for place in root.all("domain-config") {
            domains(place, Inherited(), base: base.isCleartextPermitted, depth: 0)
        }
        let comments = tree.strayComments + [tree.root.comment].compactMap { $0 }
        var configuration = try values.configuration(
            rules, anchors: base.anchors, debugAnchors: debug,
            comment: comments.isEmpty ? nil : comments.joined(separator: "\n"), settings: base.settings,
            allowsNoRule: true)
        configuration.cleartext = cleartext
        configuration.anchorsLocation = anchorsLocation
        configuration.debugAnchorsLocation = debugAnchorsLocation
        return configuration
    }

    // MARK: Elements

    /// Adds a problem with an element or its attribute.
    private mutating func add(
        _ code: ErrorCode, as grade: PinFileProblem.Grade = .refused, _ place: Place, attribute: String? = nil,
        _ detail: String
    ) {
        values.add(code, as: grade, place.line, place.path + (attribute.map { "@\($0)" } ?? ""), detail)
    }

    private func location(of place: Place) -> PinFileLocation { values.location(place.line, place.path) }

    /// Checks an element that applies to the whole app. Android refuses pins and domains in it.
    private mutating func checkGlobal(_ place: Place) {
        let refused = ["domain", "pin-set", "domain-config"]
        check(
            place, children: Set(refused).union(["trust-anchors", "certificateTransparency"]),
            attributes: Self.flags)
        for child in place.element.children where refused.contains(child.name) {
            values.add(
                .pinFileContradiction, child.line, PinValueReader.join(place.path, child.name),
                "an element that belongs inside a domain-config")
        }
    }

    /// Reports the attributes, elements and text that Android skips.
    private mutating func check(
        _ place: Place, children: Set<String>, attributes: [String], isText: Bool = false
    ) {
        let (element, path) = (place.element, place.path)
        for name in element.attributes.keys.sorted() where !attributes.contains(name) {
            // Attributes for build tools don't affect the device.
            if name == "xmlns" || name.hasPrefix("xmlns:") || name.hasPrefix("tools:") { continue }
            values.addUnknown(
                "an attribute", name, among: attributes, skippedBy: "Android", element.line, "\(path)@\(name)")
        }
        for child in element.children where !isText && !children.contains(child.name) {
            values.addUnknown(
                "an element", child.name, among: children.sorted(), skippedBy: "Android", child.line,
                PinValueReader.join(path, child.name))
        }
        if isText {
            guard element.children.isEmpty else {
                return add(.pinFileBadValue, place, "an element inside, expected only text")
            }
            // Android's build tools keep the text before and after a comment separate, and Android's parser reads only
            // one part.
            guard !element.hasSplitText else {
                return add(
                    .pinFileBadValue, place, "a comment inside the text, expected it before or after the element")
            }
        } else if !place.text.isEmpty {
            add(.pinFileBadValue, as: .odd, place, "the text \"\(clipped(place.text))\", which Android skips")
        }
    }

    /// Returns the only child with this name. A second one is a problem.
    private mutating func only(_ name: String, in place: Place) -> Place? {
        let found = place.element.children.filter { $0.name == name }.map {
            Place(element: $0, path: PinValueReader.join(place.path, name))
        }
        if found.count > 1 { add(.pinFileDuplicateKey, found[1], "the element occurs twice, expected once") }
        return found.first
    }

    private mutating func flag(_ name: String, _ place: Place) -> Bool? {
        guard let text = place.element.attributes[name] else { return nil }
        let problem = "\"\(clipped(text))\", expected true or false"
        // Android's build tools compile these values to booleans and numbers, so that they are read the same way.
        let trimmed = text.trimmed
        switch trimmed {
        case "true" where text == trimmed: return true
        case "false" where text == trimmed: return false
        case "true", "TRUE", "True", "false", "FALSE", "False":
            add(.pinFileBadValue, as: .odd, place, attribute: name, problem)
            return trimmed.lowercased() == "true"
        case _ where Int32(trimmed) != nil:
            add(.pinFileBadValue, as: .odd, place, attribute: name, problem)
            return Int32(trimmed) != 0
        default:
            add(.pinFileBadValue, place, attribute: name, problem)
            return nil
        }
    }

    // MARK: Configurations

    /// Returns the values of an element. Values that it doesn't specify come from the outer element.
    private mutating func inherited(_ outer: Inherited, _ place: Place) -> Inherited {
        var inherited = outer
        for name in Self.flags {
            if let value = flag(name, place) { inherited.set(PinSetting(.android, name, String(value))) }
        }
        if let transparency = only("certificateTransparency", in: place) {
            check(transparency, children: [], attributes: ["enabled"])
            if let value = flag("enabled", transparency) {
                inherited.set(PinSetting(.android, "certificateTransparency", String(value)))
            } else if transparency.element.attributes["enabled"] == nil {
                add(.pinFileMissingKey, transparency, attribute: "enabled", "missing, expected true or false")
            }
        }
        if let anchors = only("trust-anchors", in: place) {
            inherited.anchors = self.anchors(anchors, overridesPins: false)
        }
        if let set = only("pin-set", in: place) { (inherited.pins, inherited.expiry) = pins(set) }
        if let trustKit = only(Self.trustKit, in: place) { readTrustKit(trustKit, into: &inherited) }
        return inherited
    }

    /// Reads `trustkit-config`. Its `enforcePinning` is false by default.
    private mutating func readTrustKit(_ place: Place, into inherited: inout Inherited) {
        check(place, children: ["report-uri"], attributes: Self.trustKitFlags)
        for name in Self.trustKitFlags {
            let key = "\(Self.trustKit)@\(name)"
            let value = flag(name, place)
            // A missing attribute is inherited (DomainPinningPolicy.Builder).
            if value == nil, inherited.settings.contains(where: { $0.key == key }) { continue }
            inherited.set(PinSetting(.android, key, String(value ?? false)))
        }
        inherited.reportURIs = place.all("report-uri").compactMap { uri in
            check(uri, children: [], attributes: [], isText: true)
            return values.reportURI(uri.text, uri.line, uri.path)
        }
    }

    /// - Parameter base: whether `base-config` permits connections without TLS.
    private mutating func domains(_ place: Place, _ outer: Inherited, base: Bool?, depth: Int) {
        check(
            place,
            children: [
                "domain", "pin-set", "trust-anchors", "domain-config", "certificateTransparency", Self.trustKit,
            ],
            attributes: Self.flags)
        let inherited = inherited(outer, place)
        let domains = place.all("domain")
        if domains.isEmpty { add(.pinFileMissingKey, place, "no <domain>, expected at least one") }
        let hosts = domains.compactMap { host($0) }
        let own = inherited.isCleartextPermitted
        for hosts in hosts {
            cleartext.append(
                CleartextStatement(hosts, isPermitted: own ?? base, isExplicit: own != nil, at: location(of: place)))
        }
        if depth > 0, !hosts.isEmpty {
            nestedValues += inherited.pins.count + inherited.anchors.count + inherited.reportURIs.count
            guard nestedValues <= Self.maximumNestedValues else {
                return add(
                    .pinFileTooLarge, place,
                    "over \(Self.maximumNestedValues) pins, anchors and addresses in nested elements")
            }
        }
        if !hosts.isEmpty {
            let isPinned = !inherited.pins.isEmpty
            let rule = values.rule(
                hosts, mode: isPinned ? .enforced : .unpinned, inherited.pins,
                expiry: isPinned ? inherited.expiry : nil, anchors: inherited.anchors,
                reportURIs: isPinned ? inherited.reportURIs : [], comment: place.element.comment,
                settings: inherited.settings, place.line, place.path)
            if let rule { rules.append(rule) }
        }
        for nested in place.all("domain-config") {
            guard nestedValues <= Self.maximumNestedValues else { return }
            self.domains(nested, inherited, base: base, depth: depth + 1)
        }
    }

    private mutating func host(_ place: Place) -> PinnedHosts? {
        check(place, children: [], attributes: ["includeSubdomains"], isText: true)
        let includesSubdomains = flag("includeSubdomains", place) ?? false
        guard let name = values.hostOrNothing(place.text, "Android", place.line, place.path),
            values.unique(name, place.line, place.path, among: &seen)
        else { return nil }
        values.checkDot(place.text, keptInURLs: false, place.line, place.path)
        if let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .anyDepth : .nothing) { return hosts }
        add(.pinFileContradiction, as: .odd, place, "subdomains of an IP address, which has none")
        return .only(name)
    }

    // MARK: Pins and anchors

    private mutating func pins(_ place: Place) -> ([Pin], PinExpiry?) {
        check(place, children: ["pin"], attributes: ["expiration"])
        let expiry = place.element.attributes["expiration"].flatMap { text in
            values.javaDay(text, place.line, "\(place.path)@expiration").map { PinExpiry($0, onExpiry: .failOpen) }
        }
        let elements = place.all("pin")
        if elements.isEmpty {
            add(.pinFileEmptyList, as: .odd, place, "no <pin>: the hosts are not pinned, as if there were no pin-set")
        }
        return (values.unique(elements.compactMap { pin($0) }, as: .odd, place.path), expiry)
    }

    private mutating func pin(_ place: Place) -> Pin? {
        check(place, children: [], attributes: ["digest"], isText: true)
        guard let digest = place.element.attributes["digest"] else {
            add(.pinFileMissingKey, place, attribute: "digest", "missing, expected SHA-256")
            return nil
        }
        let isRead = digest.lowercased() == "sha-256"
        if digest != "SHA-256" {
            add(
                .pinFileBadDigest, as: isRead ? .odd : .refused, place, attribute: "digest",
                "\"\(clipped(digest))\", expected SHA-256")
        }
        guard isRead, let key = values.key(base64: place.text, allowing: .android, place.line, place.path) else {
            return nil
        }
        return Pin(.key(key), comment: place.element.comment, location: location(of: place))
    }

    /// Returns the location of the first `trust-anchors` of an element.
    private func location(ofAnchorsIn place: Place) -> PinFileLocation? {
        place.element.children.first { $0.name == "trust-anchors" }.map {
            values.location($0.line, PinValueReader.join(place.path, $0.name))
        }
    }

    private mutating func anchors(_ place: Place, overridesPins: Bool) -> [PinAnchorSource] {
        check(place, children: ["certificates"], attributes: [])
        let elements = place.all("certificates")
        if elements.isEmpty {
            add(.pinFileEmptyList, as: .odd, place, "no <certificates>: nothing is trusted, so every server is refused")
            return [PinAnchorSource(.none)]
        }
        return elements.compactMap { anchor($0, overridesPins: overridesPins) }
    }

    private mutating func anchor(_ place: Place, overridesPins: Bool) -> PinAnchorSource? {
        check(place, children: [], attributes: ["src", "overridePins"])
        let overrides = flag("overridePins", place) ?? overridesPins
        switch place.element.attributes["src"] {
        case nil: add(.pinFileMissingKey, place, attribute: "src", "missing, expected system, user or @raw/NAME")
        case "system": return PinAnchorSource(.system, overridesPins: overrides)
        case "user": return PinAnchorSource(.user, overridesPins: overrides)
        case let source? where source.hasPrefix("@") && source.count > 1:
            return PinAnchorSource(.resource(String(source.dropFirst())), overridesPins: overrides)
        case let source?:
            add(.pinFileBadValue, place, attribute: "src", "\"\(clipped(source))\", expected system, user or @raw/NAME")
        }
        return nil
    }
}
