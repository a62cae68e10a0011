// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import SecurityCompatibility

/// Any bytes as a file of PKCS #12, and as its contents: reading ends, and finds no more than there was.
#if !REPLAY
    @c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    #if canImport(Darwin)
        // The system's own function reads such files there.
        return 0
    #else
        let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        guard let found = SecIdentity.readPKCS12(bytes, passphrase: "p") else { return 0 }
        if found.keys > 16 || found.certificates > bytes.count { fatalError("\(found) in \(bytes.count) bytes") }
        return 0
    #endif
}
