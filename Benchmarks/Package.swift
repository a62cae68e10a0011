// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// A separate package, so that users of the library build neither the benchmarks nor the libraries that they compare
/// with.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-server-trust", path: "..", traits: ["Everything"]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "servertrust-benchmarks",
            dependencies: [
                "AllocationCounter", "COpenSSL", "InstructionCounter",
                .product(name: "PKIX", package: "swift-server-trust"),
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustNIO", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustTesting", package: "swift-server-trust"),
                .product(name: "ServerTrustURLSession", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Counts allocations by replacing the C library's malloc.
        .target(name: "AllocationCounter"),
        // Talks to valgrind's callgrind, by its header, which only a machine with valgrind has.
        .target(name: "InstructionCounter"),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    ]
)
