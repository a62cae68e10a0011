// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust
import ServerTrustLab

/// `servertrust lab run`: runs the servers until a signal arrives.
struct RunLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the lab's servers until a signal.",
        usage: """
            servertrust lab [--scenario <name> ...] [<options>]
            servertrust lab --requests <n> [--scenario <name> ...] [<options>]
            """,
        discussion: HelpDetail.discussion(
            """
            Runs until Ctrl-C or SIGTERM. The names aren't in DNS: clients connect to
            127.0.0.1 and send the name in the handshake. One file contains all roots.

            $ servertrust lab --scenario good expired
            2 servers on 127.0.0.1

            https://api.lab.test:8440   good      trusted
                                        a valid chain with P-256 keys
            https://api.lab.test:8446   expired   certificateExpired
                                        expired yesterday

            roots        /tmp/servertrust-lab-Xb3QzW/roots.pem
            ...

            $ curl --cacert /tmp/servertrust-lab-Xb3QzW/roots.pem \\
                --connect-to ::127.0.0.1: https://api.lab.test:8446/
            curl: (60) SSL certificate problem: certificate has expired

            A scenario has the same port in every run. --list --format json shows it. The
            keys are public: don't install these roots anywhere.

            --requests writes the scenarios' chains instead of starting servers, each with
            a different leaf and host. Four of five are good, the others take turns:

            $ servertrust lab --requests 1000000 > requests.jsonl
            $ servertrust verify --batch < requests.jsonl > answers.jsonl

            The id is SCENARIO-NUMBER, and --list shows the expected answer. There are no
            chains for handshakes, the redirect, timestamps from logs, root programs' lists,
            rules other than pins, or budgets. CSV has no settings, so it also lacks
            scenarios for strict rules, limits, pins and revocation. A seed always gives the same ids, hosts and serial numbers. Keys and
            dates differ.
            """))

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Choose servers; --list shows the names. (default: all)", valueName: "name"),
        completion: LabScenario.completion, transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: ArgumentHelp("Use 150 ports, starting at this one.", valueName: "n"))
    var portBase = 8440

    @Option(
        help: ArgumentHelp(
            "Write the roots to this folder, and remove them at the end. (default: a new one in TMPDIR)",
            valueName: "folder"),
        completion: .directory)
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
