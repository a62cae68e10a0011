// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

#if !(Observability || Everything)

@available(*, unavailable, message: "add the trait Observability to the traits of swift-server-trust in Package.swift")
public struct LoggingTrustObserver {
    public init<Logger>(logger: Logger) {}
}

@available(*, unavailable, message: "add the trait Observability to the traits of swift-server-trust in Package.swift")
public struct MetricsTrustObserver {
    public init(prefix: String = "") {}
}

#endif
