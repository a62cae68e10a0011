// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A reader of zgrab2's output lines. Each contains the results of some modules for one address.
///
/// Handshakes are in `data.MODULE.result`: in the result itself (module tls) or in its `tls` (modules that start
/// without TLS or with it). For http, each redirect and the response have one. Each handshake with certificates is a
/// row, but the same chain for the same host counts once per line.
///
/// The name of a row consists of the line's domain, address and port, as far as they exist, separated by spaces. The
/// host of a row is the first of these that exists:
///
/// 1. The host of the HTTP request's URL, which a redirect changes.
/// 2. The request's `host`.
/// 3. The line's domain.
/// 4. The server name in the ClientHello.
/// 5. The line's address.
///
/// A redirected request that names no host has none, because the line's domain belongs to another host.
struct ZGrab2Lines {
    /// The maximum number of rows per line, and of modules. If there are more, the last row says so.
    static let maximumRows = 64

    private let decoder = JSONDecoder()

    /// Returns the rows of a line, at least one. A line without certificates has a failure with the state of each
    /// module.
    func rows(of line: Data) -> [BatchRow] {
        do throws(TrustFailure) {
            return try (JSONLine.decoded(line, with: decoder) as ScanLine).rows
        } catch {
            return [BatchRow(failures: [error])]
        }
    }
}

/// An output line of zgrab2.
private struct ScanLine: Decodable {
    private(set) var rows: [BatchRow] = []
    private var failures: [TrustFailure] = []
    /// The limits that the line exceeds. They come before all other failures.
    private var omissions: Set<String> = []
    /// The modules without certificates, with their status.
    private var states: [String] = []
    private var ip: String?
    private var domain: String?
    private var port: String?

