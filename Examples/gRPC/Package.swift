// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A separate package, so that the other examples build without gRPC.
let package = Package(
    name: "gRPCExample",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        // In your package, write ["GRPC", "Testing"]. This one shares compiled files with this project's tests.
        .package(name: "swift-server-trust", path: "../..", traits: ["Everything"]),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
    ],
    targets: [
        .executableTarget(
            name: "grpc-client",
            dependencies: [
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "ServerTrustGRPC", package: "swift-server-trust"),
                .product(name: "ServerTrustTesting", package: "swift-server-trust"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
