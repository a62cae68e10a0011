// SPDX-License-Identifier: Apache-2.0

// On Apple platforms ServerTrust itself declares it.
#if !canImport(Security)
    import Foundation
    import ServerTrust

    extension Bundle: CertificateBundle {}
#endif
