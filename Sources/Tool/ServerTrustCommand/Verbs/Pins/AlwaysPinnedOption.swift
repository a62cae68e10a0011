// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust
import ServerTrustPins

/// The hosts that an app always pins, whatever the list.
struct AlwaysPinnedOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Require pins for this host, as the app does (BuiltInPinList): example.com, *.example.com, or **.example.com with all below it. May be repeated.",
            valueName: "hosts"), transform: reading(HostPattern.init))
    var alwaysPinned: [HostPattern] = []
}
