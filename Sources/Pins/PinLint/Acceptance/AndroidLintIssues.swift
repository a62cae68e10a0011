// SPDX-License-Identifier: Apache-2.0

/// Android lint's issues about `network_security_config.xml`, with this linter's equivalent rules.
///
/// Source: Android Studio's lint, `NetworkSecurityConfigDetector` (`com.android.tools.lint.checks`), issues
/// `MissingBackupPin` (a `pin-set` with one `pin`), `PinSetExpiry` (a date that has passed or is at most ten days
/// away), `AcceptsUserCertificates` (`certificates src="user"` outside of `debug-overrides`) and
/// `InsecureBaseConfiguration` (`cleartextTrafficPermitted="true"` in `base-config`). Two issues have no equivalent
/// rule: `NetworkSecurityConfig`, for invalid files, and `all`. They would accept findings that Android lint doesn't
/// report.
enum AndroidLintIssues {
    /// Returns the identifiers of the rules for an issue in `tools:ignore`. Empty for any other issue.
    static func rules(for issue: String) -> [String] {
        switch issue {
        case "MissingBackupPin": [PinLintRule.noBackup.id]
        case "PinSetExpiry": [PinLintRule.expiresSoon.id, PinLintRule.expired.id]
        case "AcceptsUserCertificates": [PinLintRule.userAnchors.id]
        case "InsecureBaseConfiguration": [PinLintRule.cleartextByDefault.id]
        default: []
        }
    }
}
