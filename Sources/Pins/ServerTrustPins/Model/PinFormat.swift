// SPDX-License-Identifier: Apache-2.0

/// A file format for pins.
public struct PinFormat: Sendable, Hashable {
    /// The stable name, as on the command line, such as `ats` or `trustkit`.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// `NSPinnedDomains` in an Apple app's `Info.plist`.
    public static let ats = PinFormat("ats")
    /// TrustKit's dictionary, as a property list or JSON.
    public static let trustKit = PinFormat("trustkit")
    /// Android's `network_security_config.xml`.
    public static let android = PinFormat("android")
    /// OkHttp's `CertificatePinner`.
    public static let okHttp = PinFormat("okhttp")
    /// The options of React Native libraries, in JavaScript, TypeScript or JSON: react-native-ssl-public-key-pinning,
    /// react-native-ssl-pinning's `fetch()`, react-native-ssl-manager's `ssl_config.json`, and
    /// react-native-app-security in Expo's list of plugins. Pins are written for the first library in this list.
    public static let reactNative = PinFormat("react-native")
    /// The argument of curl's `--pinnedpubkey`.
    public static let curl = PinFormat("curl")
    /// The variables `http.pinnedPubkey` and `http.<url>.pinnedPubkey` in git's configuration.
    public static let git = PinFormat("git")
    /// TLSA records in DNS (DANE).
    public static let tlsa = PinFormat("tlsa")
    /// `verify_certificate_spki` of an Envoy cluster, in JSON.
    public static let envoy = PinFormat("envoy")
    /// Chromium's `--ignore-certificate-errors-spki-list`. This format is write-only, because it pins nothing: Chromium
    /// ignores errors for these keys.
    public static let chromium = PinFormat("chromium")
    /// The property list that ISPCertificatePinning stores.
    public static let isp = PinFormat("isp")
    /// This package's own JSON.
    public static let json = PinFormat("json")

    /// All formats.
    public static let all: [PinFormat] = [
        .ats, .trustKit, .android, .okHttp, .reactNative, .curl, .git, .tlsa, .envoy, .chromium, .isp, .json,
    ]

    /// Returns the format with that name, or nil if no format has it.
    package static func named(_ name: String) -> PinFormat? { all.first { $0.name == name } }
}

extension PinFormat: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
