// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// `swift package lint-pins [FILE…] [OPTIONS…]`: `servertrust lint` on the files of pins of a package.
///
/// Without files, it searches the package for: property lists with `NSPinnedDomains` or TrustKit's `TSKPinnedDomains`,
/// `network_security_config.xml`, and `*.pins.json`, `*.pins.txt`. Options are the tool's own; `--live` needs
/// `swift package --allow-network-connections all`, or `--disable-sandbox` where there is one.
@main
struct LintPins: CommandPlugin {
    /// The size above which files aren't searched, in bytes; files of pins are smaller.
    private static let maximumSize = 32 << 20

    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let named = arguments.first.map { !$0.hasPrefix("-") } ?? false
        let files = named ? [] : Self.files(in: context.package.directoryURL)
        guard named || !files.isEmpty else {
            return Diagnostics.error(
                "no file of pins in \(context.package.displayName); name one: swift package lint-pins FILE")
        }
        let process = Process()
        process.executableURL = try tool()
        process.arguments = ["lint"] + files + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: break
        case 1: Diagnostics.error("pins of \(context.package.displayName): something was found")
        case let status: Diagnostics.error("servertrust lint ended with exit code \(status)")
        }
    }

    /// Builds `servertrust`.
    private func tool() throws -> URL {
        let build = try packageManager.build(
            .product("servertrust"), parameters: .init(configuration: .debug, logging: .concise))
        guard build.succeeded, let tool = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw BuildFailure(description: "servertrust can't be built: \(build.logText)")
        }
        return tool.url
    }

    /// Paths below the package's folder, sorted.
    private static func files(in folder: URL) -> [String] {
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles, .skipsPackageDescendants]
        guard let urls = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: options)
        else { return [] }
        let root = folder.standardizedFileURL.path + "/"
        return urls.compactMap { $0 as? URL }.filter(holdsPins).map(\.standardizedFileURL.path).sorted().map {
            $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0
        }
    }

    private static func holdsPins(_ file: URL) -> Bool {
        let name = file.lastPathComponent
        if name == "network_security_config.xml" || name.hasSuffix(".pins.json") || name.hasSuffix(".pins.txt") {
            return true
        }
        guard file.pathExtension == "plist", let data = try? Data(contentsOf: file), data.count <= maximumSize else {
            return false
        }
        return ["NSPinnedDomains", "TSKPinnedDomains"].contains { data.range(of: Data($0.utf8)) != nil }
    }
}

private struct BuildFailure: Error, CustomStringConvertible {
    let description: String
}
