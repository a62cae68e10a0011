// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import Diagnosis

/// Reads any bytes as a file of unknown kind. Reading ends and finds an object or a problem. It returns no more bytes
/// than the file has, except for UTF-16, whose characters take up to half as many bytes again in UTF-8. Texts are short
/// and printable.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    let found = TrustReport.readFile(bytes)
    if found.objects < 1 || found.size > 2 * bytes.count { fatalError("\(found) in \(bytes.count) bytes") }
    if found.longestText.utf8.count > 2_000 { fatalError("a text of \(found.longestText.utf8.count) bytes") }
    if found.longestText.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) { fatalError(found.longestText) }
    return 0
}
