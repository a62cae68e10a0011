// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to connections without a verdict.
    static let connections: [ErrorGuide] = [
        ErrorGuide(
            "connectionNameNotResolved", meaning: "DNS has no address for the name.",
            remedies: [
                "Check the spelling of the host.", "Ask the owner of the domain whether the name is in DNS.",
                "Connect by address: `servertrust check HOST --connect ADDRESS`.",
            ]),
        ErrorGuide(
            "connectionNameLookupTimedOut",
            meaning: "No name server gave an answer about the name within the time limit.",
            remedies: [
                "Try again: name servers may be down for a short time.",
                "Check the name servers of this machine, and those of the domain.",
            ]),
        ErrorGuide(
            "connectionNameServerFailed", aliases: ["nameLookupTimedOut"],
            meaning:
                "No name server could be asked about the name, or none knew an answer. This machine may be offline.",
            remedies: ["Check the network of this machine.", "Check the name servers in its configuration."]),
        ErrorGuide(
            "connectionUnreachable", meaning: "The server refuses connections on this port, or no route leads to it.",
            remedies: [
                "Start the server, and check the port that it listens on.",
                "Check the firewall between this machine and the server.",
            ]),
        ErrorGuide(
            "connectionTimedOut",
            meaning: "The server didn't answer, or didn't finish the handshake, within the time limit.",
            remedies: [
                "Check whether the server is up, and whether a firewall drops its packets.",
                "Check whether the port begins in the clear: such a server waits for a command before TLS.",
                "Set a longer time limit.",
            ]),
        ErrorGuide(
            "connectionEvaluationTimedOut", aliases: ["timedOut"],
            meaning: "The server presented its certificates, and their evaluation took longer than the time limit.",
            remedies: [
                "Check whether the servers for CRLs and OCSP can be reached: the evaluation may wait for them.",
                "Set a longer time limit for evaluations.",
            ]),
        ErrorGuide(
            "connectionHandshakeFailed", meaning: "The client can't use the server's part of the TLS handshake.",
            remedies: [
                "Read the message: it names the part.", "Check the server's TLS configuration and its log.",
            ]),
        ErrorGuide(
            "connectionHandshakeAlert", meaning: "The server ended the TLS handshake with an alert.",
            remedies: [
                "Read the server's log for the reason.",
                "Give the server TLS 1.2 or 1.3 with cipher suites of ECDHE and AES-GCM or ChaCha20.",
            ]),
        ErrorGuide(
            "connectionClosed",
            meaning: "The server, or a machine on the way, ended the connection before there was a verdict.",
            remedies: [
                "Read the server's log: some servers end connections that ask for a name they don't have.",
                "Check the firewalls and proxies on the way.",
            ]),
        ErrorGuide(
            "connectionPlainHTTP", meaning: "The server speaks HTTP without TLS on this port.",
            remedies: [
                "Use the port with TLS, usually 443.", "Turn TLS on for this port in the server's configuration.",
            ]),
        ErrorGuide(
            "connectionStartTLSNeeded",
            meaning: "The server speaks a protocol that begins in the clear and goes over to TLS on request.",
            remedies: [
                "Name the protocol: `servertrust check HOST --starttls smtp`.",
                "In a program, pass its `TLSPrologue`, such as `.smtp`.",
                "Use the port where TLS begins at once, if the server has one.",
            ]),
        ErrorGuide(
            "connectionNotTLS", meaning: "The server speaks another protocol than TLS on this port.",
            remedies: ["Use the port with TLS."]),
        ErrorGuide(
            "connectionOldTLSOnly", meaning: "The server only has TLS 1.1 and older.",
            remedies: ["Update the server to TLS 1.2 or 1.3. Current clients refuse older versions."]),
        ErrorGuide(
            "connectionNameRefused", meaning: "The server has nothing under the name that the client sent.",
            remedies: [
                "Check the spelling of the host.", "Configure a certificate for this name on the server.",
            ]),
        ErrorGuide(
            "connectionClientCertificateRequired",
            meaning: "The server requires a client certificate, and got none that it accepts.",
            remedies: [
                "Pass a certificate of a CA that the server trusts: `--client-cert FILE --client-key FILE`.",
                "Check that the client certificate has not expired.",
            ]),
        ErrorGuide(
            "connectionStartTLSDeclined",
            meaning: "The server doesn't offer TLS in the protocol that begins in the clear, or declines it.",
            remedies: ["Turn TLS on in the server's configuration.", "Use another port, if the server has TLS there."]),
        ErrorGuide(
            "connectionStartTLSFailed",
            meaning:
                "The server speaks another protocol than the one before TLS, or sends more in the clear than it may. Bytes in the clear can come from an attacker.",
            remedies: [
                "Name the protocol that the server speaks.", "Leave the protocol out where TLS begins at once.",
                "If the protocol is right, check the machines on the way: one of them may add bytes.",
            ]),
        ErrorGuide(
            "connectionProxyFailed", meaning: "The proxy can't be reached, or doesn't open a tunnel to the server.",
            remedies: [
                "Check the proxy's address and kind: HTTP or SOCKS 5.",
                "Ask the operator of the proxy whether it may open tunnels to this host and port.",
            ]),
        ErrorGuide(
            "connectionProxyAuthorizationRequired", aliases: ["proxyFailed"],
            meaning: "The proxy requires credentials, or other credentials.",
            remedies: [
                "Set the user and the password of an HTTP proxy. SOCKS proxies with a password aren't supported."
            ]),
        ErrorGuide(
            "connectionProxyTimedOut", aliases: ["proxyFailed"],
            meaning: "The proxy can't be reached in time, or doesn't answer in time.",
            remedies: ["Check whether the proxy is up.", "Set a longer time limit."]),
        ErrorGuide(
            "connectionNotEvaluated", aliases: ["handshakeFailed"],
            meaning: "TLS came up without a verdict. The client closed the connection before it sent anything.",
            remedies: ["Report this to the authors of swift-server-trust: it must not happen."]),
        ErrorGuide(
            "connectionSentTooEarly", aliases: ["handshakeFailed"],
            meaning:
                "The program wrote data before there was a good verdict. The client kept it back and closed the connection.",
            remedies: ["Wait for the handshake's future before you write."]),
    ]
}
