// SPDX-License-Identifier: Apache-2.0

/// Android lint's issues about `network_security_config.xml` beside the rules that find the same.
///
/// Source: Android Studio's lint, `NetworkSecurityConfigDetector` (`com.android.tools.lint.checks`), issues `MissingBackupPin` (a `pin-set`
/// with one `pin`), `PinSetExpiry` (a date that has passed or is at most ten days away), `AcceptsUserCertificates` (`certificates
/// src="user"` outside of `debug-overrides`) and `InsecureBaseConfiguration` (`cleartextTrafficPermitted="true"` in `base-config`).
/// `NetworkSecurityConfig`, its issue for files that aren't valid, and `all` have no rule here: they would accept findings that
/// Android lint doesn't have.
enum AndroidLintIssues {
    /// Returns the identifiers of the rules for an issue in `tools:ignore`; empty for any other issue.
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
