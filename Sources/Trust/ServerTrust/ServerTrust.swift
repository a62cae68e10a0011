// SPDX-License-Identifier: Apache-2.0

// Users of this library also read lists of roots, denied certificates, filters and logs. Exporting the module saves
// them a second import.

// Exports the engine's types, except those with names that swift-certificates also uses: `Certificate`,
// `DistinguishedName`, `GeneralName`, `KeyUsage`, `BasicConstraints`, `AuthorityKeyIdentifier` and `Extension`. A file
// that names one of these imports PKIX. Stores of anchors belong to the engine, and users have `TrustAnchors`.
// Tests/External/words compiles a file with the other libraries.
@_exported import struct PKIX.AccessDescription
@_exported import struct PKIX.CertificatePolicy
@_exported import struct PKIX.CertificateRequest
@_exported import class PKIX.CertificateRevocationList
@_exported import struct PKIX.ClubcardError
@_exported import struct PKIX.DERError
@_exported import struct PKIX.ErrorCode
@_exported import struct PKIX.Hostname
@_exported import struct PKIX.HostnameError
@_exported import struct PKIX.IPAddress
@_exported import class PKIX.OCSPResponse
@_exported import struct PKIX.OID
@_exported import enum PKIX.PEM
@_exported import struct PKIX.PathRejection
@_exported import enum PKIX.PathValidation
@_exported import struct PKIX.PathValidator
@_exported import struct PKIX.RejectedPath
@_exported import class PKIX.RevocationChecker
@_exported import struct PKIX.RevocationEvidence
@_exported import enum PKIX.RevocationExemption
@_exported import class PKIX.RevocationFilter
@_exported import struct PKIX.RevocationFinding
@_exported import struct PKIX.RevocationNote
@_exported import struct PKIX.RevocationObstacle
@_exported import struct PKIX.RevocationPolicy
@_exported import enum PKIX.RevocationReason
@_exported import struct PKIX.RevokedCertificate
@_exported import struct PKIX.SerialNumber
@_exported import class PKIX.SignatureMemory
@_exported import struct PKIX.SubjectPublicKeyInfo
@_exported import struct PKIX.Time
@_exported import struct PKIX.TimeFormatError
@_exported import protocol PKIX.TrustError
@_exported import protocol PKIX.TrustErrorCode
@_exported import struct PKIX.TrustFailure
@_exported import struct PKIX.ValidatedPath
@_exported import struct PKIX.ValidationPolicy
