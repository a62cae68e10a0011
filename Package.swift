// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The settings of every target: Swift 6 language mode (the tools version's default) and no warnings.
let ours: [SwiftSetting] = [
    .treatAllWarnings(as: .error)
]

/// `PKIX` parses hostile bytes, so every unsafe operation must be marked, and readers are non-escapable views.
let engine: [SwiftSetting] =
    ours + [
        .strictMemorySafety(),
        .enableExperimentalFeature("Lifetimes"),
    ]

/// The settings of a target written for Apple platforms: it sees modules of this package and swift-crypto under Apple's
/// names, and the deprecated functions that apps still use.
let appleNames: [SwiftSetting] = [
    .unsafeFlags(
        [
            "-module-alias", "Security=AppleNames", "-module-alias", "CryptoKit=Crypto",
            "-module-alias", "CommonCrypto=CommonCryptoCompatibility",
        ], .when(platforms: [.linux])),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
    name: "swift-server-trust",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        // Supported: breaking changes come only with a new major version. Experimental parts of these libraries are
        // marked in their documentation: the staples and timestamps that ServerTrustNIO reads inside NIOSSL, the gate
        // for an `HTTPClient`, and ServerTrust's bridge to `SecTrust` on Apple platforms.
        .library(name: "PKIX", targets: ["PKIX"]),
        .library(name: "ServerTrust", targets: ["ServerTrust"]),
        .library(name: "ServerTrustFetching", targets: ["ServerTrustFetching"]),
        .library(name: "ServerTrustNIO", targets: ["ServerTrustNIO"]),
        .library(name: "ServerTrustHTTP", targets: ["ServerTrustHTTP"]),
        .library(name: "PinFormats", targets: ["PinFormats"]),
        .library(name: "PinFiles", targets: ["PinFiles"]),
        .library(name: "PinUpdates", targets: ["PinUpdates"]),
        .library(name: "PinLint", targets: ["PinLint"]),
        .library(name: "ServerTrustTesting", targets: ["ServerTrustTesting"]),
        // Companions: maintained and tested like the supported libraries, but their API may change in a minor version,
        // because they follow another package, Apple's API or a tool's output.
        .library(name: "ServerTrustCache", targets: ["ServerTrustCache"]),
        .library(name: "ServerTrustObservability", targets: ["ServerTrustObservability"]),
        .library(name: "TrustRecords", targets: ["TrustRecords"]),
        .library(name: "ServerTrustGRPC", targets: ["ServerTrustGRPC"]),
        .library(name: "ServerTrustWebSocket", targets: ["ServerTrustWebSocket"]),
        .library(name: "ServerTrustLifecycle", targets: ["ServerTrustLifecycle"]),
        .library(name: "AppleNames", targets: ["AppleNames"]),
        .library(name: "CommonCryptoCompatibility", targets: ["CommonCryptoCompatibility"]),
        .library(name: "SecurityCompatibility", targets: ["SecurityCompatibility"]),
        .library(name: "ISPCertificatePinning", targets: ["ISPCertificatePinning"]),
        .library(name: "TrustReports", targets: ["TrustReports"]),
        .library(name: "ServerTrustLab", targets: ["ServerTrustLab"]),
        // Experimental: depends on Foundation's internals, and may change or be removed in any version.
        .library(name: "ServerTrustURLSession", targets: ["ServerTrustURLSession"]),
        // Tools: the command's exit codes and JSON are stable.
        .executable(name: "servertrust", targets: ["ServerTrustCommand"]),
        .plugin(name: "LintPins", targets: ["LintPins"]),
    ],
    // `Adapters` is enabled unless a dependent package disables it. With `traits: []`, only the core remains and three
    // packages are resolved. There is only one default trait: enabled traits reach the compiler in a varying order, and
    // each new order causes a full rebuild.
    traits: [
        .default(enabledTraits: ["Adapters"]),
        .trait(name: "Adapters", description: "Every adapter, what tests need, the command"),
        .trait(name: "NIO", description: "ServerTrustNIO and ServerTrustWebSocket"),
        .trait(name: "HTTP", description: "ServerTrustHTTP and ServerTrustNIO"),
        .trait(name: "GRPC", description: "ServerTrustGRPC and ServerTrustNIO"),
        .trait(name: "Lifecycle", description: "ServerTrustLifecycle, ServerTrustHTTP and ServerTrustNIO"),
        .trait(
            name: "URLSession", description: "AppleNames, ServerTrustURLSession, ServerTrustHTTP and ServerTrustNIO"),
        .trait(name: "Cache", description: "ServerTrustCache"),
        .trait(name: "Observability", description: "ServerTrustObservability"),
        .trait(name: "Testing", description: "ServerTrustTesting"),
        .trait(name: "Lab", description: "ServerTrustLab and ServerTrustTesting"),
    ],
    dependencies: [
        // No traits, as in async-http-client's manifest: the program chooses file parsers.
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-atomics.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "PKIX",
            dependencies: [
                .product(name: "Atomics", package: "swift-atomics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Sources/Engine/PKIX", swiftSettings: engine
        ),
        // Files, text, JSON, TLS, kinds of objects and waiting, for the targets below.
        .target(name: "TrustSupport", dependencies: ["PKIX"], path: "Sources/Trust/TrustSupport", swiftSettings: ours),
        // Reads the objects in PKCS #12 and PKCS #7 files. Not part of any product.
        .target(
            name: "Containers",
            dependencies: [
                "TrustSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Sources/Trust/Containers", swiftSettings: ours
        ),
        // Reads certificates, keys, requests and revocation data from files of any format, and describes their fields.
        // Not part of any product.
        .target(
            name: "Inspection",
            dependencies: [
                "Containers", "PKIX", "TrustSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Sources/Tool/Inspection", swiftSettings: ours
        ),
        // Readers of lists of roots, denied certificates and logs, and of folders with filters. ServerTrust re-exports
        // them.
        .target(
            name: "TrustLists", dependencies: ["PKIX", "TrustSupport"], path: "Sources/Trust/TrustLists",
            swiftSettings: ours),
        .target(
            name: "ServerTrust", dependencies: ["PKIX", "TrustLists", "TrustSupport"],
            path: "Sources/Trust/ServerTrust",
            swiftSettings: ours),
        // Guides to the failure codes, and the messages of other tools. Not part of any product.
        .target(
            name: "Explanations", dependencies: ["PKIX", "ServerTrust", "TrustSupport"],
            path: "Sources/Trust/Explanations", swiftSettings: ours),
        .target(
            name: "ServerTrustFetching", dependencies: ["PKIX", "ServerTrust", "TrustSupport"],
            path: "Sources/Trust/ServerTrustFetching", swiftSettings: ours),
        // Records of verdicts: their format, recording and replay, without a transport.
        .target(
            name: "TrustRecords",
            dependencies: [
                "PKIX", "ServerTrust", "TrustSupport", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Trust/TrustRecords", swiftSettings: ours
        ),
        // Reports on evaluations as values and as self-contained pages, without a transport.
        .target(
            name: "TrustReports",
            dependencies: ["Explanations", "Inspection", "PKIX", "ServerTrust", "TrustSupport"],
            path: "Sources/Tool/TrustReports", swiftSettings: ours
        ),
        .target(
            name: "ServerTrustObservability",
            dependencies: [
                "ServerTrust",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            path: "Sources/Trust/ServerTrustObservability", swiftSettings: ours
        ),
        // Doesn't depend on NIO, so users who only test with certificates don't build NIO.
        .target(
            name: "ServerTrustTesting",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustFetching",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Sources/Testing/ServerTrustTesting", swiftSettings: ours
        ),
        .target(
            name: "ServerTrustLab",
            dependencies: [
                "PinModel", "PKIX", "ServerTrust", "ServerTrustTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Sources/Testing/ServerTrustLab", swiftSettings: ours
        ),
        // The command's certificate authority. Not part of any product.
        .target(
            name: "PrivateCA",
            dependencies: [
                "HTTPRules", "PKIX", "ServerTrustTesting", "TrustSupport",
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Sources/Tool/PrivateCA", swiftSettings: ours
        ),
        // The rules that HTTP requires of every client, whatever carries its bytes.
        .target(name: "HTTPRules", dependencies: ["PKIX"], path: "Sources/Trust/HTTPRules", swiftSettings: ours),
        // Declares symbols of NIOSSL's BoringSSL as weak. If one is missing, programs still link and NIOSSLInternals
        // fails closed.
        .target(name: "CNIOSSLSymbols", path: "Sources/Clients/CNIOSSLSymbols"),
        .target(
            name: "ServerTrustNIO",
            dependencies: [
                "CNIOSSLSymbols", "HTTPRules", "PKIX", "ServerTrust", "TrustSupport",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Sources/Clients/ServerTrustNIO", swiftSettings: ours + [.strictMemorySafety()]
        ),
        .target(
            name: "ServerTrustHTTP",
            dependencies: [
                "HTTPRules", "PKIX", "ServerTrust", "ServerTrustFetching", "ServerTrustNIO", "TrustSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Sources/Clients/ServerTrustHTTP", swiftSettings: ours
        ),
        // Compressed bodies for sessions, deflate for WebSocket messages, and gzip and Zstandard streams for bulk audits.
        // Uses zlib and, if a stream needs them, the machine's libzstd and libbrotlidec. ServerTrustHTTP leaves compressed
        // bodies to async-http-client.
        .target(name: "CDecompression", path: "Sources/Clients/CDecompression", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "Decompression", dependencies: ["CDecompression"], path: "Sources/Clients/Decompression",
            swiftSettings: ours),
        // A WebSocket client that doesn't depend on the HTTP client.
        .target(
            name: "ServerTrustWebSocket",
            dependencies: [
                "Decompression", "HTTPRules", "PKIX", "ServerTrust", "ServerTrustNIO", "TrustSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Sources/Clients/ServerTrustWebSocket", swiftSettings: ours
        ),
        .target(
            name: "ServerTrustGRPC",
            dependencies: [
                "HTTPRules", "PKIX", "ServerTrust", "ServerTrustNIO",
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Clients/ServerTrustGRPC", swiftSettings: ours
        ),
        .target(
            name: "ServerTrustLifecycle",
            dependencies: [
                "PinUpdates", "ServerTrustHTTP",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources/Clients/ServerTrustLifecycle", swiftSettings: ours
        ),
        // The names of Apple's Security framework, for platforms without it. Empty where the framework exists.
        .target(
            name: "SecurityCompatibility",
            dependencies: [
                "Containers", "PKIX", "ServerTrust", "TrustSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Sources/Apple/SecurityCompatibility", swiftSettings: ours
        ),
        // The names of Apple's CommonCrypto for digests and HMAC, for platforms without it.
        .target(
            name: "CommonCryptoCompatibility", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            path: "Sources/Apple/CommonCryptoCompatibility", swiftSettings: ours
        ),
        // The pin store of a library of the same name, with the same file format.
        .target(
            name: "ISPCertificatePinning", dependencies: ["PinFormats", "PinModel", "ServerTrust", "TrustSupport"],
            path: "Sources/Apple/ISPCertificatePinning", swiftSettings: ours),
        // Delegate protocols with the async form of challenges, for platforms where Foundation's protocols lack it.
        // ServerTrustURLSession re-exports them.
        .target(
            name: "SessionDelegates", dependencies: ["PKIX"], path: "Sources/Apple/SessionDelegates",
            swiftSettings: ours),
        .target(
            name: "ServerTrustURLSession",
            dependencies: [
                "Decompression", "HTTPRules", "PKIX", "SecurityCompatibility", "ServerTrust", "ServerTrustFetching",
                "ServerTrustHTTP", "ServerTrustNIO", "SessionDelegates", "TrustSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Apple/ServerTrustURLSession", swiftSettings: ours
        ),
        // The module that a target on Linux imports as `Security`, with the compiler's -module-alias.
        .target(
            name: "AppleNames",
            dependencies: [
                "CommonCryptoCompatibility", "SecurityCompatibility", "ServerTrustURLSession", "SessionDelegates",
            ],
            path: "Sources/Apple/AppleNames", swiftSettings: ours),
        .target(
            name: "ServerTrustCache",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustFetching", "TrustSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Trust/ServerTrustCache", swiftSettings: ours
        ),
        // Pin configurations, this package's JSON for them, and their enforcement, without XML. PinFormats, PinFiles,
        // PinUpdates and PinLint re-export it.
        .target(
            name: "PinModel", dependencies: ["PKIX", "ServerTrust", "TrustSupport"], path: "Sources/Pins/PinModel",
            swiftSettings: ours),
        .target(
            name: "PinFormats", dependencies: ["PKIX", "PinModel", "ServerTrust", "TrustSupport"],
            path: "Sources/Pins/PinFormats", swiftSettings: ours),
        // Pins in sources and in tools' files, and conversion. For the command and for build tools, not for apps.
        .target(
            name: "PinFiles", dependencies: ["PKIX", "PinFormats", "PinModel", "ServerTrust", "TrustSupport"],
            path: "Sources/Pins/PinFiles", swiftSettings: ours),
        .target(
            name: "PinUpdates",
            dependencies: [
                "PKIX", "PinModel", "ServerTrust", "TrustSupport", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Pins/PinUpdates", swiftSettings: ours
        ),
        .target(
            name: "PinLint",
            dependencies: [
                "Explanations", "HTTPRules", "PKIX", "PinFiles", "PinModel", "ServerTrust", "TrustSupport",
            ],
            path: "Sources/Pins/PinLint", swiftSettings: ours
        ),
        // The first half of a TLS handshake, for `check`. It isn't a TLS client, and not part of any product.
        .target(
            name: "HandshakeProbe",
            dependencies: [
                "PKIX", "TrustSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Tool/HandshakeProbe", swiftSettings: ours + [.strictMemorySafety()]
        ),
        // Probes that observe a server's handshake before they start TLS. Not part of any product.
        .target(
            name: "ServerObservation",
            dependencies: [
                "HandshakeProbe", "PKIX", "ServerTrust", "ServerTrustNIO",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Sources/Tool/ServerObservation", swiftSettings: ours + [.strictMemorySafety()]
        ),
        // Connections to the lab's servers, with their expected results. Not part of any product.
        .target(
            name: "Demonstration",
            dependencies: ["ServerObservation", "ServerTrust", "ServerTrustLab", "ServerTrustNIO"],
            path: "Sources/Tool/Demonstration", swiftSettings: ours
        ),
        // For Scripts/demo: a first verdict without the command's modules. Not part of any product.
        .executableTarget(
            name: "Demo", dependencies: ["Demonstration", "ServerTrust", "ServerTrustLab"], path: "Sources/Tool/Demo",
            swiftSettings: ours
        ),
        // Its name differs from its product's, because a target `servertrust` would collide with `ServerTrust` on a file
        // system that ignores case.
        .executableTarget(
            name: "ServerTrustCommand",
            dependencies: [
                "Decompression", "Demonstration", "Explanations", "HTTPRules", "HandshakeProbe", "Inspection", "PKIX",
                "PinFiles", "PinLint",
                "PinModel",
                "PinUpdates",
                "PrivateCA",
                "ServerObservation", "ServerTrust",
                "ServerTrustCache", "ServerTrustFetching", "ServerTrustHTTP", "ServerTrustLab", "ServerTrustNIO",
                "TrustRecords", "TrustReports", "TrustSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Tool/ServerTrustCommand", swiftSettings: ours
        ),
        // The plugin builds the tool when it runs. With a dependency on the tool, every user would build it, and once
        // more for the host.
        .plugin(
            name: "LintPins",
            capability: .command(
                intent: .custom(
                    verb: "lint-pins", description: "Find what goes wrong with the package's files of pins."))
        ),
        // OpenSSL test data that several test targets read.
        .target(name: "OpenSSLSamples", path: "Tests/Engine/OpenSSLSamples", swiftSettings: ours),
        .testTarget(
            name: "PKIXTests",
            dependencies: [
                "OpenSSLSamples", "PKIX", "ServerTrustTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/Engine/PKIXTests", swiftSettings: ours
        ),
        // Chains and trust objects that the tests of several targets use.
        .target(
            name: "TrustScenes", dependencies: ["PKIX", "ServerTrust", "ServerTrustTesting", "TrustLists"],
            path: "Tests/Trust/TrustScenes",
            swiftSettings: ours),
        .testTarget(
            name: "TrustListsTests",
            dependencies: ["PKIX", "ServerTrust", "ServerTrustTesting", "TrustLists", "TrustScenes"],
            path: "Tests/Trust/TrustListsTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustTests",
            dependencies: [
                "OpenSSLSamples", "PKIX", "ServerTrust", "ServerTrustTesting", "TrustLists", "TrustScenes",
                "TrustSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/Trust/ServerTrustTests", swiftSettings: ours
        ),
        // Records until a test kills it, so it has to be a separate program.
        .executableTarget(
            name: "TrustRecordsWriter", dependencies: ["PKIX", "ServerTrust", "ServerTrustTesting", "TrustRecords"],
            path: "Tests/Trust/TrustRecordsWriter", swiftSettings: ours
        ),
        .testTarget(
            name: "TrustRecordsTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustTesting", "TrustRecords", "TrustRecordsWriter", "TrustScenes",
                "TrustSupport",
            ],
            path: "Tests/Trust/TrustRecordsTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustObservabilityTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustObservability", "ServerTrustTesting", "TrustScenes",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            path: "Tests/Trust/ServerTrustObservabilityTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustTestingTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustFetching", "ServerTrustTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Tests/Testing/ServerTrustTestingTests", swiftSettings: ours
        ),
        // Runs features with this package's clients and with others, in one process per cell of
        // Documentation/Features.md.
        .executableTarget(
            name: "ClientTrials",
            dependencies: [
                "PKIX", "PeerScripts", "SecurityCompatibility", "ServerTrust", "ServerTrustFetching", "ServerTrustHTTP",
                "ServerTrustLab", "ServerTrustTesting", "ServerTrustURLSession", "ServerTrustWebSocket", "TrustScenes",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Clients/ClientTrials", swiftSettings: ours
        ),
        // Runs all clients against servers and proxies that send random answers (Fuzz/README.md).
        .executableTarget(
            name: "RandomPeers",
            dependencies: [
                "PKIX", "PinUpdates", "ServerObservation", "ServerTrust", "ServerTrustFetching", "ServerTrustGRPC",
                "ServerTrustHTTP", "ServerTrustNIO", "ServerTrustTesting", "ServerTrustURLSession",
                "ServerTrustWebSocket", "TrustScenes",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Tests/Clients/RandomPeers", swiftSettings: ours
        ),
        // Writes to a cache until a test kills it, so it has to be a separate program.
        .executableTarget(
            name: "ServerTrustCacheWriter",
            dependencies: ["PKIX", "ServerTrust", "ServerTrustCache", "ServerTrustFetching"],
            path: "Tests/Trust/ServerTrustCacheWriter", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustCacheTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustCache", "ServerTrustCacheWriter", "ServerTrustFetching",
                "ServerTrustTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Trust/ServerTrustCacheTests", swiftSettings: ours
        ),
        // Tests fetching from other servers: nginx and OpenSSL.
        .testTarget(
            name: "ServerTrustFetchingTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustCache", "ServerTrustFetching", "ServerTrustHTTP", "ServerTrustLab",
                "ServerTrustNIO", "ServerTrustTesting", "TrustScenes",
            ],
            path: "Tests/Trust/ServerTrustFetchingTests", swiftSettings: ours
        ),
        // Code that the tests of the pin libraries share.
        .target(
            name: "PinTestSupport", dependencies: ["PKIX", "PinModel", "ServerTrust", "ServerTrustTesting"],
            path: "Tests/Pins/PinTestSupport", swiftSettings: ours
        ),
        // PinFiles provides losses and other formats: the library reads an app's file, and the command writes it.
        .testTarget(
            name: "PinFormatsTests",
            dependencies: [
                "PKIX", "PinFiles", "PinFormats", "PinModel", "PinTestSupport", "ServerTrust", "ServerTrustTesting",
            ],
            path: "Tests/Pins/PinFormatsTests", swiftSettings: ours
        ),
        .testTarget(
            name: "PinFilesTests",
            dependencies: [
                "PKIX", "PinFiles", "PinFormats", "PinModel", "PinTestSupport", "ServerTrust", "ServerTrustTesting",
            ],
            path: "Tests/Pins/PinFilesTests", swiftSettings: ours
        ),
        .testTarget(
            name: "PinUpdatesTests",
            dependencies: [
                "PKIX", "PinTestSupport", "PinUpdates", "ServerTrust", "ServerTrustLab", "ServerTrustTesting",
                "TrustSupport",
            ],
            path: "Tests/Pins/PinUpdatesTests", swiftSettings: ours
        ),
        .testTarget(
            name: "PinLintTests",
            dependencies: [
                "PKIX", "PinFiles", "PinLint", "PinModel", "PinTestSupport", "ServerTrust", "ServerTrustTesting",
            ],
            path: "Tests/Pins/PinLintTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustLabTests",
            dependencies: ["PKIX", "ServerTrust", "ServerTrustLab", "ServerTrustTesting"],
            path: "Tests/Testing/ServerTrustLabTests", swiftSettings: ours
        ),
        .testTarget(
            name: "InspectionTests", dependencies: ["Inspection", "PKIX", "ServerTrustTesting", "TrustSupport"],
            path: "Tests/Tool/InspectionTests", swiftSettings: ours),
        .testTarget(
            name: "TrustReportsTests",
            dependencies: ["PKIX", "ServerTrust", "ServerTrustTesting", "TrustReports", "TrustScenes"],
            path: "Tests/Tool/TrustReportsTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ExplanationsTests", dependencies: ["Explanations", "ServerTrust"],
            path: "Tests/Trust/ExplanationsTests", swiftSettings: ours),
        .testTarget(
            name: "TrustSupportTests", dependencies: ["PKIX", "TrustSupport"], path: "Tests/Trust/TrustSupportTests",
            swiftSettings: ours),
        .testTarget(
            name: "HandshakeProbeTests",
            dependencies: [
                "HandshakeProbe", "PKIX", "ServerTrustTesting",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/Tool/HandshakeProbeTests", swiftSettings: ours
        ),
        .testTarget(
            name: "HTTPRulesTests", dependencies: ["HTTPRules", "PKIX"], path: "Tests/Trust/HTTPRulesTests",
            swiftSettings: ours),
        .testTarget(
            name: "PrivateCATests", dependencies: ["PKIX", "PrivateCA", "ServerTrustTesting"],
            path: "Tests/Tool/PrivateCATests", swiftSettings: ours
        ),
        // Peers and proxies on loopback that the tests of several targets use.
        .target(
            name: "PeerScripts",
            dependencies: [
                "PKIX", "ServerTrustLab", "ServerTrustNIO",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Clients/PeerScripts", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerObservationTests",
            dependencies: [
                "HandshakeProbe", "PKIX", "PeerScripts", "ServerObservation", "ServerTrust", "ServerTrustLab",
                "ServerTrustNIO", "ServerTrustTesting",
            ],
            path: "Tests/Tool/ServerObservationTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustNIOTests",
            dependencies: [
                "PKIX", "PeerScripts", "ServerTrust", "ServerTrustLab", "ServerTrustNIO", "ServerTrustTesting",
                "TrustSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Tests/Clients/ServerTrustNIOTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustHTTPTests",
            dependencies: [
                "HTTPRules", "PKIX", "PeerScripts", "ServerTrust", "ServerTrustFetching", "ServerTrustHTTP",
                "ServerTrustLab", "ServerTrustGRPC", "ServerTrustWebSocket",
                "ServerTrustNIO",
                "ServerTrustTesting",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Tests/Clients/ServerTrustHTTPTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustWebSocketTests",
            dependencies: [
                "PKIX", "ServerTrust", "ServerTrustLab", "ServerTrustNIO", "ServerTrustTesting", "ServerTrustWebSocket",
                "TrustRecords",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Tests/Clients/ServerTrustWebSocketTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustGRPCTests",
            dependencies: [
                "PKIX", "PeerScripts", "ServerTrust", "ServerTrustGRPC", "ServerTrustLab", "ServerTrustNIO",
                "ServerTrustTesting", "TrustRecords",
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Clients/ServerTrustGRPCTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustLifecycleTests",
            dependencies: [
                "PinUpdates", "ServerTrust", "ServerTrustHTTP", "ServerTrustLab", "ServerTrustLifecycle",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Tests/Clients/ServerTrustLifecycleTests", swiftSettings: ours
        ),
        // The scenarios only use Apple's API. Tests/External/apple also compiles them against stubs of it.
        .testTarget(
            name: "SecurityCompatibilityTests",
            dependencies: [
                "PKIX", "SecurityCompatibility", "ServerTrust", "ServerTrustFetching", "ServerTrustLab",
                "ServerTrustTesting", "ServerTrustURLSession",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Tests/Apple/SecurityCompatibilityTests", swiftSettings: ours
        ),
        // Delegates and a trust layer for Apple platforms, without any line for Linux, tested against lab servers.
        .testTarget(
            name: "UnchangedDelegatesTests",
            dependencies: [
                "AppleNames", "CommonCryptoCompatibility", "PKIX", "ServerTrust", "ServerTrustLab",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Apple/UnchangedDelegatesTests", swiftSettings: ours + appleNames
        ),
        .testTarget(
            name: "CommonCryptoCompatibilityTests", dependencies: ["CommonCryptoCompatibility"],
            path: "Tests/Apple/CommonCryptoCompatibilityTests", swiftSettings: ours),
        .testTarget(
            name: "ISPCertificatePinningTests",
            dependencies: [
                "ISPCertificatePinning", "PKIX", "PinTestSupport", "ServerTrust", "ServerTrustTesting",
            ],
            path: "Tests/Apple/ISPCertificatePinningTests", swiftSettings: ours
        ),
        // Session delegates in the Swift 5 language mode.
        .target(
            name: "Swift5Delegates", dependencies: ["PKIX", "ServerTrust", "ServerTrustURLSession"],
            path: "Tests/Apple/Swift5Delegates", swiftSettings: ours + [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "ServerTrustURLSessionTests",
            dependencies: [
                "HTTPRules", "PKIX", "SecurityCompatibility", "ServerTrust", "ServerTrustFetching", "ServerTrustHTTP",
                "ServerTrustLab", "ServerTrustTesting", "ServerTrustURLSession", "Swift5Delegates", "TrustScenes",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Tests/Apple/ServerTrustURLSessionTests", swiftSettings: ours
        ),
        .testTarget(
            name: "ServerTrustCommandTests",
            dependencies: [
                "Demonstration", "Explanations", "OpenSSLSamples", "PKIX", "PinFiles", "PinModel", "PinUpdates",
                "PrivateCA", "ServerTrust",
                "ServerTrustCache", "ServerTrustCommand", "ServerTrustFetching", "ServerTrustGRPC", "ServerTrustHTTP",
                "ServerTrustLab", "ServerTrustNIO", "ServerTrustTesting", "ServerTrustURLSession",
                "ServerTrustWebSocket", "TrustLists", "TrustRecords", "TrustScenes",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Tool/ServerTrustCommandTests", exclude: ["Golden"], swiftSettings: ours
        ),
    ]
)

/// The traits that require a package, in addition to `Adapters`. If none of them is enabled, SwiftPM neither resolves
/// nor builds the package.
let traitsThatNeed: [String: Set<String>] = [
    "GRDB.swift": ["Cache"],
    "async-http-client": ["HTTP", "Lifecycle", "URLSession"],
    "grpc-swift-2": ["GRPC"],
    "grpc-swift-nio-transport": ["GRPC"],
    "swift-argument-parser": [],
    "swift-certificates": ["Lab", "Testing"],
    "swift-configuration": ["HTTP", "Lifecycle", "URLSession"],
    "swift-distributed-tracing": ["HTTP", "Lifecycle", "URLSession"],
    "swift-log": ["HTTP", "Lifecycle", "Observability", "URLSession"],
    "swift-metrics": ["Observability"],
    "swift-nio": ["GRPC", "HTTP", "Lab", "Lifecycle", "NIO", "URLSession"],
    "swift-nio-extras": ["GRPC", "HTTP", "Lifecycle", "NIO", "URLSession"],
    "swift-nio-http2": ["GRPC", "HTTP", "Lab", "Lifecycle", "URLSession"],
    "swift-nio-ssl": ["GRPC", "HTTP", "Lab", "Lifecycle", "NIO", "URLSession"],
    "swift-service-lifecycle": ["Lifecycle"],
]
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, let aliases, nil) = dependency,
            let traits = traitsThatNeed[package]
        else { return dependency }
        let condition = TargetDependencyCondition.when(traits: traits.union(["Adapters"]))
        return .product(name: name, package: package, moduleAliases: aliases, condition: condition)
    }
}

// Tests aren't optimized, even next to optimized libraries (Scripts/test), because optimizing them takes longer than
// running them. No product contains a test, so dependent packages never see this flag.
for target in package.targets where target.type == .test {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// Only Scripts/build-release sets these, for the program that users install: the linker removes unused symbols, and takes
// ICU's data from an object file instead of Foundation's library. Dependent packages never see the flags.
if Context.environment["SERVERTRUST_LINKS_RUNTIME"] != nil {
    let unicodeData = Context.environment["SERVERTRUST_UNICODE_DATA"].map { [$0] } ?? []
    package.targets.first { $0.name == "ServerTrustCommand" }?.linkerSettings = [
        .unsafeFlags(["-Xlinker", "--no-export-dynamic"] + unicodeData)
    ]
}
