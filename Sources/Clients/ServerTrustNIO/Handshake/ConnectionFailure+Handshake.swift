// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOSSL
import PKIX
import ServerTrust

extension ConnectionFailure {
    /// Creates the failure of a handshake, derived from the server's bytes and the TLS library's error.
    ///
    /// The code `ErrorCode.connectionHandshakeFailed` means that this side found the fault. The server's words are
    /// escaped and truncated.
    /// - Parameters:
    ///   - records: the server's first bytes.
    ///   - error: the error that ended the handshake. Nil for the end of the connection.
    /// - Returns: nil if both only say that the connection has ended.
    package init?(_ records: ServerRecords, _ error: (any Error)?, host: Hostname?) {
        let details = error.map(TLSErrorDetails.init)
        if records.isTLS == false {
            self.init(inTheClear: records.first, host)
        } else if let alert = details?.alert ?? records.alert, alert.code != 0 {
            self.init(alert, records, host)
        } else if let version = records.version, version < 0x0303 {
            self.init(
                .connectionOldTLSOnly, host: host,
                exactly: "the server answers with \(Self.name(of: version)); expected TLS 1.2 or later")
        } else if let words = details?.words {
            self.init(
                .connectionHandshakeFailed, host: host,
                exactly: "the client can't use the server's handshake messages: \(words)")
        } else {
            return nil
        }
    }

    private init(inTheClear bytes: [UInt8], _ host: Hostname?) {
        let words = Self.quoted(bytes)
        let (code, startTLS, text): (ErrorCode, String?, String) =
            switch ClearGreeting(bytes) {
            case .http: (.connectionPlainHTTP, nil, "the server speaks HTTP in the clear on this port, not TLS")
            case .startTLS(let name):
                (
                    .connectionStartTLSNeeded, name,
                    "the server speaks \(Self.title(of: name)) in the clear on this port, before TLS\(words)"
                )
            case .other(let name): (.connectionNotTLS, nil, "the server speaks \(name) on this port, not TLS\(words)")
            case .unknown: (.connectionNotTLS, nil, "the server doesn't speak TLS on this port\(words)")
            }
        self.init(code, host: host, startTLS: startTLS, exactly: text)
    }

    private init(_ alert: TLSAlert, _ records: ServerRecords, _ host: Hostname?) {
        // A server can't request a certificate before its ServerHello.
        let isAboutClient =
            alert == .certificateRequired || records.version != nil && alert.isAboutCertificate
            || records.asksForCertificate && alert == .handshakeFailure
        let (code, text): (ErrorCode, String) =
            switch alert {
            case .protocolVersion:
                (.connectionOldTLSOnly, "the server refuses TLS 1.2 and 1.3: it only supports older versions")
            case .unrecognizedName: (.connectionNameRefused, "the server doesn't recognize this name")
            case _ where isAboutClient:
                (.connectionClientCertificateRequired, "the server requires a client certificate that it accepts")
            default: (.connectionHandshakeAlert, "the server refuses the handshake")
            }
        let meaning = code == .connectionHandshakeAlert ? Self.meanings[alert.code].map { ": \($0)" } : nil
        self.init(code, host: host, alert: alert.code, exactly: "\(text) (alert \(alert))\(meaning ?? "")")
    }

    private static func title(of name: String) -> String { titles[name] ?? name.uppercased() }

    private static let titles = [
        "smtp": "SMTP", "imap": "IMAP", "pop3": "POP3", "ftp": "FTP", "ldap": "LDAP", "xmpp": "XMPP",
        "postgres": "PostgreSQL's protocol", "mysql": "MySQL's protocol", "sieve": "ManageSieve", "nntp": "NNTP",
    ]

    private static let meanings: [UInt8: String] = [
        40:
            "the client and the server share no cipher suite, key exchange or signature algorithm, or the server requires a name that it knows",
        71: "the server accepts only stronger cipher suites", 80: "the server has an internal error; see its log",
        120: "the server supports none of the offered protocols",
    ]

    private static func name(of version: UInt16) -> String {
        switch version {
        case 0x0302: "TLS 1.1"
        case 0x0301: "TLS 1.0"
        case 0x0300: "SSL 3.0"
        default: "version \(version >> 8).\(version & 0xff)"
        }
    }

    /// Returns the first line of a greeting, for a message. Empty if the bytes aren't a greeting.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let line = bytes.prefix { $0 != 0x0d && $0 != 0x0a }.prefix(100)
        guard !line.isEmpty, line.allSatisfy({ $0 >= 0x20 }) else { return "" }
        return ": \"\(clipped(String(decoding: line, as: UTF8.self), to: 100))\""
    }
}

/// The human-readable parts of a TLS library error: the numbers and names of its reasons, without source file paths.
struct TLSErrorDetails {
    /// The alert that the server sent, if the error is one.
    private(set) var alert: TLSAlert?
    /// The library's names of its reasons, in lower case. Nil if the error only says that the connection has ended.
    private(set) var words: String?

