// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// Runs each feature with each client against servers on loopback. Each cell runs in its own process, because some clients
/// crash or hang.
///
///     ClientTrials                     prints the table of features, in Markdown
///     ClientTrials stress              prints the table under stress
///     ClientTrials FEATURE CLIENT      runs one cell and prints its answer
///     ClientTrials root FILE           writes a new root with its key, for FEATURE_ROOT
///     ClientTrials bodies WAY COUNT    cancels many large responses, and prints the memory
///     ClientTrials soak WAY COUNT      sends many requests, cancels some, meets slow servers, and prints descriptors and heap
///
/// Foundation's client only trusts the machine's roots. FEATURE_ROOT names the file of a root that the machine trusts
/// (Tests/External/feature-table sets it up).
@main
struct ClientTrials {
    /// The time limit of a cell.
    private static let limit = Duration.seconds(30)
    /// The number of cells that run at the same time. Most cells only wait.
    private static let lanes = 4
    /// A process could inherit another process's pipe if both started at the same time.
    private static let start = NSLock()

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.count {
        case 0: printTable(Feature.all)
        case 1 where arguments[0] == "stress": printTable(Feature.underStress)
        case 2 where arguments[0] == "root":
            do { try MachineRoot.write(to: arguments[1]) } catch {
                FileHandle.standardError.write(Data("ClientTrials: error: \(error)\n".utf8))
                exit(1)
            }
        case 3 where arguments[0] == "soak" || arguments[0] == "bodies":
            guard let way = Soak.Way(rawValue: arguments[1]), let count = Int(arguments[2]), count > 0 else {
                fallthrough
            }
            do {
                let isSoak = arguments[0] == "soak"
                print(try await isSoak ? Soak(way, requests: count).run() : CanceledBodies(way, count: count).run())
            } catch {
                FileHandle.standardError.write(Data("ClientTrials: error: \(way): \(error)\n".utf8))
                exit(1)
            }
        case 2:
            guard let feature = (Feature.all + Feature.underStress).first(where: { $0.name == arguments[0] }),
                let client = ClientKind(rawValue: arguments[1])
            else { fallthrough }
            print(await feature.answer(client))
            fflush(nil)
            // Skips the work of `exit`. Threads of some clients are still running and would crash.
            _exit(0)
        default:
            FileHandle.standardError.write(
                Data(
                    "usage: ClientTrials [stress | FEATURE CLIENT | root FILE | bodies WAY COUNT | soak WAY COUNT]\n"
                        .utf8))
            exit(64)
        }
    }

    private static func printTable(_ features: [Feature]) {
        let clients = ClientKind.allCases
        let cells = features.flatMap { feature in clients.map { (feature.name, $0) } }
        let next = Locked(0)
        let answers = Locked([String](repeating: "", count: cells.count))
        let ended = DispatchGroup()
        for lane in 0..<lanes {
            DispatchQueue(label: "lane \(lane)").async(group: ended) {
                while true {
                    let number = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard number < cells.count else { return }
                    let answer = run(cells[number].0, cells[number].1)
                    answers.withLock { $0[number] = answer }
                }
            }
        }
        ended.wait()
        print("| | " + clients.map(\.title).joined(separator: " | ") + " |")
        print("| --- |" + String(repeating: " --- |", count: clients.count))
        let all = answers.withLock { $0 }
        for (row, feature) in features.enumerated() {
            let cells = all[row * clients.count..<(row + 1) * clients.count]
            print("| \(feature.title) | " + cells.joined(separator: " | ") + " |")
        }
    }

    /// Returns the cell's answer, or how its process ended.
    private static func run(_ feature: String, _ client: ClientKind) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [feature, client.rawValue]
        var environment = ProcessInfo.processInfo.environment
        // A crash is an answer here, so no backtrace is needed.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        for name in ["https_proxy", "http_proxy", "all_proxy", "no_proxy"] {
            environment[name] = nil
            environment[name.uppercased()] = nil
        }
        process.environment = environment
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        let output: Pipe
        do {
            start.lock()
            defer { start.unlock() }
            output = Pipe()
            process.standardOutput = output
            try process.run()
        } catch { return "error: \(error)" }
        guard ended.wait(timeout: .now() + limit / .seconds(1)) == .success else {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return "hangs"
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return "ends the process" }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        // Errors can contain line breaks and the separator between cells.
        return text.trimmingCharacters(in: .whitespacesAndNewlines).replacing("\n", with: " ").replacing("|", with: "/")
    }
}

/// Something that a client does or doesn't do.
struct Feature: Sendable {
    let name: String
    let title: String
    private let check: @Sendable (ClientKind) async throws -> String

    /// - Parameter check: returns whether the client does it. A thrown error counts as "no".
    init(_ name: String, _ title: String, _ check: @escaping @Sendable (ClientKind) async throws -> Bool) {
        self.init(name, title, answering: { try await check($0) ? "yes" : "no" })
    }

    /// - Parameter check: returns the cell's text. A thrown error counts as "no".
    init(
        _ name: String, _ title: String, answering check: @escaping @Sendable (ClientKind) async throws -> String
    ) {
        self.name = name
        self.title = title
        self.check = check
    }

    /// Whether cells show their errors and figures, which differ from run to run.
    static let showsDetails = ProcessInfo.processInfo.environment["FEATURE_ERRORS"] != nil

    func answer(_ client: ClientKind) async -> String {
        do { return try await check(client) } catch { return Self.showsDetails ? "no (\(error))" : "no" }
    }

    static let all = serverFeatures + wireFeatures + addressFeatures + requestFeatures + socketFeatures
    static let underStress = greetingTrials + repeatTrials + answerTrials + memoryTrials
}
