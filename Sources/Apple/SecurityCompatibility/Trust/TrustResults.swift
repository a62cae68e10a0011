// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import PKIX
import ServerTrust

// Functions that read the result of an evaluation. If nothing was evaluated since the last change, they evaluate
// first, without network.

/// Returns the validated path, leaf first and anchor last; if the certificates aren't trusted, the best candidate.
/// Nil for an object without a readable certificate.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    let chain = trust.chain
    return chain.isEmpty ? nil : chain.map(SecCertificate.init)
}

/// Returns the number of certificates of `SecTrustCopyCertificateChain(_:)`.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.chain.count }

/// Returns a certificate of `SecTrustCopyCertificateChain(_:)`, or nil if the index is out of range.
@available(*, deprecated, message: "use SecTrustCopyCertificateChain")
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = trust.chain
    return chain.indices.contains(ix) ? SecCertificate(chain[ix]) : nil
}

/// Returns the key of the leaf, or nil for an object without a readable leaf. Doesn't evaluate.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.state.withLock { $0.presentedChain.leaf }.map { SecKey($0.subjectPublicKeyInfo) }
}

/// Returns the key of the leaf, like ``SecTrustCopyKey(_:)``.
@available(*, deprecated, message: "use SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

/// Returns the details of an evaluation, by `kSecTrust…` keys. Numbers and Boolean values are `NSNumber`.
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    let verdict = trust.lastVerdict
    var details: [String: Any] = [
        kSecTrustEvaluationDate: Date(verdict.evaluationDate),
        kSecTrustResultValue: NSNumber(value: SecTrustResultType(verdict.result).rawValue),
    ]
    if verdict.assertsExtendedValidation {
        details[kSecTrustExtendedValidation] = NSNumber(value: true)
        details[kSecTrustOrganizationName] = verdict.organization
    }
    if !verdict.revocation.isEmpty {
        details[kSecTrustRevocationChecked] = NSNumber(value: verdict.checked.contains(.revocation))
        if let until = verdict.revocation.compactMap(\.validUntil).min() {
            details[kSecTrustRevocationValidUntilDate] = Date(until)
        }
    }
    if verdict.checked.contains(.certificateTransparency) {
        details[kSecTrustCertificateTransparency] = NSNumber(value: true)
    }
    return details
}

/// Returns the failures for display: an array with a dictionary for each, or nil if the certificates are trusted.
///
/// It combines the forms of iOS and macOS. For iOS, `kSecPropertyKeyType` is `kSecPropertyTypeError`,
/// `kSecPropertyKeyValue` is the text, and here `kSecPropertyKeyLabel` is the failure's code. For macOS,
/// `kSecPropertyTypeTitle` is the certificate's summary, and `kSecPropertyTypeError` the text.
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    let verdict = trust.lastVerdict
    guard !verdict.isTrusted else { return nil }
    return verdict.failures.map { failure in
        var text = property(failure.code.name, kSecPropertyTypeError, failure.message)
        text[kSecPropertyTypeError] = failure.message
        if let index = failure.certificate, verdict.path.indices.contains(index) {
            text[kSecPropertyTypeTitle] = SecCertificateCopySubjectSummary(SecCertificate(verdict.path[index]))
        }
        return text
    }
}

/// Returns exceptions for the failures, for a user to agree to. Store them, and set them with
/// `SecTrustSetExceptions(_:_:)`. Exceptions that are already set don't count: their failures are among those of
/// the result.
///
/// Narrower than Apple's, because the exceptions are also bound to the host. Nil if the certificates are trusted,
/// if no exception can cover a failure, or for a policy without a name.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    guard let exceptions = try? trust.verdictWithoutExceptions.exceptions() else { return nil }
    return try? JSONEncoder().encode(exceptions)
}

/// Sets exceptions that `SecTrustCopyExceptions(_:)` returned.
/// - Parameters:
///   - trust: the trust object.
///   - exceptions: nil to remove them.
/// - Returns: whether they are for this host and this leaf; false for nil. If false, the object has no exceptions.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let exceptions = exceptions.flatMap { try? JSONDecoder().decode(TrustExceptions.self, from: $0) }
    return trust.change { state in
        state.settings.exceptions = nil
        guard let exceptions else { return false }
        var trust = state.requirements[0].trust
        let fit = trust.setExceptions(exceptions)
        state.settings.exceptions = fit == .fits ? exceptions : nil
        return fit == .fits
    }
}

/// The date of the evaluation.
public let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"
/// True if the path asserts extended validation (`TrustVerdict.assertsExtendedValidation`).
public let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"
/// The organization of a leaf with extended validation.
public let kSecTrustOrganizationName: CFString = "Organization"
/// The raw value of the result.
public let kSecTrustResultValue: CFString = "TrustResultValue"
/// True if every checked certificate has an answer, otherwise false; absent if revocation wasn't checked.
public let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"
/// The earliest next update among the CRLs and OCSP responses used.
public let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"
/// True if the certificate was published in logs. Absent, because this version doesn't check it.
public let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"
/// The statements of a qualified certificate, for display. Absent, because this package doesn't evaluate them.
public let kSecTrustQCStatements: CFString = "TrustQCStatements"
/// True for a qualified certificate for websites. Absent, because this package has no list of their CAs.
public let kSecTrustQWACValidation: CFString = "TrustQWACValidation"

extension SecTrust {
    /// The path of the last verdict, or the presented certificates if it has none.
    fileprivate var chain: [Certificate] {
        let path = lastVerdict.path
        return path.isEmpty ? state.withLock { $0.presentedChain.certificates } : path
    }
}
#endif
