// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import PKIX

/// The reason why the transport can't connect to a target: it can't evaluate the target's servers for one host.
public struct TrustedGRPCTargetError: TrustError, Hashable {
    /// The machine-readable kind of error.
    public let code: ErrorCode
    /// The name in the target or the authority, or nil if there isn't one.
    public let name: String?

    package init(_ code: ErrorCode, name: String? = nil) {
        self.code = code
        self.name = name
    }

    public var message: String {
        let name = name ?? ""
        return switch code {
        case .grpcHostMissing: "the target doesn't name a host; pass the host to evaluate its servers for"
        case .grpcHostDiffers:
            "the target or the authority names \"\(name)\"; expected the host to evaluate servers for"
        default: "\"\(name)\" isn't a valid host name"
        }
    }
}

/// The codes of ``TrustedGRPCTargetError``.
extension ErrorCode {
    /// The target is an address, and you didn't pass a host.
    package static let grpcHostMissing = ErrorCode("grpcHostMissing")
    /// The target or the authority names a different host than the one to evaluate servers for.
    package static let grpcHostDiffers = ErrorCode("grpcHostDiffers")
    /// The target's name isn't a valid host name.
    package static let grpcHostUnreadable = ErrorCode("grpcHostUnreadable")
}

#endif
