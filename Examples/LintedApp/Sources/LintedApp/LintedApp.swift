// SPDX-License-Identifier: Apache-2.0

/// A placeholder for an app. The example is about the pin files next to it.
@main
struct LintedApp {
    static func main() { print("hello") }
}
