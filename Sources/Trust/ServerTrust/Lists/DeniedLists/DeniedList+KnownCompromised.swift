// SPDX-License-Identifier: Apache-2.0

import PKIX

extension DeniedList {
    /// Keys with a publicly known compromise or misuse, from incidents between 2011 and 2020: published or extracted
    /// private keys, and CAs that were broken into or used for interception. Source: the keys that Chromium blocks
    /// (net/data/ssl/blocklist), with its reasons.
    ///
    /// No evaluation uses this list by default. Add it to `TrustSettings.denied` to refuse these keys.
    ///
    /// **Not included:** keys of a known weak generator, and later incidents. Add those with ``formUnion(_:)``.
    public static let knownCompromised: DeniedList = {
        var list = DeniedList()
        for incident in incidents.split(separator: "\n\n") {
            let lines = incident.split(separator: "\n")
            // Each text is a digest. A test counts the entries.
            let keys = Set(lines.dropFirst().compactMap { try? Base64.decode(String($0)) })
            list.formUnion(DeniedList(keyDigests: keys, reason: String(lines[0])))
        }
        return list
    }()

    /// The incidents: a reason, and the digests of the keys on the lines below it.
    private static let incidents = """
        key of DigiNotar, which was broken into in 2011
        qQOvjAe7kbDZ4/OjDG1TM5/FvUfl1r20dlmIYMBooCQ=
        RVuH6W8c6i+Lba4ICOwkc4/ZK3/TBnVxmL84nXVcC2w=
        8DT2Qsodnojp7+r8sVx8k3qhngSwgPJzNeHacNHKEgE=
        3T7rd5vuB/nv2sOCQIso0UL6hCx46LwOMzSNV7kvBYM=
        k8otQ2yuf2jStCVsoXXJhc45km3J9+6u7PL4lw+5eAI=
        00slWy/n0aCWVsurZAn3PHlux9Zq9zZT7MOa+XgpcxA=
        fnBY6jWtQ1llQVmXP1YBh/FtGcUUuTnFBVZy0dKlGKw=

        key of a certificate that Comodo issued to intruders in 2011
        8w6PYQEdZYc8y4G0D6Yhl0m5lPAfok0CAdUhwkNWA8o=
        En2iep5F8IIoCzG/HlYVIDiflmWQk7JpfED+hgAjbIw=
        XlPyZGf4lP3lOz+kBqRAy7OwdrtbdY/kg0rWZQAgiQc=
        xgEjTiuTJdyS4+q6wZYAsLSZR9TQTYyZ0yEnST6gKPg=
        tNXJIEFe0MxPXbx/VCY2di6A2mYl8z8ratbbaL26spo=
        EhMjYKM7/cbDv3t/qyahaEh05ywSY8H13lZbtJ7wN1M=

        key in all Cyberoam devices, published in 2012
        GvVsmP8EPvkr6/9UzrtN1nolupVsgX8+bdPB5S61hME=

        key of a CA that Trustwave sold for interception, withdrawn in 2012
        MuzJb5EvltiJ5zCIzQMcfe0sZRyAUBYVeiO28y95ijs=

        key of a CA that TurkTrust issued by mistake, used for interception in 2012
        wXPwYmRWyoVP8qfwsTOnz00CEeVS8ks+M63oxZ8KQkw=
        PtvZrOY5uhotStBHGHEf2iPoWbL79dE31CQEXnkZ37k=

        key of a CA below the French DCSSI, used for interception in 2013
        Jdoa1Yu/z7In2HI7GFfUwY57qnQXtPnv+TZrXoafizk=

        key of a CA below the Indian CCA, withdrawn in 2014
        +gC+xz3Zl5XfEWLHiZhwBMJsv5CvTbRC9mIg3kE1Ssk=
        m4qT3szPuvz00E00QhKPs1IYz+Q3o9jQMoyZ+JCJ5FA=
        5uE2yGFU8yw+SfR8/Gszj/LcYc4U/HWJs7VqFFATJwE=

        key of CNNIC or a CA below it, distrusted in 2015
        ndVfxXP1RstqODHRES2HEKb0+C3If1+unToaAo3Tbks=
        H0IkzshPyZztiB/2/P0+IfjFGcVHqmpd094kcwLOUNE=
        BN3pqpp59hSYaCMl+ghwJ2cH+5ypU4QSC0aJMmhJT8k=

        key of Superfish, extracted in 2015
        S7jzW6HhJvjd4bDEIGJe2G3OYae92tveqauleP8TFF4=

        key of Dell's eDellRoot or DSDTestProvider, extracted in 2015
        EwrU4GM1ISkFMbZlH1dZsLx7xlZwn/jzZcIUOwOJtvY=
        ze6fMwVXKmd+GmyC3B4Co1sRyuamhDOMnzf+Gsja7CM=

        key that Hacking Team used to attack people, reported in 2015
        xDh9RTZKMT+/55gSs1uBXUKFKrA7BvEViWOAIcjyy0Q=
        6gjI1F1Sylk95STwUTymQY2phZ97CO8T/53Xv2Etajc=

        key of a live.fi certificate that a third party obtained, 2015
        3o8FB07AMY5+fo0xkNrosAiU8Ojd39ORPQF1m095sF0=

        key of sslip.io, published by its owner
        fV4/UFCBl7mkeLETQLfc4go8TeScSMmilBWKiVxEohs=

        key of an xs4all.nl certificate that a third party obtained, published
        8rvgTF3HDXY+icWgUnBIzZ7NOetiHiBy/5pfhDJXGqA=

        key that can be extracted from Mitel's products, reported in 2017
        cH02TnKuUhQx3ZU4l/nEhG1bjDJCmP5T+9StofLRFX8=
        atuOPgVUYJItFQHLl/lMagLjnI8ndMpAiCW3tYN53BQ=
        SQtuxr6y1gNHILUUm2spzTVRWYjMFq+FQUiwe5sfihE=
        71UShHFSMt6S4kbDIzKTYrEySTuxa1ieR3VSC+uHGlY=

        key of Microsoft Dynamics 365, given to customers, reported in 2017
        lo26afv/Fb83YgiUMa3lp+rUt+rxvnACaBC8V9HGT24=
        fNKVt1VEgIq9lAlGbwg3xarcAuM7YVDGZE3goJZZ8jw=

        key of Sennheiser HeadSetup, extracted in 2018
        DEPqi83p/DvKFlZkrIIVVn40idU5OgyB4aeRQZkuGVM=
        j1kfeqTcPv6UkMOKRpLJAR7RKPHeWVVpQG13tvofa0w=

        key of the root that Kazakhstan used for interception in 2019
        tbqN1/iVZMKInT1kU8hJmMd4JJGbZOoINapimGWRvlA=

        key of the root that Kazakhstan used for interception in 2020
        sPzOeMFmTik1RMFD49Jon3I/W25jFxB+Fj0iuoBpeUo=
        """
}
