// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension Bundle: CertificateBundle {}
#endif
