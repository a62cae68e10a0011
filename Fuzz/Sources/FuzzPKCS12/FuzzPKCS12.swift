// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import SecurityCompatibility

/// Reads any bytes as a PKCS #12 file, and as its contents. Reading ends, and finds no more than the file contains.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    #if canImport(Darwin)
    // On this system, the operating system's function reads such files.
    return 0
    #else
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    guard let found = SecIdentity.readPKCS12(bytes, passphrase: "p") else { return 0 }
    if found.keys > 16 || found.certificates > bytes.count { fatalError("\(found) in \(bytes.count) bytes") }
    return 0
    #endif
}
