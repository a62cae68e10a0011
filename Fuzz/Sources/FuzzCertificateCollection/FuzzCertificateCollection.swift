// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Any bytes as the answer of an issuer's address: a certificate or a certs-only message. Reading ends, and every
/// certificate that is found stands in the input as it is.
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
