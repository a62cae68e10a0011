// SPDX-License-Identifier: Apache-2.0

/// Runs one exchange and checks its outcomes.
struct Trial: Sendable {
    let site: Site
    /// The fault to plant, for the self-test.
    var fault: PlantedFault?

    /// A rule that an exchange broke.
    struct Finding: Sendable {
        var kind: String
        var text: String
    }

    struct Report: Sendable {
        /// The kinds of outcome of the requests that the script answers.
        var kinds: [String] = []
        var findings: [Finding] = []
        /// The number of correct requests until one was answered.
        var attempts = 0
    }

    private static let grace = Duration.seconds(5)

    func run(_ exchange: Exchange) async -> Report {
        var report = Report()
        do {
            let peer = try await Peer.start(exchange.script, site)
            do {
                let client = try client(for: exchange, port: peer.port)
                await run(exchange, client, peer, &report)
                if case .hang = await bounded(
                    .seconds(11), grace: .seconds(1),
                    { [client] in
                        await client.close()
                        return Answer(status: 200, body: [])
                    }
                ).outcome {
                    report.findings.append(Finding(kind: "hang", text: "the client doesn't shut down"))
                }
            } catch {
                report.findings.append(Finding(kind: "harness", text: "no client: \(error)"))
            }
            await peer.stop()
        } catch {
            report.findings.append(Finding(kind: "harness", text: "no peer: \(error)"))
        }
        return report
    }

    private func run(_ exchange: Exchange, _ client: any TestedClient, _ peer: Peer, _ report: inout Report) async {
        if exchange.isPrimed {
            peer.be(good: true)
            _ = await send(Request(limit: .seconds(5)), client)
            peer.be(good: false)
        }
        for request in exchange.requests {
            let (outcome, isLate) = await send(request, client)
            report.kinds.append(isLate ? "late \(outcome.kind)" : outcome.kind)
            check(outcome, exchange, &report)
            // Each further call would take seconds.
            if case .hang = outcome { return }
        }
        // The gate's limit `missingSettings`: without SETTINGS, only the end of the connection helps.
        if exchange.client.isGated { peer.reset() }
        if exchange.isRefused {
            checkRefusal(exchange, peer, &report)
        } else {
            await checkNext(exchange, client, peer, &report)
        }
    }

    private func send(_ request: Request, _ client: any TestedClient) async -> (outcome: Outcome, isLate: Bool) {
        await bounded(request.limit * 2 + .milliseconds(600), grace: Self.grace) { try await client.send(request) }
    }

    private func check(_ outcome: Outcome, _ exchange: Exchange, _ report: inout Report) {
        switch outcome {
        case .hang: report.findings.append(Finding(kind: "hang", text: "the call doesn't return"))
        case .answer(let answer) where !outcome.isKnown:
            report.findings.append(Finding(kind: "status", text: "an answer with the status \(answer.status)"))
        // A gated client also throws async-http-client's private errors.
        case .failure(let error)
        where !outcome.isKnown
            && !(exchange.client.isGated && String(reflecting: type(of: error)).hasPrefix("AsyncHTTPClient.")):
            report.findings.append(Finding(kind: "error", text: "\(String(reflecting: type(of: error))): \(error)"))
        case .answer(let answer) where exchange.isRefused && !(exchange.client.isProbe && answer.status == 403):
            report.findings.append(Finding(kind: "accepted", text: "an answer from a refused server"))
        default: break
        }
    }

    /// Checks that a refused server received nothing. Over HTTP/2, the gate sends the preface before it has a verdict.
    private func checkRefusal(_ exchange: Exchange, _ peer: Peer, _ report: inout Report) {
        let received = peer.received.filter { !(exchange.client.isGated && Self.hasNoRequest($0)) }
        guard let first = received.first else { return }
        let text = String(decoding: first.prefix(60), as: UTF8.self).debugDescription
        report.findings.append(Finding(kind: "early byte", text: "a refused server received \(text)"))
    }

    /// Whether the bytes are the preface and frames that belong to no request.
    private static func hasNoRequest(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) else { return false }
        var rest = bytes.dropFirst(24)
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            guard [4, 6, 7, 8].contains(head[3]) else { return false }
            rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
        }
        return true
    }

    /// Sends correct requests until one is answered. Before the third one, the peer resets all connections: a client
    /// can't know that a frame with a wrong length will never end.
    private func checkNext(_ exchange: Exchange, _ client: any TestedClient, _ peer: Peer, _ report: inout Report) async
    {
        peer.be(good: true)
        if exchange.resets { peer.reset() }
        var kinds: [String] = []
        for attempt in 1...4 {
            report.attempts = attempt
            if attempt == 3 {
                peer.reset()
                try? await Task.sleep(for: .milliseconds(100))
            }
            let (outcome, _) = await send(Request(limit: attempt == 4 ? .seconds(5) : .milliseconds(600)), client)
            if case .answer(let answer) = outcome, answer.status == 200, answer.body == exchange.script.goodBody {
                return
            }
            if case .hang = outcome {
                report.findings.append(Finding(kind: "hang", text: "a correct request doesn't return"))
                return
            }
            kinds.append(outcome.kind)
        }
        report.attempts = 5
        report.findings.append(
            Finding(kind: "next request", text: "correct requests fail: \(kinds.joined(separator: ", "))"))
    }
}

extension Trial {
    private func client(for exchange: Exchange, port: Int) throws -> any TestedClient {
        let trust = exchange.isRefused ? site.refusing : site.trust
        let options = exchange.options
        let client: any TestedClient =
            switch exchange.client {
            case .clear, .http1, .http2, .http1Connect, .http2Connect, .http1TLSProxy, .http1SOCKS, .http2SOCKS:
                try TrustedTestClient(exchange.client, port: port, trust, options)
            case .gate1, .gate2, .gateSOCKS:
                try GatedTestClient(exchange.client, port: port, trust, anchor: site.anchor, options)
            case .session1, .session2, .sessionConnect: SessionTestClient(exchange.client, port: port, trust)
            case .webSocket, .webSocketConnect: try WebSocketTestClient(exchange.client, port: port, trust, options)
            case .grpc: try GRPCTestClient(port: port, trust)
            case .fetcher: try FetcherTestClient(port: port, options)
            case .updater: try UpdaterTestClient(port: port, trust, options)
            case .probe, .probeStart: ProbeTestClient(exchange.client, port: port, trust)
            }
        guard let fault else { return client }
        return FaultyClient(client, fault, port: port, isActive: exchange.checksum % 4 == 1)
    }
}
