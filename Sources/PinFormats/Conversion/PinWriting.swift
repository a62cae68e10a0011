// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A file that was written from a configuration, and what it doesn't say.
public struct WrittenPins: Sendable {
    public let bytes: [UInt8]
    /// What got lost; empty for a file that says the same.
    public let losses: [PinLoss]
}

/// How to write.
public struct PinWritingOptions: Sendable, Hashable {
    /// A binary property list instead of XML: ATS, TrustKit, ISPCertificatePinning.
    public var isBinary = false
    /// TrustKit's dictionary as JSON instead of a property list.
    public var isJSON = false
    /// For a format that names no host (curl): whose pins are meant. From such a format: whom they are for. nil if it is clear.
    public var host: Hostname?

    public init() {}
}

extension PinConfiguration {
    /// Writes the configuration in a format, and says what that format can't hold.
    ///
    /// Where a format has no words for how far a domain reaches, the file reaches further rather than less far; where it has none for
    /// report-only rules, they are left out. Both are among the losses, as is everything else that what was written, when read
    /// again, doesn't say.
    /// - Throws: ``PinWritingError`` if nothing can be written that the format's owner would take.
    public func written(
        as format: PinFormat, _ options: PinWritingOptions = PinWritingOptions()
    ) throws(PinWritingError) -> WrittenPins {
        var source = self
        if let host = options.host, rules.contains(where: \.isForAnyHost) { source = bound(to: host) }
        if format == .curl, let host = options.host ?? onlyHost { source = try pins(of: host, format) }
        let bytes = try source.bytes(as: format, options)
        let again: PinConfiguration
        do throws(PinFileError) {
            again = try PinConfiguration(reading: bytes, as: format, file: format.name)
        } catch {
            throw PinWritingError(format: format, reason: .refused(error))
        }
        guard format == .curl, let host = source.rules.first?.hosts.first?.name else {
            return WrittenPins(bytes: bytes, losses: source.losses(in: again))
        }
        // curl's pins are for whatever host it is told to go to: compared for the one that is meant.
        return WrittenPins(bytes: bytes, losses: source.losses(in: again.bound(to: host)))
    }

    private func bytes(as format: PinFormat, _ options: PinWritingOptions) throws(PinWritingError) -> [UInt8] {
        let isPropertyList = format == .ats || format == .trustKit || format == .isp
        guard isPropertyList || !options.isBinary else { throw PinWritingError(format: format, reason: .notBinary) }
        switch format {
        case .ats: return try propertyList(ATSWriter.tree(self), format, options)
        case .isp: return try propertyList(ISPWriter.tree(self), format, options)
        case .trustKit:
            let tree = TrustKitWriter.tree(self)
            if options.isJSON, !options.isBinary { return try nonEmpty(tree, format).json() }
            return try propertyList(tree, format, options)
        case .android: return try AndroidWriter.write(self)
        case .okHttp: return try OkHttpWriter.write(self)
        case .curl:
            guard let rule = rules.first, rules.count == 1 else {
                throw PinWritingError(format: format, reason: .severalPolicies)
            }
            let keys = (rule.scopes.contains(.leaf) ? rule.keys(.leaf) : rule.keys()).map(\.key)
            guard !keys.isEmpty else { throw PinWritingError(format: format, reason: .nothingToWrite) }
            return Array(CurlFormat.write(keys).utf8)
        default: return JSONPinWriter.tree(self).json()
        }
    }

    private func nonEmpty(_ tree: PinTree?, _ format: PinFormat) throws(PinWritingError) -> PinTree {
        guard let tree else { throw PinWritingError(format: format, reason: .nothingToWrite) }
        return tree
    }

    private func propertyList(
        _ tree: PinTree?, _ format: PinFormat, _ options: PinWritingOptions
    ) throws(PinWritingError) -> [UInt8] {
        let tree = try nonEmpty(tree, format)
        return options.isBinary ? tree.binaryPropertyList() : tree.xmlPropertyList()
    }

    /// The host if there is but one.
    private var onlyHost: Hostname? {
        let hosts = rules.flatMap(\.hosts)
        return hosts.count == 1 && hosts[0].below == .nothing ? hosts[0].name : nil
    }

    private func pins(of host: Hostname, _ format: PinFormat) throws(PinWritingError) -> PinConfiguration {
        guard let rule = PinTable(self).rule(for: host), rule.mode == .enforced,
            let only = try? rule.with(hosts: [.only(host)]),
            let configuration = try? PinConfiguration(rules: [only])
        else { throw PinWritingError(format: format, reason: .nothingToWrite) }
        return configuration
    }
}
