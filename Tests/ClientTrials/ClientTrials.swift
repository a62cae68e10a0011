// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// Runs each feature with each client against servers on loopback, each cell in a process of its own, as some of them end it or hang.
///
///     ClientTrials                     prints the table, in Markdown
///     ClientTrials FEATURE CLIENT      runs one cell, and prints its answer
///     ClientTrials root FILE           writes a new root with its key, for FEATURE_ROOT
///     ClientTrials soak WAY COUNT      sends many requests, cancels some and meets slow servers, and prints the descriptors and the heap after them
///
/// Foundation's client trusts the machine's roots and no others: FEATURE_ROOT names the file of a root that the machine trusts
/// (Tests/External/feature-table sees to that).
@main
struct ClientTrials {
    /// The longest time that a cell may take.
    private static let limit = Duration.seconds(20)

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.count {
        case 0: printTable()
        case 2 where arguments[0] == "root":
            do { try MachineRoot.write(to: arguments[1]) } catch {
                FileHandle.standardError.write(Data("ClientTrials: error: \(error)\n".utf8))
                exit(1)
            }
        case 3 where arguments[0] == "soak":
            guard let way = Soak.Way(rawValue: arguments[1]), let count = Int(arguments[2]), count > 0 else {
                fallthrough
            }
            do { print(try await Soak(way, requests: count).run()) } catch {
                FileHandle.standardError.write(Data("ClientTrials: error: \(way): \(error)\n".utf8))
                exit(1)
            }
        case 2:
            guard let feature = Feature.all.first(where: { $0.name == arguments[0] }),
                let client = ClientKind(rawValue: arguments[1])
            else { fallthrough }
            print(await feature.answer(client))
        default:
            FileHandle.standardError.write(
                Data("usage: ClientTrials [FEATURE CLIENT | root FILE | soak WAY COUNT]\n".utf8))
            exit(64)
        }
    }

    private static func printTable() {
        print("| | " + ClientKind.allCases.map(\.title).joined(separator: " | ") + " |")
        print("| --- |" + String(repeating: " --- |", count: ClientKind.allCases.count))
        for feature in Feature.all {
            let answers = ClientKind.allCases.map { run(feature.name, $0) }
            print("| \(feature.title) | " + answers.joined(separator: " | ") + " |")
        }
    }

    /// The answer of a cell: its own, or the way in which its process has ended.
    private static func run(_ feature: String, _ client: ClientKind) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [feature, client.rawValue]
        var environment = ProcessInfo.processInfo.environment
        // A process that ends by a trap is an answer here, and no report is wanted.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        for name in ["https_proxy", "http_proxy", "all_proxy", "no_proxy"] {
            environment[name] = nil
            environment[name.uppercased()] = nil
        }
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { return "error: \(error)" }
        guard ended.wait(timeout: .now() + limit / .seconds(1)) == .success else {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            return "hangs"
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return "ends the process" }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// A thing that clients do, or don't.
struct Feature: Sendable {
    let name: String
    let title: String
    private let check: @Sendable (ClientKind) async throws -> Bool

    /// - Parameter check: returns whether the client does it. A thrown error is a no.
    init(_ name: String, _ title: String, _ check: @escaping @Sendable (ClientKind) async throws -> Bool) {
        self.name = name
        self.title = title
        self.check = check
    }

    func answer(_ client: ClientKind) async -> String {
        do { return try await check(client) ? "yes" : "no" } catch {
            if ProcessInfo.processInfo.environment["FEATURE_ERRORS"] != nil { return "no (\(error))" }
            return "no"
        }
    }

    static let all = serverFeatures + wireFeatures + requestFeatures
}
