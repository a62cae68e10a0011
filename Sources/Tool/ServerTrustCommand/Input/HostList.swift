// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The option for a file of servers.
struct HostListOptions: ParsableArguments {
    @Option(help: .book("check --hosts"), completion: .file())
    var hosts: String?

    /// Returns the servers of the file.
    /// - Parameter startTLS: the protocol for servers without a scheme, or nil for https.
    /// - Throws: ``CommandFailure`` if the file can't be read, or with every line that doesn't name a server.
    func endpoints(startTLS: StartTLSProtocol?) throws(CommandFailure) -> [ServerEndpoint] {
        guard let hosts else { return [] }
        return try HostList.endpoints(
            in: try InputFile.read(hosts), name: InputFile.displayName(hosts), startTLS: startTLS)
    }
}

/// A parser for lists of servers, one per line, in any form that an argument may have.
///
/// It skips blank lines. A `#` starts a comment at the start of a line and after white space, but not elsewhere,
/// because a URL may contain it. Lines end with LF, CRLF or CR.
enum HostList {
    /// The maximum number of bad lines in an error.
    private static let maximumProblems = 20

    /// Returns the servers in order, including duplicates.
    ///
    /// A single bad line rejects the whole list before any connection, so that no server is skipped by mistake.
    /// - Throws: ``CommandFailure`` with the number of every bad line, or if the list contains no server.
    static func endpoints(
        in bytes: [UInt8], name: String, startTLS: StartTLSProtocol?
    ) throws(CommandFailure) -> [ServerEndpoint] {
        var endpoints: [ServerEndpoint] = []
        var problems: [String] = []
        for (number, line) in lines(of: bytes) {
            guard let text = String(validating: line, as: UTF8.self) else {
                problems.append("\(name):\(number): text isn't UTF-8")
                continue
            }
            guard !CombiningRun.isTooLong(in: text) else {
                problems.append("\(name):\(number): expected \(CombiningRun.expectation)")
                continue
            }
            let entry = withoutComment(text)
            guard !entry.isEmpty else { continue }
            do throws(ArgumentProblem) {
                endpoints.append(try EndpointArgument.endpoint(String(entry), startTLS: startTLS))
            } catch {
                problems.append("\(name):\(number): \(clipped(error.description))")
            }
        }
        guard problems.isEmpty else {
            let more = problems.count - maximumProblems
            throw CommandFailure(
                errors: problems.prefix(maximumProblems) + (more > 0 ? ["\(name): and \(more) more lines"] : []),
                hint: "expected host, host:port, [ipv6]:port or a URL on each line; no server was contacted")
        }
        guard !endpoints.isEmpty else { throw CommandFailure("\(name): contains no server") }
        return endpoints
    }

    /// Returns the lines with their numbers, starting at 1. It skips a byte order mark.
    private static func lines(of bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
        var rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        var number = 1
        while let end = rest.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) {
            lines.append((number, rest[..<end]))
            let isPair = rest[end] == 0x0d && end + 1 < rest.endIndex && rest[end + 1] == 0x0a
            rest = rest[(end + (isPair ? 2 : 1))...]
            number += 1
        }
        if !rest.isEmpty { lines.append((number, rest)) }
        return lines
    }

    private static func withoutComment(_ line: String) -> Substring {
        var isAfterSpace = true
        var end = line.startIndex
        for index in line.indices {
            if isAfterSpace, line[index] == "#" { break }
            isAfterSpace = line[index].isWhitespace
            end = line.index(after: index)
        }
        return line[..<end].trimmed
    }
}

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
        do { return try Hostname(text) } catch {
            guard text.contains(":") || !text.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw ArgumentProblem(description: error.description)
            }
            return try endpoint(text).host
        }
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
