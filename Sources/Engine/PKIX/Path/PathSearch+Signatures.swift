// SPDX-License-Identifier: Apache-2.0

// Signature checks of a candidate path. A search verifies each pair of certificates once, and doesn't verify remembered
// pairs. In a batch, the meter still charges remembered pairs at the point of verification, so no result depends on
// earlier results.

extension PathSearch {
    /// Checks the signatures of the path from the leaf up, and stops at the first wrong signature.
    /// - Returns: the position of the certificate whose signature is wrong. Nil if all are valid or the budget is
    ///   exhausted.
    mutating func checkSignatures(_ candidate: CandidatePath, _ list: inout FailureList) -> Int? {
        applyRememberedSignatures()
        for position in 0..<(path.count - 1) {
            let edge = pathEdges[position]
            guard graph.edges[edge].state != .valid, graph.edges[edge].state != .remembered else { continue }
            list.certificate = position
            list.role = candidate.role(position)
            let child = graph.nodes[path[position]].certificate
            // ``AlgorithmCheck`` has already reported an unsupported algorithm.
            guard
                case .supported(let scheme) = SignatureScheme.read(
                    child.span, child.storage.fields.signatureAlgorithm,
                    ecdsaMayHaveNull: context.policy.profile.acceptsNullOfECDSA)
            else { return position }
            guard let key = key(of: path[position + 1]) else {
                if meter.isExhausted { return nil }
                graph.edges[edge].state = .invalid
                return refuseKey(of: candidate, at: position + 1, &list)
            }
            if key.fits(scheme) {
                // Hashing one megabyte takes as long as several dozen signature checks.
                let cost = key.cost + child.storage.fields.tbs.count / 16_384
                guard meter.charge(signatures: cost) else { return nil }
                if graph.edges[edge].state == .found {
                    graph.edges[edge].state = .remembered
                    continue
                }
                if key.isValid(
                    child.storage.fields.signature, over: child.storage.fields.tbs, of: child.span, scheme: scheme)
                {
                    graph.edges[edge].state = .valid
                    continue
                }
            }
            graph.edges[edge].state = .invalid
            return refuseSignature(of: candidate, position, &list)
        }
        return nil
    }

    private mutating func refuseSignature(of candidate: CandidatePath, _ position: Int, _ list: inout FailureList)
        -> Int
    {
        let issuer = candidate.certificates[position + 1]
        // Describing a name takes longer than reading it.
        let isAffordable = meter.charge(
            work: 32 * min(issuer.storage.fields.subject.count, Certificate.maximumTextSize))
        list.add(.signatureInvalid, expected: .text(isAffordable ? issuer.shortDescription : "?"))
        return position
    }

    /// Looks up all signatures of the path in the memory before verifying any. A remembered intermediate includes its
    /// key.
    private mutating func applyRememberedSignatures() {
        guard let memory else { return }
        for position in (memory.includesLeaves ? 0 : 1)..<(path.count - 1) {
            let edge = pathEdges[position]
            guard graph.edges[edge].state == .unchecked else { continue }
            let certificate = graph.nodes[path[position]].certificate
            let issuer = graph.nodes[path[position + 1]].certificate
            if memory.isForBatch, position == 0 {
                guard let size = memory.hashedSize(of: certificate, signedBy: issuer) else { continue }
                guard meter.charge(work: size) else { return }
                if memory.hasLeaf(certificate, signedBy: issuer) { graph.edges[edge].state = .found }
            } else if let entry = memory.entry(for: certificate, signedBy: issuer) {
                if memory.isForBatch {
                    graph.edges[edge].state = .found
                    graph.nodes[path[position]].rememberedKey = entry.key
                } else {
                    graph.edges[edge].state = .remembered
                    graph.nodes[path[position]].preparedKey = entry.key
                }
            }
        }
    }

    /// Reports a key that has the right form but isn't valid: a point that isn't on its curve, or an even modulus.
    private func refuseKey(of candidate: CandidatePath, at position: Int, _ list: inout FailureList) -> Int {
        let issuer = candidate.certificates[position]
        // ``AlgorithmCheck`` has already reported unsupported kinds and sizes of keys.
        switch KeyForm.read(issuer.span, issuer.storage.fields.spki) {
        case .rsa(let numbers) where !RSAKeyLimits.allowedBits.contains(numbers.bits): break
        case .rsaPSSOnly(let numbers, _) where !RSAKeyLimits.allowedBits.contains(numbers.bits): break
        case .p256, .p384, .p521, .rsa, .rsaPSSOnly, .ed25519, .mldsa65, .mldsa87:
            list.certificate = position
            list.role = candidate.role(position)
            list.addMalformedKey(of: issuer)
        case .explicitCurve, .otherCurve, .dsa, .other, .malformed: break
        }
        return position - 1
    }

    private mutating func key(of index: Int) -> VerificationKey? {
        if let prepared = graph.nodes[index].preparedKey { return prepared.key(of: graph.nodes[index].certificate) }
        let certificate = graph.nodes[index].certificate
        // For curves, a fifth of a verification. For RSA, the cost grows with the modulus.
        guard meter.charge(work: 4_096 + 16 * certificate.storage.fields.spki.key.count) else { return nil }
        let prepared = graph.nodes[index].rememberedKey ?? PreparedKey()
        graph.nodes[index].preparedKey = prepared
        return prepared.key(of: certificate)
    }

    /// Stores the path's verified signatures in the memory.
    ///
    /// For a rejected path, only a batch stores them. Otherwise a sender of junk could evict useful entries.
    mutating func rememberSignatures(isValidPath: Bool) {
        guard let memory, isValidPath || memory.isForBatch else { return }
        for position in 0..<(path.count - 1) where graph.edges[pathEdges[position]].state == .valid {
            guard position > 0 || memory.includesLeaves else { continue }
            let certificate = graph.nodes[path[position]].certificate
            let issuer = graph.nodes[path[position + 1]].certificate
            if memory.isForBatch, position == 0 {
                memory.rememberLeaf(certificate, signedBy: issuer)
            } else {
                memory.remember(
                    certificate, signedBy: issuer, key: graph.nodes[path[position]].preparedKey ?? PreparedKey())
            }
            graph.edges[pathEdges[position]].state = .remembered
        }
    }
}
