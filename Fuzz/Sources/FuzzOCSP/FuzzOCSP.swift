import PKIX

/// Any bytes as an OCSP response: what is read is kept byte for byte, every accessor can be asked, and for a path that nobody in
/// the input could have signed for it vouches for nothing and withdraws nothing.
@c(LLVMFuzzerTestOneInput)
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
    if response.status != .successful, !response.responses.isEmpty { fatalError("an error that answers") }
    _ = (response.responder, response.producedAt?.description, response.nonce, response.responses)
    guard let path = Scene.shared.path else { return 0 }
    let evidence = RevocationEvidence(staple: response, ocspResponses: [response])
    _ = evidence.window(around: Scene.shared.time, RevocationRules())
    for finding in RevocationChecker(evidence, at: Scene.shared.time, memory: nil).findings(for: path) {
        guard case .unobtainable = finding.status else { fatalError("\(finding)") }
    }
    if OCSPRequest(path.leaf, issuer: path.anchor).nonceMatch(response) != .asAsked { fatalError("no nonce was sent") }
    return 0
}

/// A path whose keys are gone: a P-256 root and a leaf, made once for this file.
private struct Scene: Sendable {
    static let shared = Scene()

    let path: ValidatedPath?
    let time: Time

    init() {
        let certificates = [FixedChain.leaf, FixedChain.root].compactMap { text in
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
