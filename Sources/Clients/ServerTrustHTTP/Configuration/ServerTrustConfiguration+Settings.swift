// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import Configuration
import PKIX
import ServerTrust

@available(macOS 15.0, iOS 18.0, *)
extension ServerTrustConfiguration {
    /// Creates a configuration with rules from swift-configuration settings. It refuses every host without a rule.
    ///
    /// ```swift
    /// let settings = ConfigReader(provider: EnvironmentVariablesProvider())
    /// let trust = try ServerTrustConfiguration(reading: settings.scoped(to: "trust"))
    /// ```
    /// | key | value | required for |
    /// |---|---|---|
    /// | `rules` | names of the rules, such as `billing` | |
    /// | `billing.hosts` | the patterns for the rule's hosts (see `HostPattern`) | each rule |
    /// | `billing.trust` | `system`, `roots`, `pins` or `denied` | each rule |
    /// | `billing.rootsFile` | the path of a file with the roots, which are the only anchors for these hosts | `roots` |
    /// | `billing.pins`, `billing.backupPins` | the active pins and the backup pins, as in `pinned(_:backup:for:)` | `pins` |
    ///
    /// The names of rules consist of letters and digits. The rules `system` and `pins` use the configuration's anchors.
    /// No key is optional: the initializer throws if a key is missing, misspelled or of the wrong type. It reads
    /// settings once.
    ///
    /// Not checked: whether you can trust the reader's provider. The provider decides which servers are trusted.
    /// - Parameter settings: the reader, scoped to the keys.
    /// - Throws: swift-configuration's errors. ``TrustedHTTPError`` for a key that the rule's `trust` doesn't use.
    ///   `HostPatternError`, `ServerTrustManagerError`, `CertificateFileError`, `TrustEvaluatorError` and
    ///   `SPKIPinSetError` for invalid values.
    public init(reading settings: ConfigReader) throws {
        var rules: [(HostPattern, HostRule)] = []
        for name in try settings.requiredStringArray(forKey: "rules") {
            let reader = RuleReader(name: name, settings: settings.scoped(to: ConfigKey([name])))
            let rule = try reader.rule()
            for host in try reader.settings.requiredStringArray(forKey: "hosts") {
                rules.append((try HostPattern(host), rule))
            }
        }
        self.init(try ServerTrustManager(rules: rules))
    }
}

/// Reads one rule. All its values are required ones, because the reader returns nil for an optional value of the wrong
/// type.
@available(macOS 15.0, iOS 18.0, *)
private struct RuleReader {
    enum Kind: String {
        case system, roots, pins, denied

        var keys: Set<String> {
            switch self {
            case .system, .denied: []
            case .roots: ["rootsFile"]
            case .pins: ["pins", "backupPins"]
            }
        }
    }

    let name: String
    let settings: ConfigReader

    func rule() throws -> HostRule {
        let kind = try settings.requiredString(forKey: "trust", as: Kind.self)
        try refuseUnusedKeys(of: kind)
        switch kind {
        case .system: return .enforced(DefaultTrustEvaluator())
        case .roots:
            let path = try settings.requiredString(forKey: "rootsFile")
            let roots = try CertificateFile.certificates(contentsOfFile: path)
            return .enforced(try CertificateAuthorityTrustEvaluator(onlyAnchors: roots))
        case .pins:
            let pins = try settings.requiredStringArray(forKey: "pins")
            let backup = try settings.requiredStringArray(forKey: "backupPins")
            return .enforced(try SPKIPinsTrustEvaluator(pins: pins, backup: backup))
        case .denied: return .denied
        }
    }

    /// Throws if a key belongs to another kind of rule, because the author of the settings expects a stricter rule.
    private func refuseUnusedKeys(of kind: Kind) throws {
        for key in ["rootsFile", "pins", "backupPins"] where !kind.keys.contains(key) {
            let name = ConfigKey([key])
            guard settings.string(forKey: name) == nil, settings.stringArray(forKey: name) == nil else {
                throw TrustedHTTPError(
                    .trustSettingUnused,
                    detail: "\(self.name).\(key) has no effect with \(self.name).trust = \(kind.rawValue)")
            }
        }
    }
}

#endif
