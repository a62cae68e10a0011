// SPDX-License-Identifier: Apache-2.0

/// A client, a peer with a script, and the requests. The seed of the run and the number of the exchange decide
/// everything.
struct Exchange: Sendable {
    let seed: UInt64
    let index: Int
    let client: ClientKind
    var script = Script()
    var options = ClientOptions()
    /// The requests that the script answers.
    var requests: [Request] = []
    /// Whether the client's pins refuse the peer.
    var isRefused = false
    /// Whether a request with a correct answer comes first.
    var isPrimed = false
    /// Whether the peer resets all connections before it answers correctly.
    var resets = false

    /// The name that repeats the exchange.
    var name: String { "\(seed):\(index)" }

    init(seed: UInt64, index: Int, only: ClientKind? = nil) throws {
        self.seed = seed
        self.index = index
        var dice = Dice(seed, index)
        let random = ClientKind.random(&dice)
        client = only ?? random
        isRefused = !client.isClear && dice.chance(12)
        isPrimed = !isRefused && dice.chance(25)
        // The wrong length of an HTTP/2 frame makes a client wait for ever, so these peers reset more often.
        resets = dice.chance(client.isHTTP2 ? 60 : 30)
        options.decompresses = dice.chance(35)
        options.keepsCookies = dice.chance(35)
        options.retries = dice.chance(10) ? 1 : 0
        script.style = client == .grpc ? .grpc : [.webSocket, .webSocketConnect].contains(client) ? .webSocket : .http
        script.cover = client.isClear ? .clear : dice.chance(80) ? .tls13 : .tls12
        script.protocols =
            client.isHTTP2 ? (dice.chance(50) ? ["h2"] : ["h2", "http/1.1"]) : dice.pick([], ["http/1.1"])
        script.isEager = script.style == .http && dice.chance(15)
        script.acknowledges = dice.chance(95)
        if client == .updater { script.goodBody = try PinDocument.next() }
        var writer = ScriptWriter(client, script.goodBody, dice)
        writer.write(&script)
        dice = writer.dice
        for _ in 0..<dice.pick(1, 1, 1, 2, 3) {
            var request = Request()
            if dice.chance(20) {
                request.method = dice.pick("POST", "PUT")
                request.body = [UInt8](repeating: 0x62, count: dice.pick(1, 100, 300, 70000, 200_001))
                request.streams = dice.chance(50)
            } else if dice.chance(8) {
                request.method = dice.pick("HEAD", "OPTIONS", "DELETE")
            }
            request.limit = .milliseconds(dice.pick(200, 200, 100))
            request.readsBody = dice.chance(92)
            requests.append(request)
        }
    }

    /// The number that decides where the self-test plants its faults: a byte of the script.
    var checksum: UInt8 {
        script.turns.joined().reduce(UInt8(truncatingIfNeeded: index)) { sum, act in
            guard case .send(let delivery) = act else { return sum }
            return delivery.bytes(stream: 1, accept: "").reduce(sum, &+)
        }
    }
}
