// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// An example. `Expected/` contains its output.
func example(_ name: String, testing: Bool = true, more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "ServerTrust", package: "swift-server-trust")]
            + (testing ? [.product(name: "ServerTrustTesting", package: "swift-server-trust")] : []) + more,
        swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        .package(name: "swift-server-trust", path: "..", traits: ["Everything"]),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        example("validate-chain", testing: false),
        example("server-name-override"),
        example("missing-intermediate"),
        example("peer-to-peer"),
        example("custom-ca"),
        example("private-ca-in-development"),
        example("ca-pinning"),
        example("certificate-attributes"),
        example("trust-exceptions"),
        example("custom-evaluator"),
        example("explain-snippets"),
        example("alamofire-like"),
        example(
            "sec-trust", more: [.product(name: "SecurityCompatibility", package: "swift-server-trust")]),
        example(
            "url-session",
            more: [
                .product(name: "ServerTrustMigration", package: "swift-server-trust"),
                .product(name: "ServerTrustPins", package: "swift-server-trust"),
                .product(name: "SecurityCompatibility", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustURLSession", package: "swift-server-trust"),
            ]),
        example(
            "revocation",
            more: [
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        example("choosing-anchors"),
        example(
            "one-way",
            more: [
                .product(name: "ServerTrustMigration", package: "swift-server-trust"),
                .product(name: "ServerTrustPins", package: "swift-server-trust"),
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        example(
            "evidence-cache",
            more: [
                .product(name: "ServerTrustCache", package: "swift-server-trust")
            ]),
        example(
            "events-to-logs",
            more: [
                .product(name: "ServerTrustObservability", package: "swift-server-trust"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]),
        example(
            "http-client", testing: false,
            more: [
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustNIO", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        example(
            "lab-client", testing: false,
            more: [
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustNIO", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        example("reading-verdicts"),
        example("report-only"),
        example(
            "trust-report", more: [.product(name: "Diagnosis", package: "swift-server-trust")]),
        example(
            "trust-decisions"),
        example(
            "pin-updates",
            more: [
                .product(name: "ServerTrustPins", package: "swift-server-trust"),
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        example(
            "nio-client",
            more: [
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "ServerTrustNIO", package: "swift-server-trust"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        example(
            "web-socket",
            more: [
                .product(name: "ServerTrustWebSocket", package: "swift-server-trust"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
        example(
            "postgresql",
            more: [
                .product(name: "ServerTrustNIO", package: "swift-server-trust"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        example(
            "service-lifecycle", testing: false,
            more: [
                .product(name: "ServerTrustHTTP", package: "swift-server-trust"),
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        example(
            "custom-adapter", testing: false,
            more: [
                .product(name: "ServerTrustLab", package: "swift-server-trust"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ]),
    ]
)
