// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Reads any bytes as PEM and as base64. Objects don't change when they are written and read again.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    for (index, result) in PEM.blocks(in: bytes).enumerated() {
        switch result {
        case .success(let block):
            let again = PEM.blocks(in: Array(PEM.encode(block.der, label: block.label).utf8))
            guard again.count == 1, case .success(block) = again[0] else { fatalError("\(block) was lost") }
        case .failure(let error):
            if error.object != index + 1 || error.offset > bytes.count { fatalError("\(error)") }
            _ = error.description
        }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let decoded = FuzzedReaders.decodeBase64(text), FuzzedReaders.encodeBase64(decoded) != text {
        fatalError("two spellings of \(decoded)")
    }
    if FuzzedReaders.decodeBase64(FuzzedReaders.encodeBase64(bytes)) != bytes { fatalError("base64 is no round trip") }
    return 0
}
