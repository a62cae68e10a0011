// SPDX-License-Identifier: Apache-2.0

/// The failures found so far, each with its certificate.
struct FailureList {
    private(set) var failures: [TrustFailure] = []
    /// The index of the certificate that the engine currently checks.
    var certificate = 0
    var role = TrustFailure.Role.leaf
    /// The index of the CA with whose name constraints the engine currently compares the certificate.
    var constrainedBy: Int?

    var isEmpty: Bool { failures.isEmpty }

    @inline(never)
    mutating func add(_ code: TrustFailure.Code, expected: TrustFailure.Value? = nil, found: TrustFailure.Value? = nil)
    {
        var failure = TrustFailure(code, certificate: certificate, role: role, expected: expected, found: found)
        failure.constrainedBy = constrainedBy
        failures.append(failure)
    }

    /// Adds a failure that concerns the whole path.
    mutating func addToPath(_ code: TrustFailure.Code, expected: TrustFailure.Value?, found: TrustFailure.Value?) {
        failures.append(TrustFailure(code, expected: expected, found: found))
    }

    /// Adds failures of a certificate, found before the engine knew its place in the path.
    mutating func add(_ found: [TrustFailure], at index: Int) {
        for var failure in found {
            failure.certificate = index
            failures.append(failure)
        }
    }

    mutating func append(_ failure: TrustFailure) { failures.append(failure) }

    /// Sorts the failures, most specific first. Within a rank, the leaf's failures come first.
    mutating func sort() {
        // Sorting allocates, even an empty list.
        if failures.count > 1 { failures = failures.inReportOrder() }
    }
}
