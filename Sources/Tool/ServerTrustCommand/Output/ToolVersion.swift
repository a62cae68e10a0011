// SPDX-License-Identifier: Apache-2.0

/// The version of the program, as `servertrust --version` and SARIF logs have it.
enum ToolVersion {
    static let current = "0.1.0"
}
