// SPDX-License-Identifier: Apache-2.0

import PKIX

extension AppleErrorNumbers {
    /// Returns the failures behind a `URLError.Code`: those that have the number by meaning, then those for which Apple's software reports
    /// it (``asReported``); each part most specific first.
    ///
    /// ```swift
    /// AppleErrorNumbers.codes(forURLErrorCode: -1201)  // certificateExpired
    /// ```
    /// -1202 stands for nearly every failure: Apple's software reports it for all failures of certificates. The status in
    /// `_kCFStreamErrorCodeKey` of the error's user info says more (``codes(forOSStatus:)``).
    /// - Parameter number: the raw value of a `URLError.Code`, the code of an `NSError` in `NSURLErrorDomain`.
    /// - Returns: codes of this package; empty for a number that stands for none, such as -1001 (timed out).
    public static func codes(forURLErrorCode number: Int) -> [TrustFailure.Code] {
        codes { $0.urlErrorCode == number }
    }

    /// Returns the failures behind an OSStatus of Secure Transport (-9814) or of Security (-67818): those that have the number by meaning,
    /// then those for which Apple's software reports it (``asReported``); each part most specific first.
    ///
    /// ```swift
    /// AppleErrorNumbers.codes(forOSStatus: -9843)  // subjectAlternativeNameMissing, hostMismatch
    /// ```
    /// - Parameter status: the value of `_kCFStreamErrorCodeKey`, or the code of an error of `SecTrustEvaluateWithError`.
    /// - Returns: codes of this package; empty for a status that stands for none, such as 0.
    public static func codes(forOSStatus status: Int32) -> [TrustFailure.Code] {
        codes { $0.secureTransportStatus == status || $0.securityStatus == status }
    }

    private static func codes(having isEqual: (AppleErrorNumbers) -> Bool) -> [TrustFailure.Code] {
        let meant = TrustFailure.Code.all.filter { isEqual($0.appleErrorNumbers) }
        return meant + TrustFailure.Code.all.filter { isEqual($0.appleErrorNumbers.asReported) && !meant.contains($0) }
    }
}
