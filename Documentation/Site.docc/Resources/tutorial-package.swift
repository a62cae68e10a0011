// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "PinClient",
    dependencies: [
        .package(
            url: "<the address of this repository>", branch: "main", traits: ["HTTP"])
    ],
    targets: [
        .executableTarget(
            name: "PinClient",
            dependencies: [
                .product(name: "ServerTrustHTTP", package: "swift-server-trust")
            ])
    ]
)
