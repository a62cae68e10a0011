// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The settings of every target: Swift 6 language mode (the tools version's default) and no warnings.
let ours: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// Every unsafe operation must be marked.
let strict = ours + [.strictMemorySafety()]

/// The settings of a target written for Apple platforms: it sees modules of this package and swift-crypto under Apple's
/// names, and the deprecated functions that apps still use.
let appleNames: [SwiftSetting] = [
    .unsafeFlags(
        ["Security=AppleNames", "CryptoKit=Crypto", "CommonCrypto=CommonCryptoCompatibility"].flatMap {
            ["-module-alias", $0]
        }, .when(platforms: [.linux])),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// Another package, its products that targets use, and the traits that need it in addition to `Everything`. Without
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
    Set(names.split(separator: " ")).sorted().map { name in
        guard let needed = requirements.first(where: { $0.products.contains { $0 == name } }) else {
            return .byName(name: String(name))
        }
        return .product(
            name: String(name), package: String(needed.name), moduleAliases: nil,
            condition: needed.traits.flatMap { .when(traits: $0) })
    }
}

/// Declares a module of `Sources` and its tests.
/// - Parameters:
///   - place: the folder and the name. `uses` has the targets and products that the module uses, separated by spaces.
///   - tests: its test targets, each with what it uses besides the module, `uses` and `ServerTrustTesting`.
@MainActor func module(
    _ place: String, uses: String, settings: [SwiftSetting] = ours, isProgram: Bool = false,
    tests: KeyValuePairs<String, String> = [:]
) -> [Target] {
    let parts = place.split(separator: "/")
    return [
        isProgram ? program("Sources/\(place)", uses: uses) : shared("Sources/\(place)", uses: uses, settings: settings)
    ]
        + tests.map { test, more in
            .testTarget(
                name: test, dependencies: using("\(parts[1]) ServerTrustTesting \(uses) \(more)"),
                path: "Tests/\(parts[0])/\(test)", exclude: test == "ServerTrustCommandTests" ? ["Golden"] : [],
                // Not optimized even next to optimized libraries (Scripts/test), because optimizing takes longer than
                // running. No product contains a test, so dependent packages never see this flag.
                swiftSettings: ours + (test == "UnchangedDelegatesTests" ? appleNames : [])
                    + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
        }
}

/// Declares a program, or a module without tests, by its path.
@MainActor func program(_ path: String, uses: String) -> Target {
    .executableTarget(name: name(path), dependencies: using(uses), path: path, swiftSettings: ours)
}
@MainActor func shared(_ path: String, uses: String = "", settings: [SwiftSetting] = ours) -> Target {
    .target(name: name(path), dependencies: using(uses), path: path, swiftSettings: settings)
}
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

/// What several targets use.
let grpc = "GRPCCore GRPCNIOTransportHTTP2Posix ServerTrustGRPC "
let nio = "NIOCore NIOHTTP1 NIOPosix NIOSSL NIOTLS "

let engineAndTrust: [[Target]] = [
    module(
        "Engine/PKIX", uses: "Atomics Crypto CryptoExtras",
        // Readers of hostile bytes are non-escapable views.
        settings: strict + [.enableExperimentalFeature("Lifetimes")], tests: ["PKIXTests": "OpenSSLSamples"]),
    module(
        "Trust/ServerTrust", uses: "Crypto CryptoExtras PKIX SwiftASN1",
        tests: [
            "ServerTrustTests": "OpenSSLSamples TrustScenes",
            "TrustRecordsTests": "TrustRecordsWriter TrustScenes",
            // Tests fetching from other servers: nginx and OpenSSL.
            "ServerTrustFetchingTests": "ServerTrustCache ServerTrustHTTP ServerTrustLab ServerTrustNIO TrustScenes",
        ]),
    module(
        "Trust/ServerTrustCache", uses: "GRDB PKIX ServerTrust",
        tests: ["ServerTrustCacheTests": "ServerTrustCacheWriter"]),
    module(
        "Trust/ServerTrustObservability", uses: "Logging Metrics PKIX ServerTrust",
        tests: ["ServerTrustObservabilityTests": "InMemoryLogging MetricsTestKit TrustScenes"]),
]

let pins: [[Target]] = [
    module(
        "Pins/ServerTrustPins", uses: "Crypto PKIX ServerTrust",
        // PinLint provides losses and other formats: the library reads an app's file, and the command writes it.
        tests: ["ServerTrustPinsTests": "PinLint PinTestSupport", "PinUpdatesTests": "PinTestSupport ServerTrustLab"]),
    // Pins in sources and in tools' files, conversion and lint. For the command and for build tools, not for apps.
    module("Pins/PinLint", uses: "PKIX ServerTrust ServerTrustPins", tests: ["PinLintTests": "PinTestSupport"]),
]

let clientModules: [[Target]] = [
    // Weak symbols of NIOSSL's BoringSSL: if one is missing, programs still link and NIOSSLInternals fails closed.
    [.target(name: "CNIOSSLSymbols", path: "Sources/Clients/CNIOSSLSymbols")],
    // For sessions, WebSocket messages and bulk audits. Loads the machine's libzstd and libbrotlidec on demand.
    [.target(name: "CDecompression", path: "Sources/Clients/CDecompression", linkerSettings: [.linkedLibrary("z")])],
    module("Clients/Decompression", uses: "CDecompression"),
    module(
        "Clients/ServerTrustNIO",
        uses: nio + "CNIOSSLSymbols NIOConcurrencyHelpers NIOExtras NIOSOCKS PKIX ServerTrust", settings: strict,
        tests: ["ServerTrustNIOTests": "NIOEmbedded PeerScripts ServerTrustLab"]),
    module(
        "Clients/ServerTrustHTTP",
        uses: nio + "AsyncHTTPClient Configuration Crypto Logging NIOHTTP2 NIOHTTPCompression PKIX ServerTrust "
            + "ServerTrustNIO ServerTrustPins ServiceLifecycle Tracing",
        tests: [
            "ServerTrustHTTPTests": grpc + "InMemoryTracing NIOEmbedded PeerScripts ServerTrustLab ServerTrustWebSocket"
        ]
    ),
    module(
        "Clients/ServerTrustWebSocket",
        uses: "Decompression NIOCore NIOHTTP1 NIOPosix NIOTLS NIOWebSocket PKIX ServerTrust ServerTrustNIO",
        tests: ["ServerTrustWebSocketTests": "Crypto NIOSSL PeerScripts ServerTrustLab"]),
    module(
        "Clients/ServerTrustGRPC",
        uses: "GRPCCore GRPCNIOTransportHTTP2Posix NIOCore NIOHTTP2 NIOPosix NIOSSL PKIX ServerTrust ServerTrustNIO",
        tests: ["ServerTrustGRPCTests": "PeerScripts ServerTrustLab"]),
]

let apple: [[Target]] = [
    // The names of Apple's Security framework, for platforms without it. Empty where the framework exists.
    module(
        "Apple/SecurityCompatibility", uses: "Crypto CryptoExtras PKIX ServerTrust",
        // The scenarios only use Apple's API. Tests/External/apple also compiles them against stubs of it.
        tests: ["SecurityCompatibilityTests": "ServerTrustLab ServerTrustURLSession"]),
    module("Apple/CommonCryptoCompatibility", uses: "Crypto", tests: ["CommonCryptoCompatibilityTests": ""]),
    // Delegate protocols with the async form of challenges, for platforms where Foundation's protocols lack it.
    module("Apple/SessionDelegates", uses: "PKIX"),
    module(
        "Apple/ServerTrustURLSession",
        uses: nio
            + "AsyncHTTPClient Crypto Decompression Logging PKIX SecurityCompatibility ServerTrust ServerTrustHTTP "
            + "ServerTrustNIO SessionDelegates",
        tests: ["ServerTrustURLSessionTests": "PeerScripts ServerTrustLab Swift5Delegates TrustScenes"]),
    // The module that a target on Linux imports as `Security`, with the compiler's -module-alias.
    module(
        "Apple/AppleNames",
        uses: "CommonCryptoCompatibility SecurityCompatibility ServerTrustURLSession SessionDelegates",
        // Delegates and a trust layer for Apple platforms, without any line for Linux, tested against lab servers.
        tests: ["UnchangedDelegatesTests": "Crypto PKIX ServerTrust ServerTrustLab"]),
    module(
        "Apple/ServerTrustMigration", uses: "PKIX ServerTrust ServerTrustPins",
        tests: ["ServerTrustMigrationTests": "PinTestSupport"]),
]

let testing: [[Target]] = [
    module(
        "Testing/ServerTrustTesting", uses: "Crypto CryptoExtras PKIX ServerTrust SwiftASN1 X509",
        tests: ["ServerTrustTestingTests": ""]),
    module(
        "Testing/ServerTrustLab",
        uses: nio
            + "Crypto NIOConcurrencyHelpers NIOHTTP2 PKIX ServerTrust ServerTrustPins ServerTrustTesting SwiftASN1",
        tests: ["ServerTrustLabTests": ""]),
]

let tool: [[Target]] = [
    // Explains failures, reads and describes objects in files of any format, and draws reports.
    module(
        "Tool/Diagnosis", uses: "Crypto CryptoExtras PKIX PinLint ServerTrust",
        tests: ["DiagnosisTests": "TrustScenes"]),
    // Observes a server's handshake, like `check`, and connects to the lab's servers. Not part of any product.
    module(
        "Tool/ServerObservation", uses: "Crypto NIOCore PKIX ServerTrust ServerTrustLab ServerTrustNIO",
        settings: strict, tests: ["HandshakeProbeTests": "CryptoExtras", "ServerObservationTests": "PeerScripts"]),
    // The command's certificate authority. Not part of any product.
    module("Tool/PrivateCA", uses: "PKIX ServerTrust ServerTrustTesting SwiftASN1 X509", tests: ["PrivateCATests": ""]),
    // For Scripts/demo: a first verdict without the command's modules. Not part of any product.
    module("Tool/Demo", uses: "ServerObservation ServerTrust ServerTrustLab", isProgram: true),
    // A target `servertrust`, like its product, would collide with `ServerTrust` on a file system that ignores case.
    module(
        "Tool/ServerTrustCommand",
        uses: "ArgumentParser Crypto Decompression Diagnosis PKIX PinLint PrivateCA ServerObservation ServerTrust "
            + "ServerTrustCache ServerTrustHTTP ServerTrustLab ServerTrustNIO ServerTrustPins",
        isProgram: true,
        tests: [
            "ServerTrustCommandTests": grpc + nio + "AsyncHTTPClient OpenSSLSamples PeerScripts "
                + "ServerTrustURLSession ServerTrustWebSocket TrustScenes"
        ]),
]

/// Modules that tests share, and programs that tests start.
let forTests: [Target] = [
    shared("Tests/Engine/OpenSSLSamples"),
    shared("Tests/Trust/TrustScenes", uses: "PKIX ServerTrust ServerTrustTesting"),
    shared("Tests/Pins/PinTestSupport", uses: "PKIX ServerTrust ServerTrustPins ServerTrustTesting"),
    // Peers and proxies on loopback.
    shared("Tests/Clients/PeerScripts", uses: nio + "PKIX ServerTrustLab ServerTrustNIO ServerTrustTesting"),
    shared(
        "Tests/Apple/Swift5Delegates", uses: "PKIX ServerTrust ServerTrustURLSession",
        settings: ours + [.swiftLanguageMode(.v5)]),
    // Record or write to a cache until a test kills them.
    program("Tests/Trust/TrustRecordsWriter", uses: "PKIX ServerTrust ServerTrustTesting"),
    program("Tests/Trust/ServerTrustCacheWriter", uses: "PKIX ServerTrust ServerTrustCache"),
    // Runs features with this package's clients and with others, in one process per cell of Documentation/Features.md.
    program(
        "Tests/Clients/ClientTrials",
        uses: nio + "AsyncHTTPClient NIOHTTP2 PKIX PeerScripts SecurityCompatibility ServerTrust ServerTrustHTTP "
            + "ServerTrustLab ServerTrustTesting ServerTrustURLSession ServerTrustWebSocket TrustScenes"),
    // Runs all clients against servers and proxies that send random answers (Fuzz/README.md).
    program(
        "Tests/Clients/RandomPeers",
        uses: grpc + nio + "AsyncHTTPClient Crypto PKIX ServerObservation ServerTrust ServerTrustHTTP ServerTrustNIO "
            + "ServerTrustPins ServerTrustTesting ServerTrustURLSession ServerTrustWebSocket TrustScenes"),
]

let libraries = """
    AppleNames CommonCryptoCompatibility Diagnosis PKIX PinLint SecurityCompatibility ServerTrust ServerTrustCache \
    ServerTrustGRPC ServerTrustHTTP ServerTrustLab ServerTrustMigration ServerTrustNIO ServerTrustObservability \
    ServerTrustPins ServerTrustTesting ServerTrustURLSession ServerTrustWebSocket
    """

/// Whether every trait is enabled: by a checkout's scripts, and for the documentation of the Swift Package Index.
let isWhole = ["SERVERTRUST_EVERYTHING", "SPI_GENERATE_DOCS"].contains { Context.environment[$0] != nil }

let package = Package(
    name: "swift-server-trust",
    platforms: [.macOS(.v13), .iOS(.v16)],
    // Documentation/Libraries.md says what each is for, and which are supported, companions or experimental.
    products: libraries.split(separator: " ").map { .library(name: String($0), targets: [String($0)]) } + [
        .executable(name: "servertrust", targets: ["ServerTrustCommand"]),
        .plugin(name: "LintPins", targets: ["LintPins"]),
    ],
    traits: [
        .default(enabledTraits: isWhole ? ["Everything"] : []),
        .trait(name: "HTTP", description: "ServerTrustHTTP, -NIO, -WebSocket, -URLSession and AppleNames"),
        .trait(name: "GRPC", description: "ServerTrustGRPC and ServerTrustNIO"),
        .trait(name: "Cache", description: "ServerTrustCache"),
        .trait(name: "Observability", description: "ServerTrustObservability"),
        .trait(name: "Testing", description: "ServerTrustTesting and ServerTrustLab"),
        // Enables no other trait: the compiler gets several in a varying order, and then compiles everything again.
        .trait(name: "Everything", description: "All of these, the command, the plugin and the package's own tests"),
    ],
    dependencies: requirements.map(\.dependency),
    targets: (engineAndTrust + pins + clientModules + apple + testing + tool).joined() + forTests + [
        // Builds the tool when it runs. With a dependency on the tool, every user would build it twice.
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
