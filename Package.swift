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

/// Another project's package, its products that targets use, and the traits that need it in addition to `Everything`. Without
/// them, SwiftPM neither resolves nor builds it. nil stands for every user.
struct Requirement {
    let name: Substring, dependency: Package.Dependency, products: [Substring], traits: Set<String>?

    init(_ path: String, _ version: Version, _ products: String, traits: String? = nil) {
        let url = "https://github.com/\(path).git"
        name = path.split(separator: "/")[1]
        // As in async-http-client's manifest, the program chooses swift-configuration's file parsers.
        dependency =
            name == "swift-configuration"
            ? .package(url: url, from: version, traits: []) : .package(url: url, from: version)
        self.products = products.split(separator: " ")
        self.traits = traits.map { Set($0.split(separator: " ").map(String.init) + ["Everything"]) }
    }
}

let requirements = [
    Requirement("apple/swift-crypto", "4.5.2", "Crypto CryptoExtras"),
    Requirement("apple/swift-asn1", "1.7.4", "SwiftASN1"),
    Requirement("apple/swift-atomics", "1.3.0", "Atomics"),
    Requirement("apple/swift-argument-parser", "1.8.2", "ArgumentParser", traits: ""),
    Requirement("apple/swift-certificates", "1.21.1", "X509", traits: "Testing"),
    Requirement("apple/swift-configuration", "1.4.0", "Configuration", traits: "HTTP"),
    Requirement("apple/swift-distributed-tracing", "1.7.3", "InMemoryTracing Tracing", traits: "HTTP"),
    Requirement("apple/swift-log", "1.16.2", "InMemoryLogging Logging", traits: "HTTP Observability"),
    Requirement("apple/swift-metrics", "2.13.0", "Metrics MetricsTestKit", traits: "Observability"),
    Requirement(
        "apple/swift-nio", "2.101.2",
        "NIOConcurrencyHelpers NIOCore NIOEmbedded NIOHTTP1 NIOPosix NIOTLS NIOWebSocket", traits: "GRPC HTTP Testing"),
    Requirement("apple/swift-nio-extras", "1.35.2", "NIOExtras NIOHTTPCompression NIOSOCKS", traits: "GRPC HTTP"),
    Requirement("apple/swift-nio-http2", "1.46.0", "NIOHTTP2", traits: "GRPC HTTP Testing"),
    Requirement("apple/swift-nio-ssl", "2.37.6", "NIOSSL", traits: "GRPC HTTP Testing"),
    Requirement("groue/GRDB.swift", "7.10.0", "GRDB", traits: "Cache"),
    Requirement("grpc/grpc-swift-2", "2.4.3", "GRPCCore", traits: "GRPC"),
    Requirement("grpc/grpc-swift-nio-transport", "2.9.2", "GRPCNIOTransportHTTP2Posix", traits: "GRPC"),
    Requirement("swift-server/async-http-client", "1.37.0", "AsyncHTTPClient", traits: "HTTP"),
    Requirement("swift-server/swift-service-lifecycle", "2.13.0", "ServiceLifecycle", traits: "HTTP"),
]

/// Returns the dependencies on targets of this package and on products of others, by their names.
@MainActor func using(_ names: String) -> [Target.Dependency] {
    names.split(separator: " ").map { name in
        guard let needed = requirements.first(where: { $0.products.contains { $0 == name } }) else {
            return .target(name: String(name))
        }
        return .product(
            name: String(name), package: String(needed.name), moduleAliases: nil,
            condition: needed.traits.flatMap { .when(traits: $0) })
    }
}

