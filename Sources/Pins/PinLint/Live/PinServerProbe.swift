// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// A TLS client that connects to a server for ``PinLinter/findings(in:probing:progress:)``.
///
/// The library knows no transport: an app implements this protocol over the client it has. An implementation validates the server
/// with the anchors and the date of the linter and without pins, and sends a request only to a server whose chain is valid.
public protocol PinServerProbe: Sendable {
    /// Connects to an endpoint, and requests ``ServerEndpoint/path`` with `GET` if the server has a valid path.
    ///
    /// Redirects are not followed: the linter probes their targets itself.
    /// - Parameters:
    ///   - endpoint: the server and the path.
    ///   - origin: the endpoint that redirected to `endpoint`; nil for a host that a rule or a certificate names.
    /// - Returns: the certificates, the result of their validation, and the response.
    /// - Throws: an error if the server presented no certificates; its description becomes part of a finding
    ///   (`live/unreachable`).
    func probe(_ endpoint: ServerEndpoint, redirectedFrom origin: ServerEndpoint?) async throws -> ProbedServer
}

/// The certificates that a server presented to a ``PinServerProbe``, and the result of their validation.
public struct ProbedServer: Sendable {
    /// The result of validating the presented chain without pins.
    public enum Validation: Sendable, Hashable {
        /// Every valid path from the server's certificate to an anchor, leaf first.
        case valid(paths: [[Certificate]])
        /// The most important failure.
        case failed(TrustFailure)
    }

    /// A response to the request, as far as redirects depend on it.
    public struct Response: Sendable, Hashable {
        /// The status code.
        package var status: Int
        /// The header `Location` as it was sent; nil if there is none.
        package var location: String?

        /// Creates a response from its status code and its header `Location`.
        public init(status: Int, location: String? = nil) {
            self.status = status
            self.location = location
        }
    }

    /// The certificates as presented, leaf first.
    package var presentedChain: PresentedChain
    /// The result of their validation.
    package var validation: Validation
    /// The response; nil if no request was sent or none arrived.
    package var response: Response?
    /// The error after which a server with a valid path didn't respond, for people; nil for none.
    package var interruption: String?
    /// The time at which the server's CA suggests to renew its certificate; nil if it isn't known.
    package var renewal: RenewalWindow?

    /// Creates the description of a server.
    /// - Parameters:
    ///   - presentedChain: the certificates as presented, leaf first.
    ///   - validation: the result of their validation.
    ///   - response: the response to the request; nil for none.
    ///   - interruption: the error after which there was no response; nil for none.
    public init(
        presentedChain: PresentedChain, validation: Validation, response: Response? = nil, interruption: String? = nil
    ) {
        self.presentedChain = presentedChain
        self.validation = validation
        self.response = response
        self.interruption = interruption
    }
}
