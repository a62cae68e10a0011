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
    case 0: readTimestamps(rest)
    case 1:
        guard let certificate = try? Certificate(der: rest) else { return 0 }
        convert(certificate)
    default: readLogs(rest)
    }
    return 0
}

private func readTimestamps(_ bytes: [UInt8]) {
    guard let list = FuzzedTimestamps.timestamps(tls: bytes) else { return }
    let count = list.logIDs.count + list.unreadable
    guard (1...list.maximumCount).contains(count) else { fatalError("\(count) items") }
    // The list and each item begin with their size in two bytes.
    guard (count + list.omitted) * 3 + 2 <= bytes.count else { fatalError("more items than bytes") }
    guard list.logIDs.allSatisfy({ $0.count == 32 }) else { fatalError("a log without an identifier") }
    guard list.isSameInExtension else { fatalError("parsed differently in an extension") }
}

private func convert(_ certificate: Certificate) {
    guard let converted = FuzzedTimestamps.precertificate(of: certificate) else {
        guard !FuzzedTimestamps.hasTimestamps(certificate) else { fatalError("timestamps without a precertificate") }
        return
    }
    guard converted.size == converted.announcedSize else {
        fatalError("\(converted.size) bytes, announced as \(converted.announcedSize)")
    }
    guard let precertificate = try? Certificate(der: converted.der) else {
        fatalError("bytes that aren't a TBSCertificate")
    }
    guard !FuzzedTimestamps.hasTimestamps(precertificate) else { fatalError("timestamps in a precertificate") }
    let isSame =
        precertificate.serialNumber == certificate.serialNumber && precertificate.issuer == certificate.issuer
        && precertificate.subject == certificate.subject && precertificate.notBefore == certificate.notBefore
        && precertificate.notAfter == certificate.notAfter
        && precertificate.subjectPublicKeyInfo == certificate.subjectPublicKeyInfo
        && precertificate.subjectAlternativeNames == certificate.subjectAlternativeNames
    if !isSame { fatalError("another certificate") }
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
