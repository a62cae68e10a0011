import PKIX

/// Any bytes as a CRL: what is read is kept byte for byte, every accessor can be asked, every entry that it lists is found by the
/// index, and for a path that nobody in the input could have signed for it vouches for nothing and withdraws nothing.
@c(LLVMFuzzerTestOneInput)
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
    _ = (crl.number, crl.deltaBaseNumber, crl.issuingDistributionPoint, crl.freshestCRL, crl.authorityKeyIdentifier)
    if crl.entries.count != crl.count { fatalError("\(crl.entries.count) entries of \(crl.count)") }
    for certificate in Scene.shared.certificates { _ = crl.entry(for: certificate) }
    guard let path = Scene.shared.path else { return 0 }
    let evidence = RevocationEvidence(crls: [crl], certificates: Scene.shared.certificates)
    _ = evidence.window(around: Scene.shared.time, RevocationRules())
    for finding in RevocationChecker(evidence, at: Scene.shared.time, memory: nil).findings(for: path) {
        guard case .unobtainable = finding.status else { fatalError("\(finding)") }
    }
    return 0
}

/// A path whose keys are gone: a P-256 root and a leaf, made once for this file.
private struct Scene: Sendable {
    static let shared = Scene()

    let certificates: [Certificate]
    let path: ValidatedPath?
    let time: Time

    init() {
        certificates = [FixedChain.leaf, FixedChain.root].compactMap { text in
            (try? Base64.decode(text)).flatMap { try? Certificate(der: $0) }
        }
        time = certificates.first?.notBefore.advanced(by: 60) ?? Time(secondsSinceEpoch: 0)
        if let root = certificates.last, let leaf = certificates.first, certificates.count == 2 {
            let validator = PathValidator(anchors: AnchorStore([root]), policy: ValidationPolicy(profile: .rfc5280))
            path = validator.validate(leaf, host: nil, at: time).path
        } else {
            path = nil
        }
        if path == nil { fatalError("the fixed chain is not valid") }
    }
}
