// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import ServerTrust
import ServerTrustNIO

extension ConnectionFailure {
    /// The remedy for a server that couldn't be probed; nil if there is none to name.
    /// - Parameter handshake: the observation of the handshake; nil without one.
    func remedy(for endpoint: ServerEndpoint, handshake: HandshakeObservation? = nil) -> String? {
        switch code {
        case .connectionStartTLSNeeded: startTLS.map { "servertrust check \(endpoint) --starttls \($0)" }
        case .connectionPlainHTTP:
            "ask the port that has TLS, 443 as a rule; on a server of one's own, turn TLS on for this port"
        case .connectionNotTLS: "ask the port that has TLS"
        case .connectionOldTLSOnly:
            "the server has to be brought to TLS 1.2 or 1.3; clients of today refuse older versions"
        case .connectionNameRefused: "the name is wrong, or the server has no certificate configured for it"
        case .connectionClientCertificateRequired:
            "show a certificate of a CA that the server trusts: --client-cert FILE --client-key FILE"
        case .connectionNameNotResolved:
            "check the spelling, and that the name is in DNS: --connect asks a server by its address"
        case .connectionNameLookupTimedOut, .connectionNameServerFailed:
            "the name servers of this machine or of the domain are silent: --connect asks a server by its address"
        case .connectionClosed:
            Self.usualProtocol(of: endpoint)
                ?? "read the server's log; without a certificate for the name, or behind a firewall, servers end connections"
        case .connectionTimedOut, .connectionEvaluationTimedOut:
            Self.usualProtocol(of: endpoint)
                ?? "find out whether the server is up and whether a firewall drops its packets; --timeout waits longer"
        case .connectionHandshakeAlert where handshake?.signatureScheme?.isOfRSAPSSKey == true,
            .connectionHandshakeFailed where handshake?.signatureScheme?.isOfRSAPSSKey == true:
            "the server's key is for RSASSA-PSS, which many clients don't offer: give it a certificate for a key on P-256 or a usual RSA key (rsaEncryption)"
        case .connectionHandshakeAlert where handshake?.signature == .valid:
            "the handshake was good up to the server's signature: the server's log has the reason for the alert"
        case .connectionHandshakeFailed: Self.usualProtocol(of: endpoint)
        case .connectionUnreachable: "start the server, or name the port that it listens on: host:port"
        case .connectionStartTLSDeclined: "turn TLS on in the server's configuration, or ask the port that has it"
        case .connectionStartTLSFailed:
            "name the protocol that the server speaks; leave --starttls out where TLS begins at once"
        case .connectionHandshakeAlert:
            "give the server TLS 1.2 or 1.3 with suites of ECDHE and AES-GCM or ChaCha20, and a certificate"
        default: nil
        }
    }

    /// The hint for a server that ends the connection or says nothing on the port of a protocol that begins in the clear.
    private static func usualProtocol(of endpoint: ServerEndpoint) -> String? {
        guard endpoint.service == .https,
            let service = ServerService.all.first(where: { $0.port == endpoint.port && $0.startTLS != nil }),
            let name = service.startTLS?.rawValue
        else { return nil }
        return
            "port \(endpoint.port) is \(service.scheme)'s, which begins in the clear: servertrust check \(endpoint) --starttls \(name)"
    }
}
