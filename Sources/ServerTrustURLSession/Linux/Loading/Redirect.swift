// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Where a redirect leads (RFC 9110 § 15.4), by the rules of the Fetch standard for method and headers.
    enum Redirect {
        /// As many as libcurl's and Apple's limits allow for.
        static let maximum = 20

        /// The request to follow with.
        /// - Returns: nil if the response is no redirect, or doesn't say where to.
        static func request(after response: HTTPURLResponse, location: String?, _ request: URLRequest) -> URLRequest? {
            guard [301, 302, 303, 307, 308].contains(response.statusCode), let location, let origin = request.url,
                let target = URL(string: location, relativeTo: origin)?.absoluteURL
            else { return nil }
            var next = request
            next.url = withFragment(of: origin, target)
            let method = request.httpMethod ?? "GET"
            let isRewritten =
                switch response.statusCode {
                case 301, 302: method == "POST"
                case 303: method != "GET" && method != "HEAD"
                default: false
                }
            if isRewritten {
                next.httpMethod = "GET"
                next.httpBody = nil
                for name in [
                    "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding",
                ] {
                    next.setValue(nil, forHTTPHeaderField: name)
                }
            }
            // Cookies are chosen anew for the target.
            next.setValue(nil, forHTTPHeaderField: "Cookie")
            if !isSameOrigin(origin, target) {
                for name in ["Authorization", "Proxy-Authorization", "Host", "Origin"] {
                    next.setValue(nil, forHTTPHeaderField: name)
                }
            }
            return next
        }

        /// Whether the body goes along.
        static func keepsBody(from request: URLRequest, to next: URLRequest) -> Bool {
            (request.httpMethod ?? "GET") == (next.httpMethod ?? "GET")
        }

        static func isSameOrigin(_ one: URL, _ other: URL) -> Bool {
            one.scheme?.asciiLowercased == other.scheme?.asciiLowercased
                && one.host?.asciiLowercased == other.host?.asciiLowercased && (one.port ?? 443) == (other.port ?? 443)
        }

        /// RFC 9110 § 10.2.2: a target without a fragment inherits it.
        private static func withFragment(of origin: URL, _ target: URL) -> URL {
            guard target.fragment == nil, let fragment = origin.fragment,
                var components = URLComponents(url: target, resolvingAgainstBaseURL: true)
            else { return target }
            components.fragment = fragment
            return components.url ?? target
        }
    }
#endif
