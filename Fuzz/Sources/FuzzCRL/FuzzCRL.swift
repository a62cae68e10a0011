// SPDX-License-Identifier: Apache-2.0

import FixedChain
@_spi(Fuzzing) import PKIX

/// Parses any bytes as a CRL. A parsed CRL keeps its bytes, all accessors work, and every entry of a well-formed one is
/// read. If a path's CAs can't have signed the input, it proves neither a good nor a revoked status for that path.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    let crl: CertificateRevocationList
    do throws(DERError) {
        crl = try CertificateRevocationList(der: bytes)
    } catch {
        if error.offset < 0 || error.offset > bytes.count { fatalError("offset \(error.offset) of \(bytes.count)") }
        _ = error.description
        return 0
    }
    if crl.der != bytes { fatalError("bytes were changed") }
    _ = (crl.description, crl.issuer.description, crl.thisUpdate.description, crl.nextUpdate?.description)
    _ = crl.readInternalExtensions()
    let entries = crl.entries.count
    if entries > crl.count || crl.isWellFormed && entries < crl.count {
        fatalError("\(entries) entries of \(crl.count)")
    }
    let chain = FixedChain.shared
    for certificate in chain.certificates { _ = crl.entry(for: certificate) }
    let evidence = RevocationEvidence(crls: [crl], certificates: chain.certificates)
    _ = evidence.hasEnd(after: chain.time)
    for finding in RevocationChecker(evidence, at: chain.time, memory: nil).findings(for: chain.path) {
        guard case .unobtainable = finding.status else { fatalError("\(finding)") }
    }
    return 0
}
