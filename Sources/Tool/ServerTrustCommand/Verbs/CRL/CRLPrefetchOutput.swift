// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The report of `servertrust cache prefetch`.
struct CRLPrefetchOutput {
    let sources: CRLSources
    let result: CRLPrefetchReport

    /// Whether every server was reached and every CRL is in the cache.
    ///
    /// Addresses with other schemes don't count, because the same CRL usually has an HTTP address, too.
    var isComplete: Bool { result.isComplete && sources.unreached.isEmpty }

    /// The maximum number of rows in the text for addresses with other schemes.
    private static let maximumOthers = 10

    private var held: Int { result.fetched + result.notModified + result.fresh }

    func text(_ palette: Palette) -> String {
        var lines = [
            "\(held) of \(result.addresses) CRLs are in the cache: \(result.fetched) fetched (\(result.fetchedBytes) bytes), "
                + "\(result.notModified) not modified, \(result.fresh) still fresh"
        ]
        if result.addresses == 0 { lines[0] = palette.bold("no CRL address was found") }
        for failure in result.failures { lines.append(row("failed", failure, palette)) }
        for failure in result.skipped { lines.append(row("skipped", failure, palette)) }
        if result.unusedDeltas > 0 {
            lines.append("skipped  \(result.unusedDeltas) delta addresses beyond the limits")
        }
        for server in sources.unreached { lines.append("failed   \(printable(server.detail))") }
        for address in sources.others.prefix(Self.maximumOthers) {
            lines.append("skipped  \(printable(clipped(withoutUserInformation(address)))): not http")
        }
        let more = sources.others.count - Self.maximumOthers
        if more > 0 { lines.append("skipped  and \(more) more that are not http") }
        if let hint { lines.append("hint: \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func row(_ word: String, _ failure: CRLPrefetchReport.Failure, _ palette: Palette) -> String {
        let detail = failure.detail.isEmpty ? "" : " (\(printable(clipped(failure.detail))))"
        let before = failure.isHeld ? "; the previous CRL is still in the cache" : ""
        return word.padded(to: 9) + "\(printable(clipped(failure.url))): \(failure.reason)\(detail)\(before)"
    }

    private var hint: String? {
        var hosts: [String] = []
        for failure in result.failures where failure.reason == "forbiddenAddress" {
            guard let host = URLComponents(string: failure.url)?.host, let name = try? Hostname(host),
                !hosts.contains(name.description)
            else { continue }
            hosts.append(name.description)
        }
        guard !hosts.isEmpty else { return nil }
        let options = hosts.prefix(3).map { "--fetch-from \($0)" }.joined(separator: " ")
        return "addresses that aren't public are refused; if these hosts are yours, add \(options)"
    }

    func json() -> [UInt8] {
        let skips =
            result.skipped
            + sources.others.map {
                CRLPrefetchReport.Failure(url: $0, reason: "unsupportedAddress", detail: "not http", isHeld: false)
            }
        return JSONWriter.answer { json in
            json.member("addresses", result.addresses)
            json.member("deltas", result.deltas)
            json.member("fetched", result.fetched)
            json.member("notModified", result.notModified)
            json.member("fresh", result.fresh)
            json.member("failed", result.failures.count)
            json.member("skipped", skips.count + result.unusedDeltas)
            json.member("fetchedBytes", result.fetchedBytes)
            json.member("heldBytes", result.heldBytes)
            json.member("complete", isComplete)
            json.objects("failures", of: result.failures) { Self.write($1, to: &$0) }
            json.objects("skips", of: skips) { Self.write($1, to: &$0) }
            json.objects("servers", of: sources.unreached) { json, server in
                json.member("server", server.server)
                json.member("detail", server.detail)
            }
        }
    }

    private static func write(_ failure: CRLPrefetchReport.Failure, to json: inout JSONWriter) {
        json.member("url", failure.url)
        json.member("reason", failure.reason)
        json.member("detail", failure.detail)
        json.member("held", failure.isHeld)
    }
}
