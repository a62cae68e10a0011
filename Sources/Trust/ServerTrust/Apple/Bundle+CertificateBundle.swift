// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    import Foundation

    extension Bundle: CertificateBundle {}
#endif
