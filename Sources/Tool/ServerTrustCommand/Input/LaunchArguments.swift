// SPDX-License-Identifier: Apache-2.0

import CLaunchArguments

/// The start of the process without the standard library's help.
///
/// On Linux the standard library reads arguments from /proc/self/cmdline. Chroots and hardened containers may be without it, so they are
/// taken from the loader, and from the standard library where the loader passes none on.
enum LaunchArguments {
    /// The arguments of the process, the program's name first.
    static let all: [String] = {
        let passed = (0..<servertrust_launch_argument_count()).compactMap(servertrust_launch_argument)
        return passed.isEmpty ? CommandLine.arguments : passed.map { String(cString: $0) }
    }()

    /// Whether threads are safe to use. Without /proc only the program that is linked with Swift's runtime is prepared for them.
    static var canUseThreads: Bool { servertrust_can_use_threads() }
}
