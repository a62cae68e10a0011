// SPDX-License-Identifier: Apache-2.0

// On Apple platforms, ServerTrust itself declares it.
#if !canImport(Darwin)
import Foundation
import ServerTrust

extension Bundle: CertificateBundle {}
#endif
