// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX
import ServerTrust

/// Reads any bytes as a list of timestamps, as a certificate that is converted to its precertificate, or as a list of
/// logs. The first byte selects one of them. Results are bounded, and the bytes of a precertificate are those of the
/// certificate without its timestamps.
#if !REPLAY
    @c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0:
        if let contradiction = TransparencyFuzzing.contradiction(inTimestamps: rest) { fatalError(contradiction) }
    case 1:
        guard let certificate = try? Certificate(der: rest) else { return 0 }
        if let contradiction = TransparencyFuzzing.contradiction(in: certificate) { fatalError(contradiction) }
    default: readLogs(rest)
    }
    return 0
}

private func readLogs(_ json: [UInt8]) {
    let now = Time(secondsSinceEpoch: 1_795_000_000)
    do throws(CTLogListError) {
        let list = try CTLogList(json: json, now: now)
        if list.date > now { fatalError("a list of the future") }
        if list.warnings.count > 100 || list.count > json.count / 100 { fatalError("unbounded") }
        guard let again = try? CTLogList(json: json, now: now), again == list, again.count == list.count else {
            fatalError("read otherwise the second time")
        }
    } catch {
        if error.description.utf8.count > 2000 { fatalError("an error of \(error.description.utf8.count) bytes") }
    }
}
