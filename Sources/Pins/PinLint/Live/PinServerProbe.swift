// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// A TLS client that connects to a server for ``PinLinter/findings(in:probing:progress:)``.
///
/// This library has no transport, so the app implements this protocol with its own client. An implementation validates
/// the server with the linter's anchors and date, and without pins. It sends a request only to a server whose chain is
/// valid.
public protocol PinServerProbe: Sendable {
    /// Connects to an endpoint, and requests `ServerEndpoint.path` with `GET` if the server has a valid path.
    ///
    /// Don't follow redirects. The linter probes their targets itself.
    /// - Parameters:
    ///   - endpoint: the server and the path.
    ///   - origin: the endpoint that redirected to `endpoint`, or nil for a host that a rule or a certificate names.
    /// - Returns: the certificates, the result of their validation, and the response.
    /// - Throws: an error if the server presented no certificates. Its description becomes part of a finding
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

    /// The parts of a response that matter for redirects.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public var status: Int
        /// The `Location` header as the server sent it, or nil if the response has no such header.
        public var location: String?

        /// Creates a response from its status code and its `Location` header.
        public init(status: Int, location: String? = nil) {
            self.status = status
            self.location = location
        }
    }

    /// The certificates as presented, leaf first.
    public var presentedChain: PresentedChain
    /// The result of validating the certificates.
    public var validation: Validation
    /// The response, or nil if no request was sent or no response arrived.
    public var response: Response?
    /// A human-readable description of the error that kept a server with a valid path from responding, or nil for none.
    public var interruption: String?
    /// The time when the server's CA suggests renewing its certificate, or nil if unknown.
    package var renewal: RenewalWindow?

    /// Creates the description of a server.
    /// - Parameters:
    ///   - presentedChain: the certificates as presented, leaf first.
    ///   - validation: the result of validating them.
    ///   - response: the response to the request, or nil for none.
    ///   - interruption: the error that prevented a response, or nil for none.
    public init(
        presentedChain: PresentedChain, validation: Validation, response: Response? = nil, interruption: String? = nil
    ) {
        self.presentedChain = presentedChain
        self.validation = validation
        self.response = response
        self.interruption = interruption
    }
}

extension ProbedServer: CustomStringConvertible {
    /// `3 certificates, 1 valid path, status 200`
    public var description: String {
        let chain = presentedChain
        let certificates = (chain.leaf == nil ? 0 : 1) + chain.others.count + chain.unreadable.count
        let result =
            switch validation {
            case .valid(let paths): counted(paths.count, "valid path")
            case .failed(let failure): "\(failure.message(on: [], sentIn: chain)) [\(failure.code)]"
            }
        let answer = response.map { ", status \($0.status)" } ?? interruption.map { ", \(clipped($0))" } ?? ""
        return counted(certificates, "certificate") + ", \(result)\(answer)"
    }
}
