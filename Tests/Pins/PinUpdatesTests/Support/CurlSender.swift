// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrustLab
import ServerTrustPins

/// Sends reports with curl, which trusts only the lab's anchors.
struct CurlSender: ReportSender {
    let server: LabServer
    let url: String
    let folder: URL

    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    func post(_ body: [UInt8], contentType: String, to _: String) async throws {
        let anchors = folder.appendingPathComponent("anchors.pem")
        try Data(server.certificates.anchorsPEM.utf8).write(to: anchors)
        let file = folder.appendingPathComponent("body.json")
        try Data(body).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = [
            "--silent", "--fail", "--max-time", "60", "--noproxy", "*", "--cacert", anchors.path, "--resolve",
            "\(server.host):\(server.port):\(server.address.rawValue)", "--header", "content-type: \(contentType)",
            "--data-binary", "@\(file.path)", "--output", "/dev/null", url,
        ]
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard process.terminationStatus == 0 else { throw CocoaError(.fileNoSuchFile) }
    }
}
