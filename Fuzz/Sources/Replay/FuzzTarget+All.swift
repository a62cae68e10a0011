// SPDX-License-Identifier: Apache-2.0

import FuzzCRL
import FuzzCertificate
import FuzzCertificateCollection
import FuzzChain
import FuzzCost
import FuzzDER
import FuzzDeniedList
import FuzzFilter
import FuzzHandshake
import FuzzInspection
import FuzzNameConstraints
import FuzzOCSP
import FuzzPEM
import FuzzPKCS12
import FuzzPinFormats
import FuzzPinList
import FuzzPinSource
import FuzzRecords
import FuzzReplay
import FuzzRootList
import FuzzTransparency

extension FuzzTarget {
    /// All fuzz targets, slowest first.
    ///
    /// The numbers of mutated inputs are chosen so that each target takes some seconds and all of them at most 90
    /// seconds, on one core.
    static let all: [FuzzTarget] = [
        FuzzTarget("FuzzPinList", mutations: 8_000, FuzzPinList.fuzz),
        // Each input is a plan of up to a megabyte of certificates. The target checks its own time limit.
        FuzzTarget("FuzzCost", mutations: 150, limits: Limits(megabytes: 2_048), FuzzCost.fuzz),
        FuzzTarget("FuzzPEM", mutations: 100_000, FuzzPEM.fuzz),
        FuzzTarget("FuzzDER", mutations: 100_000, FuzzDER.fuzz),
        FuzzTarget("FuzzChain", mutations: 50_000, FuzzChain.fuzz),
        FuzzTarget("FuzzCertificate", mutations: 100_000, FuzzCertificate.fuzz),
        FuzzTarget("FuzzPinFormats", mutations: 40_000, FuzzPinFormats.fuzz),
        FuzzTarget("FuzzFilter", mutations: 60_000, FuzzFilter.fuzz),
        FuzzTarget("FuzzPinSource", mutations: 6_000, FuzzPinSource.fuzz),
        FuzzTarget("FuzzHandshake", mutations: 20_000, FuzzHandshake.fuzz),
        FuzzTarget("FuzzInspection", mutations: 50_000, FuzzInspection.fuzz),
        FuzzTarget("FuzzNameConstraints", mutations: 60_000, FuzzNameConstraints.fuzz),
        FuzzTarget("FuzzCertificateCollection", mutations: 100_000, FuzzCertificateCollection.fuzz),
        FuzzTarget("FuzzPKCS12", mutations: 60_000, FuzzPKCS12.fuzz),
        FuzzTarget("FuzzReplay", mutations: 10_000, FuzzReplay.fuzz),
        FuzzTarget("FuzzRecords", mutations: 60_000, FuzzRecords.fuzz),
        FuzzTarget("FuzzRootList", mutations: 100_000, FuzzRootList.fuzz),
        FuzzTarget("FuzzTransparency", mutations: 100_000, FuzzTransparency.fuzz),
        FuzzTarget("FuzzCRL", mutations: 100_000, FuzzCRL.fuzz),
        FuzzTarget("FuzzOCSP", mutations: 100_000, FuzzOCSP.fuzz),
        FuzzTarget("FuzzDeniedList", mutations: 100_000, FuzzDeniedList.fuzz),
    ]
}
