// SPDX-License-Identifier: Apache-2.0

@_spi(Fuzzing) import PKIX

/// Parses any bytes as a certificate. A parsed certificate keeps its bytes, and all accessors work.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    let certificate: Certificate
    do throws(DERError) {
        certificate = try Certificate(der: bytes)
    } catch {
        if error.offset < 0 || error.offset > bytes.count { fatalError("offset \(error.offset) of \(bytes.count)") }
        _ = error.description
        return 0
    }
    if certificate.der != bytes { fatalError("bytes were changed") }
    if (try? FuzzedReaders.validateDER(bytes, maximumDepth: 64)) == nil { fatalError("a certificate that is no DER") }
    _ = (certificate.description, certificate.subject.description, certificate.issuer.description)
    _ = (certificate.serialNumber.description, certificate.notBefore.description, certificate.notAfter.description)
    _ = (certificate.basicConstraints, certificate.keyUsage?.names, certificate.extendedKeyUsage)
    _ = (certificate.subjectAlternativeNames?.map(\.description), certificate.issuerAlternativeNames)
    _ = (certificate.certificatePolicies, certificate.authorityKeyIdentifier, certificate.readInternalExtensions())
    _ = (certificate.subjectKeyIdentifier, certificate.authorityInformationAccess, certificate.subjectInformationAccess)
    _ = (
        certificate.tlsFeatures, certificate.signedCertificateTimestamps, certificate.extensions.count,
        certificate.isSelfIssued
    )
    if (try? SubjectPublicKeyInfo(der: certificate.subjectPublicKeyInfo.der)) == nil { fatalError("its key is no key") }
    // Without an anchor the certificate is never trusted. As its own anchor it is trusted, but not because of its
    // signature.
    let validator = PathValidator(
        anchors: [certificate], policy: ValidationPolicy(isStrict: true), memory: nil)
    _ = validator.validate(certificate, host: nil, at: certificate.notBefore)
    let stranger = PathValidator(anchors: [Certificate](), memory: nil)
    if case .valid = stranger.validate(certificate, host: nil, at: certificate.notBefore) {
        fatalError("trusted without an anchor")
    }
    return 0
}
