// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Crypto
    import Foundation
    import FoundationNetworking
    import HTTPRules
    import NIOHTTP1

    /// The user of a cache, by the request as it goes out: a stored response answers requests with the same credentials only.
    ///
    /// A session is one cache, and may have many users: a server that calls another one on their behalf. So it is bound to more than a cache of
    /// one user would be.
    struct CacheClient: Sendable {
        /// The fields of the request, without those that HTTP authentication adds.
        let fields: HTTPHeaders
        /// User and password of HTTP authentication; nil for none. The field would be another one for each request (Digest).
        let password: [String]?
        /// The client's certificates that the server has got so far, in PEM; an empty text for none.
        let certificates: Set<String>

        /// Whether the request has `Authorization`.
        var isAuthorized: Bool { password != nil || fields.contains(name: "authorization") }

        /// Returns a text that is the same for two requests if, and only if, one may get the response to the other: their credentials are the
        /// same, and their fields as far as the response varies by them (RFC 9111 § 4.1).
        ///
        /// `Cookie` counts as credentials unless the response has `public`: many servers send a user's own data with `max-age` and without `Vary`.
        /// - Returns: nil if no other request may get it. That includes a response that may have come over connections with different
        ///   certificates of the client.
        func fingerprint(of response: HTTPURLResponse) -> String? {
            let control = CacheControl(Self.values("Cache-Control", response))
            guard certificates.count <= 1, !isAuthorized || control.allowsAuthorization,
                case .fields(let varying) = Vary(Self.values("Vary", response))
            else { return nil }
            var names = Set(varying)
            if !control.contains("public") { names.insert("cookie") }
            // Bound in any case.
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

        /// Adds texts so that no other list of texts has the same bytes.
        private static func add(_ texts: [String], to hash: inout SHA256) {
            hash.update(data: Data("\(texts.count);".utf8))
            for text in texts { hash.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
        }
    }
#endif
