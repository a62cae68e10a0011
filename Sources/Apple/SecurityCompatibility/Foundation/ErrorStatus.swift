// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
    import Foundation
    import ServerTrust

    // Numbers: SecBase.h (macOS 11.3 SDK). Those that a failure of an evaluation has are in AppleErrorNumbers.

    /// No error.
    public let errSecSuccess: OSStatus = 0
    /// A parameter is not valid.
    public let errSecParam: OSStatus = -50
    /// The input can't be decoded.
    public let errSecDecode: OSStatus = -26275
    /// The passphrase is wrong, or the data was changed.
    public let errSecAuthFailed: OSStatus = -25293
    /// A passphrase is required.
    public let errSecPassphraseRequired: OSStatus = -25260
    /// The format of a file is not supported.
    public let errSecUnsupportedFormat: OSStatus = -25256
    /// The item is not there.
    public let errSecItemNotFound: OSStatus = -25300
    /// An internal error.
    public let errSecInternalError: OSStatus = -67671
    /// An issuer is missing.
    public let errSecCreateChainFailed: OSStatus = -25318
    /// The name of the server is another.
    public let errSecHostNameMismatch: OSStatus = -67602
    /// A certificate has expired, or is not valid yet.
    public let errSecCertificateExpired: OSStatus = -67818
    /// A certificate is not valid yet; evaluations report ``errSecCertificateExpired`` for it, as Apple's.
    public let errSecCertificateNotValidYet: OSStatus = -67819
    /// A certificate was revoked.
    public let errSecCertificateRevoked: OSStatus = -67820
    /// The path doesn't end in an anchor.
    public let errSecNotTrusted: OSStatus = -67843
    /// An attribute of the key is not supported.
    public let errSecInvalidKeyRef: OSStatus = -67712

    /// Returns a description of a status for people; nil for a number without one here.
    public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
        messages[status]
    }

    private let messages: [OSStatus: String] = [
        errSecSuccess: "No error.", errSecParam: "A parameter is not valid.",
        errSecDecode: "The input can't be decoded.",
        errSecAuthFailed: "The passphrase is wrong, or the data was changed.",
        errSecPassphraseRequired: "A passphrase is required.",
        errSecUnsupportedFormat: "The format of the file is not supported.",
        errSecCertificateNotValidYet: "A certificate is not valid yet.",
        errSecItemNotFound: "The item is not there.",
        errSecInternalError: "An internal error occurred.",
        errSecCreateChainFailed: "The chain lacks the issuer of a certificate.",
        errSecHostNameMismatch: "The certificate is not valid for the name of the server.",
        errSecCertificateExpired: "A certificate is not valid at the date.",
        errSecCertificateRevoked: "A certificate was revoked.",
        errSecNotTrusted: "The path doesn't end in a trusted root.",
        errSecInvalidKeyRef: "The key's kind is not supported.",
    ]

    extension NSError {
        /// Creates the error of a function of the Security framework.
        static func status(_ status: OSStatus, _ text: String, underlying: NSError? = nil) -> NSError {
            var info: [String: Any] = [NSLocalizedDescriptionKey: text]
            if let underlying { info[NSUnderlyingErrorKey] = underlying }
            return NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: info)
        }

        /// Creates the error for an untrusted verdict. Apple's software reports one failure, in an order of its own
        /// (`AppleErrorNumbers.namedByApple(among:)`); the headline of the verdict is the underlying error where that is another.
        static func refusal(_ verdict: TrustVerdict) -> NSError {
            let named = AppleErrorNumbers.namedByApple(among: verdict.failures) ?? verdict.headline
            guard let named, let headline = verdict.headline else {
                return status(errSecInternalError, "The evaluation ended without a result.")
            }
            let underlying = status(headline.code.appleErrorNumbers.securityStatus, headline.message)
            return status(
                named.code.appleErrorNumbers.asReported.securityStatus, named.message,
                underlying: named == headline ? nil : underlying)
        }
    }
#endif
