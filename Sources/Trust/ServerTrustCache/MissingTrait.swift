// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(Cache || Everything)

@available(*, unavailable, message: "add the trait Cache to the traits of swift-server-trust in Package.swift")
public enum SQLiteTrustCache {}

@available(*, unavailable, message: "add the trait Cache to the traits of swift-server-trust in Package.swift")
public enum SQLiteTrustCacheError {}

#endif
