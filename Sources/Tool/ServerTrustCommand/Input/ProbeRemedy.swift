// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustNIO

extension ConnectionFailure {
    /// Returns the remedy for a server that couldn't be probed, or nil if none is known.
    /// - Parameter handshake: the observed handshake, or nil if it wasn't observed.
    func remedy(for endpoint: ServerEndpoint, handshake: HandshakeObservation? = nil) -> String? {
        switch code {
        case .connectionStartTLSNeeded: startTLS.map { "servertrust check \(endpoint) --starttls \($0)" }
        case .connectionPlainHTTP:
            "Use the port that has TLS, usually 443. If the server is yours, turn on TLS for this port."
        case .connectionNotTLS: "Use the port that has TLS."
        case .connectionOldTLSOnly:
            "Turn on TLS 1.2 or 1.3 on the server. Current clients refuse older versions."
        case .connectionNameRefused: "Check the name, or configure the server with a certificate for it."
        case .connectionClientCertificateRequired:
            "Present a certificate from a CA that the server trusts: --client-cert FILE --client-key FILE"
        case .connectionNameNotResolved:
            "Check the spelling, and that the name is in DNS. To connect by address instead, use --connect."
        case .connectionNameLookupTimedOut, .connectionNameServerFailed:
            "Check the name servers of this machine and of the domain: they don't answer. To connect by address instead, use --connect."
        case .connectionClosed:
            Self.usualProtocol(of: endpoint)
                ?? "Read the server's log. The server may have no certificate for the name, or a firewall may have closed the connection."
        case .connectionTimedOut, .connectionEvaluationTimedOut:
            Self.usualProtocol(of: endpoint)
                ?? "Check whether the server is up, and whether a firewall drops its packets. Use --timeout to wait longer."
        case .connectionHandshakeAlert where handshake?.signatureScheme?.isOfRSAPSSKey == true,
            .connectionHandshakeFailed where handshake?.signatureScheme?.isOfRSAPSSKey == true:
            "Give the server a certificate for a P-256 key or a usual RSA key (rsaEncryption). Its current key is for RSASSA-PSS, which many clients don't offer."
        case .connectionHandshakeAlert where handshake?.signature == .valid:
            "Read the server's log for the reason of the alert. Everything up to the server's signature was valid."
        case .connectionHandshakeFailed: Self.usualProtocol(of: endpoint)
        case .connectionUnreachable: "Start the server, or name the port that it listens on: host:port"
        case .connectionProxyFailed: "Check that the proxy runs at this address. Use --proxy to name another one."
        case .connectionStartTLSDeclined: "Turn on TLS in the server's configuration, or use the port that has it."
        case .connectionStartTLSFailed:
            "Name the protocol that the server speaks. Leave out --starttls if TLS begins at once."
        case .connectionHandshakeAlert:
            "Configure the server with TLS 1.2 or 1.3, cipher suites with ECDHE and AES-GCM or ChaCha20, and a certificate."
        default: nil
        }
    }

    /// Returns the hint for a server that ends the connection or doesn't answer on the port of a protocol that begins
    /// without TLS.
    private static func usualProtocol(of endpoint: ServerEndpoint) -> String? {
        guard endpoint.service == .https,
            let service = ServerService.all.first(where: { $0.port == endpoint.port && $0.startTLS != nil }),
            let name = service.startTLS?.rawValue
        else { return nil }
        return
            "Port \(endpoint.port) is the port of \(service.scheme), which begins without TLS. Run servertrust check \(endpoint) --starttls \(name)"
    }
}

extension ConnectionFailure {
    /// The name of the code in the command's reports. These names are older than the codes.
    var reportedReason: String {
        switch code {
        case .connectionEvaluationTimedOut: return "timedOut"
        case .connectionNameServerFailed: return "nameLookupTimedOut"
        case .connectionNotEvaluated, .connectionSentTooEarly: return "handshakeFailed"
        default:
            guard !isOfProxy else { return "proxyFailed" }
            let name = code.name.dropFirst("connection".count)
            return name.prefix(1).lowercased() + name.dropFirst()
        }
    }
}
