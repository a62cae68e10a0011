// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The folder with the toolchain's own SwiftSyntax, which `Fuzz/mutation/run` passes. Building swift-syntax from source
/// would take longer than all mutants of a sample.
let host = Context.environment["MUTATION_SYNTAX"] ?? "/usr/lib/swift/host"

let package = Package(
    name: "Mutation",
    platforms: [.macOS(.v13)],
    targets: [
        .executableTarget(
            name: "Mutate",
            swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-I", host])],
            linkerSettings: [
                .unsafeFlags([
                    "-L", host, "-lSwiftSyntax", "-lSwiftParser", "-lSwiftOperators", "-Xlinker", "-rpath", "-Xlinker",
                    host,
                ])
            ])
    ]
)
