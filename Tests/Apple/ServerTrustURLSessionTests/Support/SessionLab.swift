// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrust

@testable import ServerTrustLab
@testable import ServerTrustURLSession

/// A lab server with sessions for it.
struct SessionLab {
    let server: LabServer

    /// Starts a server, and stops it after `body` returns.
    static func with<Result>(
        _ scenario: LabScenario = .good, _ set: (inout LabServer.Options) -> Void = { _ in },
        _ body: (SessionLab) async throws -> Result
    ) async throws -> Result {
        var options = LabServer.Options()
        set(&options)
        let server = try await LabServer.start(scenario, options: options)
        do {
            let result = try await body(SessionLab(server: server))
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    var url: URL { URL(string: server.url + "/") ?? URL(fileURLWithPath: "/") }

    /// The scenario's settings. They contain the names of the server and of its redirect's target, which aren't in DNS.
    var trust: ServerTrustConfiguration {
        get throws {
            let rule = server.certificates.client.rule
            let hosts = ["lab.test", "**.lab.test", "lab.co.uk"]
            let rules = rule.map { rule in hosts.map { ($0, rule) } } ?? []
            let manager = try ServerTrustManager(rules: Dictionary(uniqueKeysWithValues: rules), memory: nil)
            return Self.configuration(manager, server.certificates)
        }
    }

    static func configuration(
        _ manager: ServerTrustManager, _ certificates: LabCertificates
    ) -> ServerTrustConfiguration {
        var trust = certificates.configuration
        trust.manager = manager
        return trust
    }

    var addresses: [String: String] {
        var addresses = [server.host.description: server.address.rawValue]
        if let target = server.redirectTarget { addresses[target.host.description] = target.address.rawValue }
        return addresses
    }

    /// - Parameter usesHTTP2: whether a session uses HTTP/2, which needs one more connection.
    func configuration(
        usesHTTP2: Bool = false, _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        set(configuration)
        return configuration.withServerTrust(
            try trust, connectingTo: addresses, environment: [:], usesHTTP2: usesHTTP2)
    }

    func session(
        usesHTTP2: Bool = false, delegate: (any URLSessionDelegate)? = nil,
        _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        URLSession(
            configuration: try configuration(usesHTTP2: usesHTTP2, set), delegate: delegate, delegateQueue: nil)
    }
}

extension SessionLab {
    /// Returns the error that a request to the server ends with, or nil.
    func failure(
        delegate: (any URLSessionDelegate)? = nil, _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> URLError? {
        let session = try session(delegate: delegate, set)
        return await session.failure(url)
    }
}

extension SessionLab {
    /// Returns the status and text of the server's response.
    func text(
        delegate: (any URLSessionDelegate)? = nil, _ set: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> (status: Int, text: String) {
        let session = try session(delegate: delegate, set)
        return try await session.text(url)
    }
}

extension URLSession {
    /// Returns the error that a request ends with, or nil.
    func failure(
        _ url: URL, ownDelegate: any FoundationNetworking.URLSessionTaskDelegate
    ) async -> URLError? {
        do {
            _ = try await data(for: URLRequest(url: url), delegate: ownDelegate)
            return nil
        } catch {
            return error as? URLError
        }
    }

    func failure(_ request: URLRequest) async -> URLError? {
        do {
            _ = try await data(for: request)
            return nil
        } catch {
            return error as? URLError
        }
    }

    func failure(_ url: URL) async -> URLError? { await failure(URLRequest(url: url)) }

    /// Returns the status and text of a response.
    func text(_ request: URLRequest) async throws -> (status: Int, text: String) {
        let (data, response) = try await data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    func text(_ url: URL) async throws -> (status: Int, text: String) { try await text(URLRequest(url: url)) }
}
