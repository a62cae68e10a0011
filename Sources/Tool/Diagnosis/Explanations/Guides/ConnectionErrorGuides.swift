// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of connections that ended without a verdict.
    static let connections: [ErrorGuide] = [
        ErrorGuide(
            "connectionNameNotResolved", meaning: "DNS has no address for the host name.",
            remedies: [
                "Check the spelling of the host.", "Ask the owner of the domain whether the name is in DNS.",
                "Connect by address: `servertrust check HOST --connect ADDRESS`.",
            ]),
        ErrorGuide(
            "connectionNameLookupTimedOut",
            meaning: "No name server answered within the time limit.",
            remedies: [
                "Try again. Name servers may be down for a short time.",
                "Check the name servers of this machine and of the domain.",
            ]),
        ErrorGuide(
            "connectionNameServerFailed", aliases: ["nameLookupTimedOut"],
            meaning:
                "This machine reached no name server, or none of them had an answer. The machine may be offline.",
            remedies: ["Check the network of this machine.", "Check the name servers in the machine's configuration."]),
        ErrorGuide(
            "connectionUnreachable",
            meaning: "The server refuses connections on this port, or there is no route to it.",
            remedies: [
                "Start the server, and check which port it listens on.",
                "Check the firewall between this machine and the server.",
            ]),
        ErrorGuide(
            "connectionTimedOut",
            meaning: "The server didn't answer, or didn't finish the handshake, within the time limit.",
            remedies: [
                "Check whether the server is up, and whether a firewall drops its packets.",
                "Check whether the protocol on this port starts without TLS. Such a server waits for a command first.",
                "Set a longer time limit.",
            ]),
        ErrorGuide(
            "connectionEvaluationTimedOut", aliases: ["timedOut"],
            meaning: "The server presented its certificates, but their evaluation took longer than the time limit.",
            remedies: [
                "Check whether this machine can reach the servers for CRLs and OCSP. The evaluation may be waiting for them.",
                "Set a longer time limit for evaluations.",
            ]),
        ErrorGuide(
            "connectionHandshakeFailed", meaning: "The client can't use a part of the server's TLS handshake.",
            remedies: [
                "Read the message. It names the part.", "Check the server's TLS configuration and its log.",
            ]),
        ErrorGuide(
            "connectionHandshakeAlert", meaning: "The server ended the TLS handshake with an alert.",
            remedies: [
                "Read the server's log for the reason.",
                "Configure the server for TLS 1.2 or 1.3, with ECDHE and AES-GCM or ChaCha20 cipher suites.",
            ]),
        ErrorGuide(
            "connectionClosed",
            meaning: "The server, or a machine on the network path, closed the connection before there was a verdict.",
            remedies: [
                "Read the server's log. Some servers close connections that ask for a name they don't have.",
                "Check the firewalls and proxies on the network path.",
            ]),
        ErrorGuide(
            "connectionPlainHTTP", meaning: "The server speaks HTTP without TLS on this port.",
            remedies: [
                "Use the port with TLS, usually 443.", "Turn on TLS for this port in the server's configuration.",
            ]),
        ErrorGuide(
            "connectionStartTLSNeeded",
            meaning: "The server's protocol starts without TLS and switches to TLS on request.",
            remedies: [
                "Name the protocol: `servertrust check HOST --starttls smtp`.",
                "In a program, pass its `TLSPrologue`, such as `.smtp`.",
                "Use the port where TLS starts at once, if the server has one.",
            ]),
        ErrorGuide(
            "connectionNotTLS", meaning: "The server doesn't speak TLS on this port, but another protocol.",
            remedies: ["Use the port with TLS."]),
        ErrorGuide(
            "connectionOldTLSOnly", meaning: "The server only supports TLS 1.1 and older.",
            remedies: ["Update the server to TLS 1.2 or 1.3. Current clients refuse older versions."]),
        ErrorGuide(
            "connectionNameRefused", meaning: "The server doesn't serve the name that the client sent.",
            remedies: [
                "Check the spelling of the host.", "Configure a certificate for this name on the server.",
            ]),
        ErrorGuide(
            "connectionClientCertificateRequired",
            meaning: "The server requires a client certificate, but the client sent none that the server accepts.",
            remedies: [
                "Pass a certificate from a CA that the server trusts: `--client-cert FILE --client-key FILE`.",
                "Check that the client certificate has not expired.",
            ]),
        ErrorGuide(
            "connectionStartTLSDeclined",
            meaning: "The server's protocol starts without TLS, and the server doesn't offer TLS or declines it.",
            remedies: ["Turn on TLS in the server's configuration.", "Use another port, if the server has TLS there."]),
        ErrorGuide(
            "connectionStartTLSFailed",
            meaning:
                "Before TLS, the server speaks a different protocol than expected, or sends more plain text than it may. An attacker can insert plain text.",
            remedies: [
                "Name the protocol that the server speaks.", "Leave out the protocol if TLS starts at once.",
                "If the protocol is right, check the machines on the network path. One of them may insert bytes.",
            ]),
        ErrorGuide(
            "connectionProxyFailed",
            meaning:
                "The client can't reach the proxy or doesn't trust it, or the proxy doesn't open a tunnel to the server.",
            remedies: [
                "Check the proxy's address and kind: HTTP, HTTP over TLS (`https://`) or SOCKS 5.",
                "If an `https://` proxy isn't trusted, add its root to the anchors, or correct its certificate.",
                "Ask the proxy's operator whether it may open tunnels to this host and port.",
            ]),
        ErrorGuide(
            "connectionProxyAuthorizationRequired", aliases: ["proxyFailed"],
            meaning: "The proxy requires credentials, or different ones.",
            remedies: [
                "Set the user name and password for the proxy: `http://USER:PASSWORD@HOST:PORT` or `socks5://USER:PASSWORD@HOST:PORT`. Percent-encode special characters.",
                "In a `URLSession`, answer the delegate's challenge whose protection space is a proxy.",
            ]),
        ErrorGuide(
            "connectionProxyTimedOut", aliases: ["proxyFailed"],
            meaning: "The client didn't reach the proxy in time, or the proxy didn't answer in time.",
            remedies: ["Check whether the proxy is running.", "Set a longer time limit."]),
        ErrorGuide(
            "connectionNotEvaluated", aliases: ["handshakeFailed"],
            meaning:
                "The TLS handshake finished without a verdict. The client closed the connection before it sent anything.",
            remedies: ["Report this to the authors of swift-server-trust. It should never happen."]),
        ErrorGuide(
            "connectionSentTooEarly", aliases: ["handshakeFailed"],
            meaning:
                "The program wrote data before the server was trusted. The client held the data back and closed the connection.",
            remedies: ["Wait for the handshake's future before you write."]),
    ]
}
