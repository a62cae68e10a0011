// SPDX-License-Identifier: Apache-2.0

import FixedChain
@_spi(Fuzzing) import PKIX

/// Parses any bytes as an OCSP response. A parsed response keeps its bytes, and all accessors work. If a path's CAs
/// can't have signed the input, it proves neither a good nor a revoked status for that path.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    let response: OCSPResponse
    do throws(DERError) {
        response = try OCSPResponse(der: bytes)
    } catch {
        if error.offset < 0 || error.offset > bytes.count { fatalError("offset \(error.offset) of \(bytes.count)") }
        _ = error.description
        return 0
    }
    if response.der != bytes { fatalError("bytes were changed") }
    let chain = FixedChain.shared
    let evidence = RevocationEvidence(staple: response, ocspResponses: [response])
    _ = evidence.hasEnd(after: chain.time)
    for finding in RevocationChecker(evidence, at: chain.time, memory: nil).findings(for: chain.path) {
        guard case .unobtainable = finding.status else { fatalError("\(finding)") }
    }
    if !response.isConsistent { fatalError("an error that answers") }
    return 0
}
