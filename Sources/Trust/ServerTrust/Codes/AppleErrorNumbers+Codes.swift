// SPDX-License-Identifier: Apache-2.0

import PKIX

extension AppleErrorNumbers {
    /// Returns the failures behind a `URLError.Code`. Failures whose meaning matches the number come first, followed by
    /// failures for which Apple's software reports it (``asReported``). Each group starts with the most specific
    /// failure.
    ///
    /// ```swift
    /// AppleErrorNumbers.codes(forURLErrorCode: -1201)  // certificateExpired
    /// ```
    /// -1202 says little, because Apple's software reports it for every certificate failure. The status in the
    /// `_kCFStreamErrorCodeKey` of the error's user info is more specific (``codes(forOSStatus:)``).
    /// - Parameter number: the raw value of a `URLError.Code`, or the code of an `NSError` in `NSURLErrorDomain`.
    /// - Returns: this package's codes. Empty for a number without a matching code, such as -1001 (timed out).
    public static func codes(forURLErrorCode number: Int) -> [TrustFailure.Code] {
        codes { $0.urlErrorCode == number }
    }

    /// Returns the failures behind an OSStatus of Secure Transport (-9814) or Security (-67818). Failures whose meaning
    /// matches the status come first, followed by failures for which Apple's software reports it (``asReported``). Each
    /// group starts with the most specific failure.
    ///
    /// ```swift
    /// AppleErrorNumbers.codes(forOSStatus: -9843)  // subjectAlternativeNameMissing, hostMismatch
    /// ```
    /// - Parameter status: the value of `_kCFStreamErrorCodeKey`, or the code of an error from
    ///   `SecTrustEvaluateWithError`.
    /// - Returns: this package's codes. Empty for a status without a matching code, such as 0.
    public static func codes(forOSStatus status: Int32) -> [TrustFailure.Code] {
        codes { $0.secureTransportStatus == status || $0.securityStatus == status }
    }

    private static func codes(having isEqual: (AppleErrorNumbers) -> Bool) -> [TrustFailure.Code] {
        let meant = TrustFailure.Code.all.filter { isEqual($0.appleErrorNumbers) }
        return meant + TrustFailure.Code.all.filter { isEqual($0.appleErrorNumbers.asReported) && !meant.contains($0) }
    }
}
