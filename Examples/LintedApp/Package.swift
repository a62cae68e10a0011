// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// An app whose pins are looked at by `swift package lint-pins`. Nothing of swift-server-trust is linked.
let package = Package(
    name: "LintedApp",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "swift-server-trust", path: "../..")
    ],
    targets: [
        .executableTarget(name: "LintedApp", exclude: ["Info.plist", "Android"])
    ]
)
