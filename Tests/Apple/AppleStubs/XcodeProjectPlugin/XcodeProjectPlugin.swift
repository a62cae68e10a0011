// SPDX-License-Identifier: Apache-2.0

// Stubs of the symbols in Xcode's XcodeProjectPlugin that Plugins/LintPins uses. The stubs don't do anything.
import Foundation
import PackagePlugin

/// A command plugin for Xcode projects.
public protocol XcodeCommandPlugin: Plugin {
    /// Performs the command for a project.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

/// The context of a plugin run for a project.
public struct XcodePluginContext {
    /// The project.
    public let xcodeProject: XcodeProject

    /// Returns a tool that the plugin depends on, or a tool from the toolchain.
    public func tool(named name: String) throws -> PluginContext.Tool { throw CocoaError(.fileNoSuchFile) }
}

/// A project.
public struct XcodeProject {
    /// The name to display.
    public let displayName: String
    /// The project's folder.
    public let directoryURL: URL
}
