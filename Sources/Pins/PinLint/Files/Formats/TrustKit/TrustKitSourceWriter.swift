// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// Writes Swift or Objective-C source with TrustKit's dictionary and the call that starts TrustKit.
enum TrustKitSourceWriter {
    static func source(_ tree: PinTree, _ language: SourceLanguage) -> String {
        let writer = SourceTreeWriter(language: language) { key in
            if key == TrustKitKeys.excluded { return "kTSKExcludeSubdomainFromParentPolicy" }
            return TrustKitKeys.global.union(TrustKitKeys.domain).contains(key) ? "k" + key : nil
        }
        let literal = writer.literal(tree)
        guard language == .objectiveC else {
            return """
                import TrustKit

                let trustKitConfiguration: [String: Any] = \(literal)
                TrustKit.initSharedInstance(withConfiguration: trustKitConfiguration)

                """
        }
        return """
            #import <TrustKit/TrustKit.h>

            NSDictionary *trustKitConfiguration = \(literal);
            [TrustKit initSharedInstanceWithConfiguration:trustKitConfiguration];

            """
    }
}
