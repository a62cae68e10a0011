// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Reads any bytes as DER, as an object identifier's text and as a time. There are no traps or endless loops, and
/// accepted values are stable.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    do throws(DERError) {
        try FuzzedReaders.validateDER(bytes)
        // An additional byte is always a trailing byte.
        if (try? FuzzedReaders.validateDER(bytes + [0])) != nil { fatalError("trailing byte accepted") }
    } catch {
        if error.offset < 0 || error.offset > bytes.count { fatalError("offset \(error.offset) of \(bytes.count)") }
        _ = error.description
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let oid = OID(text), oid.description != text { fatalError("\(text) became \(oid)") }
    if let time = try? Time(rfc3339: text), (try? Time(rfc3339: time.description)) != time {
        fatalError("\(text) became \(time)")
    }
    if let host = try? Hostname(text), (try? Hostname(host.description)) != host {
        fatalError("\(text) became \(host)")
    }
    if let name = try? DistinguishedName(der: bytes) {
        if name != name || name.hashValue != name.hashValue { fatalError("a name differs from itself") }
        _ = name.description
    }
    return 0
}
