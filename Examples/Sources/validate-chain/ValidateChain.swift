import Foundation
import ServerTrust

/// Validates a chain from a PEM file, leaf first, for a host, against the system's anchors.
///
///     swift run --package-path Examples validate-chain chain.pem www.example.com
@main
struct ValidateChain {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let file = arguments.first, let name = arguments.last else {
            print("usage: validate-chain FILE HOST")
            exit(64)
        }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        let chain = try CertificateFile.certificates(in: bytes, name: file)
        let host = try Hostname(name)
        let now = Time(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))

        // One validator serves the whole program, from any number of threads.
        let validator = PathValidator(anchors: try .system())
        switch validator.validate(chain[0], presented: Array(chain.dropFirst()), host: host, at: now) {
        case .valid(let path):
            print("trusted until \(path.validUntil), anchor \(path.anchor)")
        case .rejected(let rejection):
            for failure in rejection.failures { print(failure.message, "->", failure.code.explanation) }
            exit(1)
        }
    }
}
