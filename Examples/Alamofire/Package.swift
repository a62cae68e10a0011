// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Evaluators of this package in an Alamofire `Session`, for Apple platforms. The folder Linux has the scripts for Alamofire on Linux.
///
/// This package is not built in CI. Its one source file is type-checked on Linux against declared stubs of Alamofire's and of the
/// Security framework's symbols (`Tests/External/apple`), and was never run.
let package = Package(
    name: "AlamofireServerTrust",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "AlamofireServerTrust", targets: ["AlamofireServerTrust"])],
    dependencies: [
        // Named, because a path dependency is otherwise known by the name of its directory.
        .package(name: "swift-server-trust", path: "../.."),
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
