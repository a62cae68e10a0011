// SPDX-License-Identifier: Apache-2.0

/// Failures as they are found, with the certificate they are about filled in.
struct FailureList {
    private(set) var failures: [TrustFailure] = []
    /// The certificate that is being looked at.
    var certificate = 0
    var role = TrustFailure.Role.leaf

    var isEmpty: Bool { failures.isEmpty }

    @inline(never)
    mutating func add(_ code: TrustFailure.Code, expected: TrustFailure.Value? = nil, found: TrustFailure.Value? = nil)
    {
        failures.append(
            TrustFailure(code, certificate: certificate, role: role, expected: expected, found: found))
    }

    /// About the whole path.
    mutating func addToPath(_ code: TrustFailure.Code, expected: TrustFailure.Value?, found: TrustFailure.Value?) {
        failures.append(TrustFailure(code, expected: expected, found: found))
    }

    /// Takes over what was found about a certificate when its place in the path wasn't known.
    mutating func add(_ found: [TrustFailure], at index: Int) {
        for var failure in found {
            failure.certificate = index
            failures.append(failure)
        }
    }

    mutating func append(_ failure: TrustFailure) { failures.append(failure) }

    /// Most specific first; of the same rank, the leaf's first.
    mutating func sort() {
        failures.sort(by: TrustFailure.comesFirst)
    }
}
