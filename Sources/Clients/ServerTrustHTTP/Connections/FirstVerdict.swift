// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The verdict from an exploring connection, for the connection that replaces it.
///
/// It counts once, for the same chain and rules, and only while it is new. A later connection gets its own evaluation.
struct FirstVerdict: Sendable {
    private static let lifetime = TimeAmount.seconds(5)

    fileprivate let server: EvaluatedServer
    fileprivate let generation: Int
    fileprivate let end: NIODeadline

    /// - Parameters:
    ///   - server: the newly evaluated server of the exploring connection.
    ///   - generation: the generation of the rules that produced its verdict.
    init(_ server: EvaluatedServer, generation: Int) {
        self.server = server
        self.generation = generation
        self.end = .now() + Self.lifetime
    }
}

extension FirstVerdict? {
    /// Removes the verdict, and returns the server if the verdict is about this chain and these rules.
    mutating func take(
        _ chain: PresentedChain, generation: Int, at now: NIODeadline = .now()
    ) -> EvaluatedServer? {
        defer { self = nil }
        guard let first = self, first.generation == generation, now < first.end, first.server.presentedChain == chain
        else { return nil }
        return first.server
    }
}

extension VerdictSource {
    /// Returns this source with verdicts that are already known.
    /// - Parameter known: returns the verdict on a chain, or nil if the source has to evaluate it.
    func knowing(_ known: @escaping @Sendable (PresentedChain) -> TrustVerdict?) -> VerdictSource {
        var source =
            switch kind {
            case .immediate(let verdict):
                VerdictSource.immediate({ known($0) ?? verdict($0, $1) }, denying: denial)
            case .waiting(let verdict):
                VerdictSource.waiting(
                    { chain, host in
                        if let verdict = known(chain) { return verdict }
                        return await verdict(chain, host)
                    }, denying: denial)
            }
        source.readsStaples = readsStaples
        source.reportRepeat = reportRepeat
        return source
    }
}
