// swift-tools-version: 6.2
import PackageDescription

/// libFuzzer brings `main`, so no source file of a target may be a script.
let entry: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .unsafeFlags(["-parse-as-library"]),
]

func fuzz(_ name: String, _ product: String = "PKIX") -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: product, package: "swift-server-trust")],
        swiftSettings: entry
    )
}

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Named, because a path dependency is otherwise known by the name of its directory.
        .package(name: "swift-server-trust", path: "..")
    ],
    targets: [
        fuzz("FuzzDER"),
        fuzz("FuzzCertificate"),
        fuzz("FuzzNameConstraints"),
        fuzz("FuzzPEM"),
        fuzz("FuzzChain"),
        fuzz("FuzzPinSource", "ServerTrust"),
        fuzz("FuzzRecords", "ServerTrust"),
        fuzz("FuzzPinFormats", "PinConfiguration"),
    ]
)
