// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust
import ServerTrustLab

/// `servertrust lab run`: runs the servers until a signal arrives.
struct RunLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "lab run", abstract: "Run the lab's servers until a signal.")

    @Option(
        parsing: .upToNextOption, help: .book("lab run --scenario"), completion: LabScenario.completion,
        transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: ArgumentHelp("Use 150 ports, starting at this one.", valueName: "n"))
    var portBase = 8440

    @Option(help: .book("lab run --folder"), completion: .directory)
    var folder: String?

    @Flag(help: "Show the scenarios without starting them.")
    var list = false

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    @OptionGroup(title: "Chains Without Servers", visibility: .wholePage)
    var chains: LabRequestOptions

    func validate() throws {
        try OptionRule.check(
            .range("--port-base", portBase, 1...(65_536 - Lab.portCount)),
            .that(folder?.isEmpty != true, "--folder requires a name"),
            .excludes(["--list": list, "--folder": folder], ": --list writes no files"),
            .excludes(
                "--requests", chains.requests, ["--list": list, "--folder": folder, "--port-base": portBase != 8440],
                ": it starts no server"),
            .excludes(
                "--requests", chains.requests, ["--format": format != .text],
                ": set the format of chains with --requests-format"))
        if chains.requests != nil { _ = try chains.scenarios(scenario) }
    }

    func run() async throws {
        if let count = chains.requests { return try await writeChains(count) }
        // Each scenario once, in the order of the ports.
        let scenarios = LabScenario.all.filter { scenario.isEmpty || scenario.contains($0) }
        let table = LabTable(portBase: portBase, format: format)
        guard !list else { return try table.write(scenarios) }
        // Installed before the first server starts, so that a signal never leaves a server or file behind.
        let signals = StopSignals()
        let lab = try await start(scenarios)
        let files: LabFiles
        do throws(AuthorityFolderError) {
            files = try LabFiles.write(lab, to: folder)
        } catch {
            await lab.stop()
            throw CommandFailure(
                error.description, hint: "nothing was written, and no server runs; name another folder with --folder")
        }
        do {
            try table.write(lab, files)
            await signals.wait()
        } catch {
            await lab.stop()
            files.remove()
            throw error
        }
        await lab.stop()
        files.remove()
    }

    private func writeChains(_ count: Int) async throws {
        let run = try LabRequestRun(
            chains.scenarios(scenario), count: count, seed: chains.seed ?? 1, format: chains.chainFormat)
        if let path = chains.writeAnchors { try run.writeAnchors(to: path, replacing: chains.force) }
        try await run.write()
    }

    private func start(_ scenarios: [LabScenario]) async throws -> Lab {
        do {
            return try await Lab.start(scenarios, portBase: portBase)
        } catch let error as LabPortError {
            throw CommandFailure(
                error.description,
                hint: error.code == .labPortNotPermitted
                    ? "no server runs; use --port-base 1024 or higher"
                    : "no server runs; use other ports, such as with --port-base \(portBase == 9440 ? 10_440 : 9440)")
        } catch {
            throw CommandFailure("the lab can't be started: \(error)")
        }
    }
}

/// `servertrust lab`: the verbs for misbehaving TLS servers.
struct LabVerbs: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "lab", abstract: "Start TLS servers that are broken in known ways.",
        subcommands: [RunLab.self, Demo.self],
        defaultSubcommand: RunLab.self)
}

extension LabScenario {
    /// Returns the scenario of that name, for options whose values are scenarios.
    /// - Throws: ``ValidationError`` with similar names.
    @Sendable static func named(inArgument name: String) throws -> LabScenario {
        if let scenario = named(name) { return scenario }
        let similar = similar(to: name, among: all.map(\.name))
        throw ValidationError(
            "unknown scenario \"\(printable(name))\""
                + (similar.isEmpty
                    ? "; servertrust lab --list shows the names" : "; did you mean \(similar.joined(separator: ", "))?")
        )
    }

    /// The names of all scenarios, for shell completion.
    static let completion = CompletionKind.list(all.map(\.name))
}
