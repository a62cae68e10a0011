// SPDX-License-Identifier: Apache-2.0

extension Exchange {
    /// The whole exchange, with the bytes of its script.
    var text: String {
        var lines = ["\(name): \(client.rawValue), \(script.cover), protocols \(script.protocols), options \(options)"]
        lines.append(
            "refused: \(isRefused), first a correct request: \(isPrimed), reset before the next: \(resets), answers early: \(script.isEager)"
        )
        for request in requests {
            lines.append(
                "request: \(request.method), \(request.body.count) bytes\(request.streams ? " in a stream" : ""), limit \(request.limit), reads \(request.readsBody)"
            )
        }
        switch script.proxy {
        case .connect(let acts, let isTLS):
            lines.append("proxy, TLS \(isTLS):")
            lines += acts.map { "    " + $0.text }
        case .socks(let turns):
            lines.append("SOCKS:")
            lines += turns.joined().map { "    " + $0.text }
        case .start(let acts):
            lines.append("start:")
            lines += acts.map { "    " + $0.text }
        case nil: break
        }
        if let wire = script.wire { lines.append("below TLS: \(wire)") }
        lines.append("greeting:")
        lines += script.greeting.map { "    " + $0.text }
        for (number, turn) in script.turns.enumerated() {
            lines.append("turn \(number):")
            lines += turn.map { "    " + $0.text }
        }
        return lines.joined(separator: "\n")
    }
}

extension Act {
    fileprivate var text: String {
        switch self {
        case .send(let delivery):
            delivery.writes(stream: 1, accept: "{accept}").map { write in
                "send \(write.bytes.escaped)" + (write.pause > 0 ? ", pause \(write.pause) ms" : "")
            }.joined(separator: "\n    ")
        case .raw(let bytes): "below TLS \(bytes.escaped)"
        case .pause(let pause): "pause \(pause) ms"
        case .close(let closing): "close: \(closing.rawValue)"
        }
    }
}

extension [UInt8] {
    /// The bytes as a literal, at most 2,000 of them.
    fileprivate var escaped: String {
        var text = "\(count) \""
        for byte in prefix(2000) {
            switch byte {
            case 10: text += "\\n"
            case 13: text += "\\r"
            case 34, 92: text += "\\" + String(UnicodeScalar(byte))
            case 32...126: text += String(UnicodeScalar(byte))
            default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text + (count > 2000 ? "…" : "") + "\""
    }
}
