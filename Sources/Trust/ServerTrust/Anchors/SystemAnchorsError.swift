// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error thrown if the system's anchors can't be read.
public struct SystemAnchorsError: TrustError, Hashable {
    /// A path that was tried.
    package struct Place: Sendable, Hashable {
        let path: String
        /// The result, such as `missing`.
        let finding: String
    }

    public let code: ErrorCode
    /// The paths that were tried, each with its result.
    let places: [Place]
    /// The error of the list that `SERVERTRUST_ROOTS_OVERLAY` names, or nil if the list isn't the cause.
    let listError: RootListError?

    init(places: [Place], isFromEnvironment: Bool) {
        self.code = isFromEnvironment ? .systemAnchorsUnreadable : .systemAnchorsMissing
        self.places = places
        self.listError = nil
    }

    init(_ listError: RootListError) {
        self.code = .systemAnchorsListInvalid
        self.places = []
        self.listError = listError
    }

    /// The paths that were tried. Empty if the list caused the error.
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

extension SystemAnchorsError.Place {
    /// Creates a place from the reason why it has no certificate.
    init(_ error: CertificateFileError) {
        path = error.file ?? ""
        switch error.code {
        case .certificateFileMissing: finding = "missing"
        case .certificateFileUnreadable, .certificateFolderUnreadable: finding = "not readable"
        case .certificateFolderIsFile: finding = "a file, expected a folder"
        case .certificateFileWithoutCertificate, .certificateFolderWithoutFiles:
            finding = error.brokenLinkWords ?? "no certificate in it"
        default: finding = String(error.message.dropFirst(path.count + 2))
        }
    }
}

extension ErrorCode {
    /// None of the usual paths contains an anchor.
    public static let systemAnchorsMissing = ErrorCode("systemAnchorsMissing")
    /// No path that `SSL_CERT_FILE` and `SSL_CERT_DIR` name contains an anchor.
    static let systemAnchorsUnreadable = ErrorCode("systemAnchorsUnreadable")
    /// `SERVERTRUST_ROOTS_OVERLAY` names a list that can't be used.
    static let systemAnchorsListInvalid = ErrorCode("systemAnchorsListInvalid")
}
