// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "TestSuite",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        // In your package, write ["HTTP", "Testing"]. This one shares compiled files with this project's tests.
        .package(name: "swift-server-trust", path: "../..", traits: ["Everything"])
    ],
    targets: [
        .target(
            name: "PhoneHome", dependencies: [.product(name: "ServerTrust", package: "swift-server-trust")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "PhoneHomeTests",
            dependencies: [
                "PhoneHome",
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustTesting", package: "swift-server-trust"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
