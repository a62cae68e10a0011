// SPDX-License-Identifier: Apache-2.0

/// Failures as they are found, each with its certificate.
struct FailureList {
    private(set) var failures: [TrustFailure] = []
    /// The index of the certificate that is being checked.
    var certificate = 0
    var role = TrustFailure.Role.leaf

    var isEmpty: Bool { failures.isEmpty }

    @inline(never)
    mutating func add(_ code: TrustFailure.Code, expected: TrustFailure.Value? = nil, found: TrustFailure.Value? = nil)
    {
        failures.append(
            TrustFailure(code, certificate: certificate, role: role, expected: expected, found: found))
    }

    /// Adds a failure of the whole path.
    mutating func addToPath(_ code: TrustFailure.Code, expected: TrustFailure.Value?, found: TrustFailure.Value?) {
        failures.append(TrustFailure(code, expected: expected, found: found))
    }

    /// Adds failures of a certificate that were found when its place in the path wasn't known.
    mutating func add(_ found: [TrustFailure], at index: Int) {
        for var failure in found {
            failure.certificate = index
            failures.append(failure)
        }
    }

    mutating func append(_ failure: TrustFailure) { failures.append(failure) }

    /// Sorts the failures, most specific first; of the same rank, the leaf's first.
    mutating func sort() {
        failures.sort(by: TrustFailure.comesFirst)
    }
}
