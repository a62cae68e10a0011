// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Something that is served at an address and can be kept: what for, where, and what is asked.
///
/// Two resources are the same if all three are; a cache knows them by ``digest``.
public struct TrustResource: Sendable, Hashable {
    /// What it is for. The set grows.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A CA's certificate (RFC 5280 § 4.2.2.1, id-ad-caIssuers): DER or a certs-only PKCS #7.
        case issuer
        /// An OCSP response (RFC 6960 Appendix A).
        case ocsp
        /// A CRL in DER (RFC 5280 § 4.2.1.13).
        case crl
    }

    /// The place that its bytes come from.
    public enum Source: String, Sendable, Hashable, Codable {
        case memory
        /// The cache that was given.
        case cache
        case network
    }

    public let kind: Kind

    /// As it stands in the certificate.
    public let url: String

    /// An OCSP request in DER that is sent with POST; nil for GET.
    public let request: [UInt8]?

    /// SHA-256 over kind, address and request: the key of caches.
    public let digest: [UInt8]

    /// Addresses that are longer, in bytes, aren't fetched. Those of public CAs have some 60; browsers and servers agree on
    /// about this many.
    public static let maximumURLSize = 4096

    /// - Parameters:
    ///   - kind: what it is for.
    ///   - url: where it is; not looked at yet.
    ///   - request: an OCSP request that is sent with POST.
    public init(_ kind: Kind, url: String, request: [UInt8]? = nil) {
        self.kind = kind
        self.url = url
        self.request = request
        // A zero byte between them, which neither a kind nor an address that is fetched has in it.
        self.digest = Digests.sha256(
            Array(kind.rawValue.utf8) + [0] + Array(url.utf8) + [0] + (request.map { [1] + $0 } ?? []))
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.kind == right.kind && left.url == right.url && left.request == right.request
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Host and port as they are written, in lower case: whose responders fail together. Decides nothing about trust.
    package var authority: String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return rest[(rest.lastIndex(of: "@").map(rest.index(after:)) ?? rest.startIndex)...].lowercased()
    }
}

extension TrustResource: CustomStringConvertible {
    /// `crl http://crl.example.com/ca.crl`
    public var description: String { "\(kind.rawValue) \(url)" }
}
