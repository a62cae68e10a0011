// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    dependencies: [
        // Named, because a path dependency is otherwise known by the name of its directory.
        .package(name: "swift-server-trust", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "validate-chain",
            dependencies: [
                .product(name: "PKIX", package: "swift-server-trust"),
                .product(name: "ServerTrust", package: "swift-server-trust"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]
        )
    ]
)
