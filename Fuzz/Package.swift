// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// libFuzzer brings `main`, so no source file of a target may be a script.
let entry: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-parse-as-library"]),
]

func fuzz(_ name: String, _ product: String = "PKIX", and others: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: product, package: "swift-server-trust")] + others,
        swiftSettings: entry
    )
}

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Named, because a path dependency is otherwise known by the name of its directory.
        .package(name: "swift-server-trust", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // Code that targets share; its name doesn't begin as theirs do.
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
        // The sources of a target that no product has, by a link; without the file that needs more of PKIX than its users see.
        .target(
            name: "HandshakeProbeCore", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            exclude: ["Looking/HandshakeSignature.swift"], swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "FuzzHandshake",
            dependencies: ["HandshakeProbeCore", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: entry),
        // Built by itself, as the fuzzer would bring another `main`: see run.sh and CONTRIBUTING.md.
        .executableTarget(name: "CostTable", dependencies: ["CostlyChains"], swiftSettings: entry),
        fuzz("FuzzDER"),
        fuzz("FuzzCertificate"),
        fuzz("FuzzCertificateCollection"),
        fuzz("FuzzNameConstraints"),
        fuzz("FuzzPEM"),
        fuzz("FuzzChain"),
        fuzz("FuzzCRL", and: "FixedChain"),
        fuzz("FuzzOCSP", and: "FixedChain"),
        fuzz("FuzzPKCS12", "SecurityCompatibility"),
        // `Inspection` is in no product; SecurityCompatibility depends on it.
        fuzz("FuzzInspection", "SecurityCompatibility"),
        fuzz("FuzzPinSource", "PinFormats", and: .product(name: "ServerTrust", package: "swift-server-trust")),
        fuzz("FuzzRecords", "ServerTrust"),
        fuzz("FuzzRootList", "ServerTrust"),
        fuzz("FuzzDeniedList", "ServerTrust"),
        fuzz("FuzzFilter"),
        fuzz("FuzzTransparency", "ServerTrust"),
        fuzz("FuzzPinList", "PinUpdates"),
        fuzz("FuzzPinFormats", "PinFormats"),
        fuzz("FuzzCost", "ServerTrust", and: "CostlyChains"),
    ]
)
