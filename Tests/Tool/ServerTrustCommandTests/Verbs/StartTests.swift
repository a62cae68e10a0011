// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The start of the program and its input, for any verb.
@Suite("Start and input") struct StartTests {
    private static let shell = "/bin/sh"

    /// - Returns: The exit code and both outputs of a shell command, where `$0` is the program's path.
    private func run(_ script: String, _ arguments: [String] = []) throws -> (
        status: Int32, output: Data, errors: String
    ) {
        try TemporaryFolder.with { folder in
            let output = try folder.write("output", Data())
            let errors = try folder.write("errors", Data())
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.shell)
            process.arguments = ["-c", script, Tool.url.path] + arguments
            process.environment = Tool.environment(anchors: nil)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            process.waitUntilExit()
            return (
                process.terminationStatus, try Data(contentsOf: output),
                String(decoding: try Data(contentsOf: errors), as: UTF8.self)
            )
        }
    }

    /// Whether this machine lets a process unmount /proc in its own mount namespace.
    static let canHideProc: Bool = {
        #if os(Linux)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: shell)
        process.arguments = ["-c", "unshare -m sh -c 'umount -l /proc && test ! -e /proc/self'"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
        #else
        return false
        #endif
    }()

    /// Tests/External/minimal-debian does the same with the installed program.
    @Test(
        "Without /proc, every call to the command exits with 2", .enabled(if: canHideProc),
        arguments: [[], ["--version"], ["verify", "/nonexistent.pem"], ["explain", "--list"]])
    func withoutProc(_ arguments: [String]) throws {
        let outcome = try run(#"exec unshare -m sh -c 'umount -l /proc && exec "$0" "$@"' "$0" "$@""#, arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("servertrust: error:") && outcome.errors.contains("/proc"))
        #expect(outcome.errors.contains("servertrust: hint:"))
    }

    @Test("With /proc, a call without arguments prints help, and other calls run normally")
    func withArguments() throws {
        #expect(try run(#"exec "$0" "$@""#).status == 0)
        #expect(try run(#"exec "$0" "$@""#, ["--version"]).status == 0)
        #expect(try run(#"exec "$0" "$@""#, ["verify", "/nonexistent.pem"]).status == 2)
    }

    // MARK: - Libraries

    /// The shared libraries that the program is allowed to load. Each one slows down every start and must exist on
    /// users' machines.
    static let libraries: Set<String> = [
        "libBlocksRuntime", "libFoundation", "libFoundationEssentials", "libFoundationInternationalization",
        "lib_FoundationICU", "libc", "libdispatch", "libgcc_s", "libm", "libsqlite3", "libstdc++", "libswiftCore",
        "libswiftDispatch", "libswiftGlibc",
        "libswiftSwiftOnoneSupport", "libswiftSynchronization", "libswift_Builtin_float", "libswift_Concurrency",
        "libswift_RegexParser", "libswift_StringProcessing", "libz", "ld-linux-x86-64", "ld-linux-aarch64",
        "linux-vdso",
    ]

    static let ldd = ["/usr/bin/ldd", "/bin/ldd"].first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("The program loads only the allowed shared libraries", .enabled(if: ldd != nil, "ldd is not installed"))
    func sharedLibraries() throws {
        let outcome = try Process.run(try #require(Self.ldd), [Tool.url.path])
        #expect(outcome.status == 0)
        let names = outcome.text.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first?.trimmingPrefix(/[\t ]*/).split(separator: "/").last?
                .split(separator: ".so").first.map(String.init)
        }
        #expect(names.contains("libswiftCore"))
        #expect(Set(names).subtracting(Self.libraries).isEmpty)
    }

    // MARK: - Input

    @Test("The command reads 64 MB completely from a file, standard input or a pipe")
    func large() throws {
        try TemporaryFolder.with { folder in
            // PEM comments before the certificate. The reader finds the certificate only if it reads everything before
            // it.
            let line = Data((String(repeating: "x", count: 63) + "\n").utf8)
            var contents = Data(capacity: 65 << 20)
            for _ in 0..<(1 << 20) { contents.append(line) }
            contents.append(Data(try Lab.shared().selfSigned.pem.utf8))
            let file = try folder.write("large.pem", contents).path
            let anchor = try folder.write("anchor.pem", Data(try Lab.shared().selfSigned.pem.utf8)).path
            let verify = ["--anchors", anchor, "--host", Lab.host, "--time", Lab.time]
            for (script, name) in [
                (#"exec "$0" "$@""#, file), (#"exec "$0" "$@" < \#(file)"#, "-"), (#"cat \#(file) | "$0" "$@""#, "-"),
            ] {
                let outcome = try run(script, ["verify", name] + verify)
                #expect(outcome.status == 0, "\(script): \(outcome.errors)")
            }
        }
    }

    @Test("Input over the limit causes an error, whether from a file, a pipe or an endless device")
    func tooLarge() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("sparse", Data())
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(256 << 20) + 1)
            try handle.close()
            for (script, name) in [
                (#"exec "$0" "$@""#, file.path), (#"cat \#(file.path) | "$0" "$@""#, "-"),
                (#"exec "$0" "$@""#, "/dev/zero"),
            ] {
                let outcome = try run(script, ["verify", name])
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("256 MiB"))
            }
        }
    }
}
