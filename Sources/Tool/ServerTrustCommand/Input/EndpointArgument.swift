// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A parser for servers and hosts on the command line, including internationalized names.
enum EndpointArgument {
    /// Parses the texts that `ServerEndpoint` accepts. The host may contain non-ASCII characters.
    /// - Throws: ``ArgumentProblem`` if the text doesn't name a server.
    static func endpoint(
        _ text: String, startTLS: StartTLSProtocol? = nil
    ) throws(ArgumentProblem) -> ServerEndpoint {
        do {
            return try ServerEndpoint(ascii(text), startTLS: startTLS)
        } catch {
            throw ArgumentProblem(description: String(describing: error))
        }
    }

    /// Parses the host from a name, an address, `host:port` or an `https` URL. A certificate is for a host, whatever
    /// the port and the path.
    /// - Throws: ``ArgumentProblem`` if the text doesn't name a host.
    static func host(_ text: String) throws(ArgumentProblem) -> Hostname {
        if let host = try? Hostname(text) { return host }
        let isURL = text.contains("://")
        guard isURL || text.contains(":") || !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            do { return try Hostname(text) } catch { throw ArgumentProblem(description: error.description) }
        }
        return try endpoint(text).host
    }

    /// Returns the text with its host converted to A-labels.
    private static func ascii(_ text: String) throws(HostNameError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        let start = text.range(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        let colon = text[start..<end].lastIndex(of: ":") ?? end
        return text[..<start] + (try HostName.ascii(String(text[start..<colon]))) + text[colon...]
    }
}

/// An error for an argument, with the text to show.
struct ArgumentProblem: Error, CustomStringConvertible {
    let description: String
}
