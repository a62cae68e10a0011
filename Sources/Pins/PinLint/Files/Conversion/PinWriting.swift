// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// A file written from a configuration, and the information that it lost.
public struct WrittenPins: Sendable {
    /// The contents of the file.
    public let bytes: [UInt8]
    /// The losses. Empty for an equivalent file.
    public let losses: [PinLoss]
}

/// Options for writing.
public struct PinWritingOptions: Sendable, Hashable {
    /// Whether the writer produces a binary property list instead of XML, for ATS, TrustKit and ISPCertificatePinning.
    public var isBinary = false
    /// Whether the writer produces JSON instead of a property list, for TrustKit's dictionary.
    package var isJSON = false
    /// The language of sources: Kotlin or Java for OkHttp, Swift or Objective-C for TrustKit. Nil means Kotlin for
    /// OkHttp and a property list for TrustKit.
    package var language: SourceLanguage?
    /// The host for a format without hosts (curl): the host whose pins to write, or the host for pins read from such a
    /// format. Nil if the host is unambiguous.
    public var host: Hostname?

    /// Creates the default options.
    public init() {}
}

extension PinConfiguration {
    /// Writes the configuration in a format, and reports the information that the format can't express.
    ///
    /// If a format can't express the depth of a domain, the file covers more hosts instead of fewer. If it has no
    /// report-only rules, the file leaves them out. To find the losses, the method reads the file back and compares the
    /// two configurations.
    /// - Throws: ``PinWritingError`` if the format's own implementation wouldn't accept a file with these pins.
    public func written(
        as format: PinFormat, _ options: PinWritingOptions = PinWritingOptions()
    ) throws(PinWritingError) -> WrittenPins {
        var source = self
        if let host = options.host, rules.contains(where: \.isForAnyHost) { source = bound(to: host) }
        if format == .curl || format == .envoy, let host = options.host ?? onlyHost {
            source = try pins(of: host, format)
        }
        let bytes = try source.bytes(as: format, options)
        // The option pins nothing, so all pins are lost.
        if format == .chromium, let nothing = try? PinConfiguration(rules: [], allowsNoRule: true) {
            return WrittenPins(bytes: bytes, losses: source.losses(in: nothing))
        }
        let again: PinConfiguration
        do throws(PinFileError) {
            again = try PinConfiguration(importing: bytes, as: format, file: format.name)
        } catch {
            throw PinWritingError(.pinWritingRefused, format, refusal: error)
        }
        guard format == .curl, let host = source.rules.first?.hosts.first?.name else {
            return WrittenPins(bytes: bytes, losses: source.leftOut + source.losses(in: again))
        }
        // curl's pins apply to any host, so compare them for the named host.
        return WrittenPins(bytes: bytes, losses: source.leftOut + source.losses(in: again.bound(to: host)))
    }

    /// The entries of the file that don't pin any host. They aren't in any rule, so no written file contains them.
    private var leftOut: [PinLoss] {
        oddities.filter { $0.code == .pinFileNothingPinned }.map {
            PinLoss(.hostsNotPinned, nil, .none, $0.description)
        }
    }

    private func bytes(as format: PinFormat, _ options: PinWritingOptions) throws(PinWritingError) -> [UInt8] {
        let isPropertyList = format == .ats || format == .trustKit || format == .isp
        guard isPropertyList || !options.isBinary else { throw PinWritingError(.pinWritingNotBinary, format) }
        switch format {
        case .ats: return try propertyList(ATSWriter.tree(self), format, options)
        case .isp: return try propertyList(ISPWriter.tree(self), format, options)
        case .trustKit:
            let tree = TrustKitWriter.tree(self)
            if let language = options.language, language == .swift || language == .objectiveC {
                return Array(TrustKitSourceWriter.source(try nonEmpty(tree, format), language).utf8)
            }
            if options.isJSON, !options.isBinary { return try nonEmpty(tree, format).json() }
            return try propertyList(tree, format, options)
        case .android: return try AndroidWriter.write(self)
        case .okHttp: return try OkHttpWriter.write(self, options.language ?? .kotlin)
        case .reactNative: return Array(try ReactNativeWriter.source(self).utf8)
        case .git: return try GitFormat.write(self)
        case .tlsa: return try TLSAWriter.write(self)
        case .chromium: return try ChromiumWriter.write(self)
        case .curl, .envoy:
            guard let rule = rules.first, rules.count == 1 else {
                throw PinWritingError(.pinWritingNeedsHost, format)
            }
            if format == .envoy { return try EnvoyFormat.tree(rule).json() }
            let keys = rule.leafKeys
            guard !keys.isEmpty else { throw PinWritingError(.pinWritingNothing, format) }
            return Array(CurlFormat.write(keys).utf8)
        default: return JSONPinWriter.tree(self).json()
        }
    }

    private func nonEmpty(_ tree: PinTree?, _ format: PinFormat) throws(PinWritingError) -> PinTree {
        guard let tree else { throw PinWritingError(.pinWritingNothing, format) }
        return tree
    }

    private func propertyList(
        _ tree: PinTree?, _ format: PinFormat, _ options: PinWritingOptions
    ) throws(PinWritingError) -> [UInt8] {
        let tree = try nonEmpty(tree, format)
        return options.isBinary ? tree.binaryPropertyList() : tree.xmlPropertyList()
    }

    /// The host, if there is exactly one.
    private var onlyHost: Hostname? {
        let hosts = rules.flatMap(\.hosts)
        return hosts.count == 1 && hosts[0].below == .nothing ? hosts[0].name : nil
    }

    private func pins(of host: Hostname, _ format: PinFormat) throws(PinWritingError) -> PinConfiguration {
        guard let rule = PinTable(self).rule(for: host), rule.mode == .enforced,
            let only = try? rule.with(hosts: [.only(host)]),
            let configuration = try? PinConfiguration(rules: [only])
        else { throw PinWritingError(.pinWritingNothing, format) }
        return configuration
    }
}
