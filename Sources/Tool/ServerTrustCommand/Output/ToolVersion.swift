// SPDX-License-Identifier: Apache-2.0

/// The program's version, for `servertrust --version` and SARIF logs.
enum ToolVersion {
    static let current = "0.1.0"
}
