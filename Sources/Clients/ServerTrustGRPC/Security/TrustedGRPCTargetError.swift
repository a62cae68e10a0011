// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The reason why a target can't be connected to: its servers could not be held against one host.
public struct TrustedGRPCTargetError: TrustError, Hashable {
    /// The kind of error, for programs.
    public let code: ErrorCode
    /// The name in the target or the authority; nil without one.
    public let name: String?

    package init(_ code: ErrorCode, name: String? = nil) {
        self.code = code
        self.name = name
    }

    public var message: String {
        let name = name ?? ""
        return switch code {
        case .grpcHostMissing: "the target names no host; expected the host that its servers are evaluated for"
        case .grpcHostDiffers:
            "the target or the authority is \"\(name)\", another host than the one that was given"
        default: "\"\(name)\" is no host name"
        }
    }
}

/// The codes of ``TrustedGRPCTargetError``.
extension ErrorCode {
    /// The target is an address, and no host was given.
    package static let grpcHostMissing = ErrorCode("grpcHostMissing")
    /// The target or the authority names another host than the one that was given.
    package static let grpcHostDiffers = ErrorCode("grpcHostDiffers")
    /// The target's name is no host name.
    package static let grpcHostUnreadable = ErrorCode("grpcHostUnreadable")
}