/// Declares a module of `Sources` and its tests, which may also use the modules that it uses, and the certificates for tests.
/// - Parameters:
///   - uses: the targets and products that the module uses, separated by spaces.
///   - tests: what each of its test targets also uses, by the target's name.
@MainActor func module(
    _ name: String, in folder: String, uses: String = "", settings: [SwiftSetting] = ours,
    tests: KeyValuePairs<String, String> = [:]
) -> [Target] {
    [
        name == "ServerTrustCommand"
            ? program(name, at: "Sources/\(folder)/\(name)", uses: uses)
            : .target(
                name: name, dependencies: using(uses), path: "Sources/\(folder)/\(name)", swiftSettings: settings)
    ]
        + tests.map { target, more in
            let names = Set([name, "ServerTrustTesting"] + (uses + " " + more).split(separator: " ").map(String.init))
            return .testTarget(
                name: target, dependencies: using(names.sorted().joined(separator: " ")),
                path: "Tests/\(folder)/\(target)", exclude: target == "ServerTrustCommandTests" ? ["Golden"] : [],
                swiftSettings: ours
                    + (target == "UnchangedDelegatesTests" ? appleNames : [])
                    // Not optimized even next to optimized libraries (Scripts/test), because optimizing takes longer than
                    // running. No product contains a test, so dependent packages never see this flag.
                    + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
        }
}

@MainActor func library(_ name: String) -> Product { .library(name: name, targets: [name]) }

/// Declares a program of `Sources` or `Tests`.
@MainActor func program(_ name: String, at path: String, uses: String) -> Target {
    .executableTarget(name: name, dependencies: using(uses), path: path, swiftSettings: ours)
}

/// Declares a module that several test targets share.
@MainActor func shared(_ name: String, in folder: String, uses: String = "", settings: [SwiftSetting] = []) -> Target {
    .target(
        name: name, dependencies: using(uses), path: "Tests/\(folder)/\(name)", swiftSettings: ours + settings)
}

let engineAndTrust: [Target] =
    module(
        "PKIX", in: "Engine", uses: "Atomics Crypto CryptoExtras", settings: engine,
        tests: ["PKIXTests": "OpenSSLSamples"])
    + module(
        "ServerTrust", in: "Trust", uses: "Crypto CryptoExtras PKIX SwiftASN1",
        tests: [
            "ServerTrustTests": "OpenSSLSamples TrustScenes",
            "TrustSupportTests": "",
            "HTTPRulesTests": "",
            "TrustListsTests": "TrustScenes",
            "TrustRecordsTests": "TrustRecordsWriter TrustScenes",
            // Tests fetching from other servers: nginx and OpenSSL.
            "ServerTrustFetchingTests": "ServerTrustCache ServerTrustHTTP ServerTrustLab ServerTrustNIO TrustScenes",
        ])
    + module(
        "ServerTrustCache", in: "Trust", uses: "GRDB PKIX ServerTrust",
        tests: ["ServerTrustCacheTests": "ServerTrustCacheWriter"])
    + module(
        "ServerTrustObservability", in: "Trust", uses: "Logging Metrics ServerTrust",
        tests: ["ServerTrustObservabilityTests": "InMemoryLogging MetricsTestKit PKIX TrustScenes"])

let pins: [Target] =
    module(
        "ServerTrustPins", in: "Pins", uses: "Crypto PKIX ServerTrust",
        tests: [
            // PinLint provides losses and other formats: the library reads an app's file, and the command writes it.
            "PinFormatsTests": "PinLint PinTestSupport",
            "PinUpdatesTests": "PinTestSupport ServerTrustLab",
        ])
    // Pins in sources and in tools' files, conversion and lint. For the command and for build tools, not for apps.
    + module(
        "PinLint", in: "Pins", uses: "PKIX ServerTrust ServerTrustPins",
        tests: ["PinFilesTests": "PinTestSupport", "PinLintTests": "PinTestSupport"])

let clientModules: [Target] =
    [
        // Declares symbols of NIOSSL's BoringSSL as weak. If one is missing, programs still link and NIOSSLInternals
        // fails closed.
        .target(name: "CNIOSSLSymbols", path: "Sources/Clients/CNIOSSLSymbols"),
        // Compressed bodies for sessions, deflate for WebSocket messages, and gzip and Zstandard streams for bulk audits.
        // Uses zlib and, if a stream needs them, the machine's libzstd and libbrotlidec. ServerTrustHTTP leaves compressed
        // bodies to async-http-client.
        .target(name: "CDecompression", path: "Sources/Clients/CDecompression", linkerSettings: [.linkedLibrary("z")]),
    ]
    + module("Decompression", in: "Clients", uses: "CDecompression")
    + module(
        "ServerTrustNIO", in: "Clients",
        uses: """
            CNIOSSLSymbols NIOConcurrencyHelpers NIOCore NIOExtras NIOHTTP1 NIOPosix NIOSOCKS NIOSSL NIOTLS PKIX \
            ServerTrust
            """,
        settings: ours + [.strictMemorySafety()],
        tests: ["ServerTrustNIOTests": "NIOEmbedded PeerScripts ServerTrustLab"])
    + module(
        "ServerTrustHTTP", in: "Clients",
        uses: """
            AsyncHTTPClient Configuration Crypto Logging NIOCore NIOHTTP1 NIOHTTP2 NIOHTTPCompression NIOPosix NIOSSL \
            NIOTLS PKIX ServerTrust ServerTrustNIO ServerTrustPins ServiceLifecycle Tracing
            """,
        tests: [
            "ServerTrustHTTPTests": """
            GRPCCore GRPCNIOTransportHTTP2Posix InMemoryTracing NIOEmbedded PeerScripts ServerTrustGRPC \
            ServerTrustLab ServerTrustWebSocket
            """,
            "ServerTrustLifecycleTests": "ServerTrustLab",
        ])
    + module(
        "ServerTrustWebSocket", in: "Clients",
        uses: "Decompression NIOCore NIOHTTP1 NIOPosix NIOTLS NIOWebSocket PKIX ServerTrust ServerTrustNIO",
        tests: ["ServerTrustWebSocketTests": "Crypto NIOSSL ServerTrustLab"])
    + module(
        "ServerTrustGRPC", in: "Clients",
        uses: "GRPCCore GRPCNIOTransportHTTP2Posix NIOCore NIOHTTP2 NIOPosix NIOSSL PKIX ServerTrust ServerTrustNIO",
        tests: ["ServerTrustGRPCTests": "PeerScripts ServerTrustLab"])

let apple: [Target] =
    // The names of Apple's Security framework, for platforms without it. Empty where the framework exists.
    module(
        "SecurityCompatibility", in: "Apple", uses: "Crypto CryptoExtras PKIX ServerTrust",
        // The scenarios only use Apple's API. Tests/External/apple also compiles them against stubs of it.
        tests: ["SecurityCompatibilityTests": "ServerTrustLab ServerTrustURLSession"])
    + module(
        "CommonCryptoCompatibility", in: "Apple", uses: "Crypto", tests: ["CommonCryptoCompatibilityTests": ""])
    // Delegate protocols with the async form of challenges, for platforms where Foundation's protocols lack it.
    // ServerTrustURLSession re-exports them.
    + module("SessionDelegates", in: "Apple", uses: "PKIX")
    + module(
        "ServerTrustURLSession", in: "Apple",
        uses: """
            AsyncHTTPClient Crypto Decompression Logging NIOCore NIOHTTP1 NIOPosix NIOSSL PKIX SecurityCompatibility \
            ServerTrust ServerTrustHTTP ServerTrustNIO SessionDelegates
            """,
        tests: ["ServerTrustURLSessionTests": "ServerTrustLab Swift5Delegates TrustScenes"])
    // The module that a target on Linux imports as `Security`, with the compiler's -module-alias.
    + module(
        "AppleNames", in: "Apple",
        uses: "CommonCryptoCompatibility SecurityCompatibility ServerTrustURLSession SessionDelegates",
        // Delegates and a trust layer for Apple platforms, without any line for Linux, tested against lab servers.
        tests: ["UnchangedDelegatesTests": "Crypto PKIX ServerTrust ServerTrustLab"])
    + module(
        "ServerTrustMigration", in: "Apple", uses: "ServerTrust ServerTrustPins",
        tests: ["ServerTrustMigrationTests": "PKIX PinTestSupport"])

let testing: [Target] =
    // Doesn't depend on NIO, so users who only test with certificates don't build NIO.
    module(
        "ServerTrustTesting", in: "Testing", uses: "Crypto CryptoExtras PKIX ServerTrust SwiftASN1 X509",
        tests: ["ServerTrustTestingTests": ""])
    + module(
        "ServerTrustLab", in: "Testing",
        uses: """
            Crypto NIOConcurrencyHelpers NIOCore NIOHTTP1 NIOHTTP2 NIOPosix NIOSSL NIOTLS PKIX ServerTrust \
            ServerTrustPins ServerTrustTesting SwiftASN1
            """,
        tests: ["ServerTrustLabTests": ""])

let tool: [Target] =
    // Explains failures, reads and describes objects in files of any format, and draws reports.
    module(
        "Diagnosis", in: "Tool", uses: "Crypto CryptoExtras PKIX PinLint ServerTrust",
        tests: ["ExplanationsTests": "", "InspectionTests": "", "TrustReportsTests": "TrustScenes"])
    // Observes a server's handshake, like `check`, and connects to the lab's servers. Not part of any product.
    + module(
        "ServerObservation", in: "Tool", uses: "Crypto NIOCore PKIX ServerTrust ServerTrustLab ServerTrustNIO",
        settings: ours + [.strictMemorySafety()],
        tests: ["HandshakeProbeTests": "CryptoExtras", "ServerObservationTests": "PeerScripts"])
    // The command's certificate authority. Not part of any product.
    + module(
        "PrivateCA", in: "Tool", uses: "PKIX ServerTrust ServerTrustTesting SwiftASN1 X509",
        tests: ["PrivateCATests": ""])
    + [
        // For Scripts/demo: a first verdict without the command's modules. Not part of any product.
        program("Demo", at: "Sources/Tool/Demo", uses: "ServerObservation ServerTrust ServerTrustLab")
    ]

let command: [Target] = module(
    // Its name differs from its product's, because a target `servertrust` would collide with `ServerTrust` on a file system
    // that ignores case.
    "ServerTrustCommand", in: "Tool",
    uses: """
        ArgumentParser Crypto Decompression Diagnosis PKIX PinLint PrivateCA ServerObservation ServerTrust \
        ServerTrustCache ServerTrustHTTP ServerTrustLab ServerTrustNIO ServerTrustPins
        """,
    tests: [
        "ServerTrustCommandTests": """
        AsyncHTTPClient GRPCCore GRPCNIOTransportHTTP2Posix NIOCore NIOPosix NIOSSL OpenSSLSamples ServerTrustGRPC \
        ServerTrustURLSession ServerTrustWebSocket TrustScenes
        """
    ])

/// Modules that tests share, and programs that tests start.
let forTests: [Target] = [
    // OpenSSL test data that several test targets read.
    shared("OpenSSLSamples", in: "Engine"),
    // Chains and trust objects that the tests of several targets use.
    shared("TrustScenes", in: "Trust", uses: "PKIX ServerTrust ServerTrustTesting"),
    shared("PinTestSupport", in: "Pins", uses: "PKIX ServerTrust ServerTrustPins ServerTrustTesting"),
    // Peers and proxies on loopback.
    shared("PeerScripts", in: "Clients", uses: "NIOCore NIOPosix PKIX ServerTrustLab ServerTrustNIO"),
    // Session delegates in the Swift 5 language mode.
    shared(
        "Swift5Delegates", in: "Apple", uses: "PKIX ServerTrust ServerTrustURLSession",
        settings: [.swiftLanguageMode(.v5)]),
    // Record or write to a cache until a test kills them, so they have to be separate programs.
    program(
        "TrustRecordsWriter", at: "Tests/Trust/TrustRecordsWriter", uses: "PKIX ServerTrust ServerTrustTesting"),
    program(
        "ServerTrustCacheWriter", at: "Tests/Trust/ServerTrustCacheWriter", uses: "PKIX ServerTrust ServerTrustCache"),
    // Runs features with this package's clients and with others, in one process per cell of Documentation/Features.md.
    program(
        "ClientTrials", at: "Tests/Clients/ClientTrials",
        uses: """
            AsyncHTTPClient NIOCore NIOHTTP1 NIOHTTP2 NIOPosix NIOSSL PKIX PeerScripts SecurityCompatibility ServerTrust \
            ServerTrustHTTP ServerTrustLab ServerTrustTesting ServerTrustURLSession ServerTrustWebSocket TrustScenes
            """),
    // Runs all clients against servers and proxies that send random answers (Fuzz/README.md).
    program(
        "RandomPeers", at: "Tests/Clients/RandomPeers",
        uses: """
            AsyncHTTPClient Crypto GRPCCore GRPCNIOTransportHTTP2Posix NIOCore NIOHTTP1 NIOPosix NIOSSL NIOTLS PKIX \
            ServerObservation ServerTrust ServerTrustGRPC ServerTrustHTTP ServerTrustNIO ServerTrustPins \
            ServerTrustTesting ServerTrustURLSession ServerTrustWebSocket TrustScenes
            """),
]

let package = Package(
    name: "swift-server-trust",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        // Supported: breaking changes come only with a new major version. Experimental parts of these libraries are
        // marked in their documentation: the staples and timestamps that ServerTrustNIO reads inside NIOSSL, the gate
        // for an `HTTPClient`, and ServerTrust's bridge to `SecTrust` on Apple platforms.
        library("PKIX"), library("ServerTrust"), library("ServerTrustNIO"), library("ServerTrustHTTP"),
        library("ServerTrustPins"), library("PinLint"), library("ServerTrustTesting"),
        // Companions: maintained and tested like the supported libraries, but their API may change in a minor version,
        // because they follow another package, Apple's API or a tool's output.
        library("ServerTrustCache"), library("ServerTrustObservability"), library("ServerTrustGRPC"),
        library("ServerTrustWebSocket"), library("ServerTrustLab"), library("AppleNames"),
        library("CommonCryptoCompatibility"), library("SecurityCompatibility"), library("ServerTrustMigration"),
        library("Diagnosis"),
        // Experimental: depends on Foundation's internals, and may change or be removed in any version.
        library("ServerTrustURLSession"),
        // Tools: the command's exit codes and JSON are stable.
        .executable(name: "servertrust", targets: ["ServerTrustCommand"]),
        .plugin(name: "LintPins", targets: ["LintPins"]),
    ],
    traits: [
        // A checkout's scripts set the variable, so that they build everything. Programs that use the package choose.
        .default(enabledTraits: Context.environment["SERVERTRUST_EVERYTHING"] == nil ? [] : ["Everything"]),
        .trait(
            name: "HTTP",
            description: "ServerTrustHTTP, ServerTrustNIO, ServerTrustWebSocket, ServerTrustURLSession, AppleNames"),
        .trait(name: "GRPC", description: "ServerTrustGRPC and ServerTrustNIO"),
        .trait(name: "Cache", description: "ServerTrustCache"),
        .trait(name: "Observability", description: "ServerTrustObservability"),
        .trait(name: "Testing", description: "ServerTrustTesting and ServerTrustLab"),
        // Enables no other trait, because the compiler gets several traits in a varying order, and each new order causes
        // a full rebuild.
        .trait(name: "Everything", description: "All of these, the command, the plugin and the package's own tests"),
    ],
    dependencies: requirements.map(\.dependency),
    targets: engineAndTrust + pins + clientModules + apple + testing + tool + command + forTests + [
        // The plugin builds the tool when it runs. With a dependency on the tool, every user would build it, and once
        // more for the host.
        .plugin(
            name: "LintPins",
            capability: .command(
                intent: .custom(
                    verb: "lint-pins", description: "Find what goes wrong with the package's files of pins.")))
    ]
)

// Only Scripts/build-release sets these, for the program that users install: the linker removes unused symbols, and takes
// ICU's data from an object file instead of Foundation's library. Dependent packages never see the flags.
if Context.environment["SERVERTRUST_LINKS_RUNTIME"] != nil {
    let unicodeData = Context.environment["SERVERTRUST_UNICODE_DATA"].map { [$0] } ?? []
    package.targets.first { $0.name == "ServerTrustCommand" }?.linkerSettings = [
        .unsafeFlags(["-Xlinker", "--no-export-dynamic"] + unicodeData)
    ]
}
