// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Reads any bytes as the response from an issuer's address: a certificate or a certs-only message. Reading ends, and
/// every certificate that it finds occurs unchanged in the input.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    guard let collection = FuzzedReaders.collection(der: bytes) else { return 0 }
    if collection.certificates.count > collection.maximumCount { fatalError("more than are read") }
    for certificate in collection.certificates where bytes.firstRange(of: certificate.der) == nil {
        fatalError("a certificate that isn't there")
    }
    for error in collection.unreadable where error.offset > bytes.count { fatalError("an error behind the end") }
    return 0
}
