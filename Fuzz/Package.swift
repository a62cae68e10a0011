// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// With SERVERTRUST_FUZZ_REPLAY, the fuzz targets are libraries of one program without libFuzzer, which `Fuzz/replay`
/// builds.
let replays = Context.environment["SERVERTRUST_FUZZ_REPLAY"] != nil

/// libFuzzer defines `main`, so no source file of a target may be a script.
let entry: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-parse-as-library"]),
]

/// A fuzz target: a program that libFuzzer completes, or a library. The function of a library has no C name, because
/// all targets would use the same one.
func fuzz(_ name: String, dependencies: [Target.Dependency]) -> Target {
    replays
        ? .target(
            name: name, dependencies: dependencies,
            swiftSettings: [.treatAllWarnings(as: .error), .define("REPLAY")])
        : .executableTarget(name: name, dependencies: dependencies, swiftSettings: entry)
}

func fuzz(_ name: String, _ product: String = "PKIX", and others: Target.Dependency...) -> Target {
    fuzz(name, dependencies: [.product(name: product, package: "swift-server-trust")] + others)
}

let targets: [Target] = [
    fuzz("FuzzHandshake", dependencies: ["HandshakeProbeCore", .product(name: "Crypto", package: "swift-crypto")]),
    fuzz("FuzzDER"),
    fuzz("FuzzCertificate"),
    fuzz("FuzzCertificateCollection"),
    fuzz("FuzzNameConstraints"),
    fuzz("FuzzPEM"),
    fuzz("FuzzChain"),
    fuzz("FuzzCRL", and: "FixedChain"),
    fuzz("FuzzOCSP", and: "FixedChain"),
    fuzz("FuzzPKCS12", "SecurityCompatibility"),
    fuzz("FuzzInspection", "Diagnosis"),
    fuzz("FuzzPinSource", "PinLint", and: .product(name: "ServerTrust", package: "swift-server-trust")),
    fuzz("FuzzRecords", "ServerTrust"),
    fuzz("FuzzReplay", "ServerTrust"),
    fuzz("FuzzRootList", "ServerTrust"),
    fuzz("FuzzDeniedList", "ServerTrust"),
    fuzz("FuzzFilter"),
    fuzz("FuzzTransparency", "ServerTrust"),
    fuzz("FuzzPinList", "ServerTrustPins"),
    fuzz("FuzzPinFormats", "PinLint", and: .product(name: "ServerTrustPins", package: "swift-server-trust")),
    fuzz("FuzzCost", "ServerTrust", and: "CostlyChains"),
]

/// The program that runs all targets. Its name has another prefix, so that scripts don't take it for a target.
let replay: [Target] =
    replays
    ? [
        .executableTarget(
            name: "Replay", dependencies: targets.map { .target(name: $0.name) }, swiftSettings: entry)
    ] : []

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v13)],
    products: replays ? [.executable(name: "FuzzReplay", targets: ["Replay"])] : [],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        .package(name: "swift-server-trust", path: "..", traits: ["Everything"]),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // Code that targets share. Its name has another prefix than the targets.
        .target(
            name: "FixedChain", dependencies: [.product(name: "PKIX", package: "swift-server-trust")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CostlyChains",
            dependencies: [
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // Links to the sources of a target that isn't part of a product, and to the TLS sources that it shares, except
        // the file that needs parts of PKIX that aren't public.
        .target(
            name: "HandshakeProbeCore", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            path: "Sources/HandshakeProbeParts", exclude: ["Probe/Looking/HandshakeSignature.swift"],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // Built separately, because the fuzzer would add another `main`: see run.sh and Documentation/Development.md.
        .executableTarget(name: "CostTable", dependencies: ["CostlyChains"], swiftSettings: entry),
    ] + targets + replay
)
