// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import AsyncHTTPClient
import Foundation
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustHTTP

/// A process that makes a client, sends one request, and ends. The benchmark runs itself again for it.
struct FreshProcess {
    enum Client: String {
        case none, builtIn, ours
    }

    var client: Client
    var isHTTP2: Bool
    /// The number of rules with pins, in addition to the server's rule.
    var rules = 0
    var url: String
    /// The file of the root that the client trusts in addition to the system's.
    var root: String

    /// The figures that the process prints when it ends. JSON would warm up Foundation before the measurement.
    fileprivate struct Report {
        /// The system's monotonic clock in nanoseconds: at the start of `main`, with the client, and with the response.
        var main: Double
        var client: Double
        var response: Double
        /// Heap bytes in use in addition to those at the start of `main`: with the client, and after its request.
        var idleHeap: Double
        var usedHeap: Double
    }

    /// The first argument of such a process. The others are the properties in order.
    private static let argument = "--fresh-process"
}

extension FreshProcess.Report {
    fileprivate var text: String {
        [main, client, response, idleHeap, usedHeap].map { "\($0)" }.joined(separator: " ")
    }

    fileprivate init?(_ data: Data) {
        let numbers = String(decoding: data, as: UTF8.self).split { $0.isWhitespace }.compactMap { Double($0) }
        guard numbers.count == 5 else { return nil }
        self.init(
            main: numbers[0], client: numbers[1], response: numbers[2], idleHeap: numbers[3], usedHeap: numbers[4])
    }
}

// MARK: - In the benchmark

extension FreshProcess {
    /// A process that has ended. Times are nanoseconds.
    struct Run {
        /// From before the process was created to the start of `main`.
        var start: Double
        /// From the start of `main` to the client.
        var client: Double
        /// From the client to the response.
        var request: Double
        /// The processor time of the whole process.
        var processor: Double
        var idleHeap: Double
        var usedHeap: Double

        /// From before the process was created to the response.
        var total: Double { start + client + request }
        var sinceMain: Double { client + request }
    }

    /// Runs the process and waits for its end.
    func run() throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [Self.argument, client.rawValue, "\(isHTTP2)", "\(rules)", url, root]
        // NIOSSL doesn't read these variables.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SSL_CERT_") }
        let output = Pipe()
        process.standardOutput = output
        let processorBefore = Self.processorTimeOfEndedProcesses()
        let before = Self.clock()
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let report = Report(data) else {
            throw WrongAnswer(contender: client.rawValue, what: "process ended with \(process.terminationStatus)")
        }
        return Run(
            start: report.main - before, client: report.client - report.main,
            request: report.response - report.client,
            processor: Self.processorTimeOfEndedProcesses() - processorBefore,
            idleHeap: report.idleHeap, usedHeap: report.usedHeap)
    }

    private static func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private static func processorTimeOfEndedProcesses() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        #else
        getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(seconds) * 1e9 + Double(microseconds) * 1e3
    }
}

// MARK: - In the process

extension FreshProcess {
    /// Creates the value that the process's arguments contain, or nil in the benchmark itself.
    init?(arguments: [String]) {
        guard arguments.count == 7, arguments[1] == Self.argument, let client = Client(rawValue: arguments[2]),
            let rules = Int(arguments[4])
        else { return nil }
        self.init(
            client: client, isHTTP2: arguments[3] == "true", rules: rules, url: arguments[5], root: arguments[6])
    }

    /// Makes the client, sends the request, prints the report, and ends the process.
    func main() async -> Never {
        do {
            let heap = Double(heap_bytes_in_use())
            let start = Self.clock()
            let client = try makeClient()
            var report = Report(
                main: start, client: Self.clock(), response: 0, idleHeap: Double(heap_bytes_in_use()) - heap,
                usedHeap: 0)
            try await check(try await response(client))
            report.response = Self.clock()
            report.usedHeap = Double(heap_bytes_in_use()) - heap
            print(report.text)
            // async-http-client's client must not be released before it has shut down.
            withExtendedLifetime(client) { exit(0) }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private func response(_ client: MadeClient) async throws -> HTTPClientResponse? {
        let request = HTTPClientRequest(url: url)
        return switch client {
        case .none: nil
        case .builtIn(let client): try await client.execute(request, timeout: .seconds(30))
        case .ours(let client): try await client.execute(request, timeout: .seconds(30))
        }
    }

    private func check(_ response: HTTPClientResponse?) async throws {
        guard let response else { return }
        _ = try await response.body.collect(upTo: 1024)
        guard response.status == .ok, (response.version.major == 2) == isHTTP2 else {
            throw WrongAnswer(contender: client.rawValue, what: "\(response.status), \(response.version)")
        }
    }

    private enum MadeClient {
        case none
        case builtIn(HTTPClient)
        case ours(TrustedHTTPClient)
    }

    private func makeClient() throws -> MadeClient {
        switch client {
        case .none: return .none
        case .builtIn:
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .default
            tls.additionalTrustRoots = [.certificates([try NIOSSLCertificate.fromDERFile(root)])]
            var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
            configuration.httpVersion = isHTTP2 ? .automatic : .http1Only
            return .builtIn(HTTPClient(configuration: configuration))
        case .ours:
            var trust = ServerTrustConfiguration(try makeManager())
            trust.anchors = .system(adding: try CertificateFile.certificates(contentsOfFile: root))
            var configuration = TrustedHTTPConfiguration()
            configuration.httpVersion = isHTTP2 ? .automatic : .http1Only
            return .ours(try TrustedHTTPClient(trust: trust, configuration: configuration))
        }
    }

    private func makeManager() throws -> ServerTrustManager {
        var evaluators: [String: any TrustEvaluator] = ["localhost": DefaultTrustEvaluator()]
        for index in 0..<rules {
            evaluators["host\(index).example.com"] = SPKIPinsTrustEvaluator(
                try SPKIPinSet(pins: [pin("pin \(index)")], backup: [pin("backup \(index)")]))
        }
        return try ServerTrustManager(evaluators: evaluators)
    }

    private func pin(_ text: String) throws -> SPKIPin {
        let digest = Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
        return try SPKIPin("sha256/" + Data(digest).base64EncodedString())
    }
}
