// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension CheckList {
    /// Returns a short description of why a check passed.
    func evidence(of group: CheckGroup) -> String {
        let path = verdict.path
        switch group {
        case .anchor: return path.last.map { "\($0.abridgedDescription(toBytes: 256)) is trusted" } ?? ""
        case .signatures:
            return "\(path.count - 1) of \(path.count - 1) verified"
        case .validity:
            let begin = path.map(\.notBefore).max()
            let end = verdict.firstNotAfter
            return "\(verdict.evaluationDate) is between \(begin?.description ?? "?") and \(end?.description ?? "?")"
        case .algorithms: return path.count == 1 ? "for the certificate" : "for all \(path.count) certificates"
        case .length:
            let count = max(0, path.count - 2)
            return count == 1 ? "1 intermediate" : "\(count) intermediates"
        case .authority: return "\(path.count - 1) of \(path.count - 1)"
        case .extensions: return path.count == 1 ? "in the certificate" : "in all \(path.count) certificates"
        case .constraints: return "no name constraint in the path forbids them"
        case .policies: return "as the certificates in the path require"
        case .deniedCertificates:
            return path.count == 1 ? "the certificate isn't on one" : "none of \(path.count) certificates"
        case .purpose: return verdict.purpose.rawValue
        case .identity: return verdict.referenceName.map { "it names \($0)" } ?? ""
        case .revocation:
            return RevocationCount(verdict.revocation).words
        case .pins:
            guard let pin = verdict.matchedPin else { return "" }
            return "\(pin.isBackup ? "the backup " : "")\(pin.words(on: verdict, sentIn: presented))"
        case .transparency: return verdict.transparency?.words ?? ""
        case .strict: return "rules that many verifiers relax"
        default: return ""
        }
    }
}
