// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The redirects followed from one endpoint. The trail ends at a loop and at ``maximumCount``.
package struct RedirectTrail: Sendable {
    /// The action after a response.
    package enum Step: Sendable, Hashable {
        /// The response isn't a redirect.
        case end
        /// The endpoint to connect to next.
        case follow(ServerEndpoint)
        /// The reason why the redirect isn't followed. It is a clause whose subject is the server: `redirects back to
        /// …: a loop`.
        case problem(String)
    }

    /// The maximum number of redirects to follow. The limits in browsers and curl differ from it by at most a factor of
    /// two.
    static let maximumCount = 10

    private var chain: RedirectChain

    package init(from endpoint: ServerEndpoint) {
        chain = RedirectChain(RedirectRules(maximum: Self.maximumCount), from: endpoint.url)
    }

    /// Returns the action after a response to `GET`, and counts the redirect if it should be followed.
    /// - Parameters:
    ///   - status: the status code.
    ///   - location: the `Location` header, or nil for none.
    ///   - endpoint: the endpoint that responded.
    package mutating func step(status: Int, location: String?, from endpoint: ServerEndpoint) -> Step {
        do throws(RedirectError) {
            let redirect = try chain.next(status: status, location: location, from: endpoint.url, method: "GET")
            guard let redirect else { return .end }
            guard let target = try? ServerEndpoint(redirect.url), target.service == .https else {
                return .problem(Self.unreadable(redirect.url))
            }
            return .follow(target)
        } catch {
            return .problem(Self.problem(error))
        }
    }

    private static func problem(_ error: RedirectError) -> String {
        switch error {
        case .malformedLocation(let location): unreadable(location)
        case .unusableTarget(let url, _): unreadable(url)
        case .leavesTLS(let url):
            "redirects to \(url): an attacker on the network can answer there, and no pin protects the app"
        case .tooMany: "is redirect number \(maximumCount + 1), expected at most \(maximumCount)"
        case .cycle(let url): "redirects back to \(url): a loop"
        }
    }

    private static func unreadable(_ url: String) -> String { "redirects to \"\(url)\", which isn't an address" }
}
