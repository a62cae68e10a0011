// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A server or a host as it is named on a command line, also beyond ASCII.
enum EndpointArgument {
    /// Reads the texts that `ServerEndpoint` reads, with a host that may be beyond ASCII.
    /// - Throws: ``ArgumentProblem`` for a text that names no server.
    static func endpoint(
        _ text: String, startTLS: StartTLSProtocol? = nil
    ) throws(ArgumentProblem) -> ServerEndpoint {
        do {
            return try ServerEndpoint(ascii(text), startTLS: startTLS)
        } catch {
            throw ArgumentProblem(description: String(describing: error))
        }
    }

    /// Reads the host of a name, an address, `host:port` or a URL of `https`: a certificate is for a host, whatever the port and the path.
    /// - Throws: ``ArgumentProblem`` for a text that names no host.
    static func host(_ text: String) throws(ArgumentProblem) -> Hostname {
        if let host = try? Hostname(text) { return host }
        let isURL = text.contains("://")
        guard isURL || text.contains(":") || !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            do { return try Hostname(text) } catch { throw ArgumentProblem(description: error.description) }
        }
        return try endpoint(text).host
    }

    /// Returns the text with its host in A-labels.
    private static func ascii(_ text: String) throws(HostNameError) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        let start = text.range(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        let colon = text[start..<end].lastIndex(of: ":") ?? end
        return text[..<start] + (try HostName.ascii(String(text[start..<colon]))) + text[colon...]
    }
}

/// An error for an argument, as it is shown.
struct ArgumentProblem: Error, CustomStringConvertible {
    let description: String
}
