// SPDX-License-Identifier: Apache-2.0

// TrustKit's API for Swift, with the diagnostic for each spelling.

import ServerTrust
import ServerTrustMigration

func theSharedInstance(_ configuration: [String: Any]) {
    TrustKit.initSharedInstance(withConfiguration: configuration)
    _ = TrustKit(configuration: configuration)
    _ = TrustKit.sharedInstance().pinningValidator
    let _: TSKPinningValidator? = nil
    let _: TSKTrustDecision = .shouldAllowConnection
}

func theValidator(_ manager: ServerTrustManager, _ trust: Trust, _ challenge: Int, _ handler: Int) {
    _ = manager.evaluateTrust(trust, forHostname: "api.example.com")
    _ = manager.handle(challenge, completionHandler: handler)
}
