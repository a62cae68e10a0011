// SPDX-License-Identifier: Apache-2.0

// A forecast for leaves that another CA may issue. No CA has signed such a leaf, so the engine can't accept it, and
// nothing here makes it. The forecast combines three answers:
//
// 1. The engine validates the recorded chain with all other changes, but without pins.
// 2. The engine validates the path from the other CA to an anchor, with all signatures.
// 3. The engine evaluates a copy of the leaf that names the other CA as its issuer, with that path. It refuses the
//    path, because the CA didn't sign the copy. If this is its only failure, names, constraints, purposes, lengths and
//    dates permit the leaf.
//
// The pins are then compared with the path, as in the forecasts of lint.

import PKIX
import PinLint
import PinModel
import ServerTrust
import TrustRecords

/// The change of `--renew`: the leaves of some CAs come from the next CAs of the same organizations.
struct ReplayRenewal: Sendable {
    let selectors: [CertificateSelector]
    private let successors: SuccessorIndex

    /// - Parameters:
    ///   - selectors: the CAs that no longer issue.
    ///   - certificates: the CAs that may issue instead. They aren't trusted.
    init(_ selectors: [CertificateSelector], successors certificates: [Certificate]) {
        self.selectors = selectors
        successors = SuccessorIndex(certificates)
    }

    /// The keys of the selectors that match the leaf's issuer.
    func keys(matching verdict: TrustVerdict) -> [String] {
        guard verdict.path.count > 1 else { return [] }
        return selectors.filter { $0.matches(verdict.path[1]) }.map(\.key)
    }

    /// Returns the forecast for a record.
    /// - Parameters:
    ///   - verdict: the verdict with all other changes, without pins. It trusts the leaf.
    ///   - trust: the trust object of the verdict.
    ///   - pins: returns the failure of a path that doesn't match the pins, or nil.
    /// - Returns: the forecast with the next CA that is refused, or the one with the newest CA if none is.
    /// - Throws: ``Obstacle`` if no next CA has a forecast.
    func forecast(
        _ verdict: TrustVerdict, _ trust: Trust, pins: ([Certificate]) throws(Obstacle) -> RenewalForecast.Failure?
    ) throws(Obstacle) -> RenewalForecast {
        let next = successors.successors(of: verdict.path[1], at: verdict.evaluationDate)
        guard !next.isEmpty else { throw Obstacle("--ccadb has no valid CA after \(verdict.path[1])") }
        var first: RenewalForecast?
        var obstacle: Obstacle?
        for issuer in next {
            do throws(Obstacle) {
                let forecast = RenewalForecast(
                    issuer: issuer, failures: try failures(of: verdict, trust, issuedBy: issuer, pins: pins))
                guard forecast.isTrusted else { return forecast }
                first = first ?? forecast
            } catch {
                obstacle = obstacle ?? error
            }
        }
        if let first { return first }
        throw obstacle ?? Obstacle("no forecast")
    }

    private func failures(
        of verdict: TrustVerdict, _ trust: Trust, issuedBy issuer: Certificate,
        pins: ([Certificate]) throws(Obstacle) -> RenewalForecast.Failure?
    ) throws(Obstacle) -> [RenewalForecast.Failure] {
        let above = validation(of: issuer, trust)
        guard above.isTrusted else {
            guard above.reachesAnchor else {
                throw Obstacle("no recorded or given anchor is above \(issuer); name its root with --anchors")
            }
            return above.failures.map { RenewalForecast.Failure($0) }
        }
        guard let anchor = above.path.last, anchor == verdict.path.last || !hasConditions(anchor, trust) else {
            throw Obstacle("the path of \(issuer) ends at another anchor, which has conditions")
        }
        guard !trust.policy.certificatePolicies.requireExplicit else {
            throw Obstacle("a forecast can't require certificate policies")
        }
        guard let leaf = verdict.path.first?.naming(issuer: issuer) else {
            throw Obstacle("the leaf can't name \(issuer) as its issuer")
        }
        let copy = refusal(of: leaf, above.path, trust)
        let path = copy.rejectedPaths.first { $0.certificates == [leaf] + above.path }
        guard let path, path.reachesAnchor, !copy.isTrusted else {
            throw Obstacle("the engine tried no path with \(issuer)")
        }
        let others = path.failures.filter { !$0.isMissingSignature }
        // The engine reports the missing signature unless another failure ended its checks.
        guard !others.isEmpty || path.failures.contains(where: \.isMissingSignature) else {
            throw Obstacle("the engine didn't check the path with \(issuer)")
        }
        guard others.isEmpty else { return others.map { RenewalForecast.Failure($0) } }
        return try pins([verdict.path[0]] + above.path).map { [$0] } ?? []
    }

    /// Evaluates the path above a CA, with all signatures. The CA is the first certificate of the path.
    private func validation(of issuer: Certificate, _ trust: Trust) -> TrustVerdict {
        var settings = trust.settings
        settings.identity = .insecurelyAnyName
        settings.policy = ValidationPolicy(profile: .rfc5280, purpose: .any)
        settings.transparency = nil
        // Records have no evidence about other CAs.
        if settings.revocation.mode == .required { settings.revocation.mode = .bestEffort }
        settings.intermediates += successors.paths(above: issuer).flatMap { $0.dropFirst() }
        // Conditions are about leaves.
        if let store = try? settings.anchors.store(), store.anchors.contains(where: { !$0.conditions.isEmpty }) {
            settings.anchors = TrustAnchors(
                AnchorStore(store.anchors.map { TrustAnchor($0.certificate) }, distrusted: store.distrusted))
        }
        let presented = PresentedChain([issuer] + trust.presentedChain.certificates.dropFirst())
        return Trust(presentedChain: presented, optionalHost: trust.host, settings: settings).evaluate()
    }

