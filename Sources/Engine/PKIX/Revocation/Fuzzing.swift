// SPDX-License-Identifier: Apache-2.0

// Access to internal parts for the fuzz targets, which are in a separate package.

@_spi(Fuzzing)
extension Certificate {
    /// Reads every extension that the public API doesn't expose.
    /// - Returns: the number of values. The result keeps the optimizer from removing a read.
    public func readInternalExtensions() -> Int {
        (nameConstraints.map { $0.permittedSubtrees.count + $0.excludedSubtrees.count } ?? 0)
            + (policyMappings?.count ?? 0) + (policyConstraints?.requireExplicitPolicy ?? 0) + (inhibitAnyPolicy ?? 0)
            + crlDistributionPoints.count + freshestCRL.count
    }
}

@_spi(Fuzzing)
extension CertificateRevocationList {
    /// Whether every part of the CRL could be read.
    public var isWellFormed: Bool { problem == nil }

    /// Reads every extension that the public API doesn't expose.
    /// - Returns: the number of values. The result keeps the optimizer from removing a read.
    public func readInternalExtensions() -> Int {
        (number?.count ?? 0) + (deltaBaseNumber?.count ?? 0) + (issuingDistributionPoint?.fullName.count ?? 0)
            + freshestCRL.count + (authorityKeyIdentifier?.count ?? 0)
    }
}

@_spi(Fuzzing)
extension OCSPResponse {
    /// Reads every field, and returns whether they agree: an error response contains no answers.
    public var isConsistent: Bool {
        _ = (responder, producedAt?.description)
        return status == .successful || responses.isEmpty
    }
}

@_spi(Fuzzing)
extension RevocationEvidence {
    /// Reads the dates of all evidence.
    /// - Returns: whether the findings may change after some date.
    public func hasEnd(after time: Time) -> Bool {
        window(around: time, .bestEffort, limitsAge: true).until != nil
    }
}

/// Readers that the public API uses internally.
@_spi(Fuzzing)
public enum FuzzedReaders {
    /// Validates an encoding as DER.
    public static func validateDER(_ bytes: [UInt8], maximumDepth: Int = 32) throws(DERError) {
        try DER.validate(bytes, maximumDepth: maximumDepth)
    }

    /// Returns the bytes of a Base64 text, or nil if the text isn't Base64.
    public static func decodeBase64(_ text: String) -> [UInt8]? { try? Base64.decode(text) }

    /// Returns the Base64 text of bytes.
    public static func encodeBase64(_ bytes: [UInt8]) -> String { Base64.encode(bytes) }

    /// Returns the certificates of a certs-only PKCS #7, the errors of unreadable certificates, and the largest number
    /// that is read. nil if the bytes aren't a certs-only PKCS #7.
    public static func collection(
        der bytes: [UInt8]
    ) -> (certificates: [Certificate], unreadable: [DERError], maximumCount: Int)? {
        guard let collection = try? CertificateCollection(der: bytes) else { return nil }
        return (collection.certificates, collection.unreadable, CertificateCollection.maximumCount)
    }
}
