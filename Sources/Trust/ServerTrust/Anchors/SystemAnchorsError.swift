// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The error of a system without anchors.
public struct SystemAnchorsError: TrustError, Hashable {
    /// A path that was tried.
    package struct Place: Sendable, Hashable {
        /// The path.
        package let path: String
        /// The result: `missing`, `not readable` or `no certificate in it`.
        package let finding: String

        package init(path: String, finding: String) {
            self.path = path
            self.finding = finding
        }
    }

    public let code: ErrorCode
    /// The paths that were tried, each with the finding.
    package let places: [Place]
    /// The error of the list that `SERVERTRUST_ROOTS_OVERLAY` names; nil if that isn't the reason.
    package let listError: RootListError?

    package init(places: [Place], isFromEnvironment: Bool) {
        self.code = isFromEnvironment ? .systemAnchorsUnreadable : .systemAnchorsMissing
        self.places = places
        self.listError = nil
    }

    package init(_ listError: RootListError) {
        self.code = .systemAnchorsListInvalid
        self.places = []
        self.listError = listError
    }

    /// The paths that were tried; empty for the error of a list.
    public var paths: [String] { places.map(\.path) }

    public var message: String {
        if let listError {
            return "no system anchors: \(SystemAnchors.overlayVariable) names a list that can't be used: \(listError)"
        }
        let list = places.map { "\($0.path) (\($0.finding))" }.joined(separator: ", ")
        return code == .systemAnchorsUnreadable
            ? "no system anchors: SSL_CERT_FILE or SSL_CERT_DIR names \(list)"
            : "no system anchors: tried \(list); install ca-certificates or set SSL_CERT_FILE"
    }
}

extension ErrorCode {
    /// None of the usual places of the system has an anchor.
    public static let systemAnchorsMissing = ErrorCode("systemAnchorsMissing")
    /// `SSL_CERT_FILE` or `SSL_CERT_DIR` names a place that can't be read or has no anchor.
    package static let systemAnchorsUnreadable = ErrorCode("systemAnchorsUnreadable")
    /// `SERVERTRUST_ROOTS_OVERLAY` names a list that can't be used.
    package static let systemAnchorsListInvalid = ErrorCode("systemAnchorsListInvalid")
}
