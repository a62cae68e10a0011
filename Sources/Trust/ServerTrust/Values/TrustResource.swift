// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A resource that an address serves and that can be kept: its kind, its address, and the request for it.
///
/// Two resources are equal if all three are; ``digest`` is their key in caches.
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

    /// The source of a resource's bytes.
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

    /// The address as in the certificate.
    public let url: String

    /// An OCSP request in DER that is sent with POST; nil for GET.
    public let request: [UInt8]?

    /// The SHA-256 of kind, address and request, which is the key in caches.
    public let digest: [UInt8]

    /// The largest address that is fetched, in bytes. Those of public CAs have about 60; browsers and servers accept about this many.
    package static let maximumURLSize = 4096

    /// Creates a resource.
    /// - Parameters:
    ///   - kind: the kind of the resource.
    ///   - url: its address, which is not parsed here.
    ///   - request: an OCSP request that is sent with POST.
    public init(_ kind: Kind, url: String, request: [UInt8]? = nil) {
        self.kind = kind
        self.url = url
        self.request = request
        // A zero byte as separator, which occurs neither in a kind nor in an address that is fetched.
        self.digest = Digests.sha256(
            Array(kind.rawValue.utf8) + [0] + Array(url.utf8) + [0] + (request.map { [1] + $0 } ?? []))
    }

    /// Whether kind, address and request are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.kind == right.kind && left.url == right.url && left.request == right.request
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Host and port as in the address, in lower case, to group responders that fail together. No trust decision depends on it.
    package var authority: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return rest[(rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex)...].lowercased()
    }
}

extension TrustResource: CustomStringConvertible {
    /// The resource on one line: `crl http://crl.example.com/ca.crl`.
    public var description: String { "\(kind.rawValue) \(url)" }
}
