// SPDX-License-Identifier: Apache-2.0

extension ExtensionList {
    /// Returns the protocol that the server chose with ALPN (RFC 7301 § 3.1), or nil if it chose none.
    /// - Throws: ``HandshakeError`` if the server sent several protocols, or one that wasn't offered.
    func applicationProtocol(offered: [String]) throws(HandshakeError) -> String? {
        let name = "application_layer_protocol_negotiation"
        guard var reader = reader(ExtensionType.applicationProtocols, name) else { return nil }
        var list = try reader.inside(2)
        try reader.finish()
        let chosen = try list.vector(1)
        try list.finish()
        guard let found = offered.first(where: { $0.utf8.elementsEqual(chosen) }) else {
            throw HandshakeError(.extensionUnsolicited, "the server chose an application protocol that wasn't offered")
        }
        return found
    }
}
