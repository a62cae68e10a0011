// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import PKIX
import ServerTrust
import ServerTrustGRPC
import ServerTrustTesting
import Testing

@testable import ServerTrustLab

/// Sends calls to a server on loopback.
private struct Caller {
    let host: Hostname
    let port: Int
    let trust: ServerTrustConfiguration
    var waits = false
    var timeout = Duration.seconds(60)

    /// Sends a call and returns the answer.
    func call(_ message: String = "hello") async throws -> String {
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: port), host: host, transportSecurity: .serverTrust(trust))
        return try await withGRPCClient(transport: transport) { try await call(message, $0) }
    }

    func call(_ message: String, _ client: GRPCClient<TrustedGRPCTransport>) async throws -> String {
        var options = CallOptions.defaults
        options.timeout = timeout
        options.waitForReady = waits
        return try await client.unary(
            request: ClientRequest(message: message), descriptor: Echo.say, serializer: Text(), deserializer: Text(),
            options: options
        ) { try $0.message }
    }

    /// Returns the refusal that ends a call, or nil if there isn't one.
    func refusal() async -> TrustRefusal? {
        do {
            _ = try await call()
            return nil
        } catch {
            return (error as? RPCError)?.cause as? TrustRefusal
        }
    }
}

@Suite("gRPC's transport", .timeLimit(.minutes(10)))
struct GRPCTransportTests {
    @Test(
        "A call to a trusted server gets its response, whether or not it waits for the connection",
        arguments: [true, false])
    func trusted(waits: Bool) async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let answer = try await Echo.withServer(certificates) { port in
            try await Caller(host: certificates.host, port: port, trust: certificates.configuration, waits: waits)
                .call()
        }
        #expect(answer == "you asked: hello")
    }

    @Test(
        "The transport uses a target's IPv6 zone to connect, but not in rules or the authority",
        arguments: [nil, "[::1%251]", "[::1%251]:443", "::1%1", "[::1]:443"])
    func zone(authority: String?) throws {
        let certificates = try LabScenario.ipAddressOnly.certificates(at: .now())
        var trust = certificates.configuration
        trust.manager = try ServerTrustManager(evaluators: ["::1": DefaultTrustEvaluator()])
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.http2.authority = authority
        // The zone is a number, because ::1 has no named zone.
        _ = try TrustedGRPCTransport(
            target: .dns(host: "::1%1", port: 443), transportSecurity: .serverTrust(trust), config: config)
        config.http2.authority = "[::2%251]:443"
        #expect(throws: TrustedGRPCTargetError.self) {
            try TrustedGRPCTransport(
                target: .dns(host: "::1%1", port: 443), transportSecurity: .serverTrust(trust), config: config)
        }
    }

    @Test(
        "Every scenario has its expected outcome over HTTP/2, refused servers receive no part of a call, and records lead to the same verdicts",
        arguments: [true, false])
    func conformance(waits: Bool) async throws {
        // gRPC Swift's transport reconnects, so the expected connection counts don't apply.
        let refused = LabScenario.all.filter { !$0.expected.isTrusted && !$0.isForProbes && $0 != .noTLS }
        #expect(refused.count > 20)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = TrustRecorder.Settings()
        settings.verifies = true
        let recorder = TrustRecorder(folder: folder.path, settings: settings)
        for scenario in refused {
            let server = try await LabServer.start(scenario)
            server.certificates.manager.events.add(recorder)
            // Without a verdict, a call waits until its time limit.
            let isRefused = if case .refused = scenario.expected { true } else { false }
            let caller = Caller(
                host: server.host, port: server.port, trust: server.certificates.configuration, waits: waits,
                timeout: isRefused ? .seconds(60) : .milliseconds(500))
            let refusal = await caller.refusal()
            if case .refused(let code) = scenario.expected {
                #expect(refusal?.headline.code == code, "\(scenario)")
            } else {
                #expect(refusal == nil, "\(scenario)")
            }
            #expect(server.counts.requestBytes == 0, "\(scenario)")
            await server.stop()
        }
        await recorder.flush()
        #expect(recorder.counts.written > 20)
        #expect(recorder.counts.differing == 0)
    }

    @Test(
        "A line break or zero byte in metadata or a method name fails the call before it reaches the server",
        arguments: ["\r\n", "\n", "\r", "\u{0}"])
    func injection(text: String) async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        try await Echo.withServer(certificates) { port in
            let transport = try TrustedGRPCTransport(
                target: .ipv4(address: "127.0.0.1", port: port), host: certificates.host,
                transportSecurity: .serverTrust(certificates.configuration))
            try await withGRPCClient(transport: transport) { client in
                func call(_ name: String, _ value: String, _ method: String) async throws -> String {
                    var metadata = Metadata()
                    metadata.addString(value, forKey: name)
                    let descriptor = MethodDescriptor(fullyQualifiedService: "example.Echo", method: method)
                    return try await client.unary(
                        request: ClientRequest(message: "hello", metadata: metadata), descriptor: descriptor,
                        serializer: Text(), deserializer: Text(), options: .defaults
                    ) { try $0.message }
                }
                for (name, value, method) in [
                    ("x\(text)y", "z", "Say"), ("x", "secret\(text)y: z", "Say"), ("x", "y", "Say\(text)x: y"),
                    ("", "y", "Say"), ("x y", "z", "Say"), ("x", "y", "Say it"),
                ] {
                    var found: RPCError?
                    do { _ = try await call(name, value, method) } catch { found = error as? RPCError }
                    #expect(found?.code == .invalidArgument, "\(String(describing: found))")
                    #expect(found?.message.contains("secret") == false)
                }
                let answer = try await call("x", "y\tz", "Say")
                #expect(answer == "you asked: hello")
            }
        }
    }

    @Test("A waiting call to a server without TLS ends at its own time limit, because there is no verdict")
    func noTLS() async throws {
        let server = try await LabServer.start(.noTLS)
        let caller = Caller(
            host: server.host, port: server.port, trust: server.certificates.configuration, waits: true,
            timeout: .milliseconds(500))
        await #expect(throws: (any Error).self) { try await caller.call() }
        await server.stop()
    }

    @Test("A waiting call gets its response when the server starts later")
    func comesUp() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let port = try await Echo.withServer(certificates) { $0 }
        let caller = Caller(host: certificates.host, port: port, trust: certificates.configuration, waits: true)
        let answer = Task { try await caller.call() }
        try await Task.sleep(for: .milliseconds(200))
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: port),
            transportSecurity: .tls(
                certificateChain: certificates.chain.map { .bytes($0.der, format: .der) },
                privateKey: .bytes(Array(try certificates.key.pemRepresentation().utf8), format: .pem)))
        try await withGRPCServer(transport: transport, services: [Echo()]) { _ in
            let text = try await answer.value
            #expect(text == "you asked: hello")
        }
    }

    @Test("200 concurrent calls to a refused server all end with the refusal and send no data")
    func many() async throws {
        let server = try await LabServer.start(.expired)
        let caller = Caller(
            host: server.host, port: server.port, trust: server.certificates.configuration, waits: true)
        let transport = try TrustedGRPCTransport(
            target: .ipv4(address: "127.0.0.1", port: server.port), host: server.host,
            transportSecurity: .serverTrust(caller.trust))
        let refusals = try await withGRPCClient(transport: transport) { client in
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            _ = try await caller.call("\(number)", client)
                            return false
                        } catch {
                            return (error as? RPCError)?.cause is TrustRefusal
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(refusals == 200)
        #expect(server.counts.requestBytes == 0)
        await server.stop()
    }

    @Test("The transport doesn't contact a host that the rules deny, and its calls end with the refusal")
    func denied() async throws {
        let server = try await LabServer.start(.good)
        let trust = ServerTrustConfiguration(try ServerTrustManager(rules: [server.host.description: .denied]))
        let refusal = await Caller(host: server.host, port: server.port, trust: trust, waits: true).refusal()
        #expect(refusal?.headline.code == .hostDenied)
        #expect(server.counts.connections == 0)
        await server.stop()
    }

    @Test("A canceled task ends its waiting call")
    func cancelled() async throws {
        let certificates = try LabScenario.good.certificates(at: .now())
        let port = try await Echo.withServer(certificates) { $0 }
        let caller = Caller(
            host: certificates.host, port: port, trust: certificates.configuration, waits: true,
            timeout: .seconds(600))
        let task = Task { try await caller.call() }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { _ = try result.get() }
    }

    /// The target, the host, the authority, and the expected error.
    static let targets: [(any ResolvableTarget & Sendable, String?, String?, TrustedGRPCTargetError?)] = [
        (.dns(host: "rpc.example.com"), nil, nil, nil), (.dns(host: "rpc.example.com", port: 8443), nil, nil, nil),
        (.dns(host: "rpc.example.com"), "RPC.example.com.", nil, nil),
        (
            .dns(host: "rpc.example.com"), "other.example.com", nil,
            TrustedGRPCTargetError(.grpcHostDiffers, name: "rpc.example.com")
        ),
        (
            .dns(host: "rpc_.example com"), nil, nil,
            TrustedGRPCTargetError(.grpcHostUnreadable, name: "rpc_.example com")
        ),
        (.ipv4(address: "127.0.0.1", port: 1), nil, nil, TrustedGRPCTargetError(.grpcHostMissing)),
        (.ipv4(address: "127.0.0.1", port: 1), "rpc.example.com", nil, nil),
        (.ipv6(address: "::1", port: 1), "::1", nil, nil), (.ipv6(address: "::1", port: 1), "::1", "[::1]:1", nil),
        (.unixDomainSocket(path: "/tmp/x"), nil, nil, TrustedGRPCTargetError(.grpcHostMissing)),
        (.dns(host: "rpc.example.com"), nil, "rpc.example.com:443", nil),
        (
            .dns(host: "rpc.example.com"), nil, "evil.example.com",
            TrustedGRPCTargetError(.grpcHostDiffers, name: "evil.example.com")
        ),
        (
            .dns(host: "rpc.example.com"), nil, "evil.example.com:443",
            TrustedGRPCTargetError(.grpcHostDiffers, name: "evil.example.com:443")
        ),
    ]

    @Test("The transport refuses a target whose servers can't all be evaluated as one host", arguments: targets.indices)
    func target(index: Int) throws {
        let (target, host, authority, expected) = Self.targets[index]
        var config = HTTP2ClientTransport.Posix.Config.defaults
        config.http2.authority = authority
        let trust = ServerTrustConfiguration(
            try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        var found: TrustedGRPCTargetError?
        do {
            _ = try TrustedGRPCTransport(
                target: target, host: try host.map { try Hostname($0) }, transportSecurity: .serverTrust(trust),
                config: config)
        } catch let error as TrustedGRPCTargetError {
            found = error
        }
        #expect(found == expected)
    }
}
