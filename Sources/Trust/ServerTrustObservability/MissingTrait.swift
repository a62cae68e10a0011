// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(Observability || Everything)

@available(*, unavailable, message: "add the trait Observability to the traits of swift-server-trust in Package.swift")
public enum LoggingTrustObserver {}

@available(*, unavailable, message: "add the trait Observability to the traits of swift-server-trust in Package.swift")
public enum MetricsTrustObserver {}

#endif
