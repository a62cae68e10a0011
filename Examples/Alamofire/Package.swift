// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// This package's evaluators in an Alamofire `Session`, for Apple platforms. The folder Linux has the scripts for
/// Alamofire on Linux.
///
/// CI doesn't build this package. On Linux, its only source file is type-checked against stubs of Alamofire's and the
/// Security framework's symbols (`Tests/External/apple`). It has never been run.
let package = Package(
    name: "AlamofireServerTrust",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "AlamofireServerTrust", targets: ["AlamofireServerTrust"])],
    dependencies: [
        // The name is explicit because a path dependency is otherwise named after its directory.
        .package(name: "swift-server-trust", path: "../..", traits: ["HTTP", "Testing"]),
        .package(url: "https://github.com/Alamofire/Alamofire.git", from: "5.9.0"),
    ],
    targets: [
        .target(
            name: "AlamofireServerTrust",
            dependencies: [
                .product(name: "ServerTrust", package: "swift-server-trust"),
                .product(name: "Alamofire", package: "Alamofire"),
            ])
    ]
)
