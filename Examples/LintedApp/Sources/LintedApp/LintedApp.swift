// SPDX-License-Identifier: Apache-2.0

/// A placeholder for an app; the example is about the files of pins beside it.
@main
struct LintedApp {
    static func main() { print("hello") }
}
