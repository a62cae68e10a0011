// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import NIOCore

/// The state of this machine's networks.
enum NetworkState {
    /// Whether no interface except the loopback has an IPv4 or IPv6 address beyond the link. False if the
    /// interfaces can't be read.
    static var isOffline: Bool {
        guard let devices = try? System.enumerateDevices() else { return false }
        return !devices.contains { device in
            guard let address = device.address?.ipAddress else { return false }
            return !address.hasPrefix("127.") && address != "::1" && !address.hasPrefix("fe80:")
                && !address.hasPrefix("169.254.")
        }
    }
}
#endif
