// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A plain HTTP server on loopback that answers one request, for Foundation's own sessions.
final class PlainServer: Sendable {
    let url: URL
    private let head = Locked<String?>(nil)

    struct Failed: Error {}

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isUp = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isUp, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
            throw Failed()
        }
        self.url = url
        Thread.detachNewThread { [head] in
            let connection = accept(listener, nil, nil)
            close(listener)
            var text = ""
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !text.contains("\r\n\r\n") {
                let count = read(connection, &bytes, bytes.count)
                guard count > 0 else { break }
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
            head.withLock { [text] in $0 = text }
            let answer = Array("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok".utf8)
            _ = write(connection, answer, answer.count)
            close(connection)
        }
    }

    /// The request's fields, with names in lower case, or nil before it arrives.
    var headers: [String: String]? {
        head.withLock { $0 }.map { head in
            var fields: [String: String] = [:]
            for line in head.components(separatedBy: "\r\n").dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                    .trimmingCharacters(in: .whitespaces)
            }
            return fields
        }
    }
}