    init(_ error: any Error) {
        switch error {
        case NIOSSLError.handshakeFailed(let inner), NIOSSLError.shutdownFailed(let inner): read(inner)
        case let error as BoringSSLError: read(error)
        case is NIOSSLError, is NIOSSLExtraError: self.words = "the TLS library gave no reason"
        default: break
        }
    }

    private mutating func read(_ error: BoringSSLError) {
        switch error {
        case .sslError(let stack), .unknownError(let stack), .invalidSNIName(let stack), .failedToSetALPN(let stack):
            guard !stack.contains(.eofDuringHandshake) else { return }
            let entries = stack.prefix(4).map { String(describing: $0) }
            self.alert = entries.compactMap(Self.alert).first
            let names = entries.compactMap(Self.reason)
            self.words = names.isEmpty ? "the TLS library gave no reason" : names.joined(separator: ", ")
        case .zeroReturn, .syscallError: break
        default: self.words = "the TLS library gave no reason"
        }
    }

    /// Returns the alert in an error of BoringSSL.
    ///
    /// Errors begin with their number, for example `Error: 268436496`. Its low 12 bits are the reason. Reasons of 1000
    /// and above are alerts.
    private static func alert(_ entry: String) -> TLSAlert? {
        let digits = entry.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let number = UInt32(digits), number >> 24 == 16, (1000..<1256).contains(number & 0xfff) else {
            return nil
        }
        return TLSAlert(UInt8(truncatingIfNeeded: (number & 0xfff) - 1000))
    }

    /// Returns the name of the reason, which is between the last colon and the path: `…:OPENSSL_internal:BAD_SIGNATURE
    /// at …`.
    private static func reason(_ entry: String) -> String? {
        guard let start = entry.range(of: "OPENSSL_internal:") else { return nil }
        let name = entry[start.upperBound...].prefix { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
        return name.isEmpty ? nil : name.replacing("_", with: " ").lowercased()
    }
}

/// The protocol that a server speaks in the clear although the client began with TLS, detected from the server's first
/// bytes.
package enum ClearGreeting: Sendable, Hashable {
    /// HTTP, which answers a ClientHello with an error.
    case http
    /// A protocol that switches to TLS on request, by its name in the `STARTTLS` options of tools, such as `smtp`.
    case startTLS(String)
    /// A protocol without TLS on this port, by its name.
    case other(String)
    /// An unknown protocol.
    case unknown

    /// - Parameter bytes: the first bytes of the server. They must not be empty, and must not be a TLS record.
    package init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let upper = text.uppercased()
        for (start, greeting) in Self.starts where upper.hasPrefix(start) {
            self = greeting
            return
        }
        if upper.hasPrefix("220") || upper.hasPrefix("421") || upper.hasPrefix("554") {
            self = .startTLS(upper.contains("FTP") ? "ftp" : "smtp")
        } else if Self.isMySQL(bytes) {
            self = .startTLS("mysql")
        } else if Self.isLDAP(bytes) {
            self = .startTLS("ldap")
        } else if Self.isPostgreSQL(bytes) {
            self = .startTLS("postgres")
        } else {
            self = .unknown
        }
    }

    /// The beginnings are in upper case.
    private static let starts: [(String, ClearGreeting)] = [
        ("HTTP/", .http), ("<!DOCTYPE HTML", .http), ("<HTML", .http), ("* OK", .startTLS("imap")),
        ("* BYE", .startTLS("imap")), ("* PREAUTH", .startTLS("imap")), ("+OK", .startTLS("pop3")),
        ("-ERR ", .other("POP3 or Redis")), ("<?XML", .startTLS("xmpp")), ("<STREAM:STREAM", .startTLS("xmpp")),
        ("SSH-", .other("SSH")), ("RFB ", .other("VNC")), ("AMQP", .other("AMQP")),
        ("\"IMPLEMENTATION\"", .startTLS("sieve")), ("200 ", .startTLS("nntp")), ("201 ", .startTLS("nntp")),
    ]

    /// Whether this is packet number 0 with protocol version 10, or with an error.
    private static func isMySQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[2] == 0 && bytes[3] == 0 && (bytes[4] == 10 || bytes[4] == 0xff)
    }

    /// Whether this is a notice of disconnection (RFC 4511 § 4.4.1): message 0 with an extended response.
    private static func isLDAP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 6, bytes[0] == 0x30 else { return false }
        let body = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
        return bytes.count > body + 3 && bytes[body] == 2 && bytes[body + 1] == 1 && bytes[body + 3] == 0x78
    }

    /// Whether this is an error message, with its length and the severity field.
    private static func isPostgreSQL(_ bytes: [UInt8]) -> Bool {
        bytes.count > 5 && bytes[0] == UInt8(ascii: "E") && bytes[1] == 0 && bytes[5] == UInt8(ascii: "S")
    }
}

#endif
