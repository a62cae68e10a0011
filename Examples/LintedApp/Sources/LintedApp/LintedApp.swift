// SPDX-License-Identifier: Apache-2.0

/// Stands for an app: what matters here are the files of pins beside it.
@main
struct LintedApp {
    static func main() { print("hello") }
}