    private typealias Object = KeyedDecodingContainer<JSONName>

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: JSONName.self)
        domain = text("domain", in: line, path: "")
        ip = text("ip", in: line, path: "")
        port = (try? line.decode(UInt16.self, forKey: JSONName("port"))).map { String($0) }
        if let data = object("data", in: line, path: "") {
            let modules = data.allKeys.map(\.stringValue).sorted()
            if modules.count > ZGrab2Lines.maximumRows {
                omissions.insert("more than \(ZGrab2Lines.maximumRows) modules in one line")
            }
            for module in modules.prefix(ZGrab2Lines.maximumRows) {
                let before = rows.count
                readModule(module, in: data)
                if rows.count == before { states.append(state(of: module, in: data)) }
            }
        }
        finish()
    }

    /// Adds the failures of the line, and adds the place to each row if there are several.
    private mutating func finish() {
        failures = omissions.sorted().map { TrustFailure(.requestValueInvalid, found: .text($0)) } + failures
        if rows.isEmpty, failures.isEmpty {
            let states = states.isEmpty ? "" : " (\(states.joined(separator: ", ").abridged(toBytes: 1024)))"
            failures = [TrustFailure(.requestKeyMissing, expected: .text("server_certificates\(states)"))]
        }
        if !failures.isEmpty { rows.append(BatchRow(failures: Array(failures.prefix(20)))) }
        let isSingle = rows.count == 1
        let names = [domain, ip, port].compactMap(\.self)
        let name = names.isEmpty ? nil : names.joined(separator: " ").abridged(toBytes: 1024)
        for index in rows.indices {
            rows[index].id = name
            if isSingle { rows[index].place = nil }
        }
    }

    // MARK: - Modules

    private mutating func readModule(_ module: String, in data: Object) {
        let path = "data.\(module.abridged(toBytes: 64))"
        guard let results = object(module, in: data, path: "data."),
            let result = anyObject("result", in: results)
        else { return }
        let place = module.abridged(toBytes: 64)
        readLog(result, host: nil, place: place, path: path + ".result")
        if let log = anyObject("tls", in: result) {
            readLog(log, host: nil, place: place, path: path + ".result.tls")
        }
        var isRedirected = false
        let chain = JSONName("redirect_response_chain")
        if result.contains(chain), (try? result.decodeNil(forKey: chain)) != true {
            let name = "\(path).result.redirect_response_chain"
            guard var redirects = try? result.nestedUnkeyedContainer(forKey: chain) else {
                return failures.append(.wrongType(name, expected: "an array"))
            }
            while !redirects.isAtEnd {
                let index = redirects.currentIndex
                let name = "\(name)[\(index)]"
                guard let response = try? redirects.nestedContainer(keyedBy: JSONName.self) else {
                    return failures.append(.wrongType(name, expected: "an object"))
                }
                readResponse(
                    response, place: "\(place).redirect[\(index)]", path: name, isRedirected: isRedirected)
                isRedirected = true
            }
        }
        if let response = anyObject("response", in: result) {
            readResponse(
                response, place: place + ".response", path: path + ".result.response", isRedirected: isRedirected)
        }
    }

    private mutating func readResponse(_ response: Object, place: String, path: String, isRedirected: Bool) {
        guard let request = anyObject("request", in: response),
            let log = object("tls_log", in: request, path: path + ".request.")
        else { return }
        // The URL contains the host that was contacted. Requests after a redirect have no other name.
        let named =
            anyObject("url", in: request).flatMap {
                text("host", in: $0, path: path + ".request.url.")
            } ?? text("host", in: request, path: path + ".request.")
        let host = named.map(Self.withoutPort).flatMap { $0.isEmpty ? nil : $0 }
        readLog(log, host: host ?? (isRedirected ? "" : nil), place: place, path: path + ".request.tls_log")
    }

    private mutating func readLog(_ log: Object, host: String?, place: String, path: String) {
        guard let handshake = object("handshake_log", in: log, path: path + "."),
            let certificates = object("server_certificates", in: handshake, path: path + ".handshake_log.")
        else { return }
        let path = path + ".handshake_log.server_certificates"
        guard let leaf = object("certificate", in: certificates, path: path + ".") else { return }
        guard let raw = text("raw", in: leaf, path: path + ".certificate.") else {
            return failures.append(TrustFailure(.requestKeyMissing, expected: .text(path + ".certificate.raw")))
        }
        var row = BatchRow(place: place, chain: [.base64(raw)])
        // Empty if all are missing, because a missing host must not turn off the check of names.
        row.host = host ?? domain ?? serverName(in: handshake) ?? ip ?? ""
        if certificates.contains(JSONName("chain")),
            (try? certificates.decodeNil(forKey: JSONName("chain"))) != true
        {
            guard var chain = try? certificates.nestedUnkeyedContainer(forKey: JSONName("chain")) else {
                return failures.append(.wrongType(path + ".chain", expected: "an array"))
            }
            while !chain.isAtEnd {
                let name = "\(path).chain[\(chain.currentIndex)]"
                guard row.chain.count < ChainText.maximumCount,
                    let member = try? chain.nestedContainer(keyedBy: JSONName.self)
                else { return failures.append(.wrongType(name, expected: "an object, one of at most 1023")) }
                guard let raw = text("raw", in: member, path: name + ".") else {
                    return failures.append(TrustFailure(.requestKeyMissing, expected: .text(name + ".raw")))
                }
                row.chain.append(.base64(raw))
            }
        }
        add(row)
    }

    private mutating func add(_ row: BatchRow) {
        guard !rows.contains(where: { $0.isSame(as: row) }) else { return }
        guard rows.count < ZGrab2Lines.maximumRows - 1 else {
            omissions.insert("more than \(ZGrab2Lines.maximumRows - 1) chains in one line")
            return
        }
        rows.append(row)
    }

    // MARK: - Values

    /// Returns the server name in the ClientHello, or nil if zgrab2 didn't log it.
    private func serverName(in handshake: Object) -> String? {
        guard let hello = try? handshake.nestedContainer(keyedBy: JSONName.self, forKey: JSONName("client_hello")),
            let name = try? hello.decode(String.self, forKey: JSONName("server_name"))
        else { return nil }
        return name.isEmpty ? nil : name
    }

    /// Returns a host without its port. Also removes the brackets of an IPv6 address.
    private static func withoutPort(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        guard host.count(where: { $0 == ":" }) == 1 else { return host }
        return String(host.prefix { $0 != ":" })
    }

    private func state(of module: String, in data: Object) -> String {
        let name = module.abridged(toBytes: 64)
        guard let results = try? data.nestedContainer(keyedBy: JSONName.self, forKey: JSONName(module)) else {
            return name
        }
        let status = (try? results.decode(String.self, forKey: JSONName("status"))) ?? "without status"
        let error = try? results.decode(String.self, forKey: JSONName("error"))
        return "\(name) is \(status.abridged(toBytes: 64))" + (error.map { ": \($0.abridged(toBytes: 200))" } ?? "")
    }

    /// Returns a member if it is an object. Returns nil for other types, because modules without TLS use this name for
    /// a text.
    private func anyObject(_ key: String, in object: Object) -> Object? {
        try? object.nestedContainer(keyedBy: JSONName.self, forKey: JSONName(key))
    }

    /// Returns a member if it is an object. Returns nil if it is missing or null. For another type, returns nil and
    /// adds a failure.
    private mutating func object(_ key: String, in object: Object, path: String) -> Object? {
        let name = JSONName(key)
        guard object.contains(name), (try? object.decodeNil(forKey: name)) == false else { return nil }
        if let found = try? object.nestedContainer(keyedBy: JSONName.self, forKey: name) { return found }
        failures.append(.wrongType(path + key.abridged(toBytes: 64), expected: "an object"))
        return nil
    }

    /// Returns a member if it is a text, under the same rules as ``object(_:in:path:)``.
    private mutating func text(_ key: String, in object: Object, path: String) -> String? {
        let name = JSONName(key)
        guard object.contains(name), (try? object.decodeNil(forKey: name)) == false else { return nil }
        if let found = try? object.decode(String.self, forKey: name) { return found.isEmpty ? nil : found }
        failures.append(.wrongType(path + key, expected: "a string"))
        return nil
    }
}

extension TrustFailure {
    /// Returns the failure for a member with the wrong JSON type.
    static func wrongType(_ path: String, expected: String) -> TrustFailure {
        TrustFailure(.requestKeyWrongType, expected: .text(expected), found: .text("\(path) has a different type"))
    }
}
