// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A resource that can be fetched and cached: its kind, its address, and the request for it.
///
/// Two resources are equal if all three are equal. Caches use ``digest`` as the key.
public struct TrustResource: Sendable, Hashable {
    /// The kind of a resource. The set grows.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A CA's certificate (RFC 5280 § 4.2.2.1, id-ad-caIssuers): DER or a certs-only PKCS #7.
        case issuer
        /// An OCSP response (RFC 6960 Appendix A).
        case ocsp
        /// A CRL in DER (RFC 5280 § 4.2.1.13).
        case crl
    }

    /// The origin of a resource's bytes.
    public enum Source: String, Sendable, Hashable, Codable {
        /// The memory of this process.
        case memory
        /// The cache that was configured.
        case cache
        /// The network.
        case network
    }

    /// The kind of the resource.
    public let kind: Kind

    /// The address in the certificate.
    public let url: String

    /// An OCSP request in DER to send with POST, or nil for GET.
    public let request: [UInt8]?

    /// The SHA-256 of kind, address and request. Caches use it as the key.
    public let digest: [UInt8]

    /// The maximum length of an address that is fetched, in bytes. Addresses of public CAs have about 60. The limit is
    /// about that of browsers and servers.
    static let maximumURLSize = 4096

    /// Creates a resource.
    /// - Parameters:
    ///   - kind: the kind of the resource.
    ///   - url: its address. The initializer doesn't parse it.
    ///   - request: an OCSP request to send with POST.
    public init(_ kind: Kind, url: String, request: [UInt8]? = nil) {
        self.kind = kind
        self.url = url
        self.request = request
        // The separator is a zero byte, which can't occur in a kind or in an address that is fetched.
        self.digest = Digests.sha256(
            Array(kind.rawValue.utf8) + [0] + Array(url.utf8) + [0] + (request.map { [1] + $0 } ?? []))
    }

    /// Whether kind, address and request are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.kind == right.kind && left.url == right.url && left.request == right.request
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Host and port from the address, in lower case. Groups responders that fail together. No trust decision depends
    /// on it.
    var authority: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return rest[(rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex)...].lowercased()
    }
}

extension TrustResource: CustomStringConvertible {
    /// The resource on one line: `crl http://crl.example.com/ca.crl`.
    public var description: String { "\(kind.rawValue) \(url)" }
}
