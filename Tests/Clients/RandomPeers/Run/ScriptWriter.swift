// SPDX-License-Identifier: Apache-2.0

/// Writes the acts of a script for a client.
struct ScriptWriter {
    private let client: ClientKind
    private let body: [UInt8]
    var dice: Dice

    init(_ client: ClientKind, _ body: [UInt8], _ dice: Dice) {
        self.client = client
        self.body = body
        self.dice = dice
    }

    mutating func write(_ script: inout Script) {
        if client.isHTTP2 {
            script.greeting = [.send(delivery(.frames(HTTP2Grammar.greeting(&dice)), mutating: 4))]
        }
        if dice.chance(client.isHTTP2 ? 2 : 5) {
            // Bytes before any request.
            let early = client.isHTTP2 ? dice.bytes(1...40) : HTTP1Grammar.response(&dice)
            script.greeting.append(.send(delivery(.bytes(early), mutating: 10)))
        }
        if client.isProbe {
            script.greeting = dice.chance(30) ? [.send(delivery(.bytes(dice.bytes(1...90)), mutating: 0))] : []
        }
        if dice.chance(3) { script.greeting.append(.close(closing())) }
        for _ in 0..<dice.pick(1, 1, 2, 3) { script.turns.append(turn()) }
        if script.cover != .clear, dice.chance(client.isProbe ? 70 : 10) { script.wire = wire() }
        script.proxy = proxy()
    }

    private mutating func turn() -> [Act] {
        var acts: [Act] = []
        if dice.chance(4) { acts.append(.pause(dice.number(1...20))) }
        let answers = dice.chance(92) ? 1 : dice.pick(0, 2)
        for _ in 0..<answers { acts.append(.send(delivery(answer(), mutating: 15))) }
        if dice.chance(6) { acts.append(.raw(record())) }
        if dice.chance(4) { acts.append(.pause(dice.number(1...20))) }
        // A connection that stays open after an incomplete answer costs the whole deadline.
        if dice.chance(75) { acts.append(.close(closing())) }
        return acts
    }

    private mutating func answer() -> Delivery.Content {
        switch client {
        case .grpc: .frames(GRPCGrammar.response(&dice))
        case .webSocket, .webSocketConnect: WebSocketGrammar.upgrade(&dice)
        case .updater where dice.chance(60):
            .bytes(HTTP1Grammar.response(&dice, body: dice.chance(30) ? body : ByteMutation.apply(to: body, &dice)))
        case _ where client.isHTTP2: .frames(HTTP2Grammar.response(&dice))
        default: .bytes(HTTP1Grammar.response(&dice))
        }
    }

    private mutating func delivery(_ content: Delivery.Content, mutating share: Int) -> Delivery {
        var delivery = Delivery(content)
        if dice.chance(share) { delivery.mutation = dice.next() }
        if dice.chance(20) { delivery.split = dice.next() }
        return delivery
    }

    private mutating func closing() -> Closing { dice.pick(from: Closing.allCases) ?? .fin }

    /// Returns a TLS record that TLS doesn't expect: an alert, garbage, or the head of a record.
    private mutating func record() -> [UInt8] {
        switch dice.number(0...5) {
        case 0: [21, 3, 3, 0, 2, dice.pick(1, 2, 9), dice.pick(0, 10, 20, 40, 80, 90, 255)]
        case 1: [23, 3, 3, 0, 5] + dice.bytes(5...5)
        case 2: [22, 3, 3, 0, 4, 0, 0, 0, 0]
        case 3: [20, 3, 3, 0, 1, 1]
        case 4: [23, 3, 3, 0xff, 0xff]
        default: dice.bytes(1...40)
        }
    }

    private mutating func wire() -> WireFault {
        let offset = dice.pick(0, 1, 5, dice.number(0...200), dice.number(0...1500), dice.number(0...3000))
        let kind: WireFault.Kind
        switch dice.number(0...5) {
        case 0, 1: kind = .flip(1 << UInt8(dice.number(0...7)))
        case 2: kind = .insert(record())
        case 3: kind = dice.chance(30) ? .stall : .cut(closing())
        case 4: kind = .cut(closing())
        default: kind = .dribble(dice.number(1...200))
        }
        return WireFault(offset: offset, kind: kind)
    }

    private mutating func proxy() -> Script.Proxy? {
        let isHonest = dice.chance(40)
        switch client {
        case .http1Connect, .http2Connect, .http1TLSProxy, .sessionConnect, .webSocketConnect:
            let answer = isHonest ? Array("HTTP/1.1 200 OK\r\n\r\n".utf8) : ProxyGrammar.connect(&dice)
            var acts: [Act] = [.send(delivery(.bytes(answer), mutating: isHonest ? 0 : 20))]
            if !isHonest, dice.chance(10) { acts.append(.close(closing())) }
            return .connect(acts, isTLS: client == .http1TLSProxy)
        case .http1SOCKS, .http2SOCKS, .gateSOCKS:
            let answers = isHonest ? [[5, 0], [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]] : ProxyGrammar.socks(&dice)
            return .socks(answers.map { [.send(delivery(.bytes($0), mutating: isHonest ? 0 : 15))] })
        case .probeStart:
            // PostgreSQL's answer to SSLRequest.
            let answer =
                isHonest ? [0x53] : dice.pick([0x4e], [0x45], [0x53, 0x53], Array("S HTTP".utf8), dice.bytes(0...30))
            return .start([.send(delivery(.bytes(answer), mutating: 0))])
        default: return nil
        }
    }
}
