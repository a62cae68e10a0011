// SPDX-License-Identifier: Apache-2.0

// Declared stubs of the symbols of Xcode's XcodeProjectPlugin that Plugins/LintPins uses. Nothing behind them.
import Foundation
import PackagePlugin

/// A command plugin for Xcode projects.
public protocol XcodeCommandPlugin: Plugin {
    /// Performs the command for a project.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

/// The project that a plugin is run for.
public struct XcodePluginContext {
    /// The project.
    public let xcodeProject: XcodeProject

    /// Returns a tool that the plugin depends on, or one of the toolchain.
    public func tool(named name: String) throws -> PluginContext.Tool { throw CocoaError(.fileNoSuchFile) }
}

/// A project.
public struct XcodeProject {
    /// The name for people.
    public let displayName: String
    /// The folder of the project.
    public let directoryURL: URL
}
