// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust
import ServerTrustLab

/// `servertrust lab run`: the servers, until a signal.
struct RunLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Start the lab's servers, until a signal.",
        usage: """
            servertrust lab [--scenario <name> ...] [<options>]
            servertrust lab --requests <n> [--scenario <name> ...] [<options>]
            """,
        discussion: HelpDetail.discussion(
            """
            Runs until Ctrl-C or SIGTERM. The names are in no DNS: clients connect to
            127.0.0.1 and give the name to TLS. One file has the roots for all of them.

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

            A scenario has the same port in every run; --list --format json has it. The
            keys are public: don't install these roots anywhere.

            --requests writes the scenarios' chains instead of starting servers, each with
            a different leaf and host. Four of five are good, the others take turns:

            $ servertrust lab --requests 1000000 > requests.jsonl
            $ servertrust verify --batch < requests.jsonl > answers.jsonl

            The id is SCENARIO-NUMBER, and the answer the one that --list expects. Left out
            are handshakes, the redirect, timestamps of logs, lists of root programs, rules
            other than pins, and budgets. Formats other than requests have no settings:
            scenarios of strict rules, limits, pins and revocation are left out there too.
            A seed leads to the same ids, hosts and serial numbers; keys and dates differ.
            """))

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Which servers; --list has the names. (default: all)", valueName: "name"),
        completion: LabScenario.completion, transform: LabScenario.named(inArgument:))
    var scenario: [LabScenario] = []

    @Option(help: ArgumentHelp("The first of 150 ports.", valueName: "n"))
    var portBase = 8440

    @Option(
        help: ArgumentHelp(
            "Where the roots are written; removed at the end. (default: a new one in TMPDIR)", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Show the scenarios and start nothing.")
    var list = false

    @Option(help: "The format of the report.")
    var format: OutputFormat = .text

    @OptionGroup(title: "Chains Without Servers", visibility: .wholePage)
    var chains: LabRequestOptions

    func validate() throws {
        let ports = 1...(65_536 - Lab.portCount)
        guard ports.contains(portBase) else {
            throw ValidationError("--port-base is \(ports.lowerBound) to \(ports.upperBound), found \(portBase)")
        }
        guard folder?.isEmpty != true else { throw ValidationError("--folder needs a name") }
        guard !list || folder == nil else { throw ValidationError("--list writes no files: leave --folder out") }
        guard chains.requests != nil else { return }
        let other = list ? "--list" : folder != nil ? "--folder" : portBase != 8440 ? "--port-base" : nil
        if let other { throw ValidationError("--requests starts no server: leave \(other) out") }
        guard format == .text else {
            throw ValidationError("--requests writes no report: --requests-format has the formats of chains")
        }
        _ = try chains.scenarios(scenario)
    }

    func run() async throws {
        if let count = chains.requests { return try await writeChains(count) }
        // Each scenario once, in the order of the ports.
        let scenarios = LabScenario.all.filter { scenario.isEmpty || scenario.contains($0) }
        let table = LabTable(portBase: portBase, format: format)
        guard !list else { return try table.write(scenarios) }
        // Before the first server starts, so that a signal never leaves a server or file behind.
        let signals = StopSignals()
        let lab = try await start(scenarios)
        let files: LabFiles
        do throws(AuthorityFolderError) {
            files = try LabFiles.write(lab, to: folder)
        } catch {
            await lab.stop()
            throw CommandFailure(
                error.description, hint: "nothing was written and nothing runs; --folder names another folder")
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
                    ? "nothing runs; take --port-base 1024 or above"
                    : "nothing runs; take other ports, --port-base \(portBase == 9440 ? 10_440 : 9440) say")
        } catch {
            throw CommandFailure("the lab can not be started: \(error)")
        }
    }
}
