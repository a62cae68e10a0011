// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin
#endif

/// `swift package lint-pins [FILE…] [OPTIONS…]`: runs `servertrust pins lint` on the pin files of a package or an Xcode
/// project.
///
/// Without files, it lints the files that the tool recognizes by their contents in the folder of the package or
/// project. It takes the tool's options. `--live` needs `swift package --allow-network-connections all`, or
/// `--disable-sandbox` if there is a sandbox. `--write-baseline` needs `--allow-writing-to-package-directory`.
@main
struct LintPins: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try lint(context.package.directoryURL, context.package.displayName, arguments, with: try build())
    }

    /// Runs the tool in a folder, and reports its exit code as a diagnostic.
    private func lint(_ folder: URL, _ name: String, _ arguments: [String], with tool: URL) throws {
        let isNamed = arguments.first.map { !$0.hasPrefix("-") } ?? false
        let process = Process()
        process.executableURL = tool
        process.arguments = ["pins", "lint"] + (isNamed ? [] : ["."]) + arguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: break
        case 1: Diagnostics.error("pins of \(name): there are findings")
        case let status: Diagnostics.error("servertrust pins lint ended with exit code \(status)")
        }
    }

    /// Builds `servertrust`.
    private func build() throws -> URL {
        let build = try packageManager.build(
            .product("servertrust"), parameters: .init(configuration: .debug, logging: .concise))
        guard build.succeeded, let tool = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw BuildFailure(
                description:
                    "servertrust can't be built: it needs the trait Everything of swift-server-trust in your Package.swift. \(build.logText)"
            )
        }
        return tool.url
    }
}

#if canImport(XcodeProjectPlugin)
extension LintPins: XcodeCommandPlugin {
    /// Lints the files of a project. Xcode passes the selected targets as `--target NAME`, which the tool doesn't
    /// support.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        var arguments = ArgumentExtractor(arguments)
        _ = arguments.extractOption(named: "target")
        let tool = if let installed = try? context.tool(named: "servertrust") { installed.url } else { try build() }
        try lint(
            context.xcodeProject.directoryURL, context.xcodeProject.displayName, arguments.remainingArguments,
            with: tool)
    }
}
#endif

private struct BuildFailure: Error, CustomStringConvertible {
    let description: String
}
