// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

/// The loopback address that a lab server listens on.
public enum LoopbackAddress: String, Sendable, Hashable, CaseIterable {
    /// 127.0.0.1, the default of ``LabServer/Options``.
    case v4 = "127.0.0.1"
    /// ::1.
    case v6 = "::1"
}

#endif
