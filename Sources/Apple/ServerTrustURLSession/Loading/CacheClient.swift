// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Crypto
import Foundation
import FoundationNetworking
import ServerTrust
import NIOHTTP1

/// The user of a cache, identified by the request as it is sent. A stored response only answers requests with the
/// same credentials.
///
/// A session is one cache but may serve many users, for example in a server that calls another server on their
/// behalf. So a stored response is bound to more properties than in a cache with one user.
struct CacheClient: Sendable {
    /// The fields of the request, without the fields that HTTP authentication adds.
    let fields: HTTPHeaders
    /// The user and password of HTTP authentication, or nil without authentication. The header field itself can't
    /// be used, because Digest changes it for each request.
    let password: [String]?
    /// The client certificates that the server has received so far, in PEM, with an empty text where no certificate
    /// was sent.
    let certificates: Set<String>

    /// Whether the request has `Authorization`.
    var isAuthorized: Bool { password != nil || fields.contains(name: "authorization") }

    /// Returns a text that is the same for two requests exactly if each may get the response to the other. Their
    /// credentials must be the same, and so must the fields that the response varies by (RFC 9111 § 4.1).
    ///
    /// `Cookie` counts as credentials unless the response has `public`, because many servers send a user's own data
    /// with `max-age` and without `Vary`.
    /// - Returns: nil if no other request may get the response. That includes a response that may have arrived over
    ///   connections with different client certificates.
    func fingerprint(of response: HTTPURLResponse) -> String? {
        let control = CacheControl(Self.values("Cache-Control", response))
        guard certificates.count <= 1, !isAuthorized || control.allowsAuthorization,
            case .fields(let varying) = Vary(Self.values("Vary", response))
        else { return nil }
        var names = Set(varying)
        if !control.contains("public") { names.insert("cookie") }
        // The hash always includes this field.
        names.remove("authorization")
        var hash = SHA256()
        Self.add(password ?? [], to: &hash)
        Self.add(fields["authorization"], to: &hash)
        Self.add(Array(certificates), to: &hash)
        for name in names.sorted() {
            Self.add([name], to: &hash)
            Self.add(fields[name].map { String($0.withoutOuterSpace) }, to: &hash)
        }
        return Data(hash.finalize()).base64EncodedString()
    }

    private static func values(_ name: String, _ response: HTTPURLResponse) -> [String] {
        response.value(forHTTPHeaderField: name).map { [$0] } ?? []
    }

    /// Adds texts so that no other list of texts adds the same bytes.
    private static func add(_ texts: [String], to hash: inout SHA256) {
        hash.update(data: Data("\(texts.count);".utf8))
        for text in texts { hash.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
    }
}
#endif
