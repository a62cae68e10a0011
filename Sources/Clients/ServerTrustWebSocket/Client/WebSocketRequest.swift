// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOHTTP1
import PKIX
import ServerTrust

/// A checked request to open a WebSocket.
struct WebSocketRequest: Sendable {
    let host: Hostname
    let port: Int
    let protocols: [String]
    let compression: WebSocketCompression
    /// The head without the upgrade's own fields, which the upgrade handler adds.
    let head: HTTPRequestHead

    /// The fields that the client sets itself.
    private static let own: Set<String> = [
        "connection", "content-length", "host", "transfer-encoding", "upgrade", "sec-websocket-accept",
        "sec-websocket-extensions", "sec-websocket-key", "sec-websocket-protocol", "sec-websocket-version",
    ]

    init(
        _ url: String, protocols: [String], headers: HTTPHeaders, compression: WebSocketCompression = .disabled
    ) throws(WebSocketError) {
        guard url.prefix(6).lowercased() == "wss://" else {
            throw WebSocketError(.webSocketUnusableURL, detail: "expected wss://HOST")
        }
        let target: RequestTarget
        do throws(RequestTargetError) { target = try RequestTarget("https://" + url.dropFirst(6)) } catch {
            throw WebSocketError(.webSocketUnusableURL, detail: error.description(for: url))
        }
        host = target.origin.host
        port = target.origin.port
        self.protocols = protocols
        self.compression = compression
        var fields = HTTPHeaders([("host", target.origin.hostHeader)])
        for (name, value) in headers {
            guard !Self.own.contains(name.lowercased()), RequestSyntax.isToken(name), RequestSyntax.isValue(value)
            else {
                throw WebSocketError(
                    .webSocketUnusableField, detail: RequestSyntax.isToken(name) ? String(name.prefix(64)) : "a name")
            }
            fields.add(name: name, value: value)
        }
        guard protocols.allSatisfy({ RequestSyntax.isToken($0) }), Set(protocols).count == protocols.count else {
            throw WebSocketError(.webSocketUnusableField, detail: "a subprotocol")
        }
        if !protocols.isEmpty { fields.add(name: "sec-websocket-protocol", value: protocols.joined(separator: ", ")) }
        if let offer = DeflateParameters.offer(compression) {
            fields.add(name: "sec-websocket-extensions", value: offer)
        }
        guard RequestSyntax.isTarget(target.resource) else {
            throw WebSocketError(.webSocketUnusableURL, detail: "a character that needs percent-encoding")
        }
        head = HTTPRequestHead(version: .http1_1, method: .GET, uri: String(target.resource), headers: fields)
    }

    /// Checks the parts of the server's response that must match the request, except the key (RFC 6455 § 4.1).
    /// - Returns: the subprotocol and the compression that the server has chosen, or nil for none.
    func choices(
        of answer: HTTPResponseHead
    ) throws(WebSocketError) -> (subprotocol: String?, compression: DeflateParameters?) {
        let accepted: DeflateParameters?
        do throws(DeflateParameters.Problem) {
            accepted = try .accepted(answer.headers["sec-websocket-extensions"], for: compression)
        } catch {
            throw WebSocketError(.webSocketNotUpgraded, number: 101, detail: error.description)
        }
        guard answer.headers[canonicalForm: "connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
            throw WebSocketError(.webSocketNotUpgraded, number: 101, detail: "the connection: upgrade field is missing")
        }
        let chosen = answer.headers["sec-websocket-protocol"]
        guard chosen.count <= 1, chosen.allSatisfy(protocols.contains) else {
            throw WebSocketError(.webSocketNotUpgraded, number: 101, detail: "a subprotocol that wasn't requested")
        }
        return (chosen.first, accepted)
    }
}

#endif
