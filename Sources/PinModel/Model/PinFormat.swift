// SPDX-License-Identifier: Apache-2.0

/// A way to write pins down.
public struct PinFormat: Sendable, Hashable {
    /// Stable, as the command line has it: `ats`, `trustkit`, ….
    public let name: String

    private init(_ name: String) { self.name = name }

    /// `NSPinnedDomains` of an Apple app's `Info.plist`.
    public static let ats = PinFormat("ats")
    /// TrustKit's dictionary, as property list or JSON.
    public static let trustKit = PinFormat("trustkit")
    /// Android's `network_security_config.xml`.
    public static let android = PinFormat("android")
    /// OkHttp's `CertificatePinner`.
    public static let okHttp = PinFormat("okhttp")
    /// The argument of curl's `--pinnedpubkey`.
    public static let curl = PinFormat("curl")
    /// The property list that ISPCertificatePinning keeps.
    public static let isp = PinFormat("isp")
    /// This package's own JSON.
    public static let json = PinFormat("json")

    public static let all: [PinFormat] = [.ats, .trustKit, .android, .okHttp, .curl, .isp, .json]

    /// The format of that name.
    public static func named(_ name: String) -> PinFormat? { all.first { $0.name == name } }
}

extension PinFormat: CustomStringConvertible {
    public var description: String { name }
}
