// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import PKIX

extension TLSPrologue {
    /// XMPP's `starttls` for clients (RFC 6120 § 5), usually on port 5222. If the server's features don't include it,
    /// the connection fails.
    /// - Parameter domain: the domain to open the stream to.
    public static func xmpp(domain: Hostname) -> TLSPrologue { xmpp(domain, namespace: "jabber:client") }

    /// XMPP's `starttls` between servers, usually on port 5269. See ``xmpp(domain:)``.
    public static func xmppServer(domain: Hostname) -> TLSPrologue { xmpp(domain, namespace: "jabber:server") }

    private static func xmpp(_ domain: Hostname, namespace: String) -> TLSPrologue {
        // No escapes are needed: a host name only contains letters, digits, hyphens, underscores, dots and colons.
        let stream =
            "<?xml version='1.0'?><stream:stream xmlns='\(namespace)' xmlns:stream='http://etherx.jabber.org/streams' to='\(domain)' version='1.0'>"
        return TLSPrologue(
            "XMPP",
            [
                Step(sending: Array(stream.utf8), maximumSize: 16 << 10) { try XMPPAnswer($0).isFeatures() },
                Step(sending: Array("<starttls xmlns='\(XMPPAnswer.namespace)'/>".utf8), maximumSize: 2048) {
                    try XMPPAnswer($0).isProceed()
                },
            ])
    }
}

/// An XMPP server's answer, tested wherever an element may end. The client doesn't parse it as XML, because it keeps
/// nothing of the answer.
private struct XMPPAnswer {
    static let namespace = "urn:ietf:params:xml:ns:xmpp-tls"

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(PrologueRefusal) {
        self.bytes = bytes
        let isBlank = bytes.last.map { [0x20, 0x09, 0x0a, 0x0d].contains($0) } ?? true
        guard bytes.first == UInt8(ascii: "<") || (bytes.count < 64 && isBlank) || start == UInt8(ascii: "<") else {
            throw PrologueRefusal(
                .otherProtocol, "the server doesn't speak XMPP: it says \(PrologueRefusal.quoted(bytes))")
        }
    }

    /// The first byte that isn't white space. A server may send white space to keep a stream alive.
    private var start: UInt8? { bytes.prefix(64).first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } }

    /// Whether the stream's features are complete.
    func isFeatures() throws(PrologueRefusal) -> Bool {
        guard bytes.last == UInt8(ascii: ">") else { return false }
        guard !ends("</stream:error>"), !ends("</stream:stream>") else { throw ended() }
        guard ends("</stream:features>") || ends("<stream:features/>") else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("<starttls"), text.contains(Self.namespace) else {
            throw TextAnswer.notOffered("starttls")
        }
        return true
    }

    /// Whether the server continues with TLS.
    func isProceed() throws(PrologueRefusal) -> Bool {
        guard bytes.last == UInt8(ascii: ">") else { return false }
        let element = bytes.prefix { $0 != UInt8(ascii: ">") }
        let name = element.drop { $0 != UInt8(ascii: "<") }
        if name.starts(with: Array("<proceed".utf8)) { return ends("/>") || ends("</proceed>") }
        throw ended()
    }

    private func ends(_ text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }

    private func ended() -> PrologueRefusal {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.firstRange(of: "<stream:error").map { text[$0.lowerBound...] } ?? text[...]
        return PrologueRefusal(.declined, "the server declines starttls: \(PrologueRefusal.quoted(words.utf8))")
    }
}

#endif
