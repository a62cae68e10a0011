// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(Cache || Everything)

@available(*, unavailable, message: "add the trait Cache to the traits of swift-server-trust in Package.swift")
public struct SQLiteTrustCache {
    public init(file: String, maximumBytes: Int = 0) throws {}
}

@available(*, unavailable, message: "add the trait Cache to the traits of swift-server-trust in Package.swift")
public struct SQLiteTrustCacheError {}

#endif
