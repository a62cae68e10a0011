// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A separate package, so that the other examples build without Hummingbird. Its folder has a different name, which is
/// the package's identity.
let package = Package(
    name: "HummingbirdExample",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        // In your package, write ["HTTP", "Testing"]. This one shares compiled files with this project's tests.
        .package(name: "swift-server-trust", path: "../..", traits: ["Everything"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "hummingbird-proxy",
            dependencies: [
                .product(name: "PKIX", package: "swift-server-trust"),
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustTesting", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
