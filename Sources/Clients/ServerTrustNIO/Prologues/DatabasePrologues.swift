// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

extension TLSPrologue {
    /// PostgreSQL's `SSLRequest`.
    ///
    /// The single byte `S` accepts, and `N` declines. A server that doesn't know the request sends an error that begins
    /// with `E`, which isn't read.
    public static let postgreSQL = TLSPrologue(
        "PostgreSQL",
        [
            Step(sending: [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f], maximumSize: 1) { received in
                switch received.first {
                case UInt8(ascii: "S"): return true
                case UInt8(ascii: "N"):
                    throw PrologueRefusal(.declined, "the server has no TLS: it declines SSLRequest")
                case UInt8(ascii: "E"):
                    throw PrologueRefusal(.declined, "the server answers SSLRequest with an error")
                default:
                    let words = PrologueRefusal.quoted(received)
                    throw PrologueRefusal(.otherProtocol, "the server doesn't speak PostgreSQL: it says \(words)")
                }
            }
        ])

    /// The greeting and `SSLRequest` of MySQL and MariaDB, after which TLS begins without an answer. If the greeting
    /// doesn't offer TLS, the connection fails.
    public static let mySQL = TLSPrologue(
        "MySQL",
        [
            Step(sending: [], maximumSize: MySQLGreeting.maximumSize) { received in
                guard let greeting = try MySQLGreeting(received) else { return false }
                guard greeting.offersTLS else {
                    throw PrologueRefusal(.declined, "the server has no TLS: its greeting doesn't offer it")
                }
                return true
            },
            Step(sending: MySQLGreeting.tlsRequest, maximumSize: 0) { _ in true },
        ])
}

/// The greeting packet of MySQL and MariaDB, with protocol version 10.
struct MySQLGreeting {
    /// The size limit in bytes, including the header. Greetings are usually a few hundred bytes long.
    static let maximumSize = 4096

    /// Whether the server's capabilities include `CLIENT_SSL`.
    let offersTLS: Bool

    /// The `SSLRequest`: length 32, packet 1, the capabilities LONG_PASSWORD, PROTOCOL_41, SSL, SECURE_CONNECTION and
    /// PLUGIN_AUTH, packets of up to 16 MiB, UTF-8.
    static let tlsRequest: [UInt8] =
        [32, 0, 0, 1, 0x01, 0x8a, 0x08, 0x00, 0, 0, 0, 1, 45] + [UInt8](repeating: 0, count: 23)

    /// Parses a greeting. Returns nil while bytes are missing.
    /// - Throws: ``PrologueRefusal`` for a packet that refuses the connection, and for one that isn't a greeting.
    init?(_ bytes: [UInt8]) throws(PrologueRefusal) {
        guard bytes.count >= 4 else { return nil }
        let count = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        guard count > 0, 4 + count <= Self.maximumSize, bytes[3] == 0 else { throw Self.foreign(bytes) }
        guard bytes.count >= 4 + count else { return nil }
        var rest = bytes[4...]
        switch rest.popFirst() {
        case 10: break
        case 0xff:
            let code = rest.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
            let words = PrologueRefusal.quoted(rest.dropFirst(2))
            throw PrologueRefusal(.declined, "the server refuses the connection with error \(code): \(words)")
        default: throw Self.foreign(bytes)
        }
        // The server's version ends with zero. The thread, eight bytes of a challenge, and zero follow.
        guard let end = rest.firstIndex(of: 0), rest[end...].count >= 1 + 13 + 2 else { throw Self.foreign(bytes) }
        let capabilities = end + 1 + 13
        offersTLS = rest[capabilities + 1] & 0x08 != 0
    }

    private static func foreign(_ bytes: [UInt8]) -> PrologueRefusal {
        PrologueRefusal(
            .otherProtocol, "the server doesn't speak MySQL: its greeting begins with \(PrologueRefusal.quoted(bytes))")
    }
}

#endif
