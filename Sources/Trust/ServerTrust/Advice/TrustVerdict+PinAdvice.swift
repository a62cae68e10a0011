// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns advice about a pin that no server can match, or that the rule compares with other certificates of the
    /// path. Returns nil for other failures, and for pins that the path doesn't explain.
    ///
    /// Only the validated path counts, because a certificate outside it may be another server's.
    func pinAdvice(_ failure: TrustFailure) -> String? {
        guard failure.code == .pinNotMatched, case .list(let texts)? = failure.expected, !path.isEmpty else {
            return nil
        }
        let mistakes = PinMistakes(path)
        for pin in texts.lazy.compactMap({ try? SPKIPin($0) }) {
            if let mistake = mistakes.mistake(of: pin) {
                let name = mistake.certificate.abridgedDescription(toBytes: 256)
                return
                    "The pin \(pin) is the SHA-256 of \(mistake.hashed) (\(name)). Pin the key instead: \(mistake.meant)."
            }
            if let index = path.firstIndex(where: { SPKIPin($0) == pin }), index > 0 || path.count > 1 {
                let name = path[index].abridgedDescription(toBytes: 256)
                let (compared, owner) = index > 0 ? ("the server's key", "server") : ("the keys of CAs", "CA")
                return
                    "The pin \(pin) is the key of \(name), but this rule compares only \(compared). Pin \(SPKIPin(path[index > 0 ? 0 : 1])) there if your own copy of the \(owner)'s certificate has that key: the presented one may be an attacker's."
            }
        }
        return nil
    }
}
