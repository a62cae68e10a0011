// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// The hosts that an app always pins, whatever the list.
struct AlwaysPinnedOption: ParsableArguments {
    @Option(help: .book("pins --always-pinned"), transform: reading(HostPattern.init))
    var alwaysPinned: [HostPattern] = []
}
