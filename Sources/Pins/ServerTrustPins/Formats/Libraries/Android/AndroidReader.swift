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

package struct AndroidReader {
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

    private var values: PinValueReader
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

    static func read(_ tree: XMLTree, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = AndroidReader(values: PinValueReader(file: file))
        return try reader.configuration(tree)
    }

    private mutating func configuration(_ tree: XMLTree) throws(PinFileError) -> PinConfiguration {
        let root = tree.root
        guard Self.recognizes(root) else {
            values.diagnostics.add(.pinFileUnknownKey, root.line, root.name, "expected <network-security-config>")
            throw PinFileError(values.diagnostics.problems[0])
        }
        let path = root.name
        check(root, path, children: ["base-config", "domain-config", "debug-overrides"], attributes: [])
        var base = Inherited()
        if let element = only("base-config", in: root, path) {
            let path = values.join(path, element.name)
            checkGlobal(element, path)
            base = inherited(Inherited(), element, path)
            anchorsLocation = location(ofAnchorsIn: element, path)
            if let isPermitted = base.isCleartextPermitted {
                cleartext.append(
                    CleartextStatement(
                        nil, isPermitted: isPermitted, at: values.diagnostics.location(element.line, path)))
            }
        }
        var debug: [PinAnchorSource] = []
        if let element = only("debug-overrides", in: root, path) {
            let path = values.join(path, element.name)
            checkGlobal(element, path)
            for name in Self.flags where element.attributes[name] != nil {
                values.diagnostics.add(
                    .pinFileContradiction, as: .odd, element.line, "\(path)@\(name)",
                    "an attribute of debug-overrides, where Android reads only the anchors")
            }
            if let anchors = only("trust-anchors", in: element, path) {
                debugAnchorsLocation = location(ofAnchorsIn: element, path)
                debug = self.anchors(anchors, values.join(path, anchors.name), overridesPins: true)
            }
        }
        // Anchors and settings of the base belong to the configuration. A domain also has its own anchors and settings.
        for (index, element) in root.children.filter({ $0.name == "domain-config" }).enumerated() {
            domains(element, "\(path).domain-config[\(index)]", Inherited(), base: base.isCleartextPermitted, depth: 0)
        }
        let comments = tree.strayComments + [root.comment].compactMap { $0 }
        return try values.diagnostics.configuration { () throws(PinRuleError) in
            try PinConfiguration(
                rules: rules, anchors: base.anchors, debugAnchors: debug,
                comment: comments.isEmpty ? nil : comments.joined(separator: "\n"), settings: base.settings,
                allowsNoRule: true
            ).stating(cleartext).locating(anchors: anchorsLocation, debugAnchors: debugAnchorsLocation)
        }
    }

    // MARK: Elements

    /// Checks an element that applies to the whole app. Android refuses pins and domains in it.
    private mutating func checkGlobal(_ element: XMLElement, _ path: String) {
        let refused = ["domain", "pin-set", "domain-config"]
        check(
            element, path, children: Set(refused).union(["trust-anchors", "certificateTransparency"]),
            attributes: Self.flags)
        for child in element.children where refused.contains(child.name) {
            values.diagnostics.add(
                .pinFileContradiction, child.line, values.join(path, child.name),
                "an element that belongs inside a domain-config")
        }
    }

    /// Reports the attributes, elements and text that Android skips.
    private mutating func check(
        _ element: XMLElement, _ path: String, children: Set<String>, attributes: [String], isText: Bool = false
    ) {
        for name in element.attributes.keys.sorted() where !attributes.contains(name) {
            // Attributes for build tools don't affect the device.
            if name == "xmlns" || name.hasPrefix("xmlns:") || name.hasPrefix("tools:") { continue }
            values.addUnknown(
                "an attribute", name, among: attributes, skippedBy: "Android", element.line, "\(path)@\(name)")
        }
        for child in element.children where !isText && !children.contains(child.name) {
            values.addUnknown(
                "an element", child.name, among: children.sorted(), skippedBy: "Android", child.line,
                values.join(path, child.name))
        }
        if isText {
            guard element.children.isEmpty else {
                return values.diagnostics.add(
                    .pinFileBadValue, element.line, path, "an element inside, expected only text")
            }
            // Android's build tools keep the text before and after a comment separate, and Android's parser reads only
            // one part.
            guard !element.hasSplitText else {
                return values.diagnostics.add(
                    .pinFileBadValue, element.line, path,
                    "a comment inside the text, expected it before or after the element"
                )
            }
        } else if !element.text.trimmed.isEmpty {
            values.diagnostics.add(
                .pinFileBadValue, as: .odd, element.line, path,
                "the text \"\(clipped(element.text.trimmed))\", which Android skips")
        }
    }

    /// Returns the only child with this name. A second one is a problem.
    private mutating func only(_ name: String, in element: XMLElement, _ path: String) -> XMLElement? {
        let found = element.children.filter { $0.name == name }
        if found.count > 1 {
            values.diagnostics.add(
                .pinFileDuplicateKey, found[1].line, values.join(path, name), "the element occurs twice, expected once")
        }
        return found.first
    }

    private mutating func flag(_ name: String, _ element: XMLElement, _ path: String) -> Bool? {
        guard let text = element.attributes[name] else { return nil }
        // Android's build tools compile these values to booleans and numbers, so that they are read the same way.
        let trimmed = text.trimmed
        switch trimmed {
        case "true" where text == trimmed: return true
        case "false" where text == trimmed: return false
        case "true", "TRUE", "True", "false", "FALSE", "False":
            addOddFlag(text, element, "\(path)@\(name)")
            return trimmed.lowercased() == "true"
        case _ where Int32(trimmed) != nil:
            addOddFlag(text, element, "\(path)@\(name)")
            return Int32(trimmed) != 0
        default:
            values.diagnostics.add(
                .pinFileBadValue, element.line, "\(path)@\(name)", "\"\(clipped(text))\", expected true or false")
            return nil
        }
    }

    private mutating func addOddFlag(_ text: String, _ element: XMLElement, _ path: String) {
        values.diagnostics.add(
            .pinFileBadValue, as: .odd, element.line, path, "\"\(clipped(text))\", expected true or false")
    }

    // MARK: Configurations

    /// Returns the values of an element. Values that it doesn't specify come from the outer element.
    private mutating func inherited(_ outer: Inherited, _ element: XMLElement, _ path: String) -> Inherited {
        var inherited = outer
        for name in Self.flags {
            if let value = flag(name, element, path) { inherited.set(PinSetting(.android, name, String(value))) }
        }
        if let transparency = only("certificateTransparency", in: element, path) {
            let path = values.join(path, transparency.name)
            check(transparency, path, children: [], attributes: ["enabled"])
            if let value = flag("enabled", transparency, path) {
                inherited.set(PinSetting(.android, "certificateTransparency", String(value)))
            } else if transparency.attributes["enabled"] == nil {
                values.diagnostics.add(
                    .pinFileMissingKey, transparency.line, "\(path)@enabled", "missing, expected true or false")
            }
        }
        if let anchors = only("trust-anchors", in: element, path) {
            inherited.anchors = self.anchors(anchors, values.join(path, anchors.name), overridesPins: false)
        }
        if let set = only("pin-set", in: element, path) {
            (inherited.pins, inherited.expiry) = pins(set, values.join(path, set.name))
        }
        if let trustKit = only(Self.trustKit, in: element, path) {
            readTrustKit(trustKit, values.join(path, trustKit.name), into: &inherited)
        }
        return inherited
    }

    /// Reads `trustkit-config`. Its `enforcePinning` is false by default.
    private mutating func readTrustKit(_ element: XMLElement, _ path: String, into inherited: inout Inherited) {
        check(element, path, children: ["report-uri"], attributes: Self.trustKitFlags)
        for name in Self.trustKitFlags {
            let key = "\(Self.trustKit)@\(name)"
            let value = flag(name, element, path)
            // A missing attribute is inherited (DomainPinningPolicy.Builder).
            if value == nil, inherited.settings.contains(where: { $0.key == key }) { continue }
            inherited.set(PinSetting(.android, key, String(value ?? false)))
        }
        inherited.reportURIs = []
        for (index, uri) in element.children.filter({ $0.name == "report-uri" }).enumerated() {
            let path = "\(path).report-uri[\(index)]"
            check(uri, path, children: [], attributes: [], isText: true)
            guard let text = values.reportURI(uri.text.trimmed, uri.line, path) else { continue }
            inherited.reportURIs.append(text)
        }
    }

    /// - Parameter base: whether `base-config` permits connections without TLS.
    private mutating func domains(
        _ element: XMLElement, _ path: String, _ outer: Inherited, base: Bool?, depth: Int
    ) {
        check(
            element, path,
            children: [
                "domain", "pin-set", "trust-anchors", "domain-config", "certificateTransparency", Self.trustKit,
            ],
            attributes: Self.flags)
        let inherited = inherited(outer, element, path)
        let elements = element.children.filter { $0.name == "domain" }
        if elements.isEmpty {
            values.diagnostics.add(.pinFileMissingKey, element.line, path, "no <domain>, expected at least one")
        }
        let hosts = elements.enumerated().compactMap { index, element in
            host(element, "\(path).domain[\(index)]")
        }
        let location = values.diagnostics.location(element.line, path)
        let own = inherited.isCleartextPermitted
        for hosts in hosts {
            cleartext.append(
                CleartextStatement(hosts, isPermitted: own ?? base, isExplicit: own != nil, at: location))
        }
        if depth > 0, !hosts.isEmpty {
            nestedValues += inherited.pins.count + inherited.anchors.count + inherited.reportURIs.count
            guard nestedValues <= Self.maximumNestedValues else {
                return values.diagnostics.add(
                    .pinFileTooLarge, element.line, path,
                    "over \(Self.maximumNestedValues) pins, anchors and addresses in nested elements")
            }
        }
        if !hosts.isEmpty {
            let isPinned = !inherited.pins.isEmpty
            let rule = values.diagnostics.rule(location) { () throws(PinRuleError) in
                try PinRule(
                    hosts: hosts, mode: isPinned ? .enforced : .unpinned, pins: inherited.pins,
                    expiry: isPinned ? inherited.expiry : nil, anchors: inherited.anchors,
                    reportURIs: isPinned ? inherited.reportURIs : [], comment: element.comment,
                    settings: inherited.settings, location: location)
            }
            if let rule { rules.append(rule) }
        }
        for (index, nested) in element.children.filter({ $0.name == "domain-config" }).enumerated() {
            guard nestedValues <= Self.maximumNestedValues else { return }
            domains(nested, "\(path).domain-config[\(index)]", inherited, base: base, depth: depth + 1)
        }
    }

    private mutating func host(_ element: XMLElement, _ path: String) -> PinnedHosts? {
        check(element, path, children: [], attributes: ["includeSubdomains"], isText: true)
        let includesSubdomains = flag("includeSubdomains", element, path) ?? false
        guard let name = values.hostOrNothing(element.text.trimmed, "Android", element.line, path),
            values.unique(name, element.line, path, among: &seen)
        else { return nil }
        values.checkDot(element.text.trimmed, keptInURLs: false, element.line, path)
        if let hosts = PinnedHosts.host(name, andBelow: includesSubdomains ? .anyDepth : .nothing) { return hosts }
        values.diagnostics.add(
            .pinFileContradiction, as: .odd, element.line, path, "subdomains of an IP address, which has none")
        return .only(name)
    }

    // MARK: Pins and anchors

    private mutating func pins(_ element: XMLElement, _ path: String) -> ([Pin], PinExpiry?) {
        check(element, path, children: ["pin"], attributes: ["expiration"])
        var expiry: PinExpiry?
        if let text = element.attributes["expiration"],
            let day = values.javaDay(text, element.line, "\(path)@expiration")
        {
            expiry = PinExpiry(day, onExpiry: .failOpen)
        }
        let elements = element.children.filter { $0.name == "pin" }
        if elements.isEmpty {
            values.diagnostics.add(
                .pinFileEmptyList, as: .odd, element.line, path,
                "no <pin>: the hosts are not pinned, as if there were no pin-set")
        }
        var pins: [Pin] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path).pin[\(index)]"
            check(element, path, children: [], attributes: ["digest"], isText: true)
            guard let digest = element.attributes["digest"] else {
                values.diagnostics.add(.pinFileMissingKey, element.line, "\(path)@digest", "missing, expected SHA-256")
                continue
            }
            guard digest.lowercased() == "sha-256" else {
                values.diagnostics.add(
                    .pinFileBadDigest, element.line, "\(path)@digest", "\"\(clipped(digest))\", expected SHA-256")
                continue
            }
            if digest != "SHA-256" {
                values.diagnostics.add(
                    .pinFileBadDigest, as: .odd, element.line, "\(path)@digest",
                    "\"\(clipped(digest))\", expected SHA-256")
            }
            guard let key = values.key(base64: element.text.trimmed, allowing: .android, element.line, path) else {
                continue
            }
            pins.append(
                Pin(.key(key), comment: element.comment, location: values.diagnostics.location(element.line, path)))
        }
        return (values.unique(pins, as: .odd, path), expiry)
    }

    /// Returns the location of the first `trust-anchors` of an element.
    private func location(ofAnchorsIn element: XMLElement, _ path: String) -> PinFileLocation? {
        element.children.first { $0.name == "trust-anchors" }.map {
            values.diagnostics.location($0.line, values.join(path, $0.name))
        }
    }

    private mutating func anchors(_ element: XMLElement, _ path: String, overridesPins: Bool) -> [PinAnchorSource] {
        check(element, path, children: ["certificates"], attributes: [])
        let elements = element.children.filter { $0.name == "certificates" }
        if elements.isEmpty {
            values.diagnostics.add(
                .pinFileEmptyList, as: .odd, element.line, path,
                "no <certificates>: nothing is trusted, so every server is refused")
            return [PinAnchorSource(.none)]
        }
        var anchors: [PinAnchorSource] = []
        for (index, element) in elements.enumerated() {
            let path = "\(path).certificates[\(index)]"
            check(element, path, children: [], attributes: ["src", "overridePins"])
            let overrides = flag("overridePins", element, path) ?? overridesPins
            switch element.attributes["src"] {
            case nil:
                values.diagnostics.add(
                    .pinFileMissingKey, element.line, "\(path)@src", "missing, expected system, user or @raw/NAME")
            case "system": anchors.append(PinAnchorSource(.system, overridesPins: overrides))
            case "user": anchors.append(PinAnchorSource(.user, overridesPins: overrides))
            case let source? where source.hasPrefix("@") && source.count > 1:
                anchors.append(PinAnchorSource(.resource(String(source.dropFirst())), overridesPins: overrides))
            case let source?:
                values.diagnostics.add(
                    .pinFileBadValue, element.line, "\(path)@src",
                    "\"\(clipped(source))\", expected system, user or @raw/NAME"
                )
            }
        }
        return anchors
    }
}
