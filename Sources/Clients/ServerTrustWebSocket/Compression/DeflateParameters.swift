// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

/// The parameters of permessage-deflate that the server has accepted (RFC 7692 § 7.1).
struct DeflateParameters: Hashable {
    /// Whether the server's messages may refer to earlier ones.
    private(set) var serverKeepsContext = true
    /// Whether the client's messages may refer to earlier ones.
    private(set) var clientKeepsContext: Bool
    /// The base-2 logarithm of the window of the client's messages, from 8 to 15.
    private(set) var clientWindowBits = 15

    /// Returns the value of `Sec-WebSocket-Extensions` in a request. Nil if the client offers no compression.
    static func offer(_ compression: WebSocketCompression) -> String? {
        guard compression.isOffered else { return nil }
        let context = compression.keepsContext ? "" : "; server_no_context_takeover; client_no_context_takeover"
        return "permessage-deflate\(context); client_max_window_bits"
    }

    /// Parses the extensions that a server has accepted.
    /// - Parameters:
    ///   - fields: the values of the response's `Sec-WebSocket-Extensions` fields.
    ///   - compression: the client's offer.
    /// - Returns: nil if the server has accepted no extension.
    /// - Throws: ``Problem`` for any text that isn't exactly one valid answer to the offer.
    static func accepted(
        _ fields: [String], for compression: WebSocketCompression
    ) throws(Problem) -> DeflateParameters? {
        guard let field = fields.first else { return nil }
        guard compression.isOffered else { throw Problem(description: "an extension that wasn't requested") }
        guard fields.count == 1, !field.utf8.contains(UInt8(ascii: ",")) else {
            throw Problem(description: "more than one extension")
        }
        return try DeflateParameters(field, compression)
    }

    /// An answer that doesn't match the offer. The text is for people.
    struct Problem: Error {
        let description: String
    }

    private init(_ field: String, _ compression: WebSocketCompression) throws(Problem) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutOuterSpace)
        guard parts.first == "permessage-deflate" else {
            throw Problem(description: "an extension that wasn't requested")
        }
        clientKeepsContext = compression.keepsContext
        var known: Set<Substring> = []
        for part in parts.dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map(\.withoutOuterSpace)
            guard let name = sides.first, known.insert(name).inserted else {
                throw Problem(description: "an extension's parameter that comes twice")
            }
            switch (name, sides.count) {
            case ("server_no_context_takeover", 1): serverKeepsContext = false
            case ("client_no_context_takeover", 1): clientKeepsContext = false
            // The client accepts all windows of the server.
            case ("server_max_window_bits", 2): _ = try Self.windowBits(sides[1])
            case ("client_max_window_bits", 2): clientWindowBits = try Self.windowBits(sides[1])
            default: throw Problem(description: "an extension's parameter that isn't valid")
            }
        }
        guard compression.keepsContext || !serverKeepsContext else {
            throw Problem(description: "server_no_context_takeover is missing")
        }
    }

    /// Parses a number from 8 to 15 without leading zeros, which may have quotation marks (RFC 6455 § 9.1).
    private static func windowBits(_ text: Substring) throws(Problem) -> Int {
        var text = text
        if text.utf8.count > 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        guard let bits = (8...15).first(where: { text == "\($0)" }) else {
            throw Problem(description: "window bits that aren't from 8 to 15")
        }
        return bits
    }
}

#endif