    /// Evaluates a leaf that no CA has signed, with one path.
    private func refusal(of leaf: Certificate, _ path: [Certificate], _ trust: Trust) -> TrustVerdict {
        var trust = trust
        trust.presentedChain = PresentedChain([leaf] + path.dropLast())
        trust.intermediates = []
        return trust.evaluate()
    }

    private func hasConditions(_ anchor: Certificate, _ trust: Trust) -> Bool {
        guard let store = try? trust.settings.anchors.store() else { return true }
        return store.anchors.contains { $0.certificate == anchor && !$0.conditions.isEmpty }
    }

    /// The reason why a record has no forecast.
    struct Obstacle: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
}

/// A forecast for a leaf that another CA issues.
struct RenewalForecast: Sendable {
    /// A reason to refuse the leaf.
    struct Failure: Sendable {
        let code: TrustFailure.Code
        let message: String

        init(_ code: TrustFailure.Code, _ message: String) {
            self.code = code
            self.message = message
        }

        init(_ failure: TrustFailure) { self.init(failure.code, "\(failure)") }
    }

    /// The CA that issues the leaf.
    let issuer: Certificate
    let failures: [Failure]

    var isTrusted: Bool { failures.isEmpty }

    /// The first failure with the CA, or nil if the leaf is trusted.
    var message: String? { failures.first.map { "forecast for a leaf from \(issuer): \($0.message)" } }

    /// The remedy for pins that don't match, or nil.
    var remedy: String? {
        guard failures.first?.code == .pinNotMatched else { return nil }
        return "Add \(SPKIPin(issuer)), the key of \(issuer), or the key of its root, before the CA moves."
    }
}

// MARK: - Pins

extension ReplayChanges.Pins? {
    /// Returns the failure of a path that doesn't match the pins, or nil.
    /// - Parameter record: the changed record, with its own pins.
    func failure(
        of path: [Certificate], _ record: TrustRecord
    ) throws(ReplayRenewal.Obstacle) -> RenewalForecast.Failure? {
        let failure = RenewalForecast.Failure(.pinNotMatched, "no pin matches the path")
        guard case .rules(let rules) = self, case .name(let host) = record.host else {
            guard let pins = record.pins else { return nil }
            return path.contains { pins.contains(SPKIPin($0)) } ? nil : failure
        }
        let effective = EffectivePins(of: host, in: rules.configuration, format: rules.format, at: record.time)
        switch effective.outcome {
        case .notPinned, .reported: return nil
        case .refused:
            let code = effective.reason == .expired ? TrustFailure.Code.pinsExpired : .hostNotListed
            return RenewalForecast.Failure(
                code, rules.remark(on: host, at: record.time) ?? "\(rules.name) refuses \(host)")
        case .unknown: throw ReplayRenewal.Obstacle("\(rules.name) has parts that a forecast can't read")
        case .pinned: break
        }
        guard let rule = effective.rule else { throw ReplayRenewal.Obstacle("\(rules.name) has no rule for \(host)") }
        let isMatched = ForecastPath(elements: path.map { .certificate($0) }).missingScopes(of: rule).isEmpty
        return isMatched ? nil : failure
    }
}

// MARK: - Copies of leaves

extension TrustFailure {
    /// Whether the failure is the leaf's signature, which another CA hasn't made.
    fileprivate var isMissingSignature: Bool { code == .signatureInvalid && certificate == 0 }
}

extension Certificate {
    /// Returns a copy that names another CA as its issuer. The signature stays, so it is wrong.
    /// - Returns: the copy, or nil if it would differ in other fields.
    fileprivate func naming(issuer: Certificate) -> Certificate? {
        guard let whole = Self.contents(of: der[...]), let signed = Self.contents(of: whole),
            let name = signed.firstRange(of: self.issuer.der)
        else { return nil }
        var fields = Array(signed)
        fields.replaceSubrange(
            name.lowerBound - signed.startIndex..<name.upperBound - signed.startIndex,
            with: issuer.subject.der)
        // The identifiers of keys nearly always have the same size. Others can stay, because they are only hints.
        if let old = authorityKeyIdentifier?.keyIdentifier, let new = issuer.subjectKeyIdentifier,
            old.count == new.count, let start = fields.firstRange(of: [0x06, 0x03, 0x55, 0x1d, 0x23])?.upperBound,
            let place = fields[start...].firstRange(of: old)
        {
            fields.replaceSubrange(place, with: new)
        }
        let rest = der[signed.endIndex..<whole.endIndex]
        let copy = try? Certificate(der: Self.sequence(Self.sequence(fields) + rest))
        guard let copy, copy.issuer == issuer.subject, copy.subject == subject, copy.serialNumber == serialNumber,
            copy.subjectPublicKeyInfo == subjectPublicKeyInfo, copy.notBefore == notBefore, copy.notAfter == notAfter
        else { return nil }
        return copy
    }

    /// Returns the contents of the first DER value.
    private static func contents(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.dropFirst().first else { return nil }
        let extra = first < 0x80 ? 0 : Int(first & 0x7f)
        let start = bytes.startIndex + 2 + extra
        guard extra <= 4, start <= bytes.endIndex else { return nil }
        let count =
            extra == 0 ? Int(first) : bytes[bytes.startIndex + 2..<start].reduce(0) { $0 << 8 | Int($1) }
        guard count <= bytes.endIndex - start else { return nil }
        return bytes[start..<start + count]
    }

    private static func sequence(_ contents: [UInt8]) -> [UInt8] {
        guard contents.count >= 0x80 else { return [0x30, UInt8(contents.count)] + contents }
        let size = withUnsafeBytes(of: UInt32(contents.count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x30, 0x80 | UInt8(size.count)] + size + contents
    }
}
