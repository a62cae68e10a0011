// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust
import ServerTrustHTTP

/// The addresses of CRLs that the user's files name, including addresses that can't be fetched.
struct CRLSources {
    /// A server that presented no chain.
    struct Unreached {
        let server: String
        let detail: String
    }

    /// The `http` and `https` addresses, without duplicates, in order.
    private(set) var addresses: [String] = []
    /// The addresses with another scheme, usually `ldap`, without duplicates.
    private(set) var others: [String] = []
    /// The number of parsed certificates, or 0 for a CSV file.
    private(set) var certificates = 0
    private(set) var unreached: [Unreached] = []
    private var seen: Set<String> = []

    /// Reads certificates in any encoding, or CCADB's CSV. The contents determine the format.
    /// - Throws: ``CommandFailure`` if the file can't be parsed, with the place, or if it contains no address.
    static func issuers(in file: String) throws(CommandFailure) -> CRLSources {
        var sources = CRLSources()
        let (bytes, name) = (try InputFile.read(file), InputFile.displayName(file))
        if CCADBAddresses.isCSV(bytes) {
            do throws(CSVError) { sources.add(try CCADBAddresses.all(in: bytes)) } catch {
                throw CommandFailure(
                    "\(name):\(error)", hint: "expected certificates, or CCADB's AllCertificateRecordsCSVFormat")
            }
        } else {
            sources.add(try certificates(in: bytes, name))
        }
        return sources
    }

    private static func certificates(in bytes: [UInt8], _ name: String) throws(CommandFailure) -> [Certificate] {
        var certificates: [Certificate] = []
        var errors: [InspectionError] = []
        for entry in InspectionReader.read(bytes, name: name).certificates(for: .candidate) {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): errors.append(error)
            }
        }
        guard errors.isEmpty else { throw CommandFailure(errors) }
        return certificates
    }

    /// Connects to servers and collects the chains that they present, whether they are trusted or not.
    /// - Parameter jobs: the maximum number of simultaneous connections.
    static func chains(
        of endpoints: [ServerEndpoint], _ connection: ServerConnection, jobs: Int, _ progress: (Int, Int) -> Void
    ) async -> CRLSources {
        var sources = CRLSources()
        var answers: [Int: Result<[Certificate], any Error>] = [:]
        await withTaskGroup(of: (Int, Result<[Certificate], any Error>).self) { group in
            var waiting = endpoints.enumerated().makeIterator()
            func begin() {
                guard let (number, endpoint) = waiting.next() else { return }
                group.addTask { (number, await presented(by: endpoint, connection)) }
            }
            for _ in 0..<jobs { begin() }
            for await (number, answer) in group {
                answers[number] = answer
                begin()
                progress(answers.count, endpoints.count)
            }
        }
        for (number, endpoint) in endpoints.enumerated() {
            switch answers[number] {
            case .success(let certificates): sources.add(certificates)
            case .failure(let error):
                let detail = (error as? CommandFailure)?.errors.joined(separator: "; ") ?? "\(error)"
                sources.unreached.append(Unreached(server: endpoint.description, detail: detail))
            case nil: break
            }
        }
        return sources
    }

    private static func presented(
        by endpoint: ServerEndpoint, _ connection: ServerConnection
    ) async -> Result<[Certificate], any Error> {
        do {
            // Without anchors, no server is trusted, so the connection ends after the certificates.
            let (server, _) = try await connection.observe(endpoint, notFile: "that name") {
                $0.anchors = .only([])
            }
            return .success(server.report.presentedChain.certificates)
        } catch {
            return .failure(error)
        }
    }

    private mutating func add(_ certificates: [Certificate]) {
        self.certificates += certificates.count
        for certificate in certificates { add(CRLAddresses.all(of: certificate)) }
    }

    private mutating func add(_ found: [String]) {
        for address in found where seen.insert(address).inserted {
            if address.isWebAddress { addresses.append(address) } else { others.append(address) }
        }
    }
}
