// SPDX-License-Identifier: Apache-2.0

/// Extensions with lists that are as long as a certificate of a given size allows.
struct CostLists {
    private let plan: CostPlan
    private let limit: Int

    init(_ plan: CostPlan, limit: Int) {
        self.plan = plan
        self.limit = limit
    }

    static func `extension`(_ oid: [UInt8], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.tlv(0x06, oid), isCritical ? [0x01, 0x01, 0xff] : [], DERWriter.tlv(0x04, value))
    }

    /// Returns the extensions of a certificate at `place`: `.leaf`, `.firstLayer`, or `.authorities` for the
    /// certificates above it.
    func extensions(_ place: CostPlan.List.Place) -> [UInt8] {
        let lists = plan.lists.filter { list in
            switch list.place {
            case .everywhere: true
            case .leaf: place == .leaf
            case .authorities: place != .leaf
            case .firstLayer: place == .firstLayer
            }
        }
        // If a certificate shares its megabyte with others, its lists share its part.
        let share = limit / max(1, lists.count)
        var byValue: [ExtensionKind: [UInt8]] = [:]
        var unknown: [UInt8] = []
        for list in lists {
            switch list.kind {
            case .unknownExtensions:
                unknown += members(list, share) { index in
                    Self.extension(
                        [0x2b, 0x06, 0x01, 0x04, 0x01, 0x83] + DERWriter.identifier(index).dropFirst(3), [0x05, 0x00])
                }
            case .commonNames: break
            default: byValue[ExtensionKind(list.kind), default: []] += members(list, share) { member(list, $0) }
            }
        }
        var extensions = unknown
        // In the order of the cases, so that a plan always produces the same certificate.
        for kind in ExtensionKind.allCases {
            guard kind != .permitted, kind != .excluded, let contents = byValue[kind] else { continue }
            extensions += Self.extension(kind.oid, DERWriter.tlv(0x30, contents))
        }
        let trees =
            (byValue[.permitted].map { DERWriter.tlv(0xa0, $0) } ?? [])
            + (byValue[.excluded].map { DERWriter.tlv(0xa1, $0) } ?? [])
        if !trees.isEmpty {
            extensions += Self.extension(ExtensionKind.permitted.oid, DERWriter.tlv(0x30, trees), isCritical: true)
        }
        return extensions
    }

    /// A subject that only consists of common names.
    func commonNames(_ list: CostPlan.List) -> [UInt8] {
        DERWriter.tlv(
            0x30,
            members(list, limit / 2) { index in
                DERWriter.set([
                    DERWriter.sequence(
                        DERWriter.tlv(0x06, [0x55, 0x04, 3]), DERWriter.text(text(list, index, ".example")))
                ])
            })
    }

    private func members(_ list: CostPlan.List, _ share: Int, _ make: (Int) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<list.count {
            let member = make(index)
            guard bytes.count + member.count <= share else { break }
            bytes += member
        }
        return bytes
    }

    /// If names are compared from the end, as hosts are, they differ at the beginning.
    private func text(_ list: CostPlan.List, _ index: Int, _ suffix: String) -> String {
        let label = String(repeating: "a", count: min(Int(list.length), 50))
        return String(index, radix: 36) + label + suffix
    }

    private func member(_ list: CostPlan.List, _ index: Int) -> [UInt8] {
        let subtree = { (name: [UInt8]) in DERWriter.tlv(0x30, name) }
        let ia5 = { (tag: UInt8, text: String) in DERWriter.text(text, tag: tag) }
        let four = [UInt8(10), UInt8(index >> 16 & 0xff), UInt8(index >> 8 & 0xff), UInt8(index & 0xff)]
        // Names of one or many attributes. With eight attributes, the constraints have them in the opposite order.
        let directory = { (spelled: Bool) in
            DERWriter.tlv(
                0xa4,
                CostNames.name(
                    plan, mark: "d\(index)", spelled: spelled, attributes: max(1, Int(list.length)), limit: limit))
        }
        switch list.kind {
        case .dnsNames: return ia5(0x82, text(list, index, ".ex"))
        case .addresses: return DERWriter.tlv(0x87, four)
        case .mailboxes: return ia5(0x81, "a@" + text(list, index, ".ex"))
        case .uris: return ia5(0x86, "https://" + text(list, index, ".ex/"))
        case .directoryNames: return directory(false)
        case .otherNames:
            return DERWriter.tlv(0xa0, DERWriter.identifier(index) + DERWriter.tlv(0xa0, DERWriter.text("x")))
        case .purposes: return DERWriter.identifier(index)
        case .policies: return DERWriter.sequence(DERWriter.identifier(index))
        case .qualifiedPolicies:
            let cps = DERWriter.tlv(0x06, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x01])
            let qualifier = DERWriter.sequence(cps, ia5(0x16, "https://a.ex"))
            return DERWriter.sequence(DERWriter.identifier(index), DERWriter.sequence(qualifier))
        case .mappings:
            return DERWriter.sequence(DERWriter.identifier(index / 2), DERWriter.identifier(index / 2 + index % 2))
        case .permittedDNS, .excludedDNS: return subtree(ia5(0x82, text(list, index, ".ey")))
        case .permittedDirectories, .excludedDirectories: return subtree(directory(true))
        case .permittedAddresses, .excludedAddresses:
            return subtree(DERWriter.tlv(0x87, [UInt8(11)] + four.dropFirst() + [255, 255, 255, 255]))
        case .permittedMailboxes, .excludedMailboxes: return subtree(ia5(0x81, text(list, index, ".ey")))
        case .permittedURIs, .excludedURIs: return subtree(ia5(0x86, text(list, index, ".ey")))
        case .accessDescriptions:
            let ocsp = DERWriter.tlv(0x06, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01])
            return DERWriter.sequence(ocsp, ia5(0x86, "http://" + text(list, index, ".ex")))
        case .distributionPoints:
            let name = DERWriter.tlv(0xa0, ia5(0x86, "http://" + text(list, index, ".ex")))
            return DERWriter.sequence(DERWriter.tlv(0xa0, name))
        case .tlsFeatures: return DERWriter.integer(index)
        case .unknownExtensions, .commonNames: return []
        }
    }
}

/// An extension that contains lists of one or more kinds.
private enum ExtensionKind: CaseIterable {
    case alternativeNames, purposes, policies, mappings, permitted, excluded, access, distribution, features

    init(_ kind: CostPlan.List.Kind) {
        switch kind {
        case .dnsNames, .addresses, .mailboxes, .uris, .directoryNames, .otherNames: self = .alternativeNames
        case .purposes: self = .purposes
        case .policies, .qualifiedPolicies: self = .policies
        case .mappings: self = .mappings
        case .permittedDNS, .permittedDirectories, .permittedAddresses, .permittedMailboxes, .permittedURIs:
            self = .permitted
        case .excludedDNS, .excludedDirectories, .excludedAddresses, .excludedMailboxes, .excludedURIs:
            self = .excluded
        case .accessDescriptions: self = .access
        case .distributionPoints: self = .distribution
        case .tlsFeatures, .unknownExtensions, .commonNames: self = .features
        }
    }

    var oid: [UInt8] {
        switch self {
        case .alternativeNames: [0x55, 0x1d, 0x11]
        case .purposes: [0x55, 0x1d, 0x25]
        case .policies: [0x55, 0x1d, 0x20]
        case .mappings: [0x55, 0x1d, 0x21]
        case .permitted, .excluded: [0x55, 0x1d, 0x1e]
        case .access: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01]
        case .distribution: [0x55, 0x1d, 0x1f]
        case .features: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x18]
        }
    }
}
