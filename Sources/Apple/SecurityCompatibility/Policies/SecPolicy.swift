// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX
import ServerTrust

/// A policy of an evaluation, under the name of Apple's Security framework.
public final class SecPolicy: Sendable {
    enum Kind: Sendable, Hashable {
        /// A TLS server, or a client if `server` is false. A nil name isn't checked.
        case ssl(server: Bool, name: String?)
        case basicX509
        case revocation(CFOptionFlags)

        /// The flags of a revocation policy, or nil for any other policy.
        var revocationFlags: CFOptionFlags? { if case .revocation(let flags) = self { flags } else { nil } }
    }
    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}

extension SecPolicy: Hashable {
    public static func == (left: SecPolicy, right: SecPolicy) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// Returns a policy for the certificates of TLS servers or clients: the rules of the public web
/// (`ValidationPolicy.Profile`), the extended key usage, and the name.
/// - Parameters:
///   - server: true for a server's certificate, false for a client's.
///   - hostname: the name or address that the leaf has to be valid for, or nil to check none. A string that is
///     neither a name nor an address matches no certificate.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.ssl(server: server, name: hostname))
}

/// Returns a policy with only path validation (RFC 5280 § 6): any purpose, no name.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basicX509) }

/// Returns a policy for revocation checks. Use it together with another policy.
/// - Parameter revocationFlags: `kSecRevocation…`. Without flags for OCSP or CRLs, both count.
/// - Returns: nil for no flag, as on Apple platforms, and for an unknown flag.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    let known =
        kSecRevocationUseAnyAvailableMethod | kSecRevocationPreferCRL
        | kSecRevocationRequirePositiveResponse | kSecRevocationNetworkAccessDisabled
    guard revocationFlags != 0, revocationFlags & ~known == 0 else { return nil }
    return SecPolicy(.revocation(revocationFlags))
}

/// Returns the properties of a policy: `kSecPolicyOid`, and for a TLS policy `kSecPolicyName` and
/// `kSecPolicyClient`.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    switch policyRef.kind {
    case .ssl(let server, let name):
        var properties: [String: Any] = [kSecPolicyOid: kSecPolicyAppleSSL]
        properties[kSecPolicyName] = name
        if !server { properties[kSecPolicyClient] = true }
        return properties
    case .basicX509: return [kSecPolicyOid: kSecPolicyAppleX509Basic]
    case .revocation: return [kSecPolicyOid: kSecPolicyAppleRevocation]
    }
}

/// OCSP responses count.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1
/// CRLs count.
public let kSecRevocationCRLMethod: CFOptionFlags = 2
/// CRLs are preferred to OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 4
/// Certificates that can't be checked are refused.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 8
/// Nothing is fetched.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 16
/// OCSP and CRLs count.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = 3

/// The key of a policy's identifier.
public let kSecPolicyOid: CFString = "SecPolicyOid"
/// The key of the name that the leaf has to be valid for.
public let kSecPolicyName: CFString = "SecPolicyName"
/// The key of a Boolean value: whether the policy is for a client's certificate.
public let kSecPolicyClient: CFString = "SecPolicyClient"
/// The identifier of ``SecPolicyCreateBasicX509()``.
public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// The identifier of `SecPolicyCreateSSL(_:_:)`.
public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// The identifier of ``SecPolicyCreateRevocation(_:)``.
public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"
#endif
