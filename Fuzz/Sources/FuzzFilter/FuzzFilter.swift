// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Reads any bytes as a filter of revoked certificates. A filter answers every query, always in the same way. It covers
/// no timestamp outside its coverage and knows only its own issuers.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    do throws(ClubcardError) {
        let filter = try RevocationFilter(bytes, isDelta: count % 2 == 1)
        ask(filter, bytes)
    } catch {
        if error.description.isEmpty || error.description.utf8.count > 200 { fatalError("an error of no use") }
    }
    return 0
}

private func ask(_ filter: RevocationFilter, _ bytes: [UInt8]) {
    let unknown = [UInt8](repeating: 0x5a, count: 32)
    let (issuers, coverage) = (filter.issuers(maximumCount: 6), filter.coverage(maximumCount: 6))
    // These serial numbers from the file include those of exceptions.
    let serials: [[UInt8]] = [[], [1], [0, 0x80], Array(bytes.suffix(20)), Array(bytes.dropFirst(90).prefix(16))]
    for serial in serials {
        for issuer in issuers + [unknown, []] {
            guard filter.status(issuer, serial, []) == "NotCovered",
                filter.status(issuer, serial, [([], 0)]) == "NotCovered"
            else { fatalError("covered without a timestamp") }
            for entry in coverage where entry.first <= entry.last {
                for time in [entry.first, entry.last] {
                    let status = filter.status(issuer, serial, [(unknown + unknown, 0), (entry.log, time)])
                    guard status == filter.status(issuer, serial, [(entry.log, time)]) else {
                        fatalError("another answer to the same question")
                    }
                    let isKnown = issuer.count == 32 && (issuers.contains(issuer) || status != "NotEnrolled")
                    guard isKnown ? ["Good", "Revoked"].contains(status) : status == "NotEnrolled" else {
                        fatalError("\(status) of \(isKnown ? "an issuer" : "no issuer")")
                    }
                }
            }
        }
    }
}

extension RevocationFilter {
    fileprivate func status(
        _ issuer: [UInt8], _ serial: [UInt8], _ timestamps: [(log: [UInt8], milliseconds: UInt64)]
    ) -> String {
        statusName(issuerKey: issuer, serial: serial, timestamps: timestamps)
    }
}
