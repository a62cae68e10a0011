// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX
import ServerTrust

/// Opens a filter's file.
struct FilterOpening: Contender {
    let name: String
    let path: String

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let filter = try RevocationFilter(contentsOfFile: path)
            guard !filter.isDelta else { throw WrongAnswer(contender: name, what: "changes") }
        }
    }
}

/// Queries a filter about certificates of one issuer, each with a different serial number.
struct FilterQuery: Contender {
    let name: String
    let filter: RevocationFilter
    let issuer: [UInt8]
    let timestamps: [(log: [UInt8], milliseconds: UInt64)]

    init(name: String, filter: RevocationFilter, contents: LargeFilter) {
        self.name = name
        self.filter = filter
        issuer = contents.issuer
        timestamps = [(contents.log, contents.time)]
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        var serial = [UInt8](repeating: 7, count: 16)
        for index in 0..<iterations {
            for byte in 0..<4 { serial[byte] = UInt8(truncatingIfNeeded: index >> (8 * byte)) }
            let status = filter.statusName(issuerKey: issuer, serial: serial, timestamps: timestamps)
            guard status == "Good" || status == "Revoked" else { throw WrongAnswer(contender: name, what: status) }
        }
    }
}
