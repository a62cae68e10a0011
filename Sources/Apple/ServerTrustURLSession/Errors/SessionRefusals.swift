// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

/// The verdicts on refused servers, by host. The oldest are dropped first.
struct SessionRefusals {
    private var verdicts = LeastRecentlyUsedCache<String, TrustVerdict>(capacity: 256)

    subscript(host: String) -> TrustVerdict? {
        get { verdicts.unusedValue(for: host) }
        set {
            if let newValue { verdicts.insert(newValue, for: host) } else { verdicts.remove(host) }
        }
    }
}

#endif
