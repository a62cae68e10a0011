// SPDX-License-Identifier: Apache-2.0

import PKIX

@testable import ServerTrust
@testable import ServerTrustCache

extension ErrorRow {
    /// The errors in Trust, except for file errors.
    static let trust: [ErrorRow] = fetches + caches

    private static let fetches: [ErrorRow] = [
        .fetchUnsupportedAddress, .fetchForbiddenAddress, .fetchUnreachable, .fetchStatus, .fetchTooLarge,
        .fetchTooManyRedirects, .fetchTimedOut, .fetchCancelled, .fetchProtocolViolation, .fetchBackingOff,
        .fetchMalformed, .fetchOutOfDate, .fetchOlderThanKnown, .fetchNotCached, .fetchRefused,
    ].map { (code: ErrorCode) in
        ErrorRow(TrustFetchError(code, url: "http://ca.example.com/ca.crl", detail: "404")) {
            ["url": $0.url, "detail": $0.detail, "status": $0.status]
        }
    }

    private static let caches: [ErrorRow] = [
        ErrorRow(TrustResourceCacheError(cache: "trust.sqlite", detail: "disk I/O error")) {
            ["cache": $0.cache, "detail": $0.detail]
        },
        cache(.database("database is locked")), folderMissing, cache(.notWritable("Read-only file system")),
        cache(.notReadable("Permission denied")), cache(.notADatabase), cache(.writableByOthers(0o666)),
        cache(.ownedByAnother(1000)), cache(.damaged), cache(.placeTaken("trust.sqlite.damaged")),
        cache(.newerSchema(2)),
    ]

    private static let folderMissing = ErrorRow(
        SQLiteTrustCacheError.self, .cacheFolderMissing, having: ["file": "/nonexistent/trust.sqlite"], cacheValues
    ) {
        try SQLiteTrustCache(file: "/nonexistent/trust.sqlite") { _ in }
    }

    private static func cache(_ problem: SQLiteTrustCacheError.Problem) -> ErrorRow {
        ErrorRow(SQLiteTrustCacheError(problem, file: "trust.sqlite"), cacheValues)
    }

    private static func cacheValues(_ error: SQLiteTrustCacheError) -> Values { ["file": error.file] }
}
