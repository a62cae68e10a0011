// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// An app whose pins `swift package lint-pins` checks. It doesn't link any product of swift-server-trust.
let package = Package(
    name: "LintedApp",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "swift-server-trust", path: "../..", traits: ["Everything"])
    ],
    targets: [
        .executableTarget(name: "LintedApp", exclude: ["Info.plist", "Android"])
    ]
)
