// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// The numbers are from SecureTransport.h. Every number in the error of a refused session
// (`AppleErrorNumbers.secureTransportStatus`) has a constant here.

/// The certificate chain isn't valid.
public let errSSLXCertChainInvalid: OSStatus = -9807
/// A certificate is malformed.
public let errSSLBadCert: OSStatus = -9808
/// The evaluation ended without a result.
public let errSSLInternal: OSStatus = -9810
/// The path ends in a root that isn't an anchor.
public let errSSLUnknownRootCert: OSStatus = -9812
/// The path doesn't end in a root.
public let errSSLNoRootCert: OSStatus = -9813
/// A certificate has expired.
public let errSSLCertExpired: OSStatus = -9814
/// A certificate isn't valid yet.
public let errSSLCertNotYetValid: OSStatus = -9815
/// The certificate isn't valid for the server's name.
public let errSSLHostNameMismatch: OSStatus = -9843
/// The connection ended with a fatal alert.
public let errSSLFatalAlert: OSStatus = -9802
/// The configuration isn't valid.
public let errSSLBadConfiguration: OSStatus = -9848
#endif
