// SPDX-License-Identifier: Apache-2.0

extension KnownPins {
    /// Inputs without a key, each with a description. They come from command lines whose first command failed, or from
    /// code that hashes the text for a missing value.
    static let inputs: [(bytes: [UInt8], description: String)] = [
        ([], "nothing"), ([0x0a], "an empty line"), ([0x0d, 0x0a], "an empty line"),
        ([0x30, 0x00], "an empty sequence in DER"),
        (Array("\0".utf8), "a zero byte"), ([0xef, 0xbb, 0xbf], "an empty text file with a byte order mark"),
        (Array("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n".utf8), "an empty key in PEM"),
        (Array("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8), "an empty certificate in PEM"),
        (Array("null".utf8), "the word null"), (Array("undefined".utf8), "the word undefined"),
        (Array("(null)".utf8), "the word (null)"), (Array("nil".utf8), "the word nil"),
        (Array("{}".utf8), "an empty JSON object"),
    ]

    /// Sample pins from documentation, each with its document.
    static let samples: [(key: String, name: String)] = [
        ("7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=", "Android's guide to network security configuration"),
        ("fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=", "Android's guide to network security configuration"),
        ("afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=", "OkHttp's documentation of CertificatePinner"),
        ("klO23nT2ehFDXCfx3eHTDRESMz3asj1muO+4aIdjiuY=", "OkHttp's documentation of CertificatePinner"),
        ("lCppFqbkrlJ3EcVFAkeip0+44VaoJUymbnOaEUk7tEU=", "OkHttp's documentation of CertificatePinner"),
        ("HXXQgxueCIU5TTLHob/bPbwcKOKw6DkfsTWYHbxbqTY=", "TrustKit's documentation"),
        ("0SDf3cRToyZJaMsoS17oF72VMavLxj/N7WBNasNuiR8=", "TrustKit's documentation"),
        ("TQEtdMbmwFgYUifM4LDF+xgEtd0z69mPGmkp014d6ZY=", "TrustKit's documentation"),
        ("rFjc3wG7lTZe43zeYTvPq8k4xdDEutCmIhI5dn4oCeE=", "TrustKit's documentation"),
        ("k3XnEYQCK79AtL9GYnT/nyhsabas03V+bhRQYHQbpXU=", "TrustKit-Android's documentation"),
        ("2kOi4HdYYsvTR1sTIR7RHwlf2SescTrpza9ZrWy7poQ=", "TrustKit-Android's documentation"),
        ("YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=", "curl's documentation of CURLOPT_PINNEDPUBLICKEY"),
        ("t62CeU2tQiqkexU74Gxa2eg7fRbEgoChTociMee9wno=", "curl's documentation of CURLOPT_PINNEDPUBLICKEY"),
        ("NvqYIYSbgK2vCJpQhObf77vv+bQWtc5ek5RIOwPiC9A=", "Envoy's documentation of verify_certificate_spki"),
        ("d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=", "RFC 7469"),
        ("E9CZ9INDbd+2eRQozYqqbQ2yXLVKB9+xcprMF+44U1g=", "RFC 7469"),
        ("LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "RFC 7469"),
        ("cUPcTAZWKaASuYWhhneDttWpY3oBAkE3h2+soZS7sWs=", "MDN's documentation of Public-Key-Pins"),
        ("M8HztCzM3elUxkcjR2S5P4hhyBNf6lHkmjAHKhpGPWE=", "MDN's documentation of Public-Key-Pins"),
        ("/r8udi/Mxd6pLO7y7hZyUMWq8YnFnIWXCqeHsTDRqy8=", "react-native-ssl-pinning's documentation"),
        ("i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "Apple's article on identity pinning"),
    ]

    /// Keys of CAs that no longer issue certificates, each with the CA and how it ended.
    static let retired: [(key: String, name: String)] = [
        ("YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "Let's Encrypt X3, which expired in 2021"),
        ("sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis=", "Let's Encrypt X4, which never issued"),
        ("Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=", "DST Root CA X3, which expired in 2021"),
        ("jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=", "Let's Encrypt R3, which stopped issuing in 2024"),
        ("5VReIRNHJBiRxVSgOTTN6bdJZkpZ0m1hX+WPd5kPLQM=", "Let's Encrypt R4, which stopped issuing in 2024"),
        ("J2/oqMTsdhFWW/n85tys6b4yDBtb6idZayIEBx7QTxA=", "Let's Encrypt E1, which stopped issuing in 2024"),
        ("vZNucrIS7293MQLGt304+UKXMi78JTlrwyeUIuDIknA=", "Let's Encrypt E2, which stopped issuing in 2024"),
        ("HqPF5D7WbC2imDpCpKebHpBnhs6fG1hiFBmgBGOofTg=", "Entrust.net (2048), \(entrust)"),
        ("du6FkDdMcVQ3u8prumAo6t3i3G27uMP2EOhR8R0at/U=", "Entrust Root G2, \(entrust)"),
        ("/qK31kX7pz11PB7Jp4cMQOH3sMVh6Se5hb9xGGbjbyI=", "Entrust Root EC1, \(entrust)"),
        ("NtfHnz0Img/3mXLZCSPepcp2tMy698J1HLFS6UlPUtA=", "Entrust Root G4, \(entrust)"),
    ]

    private static let entrust = "whose certificates issued after November 2024 are distrusted"

    /// Keys of intermediates that their CA replaces without notice, each with its name.
    static let rotating: [(key: String, name: String)] = [
        ("K7rZOrXHknnsEhUH8nLL4MZkejquUuIvOIr6tCa0rbo=", "Let's Encrypt R10"),
        ("bdrBhpj38ffhxpubzkINl0rG+UyossdhcBYj+Zx2fcc=", "Let's Encrypt R11"),
        ("kZwN96eHtZftBWrOZUsd6cA4es80n3NzSk/XtYz2EqQ=", "Let's Encrypt R12"),
        ("AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0=", "Let's Encrypt R13"),
        ("8WR6XuPvrFTIkukwWE/keXm3rNHHbBJxvKHFB22GmIg=", "Let's Encrypt R14"),
        ("NYbU7PBwV4y9J67c4guWTki8FJ+uudrXL0a4V4aRcrg=", "Let's Encrypt E5"),
        ("0Bbh/jEZSKymTy3kTOhsmlHKBB32EDu1KojrP3YfV9c=", "Let's Encrypt E6"),
        ("y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU=", "Let's Encrypt E7"),
        ("iFvwVyJSxnQdyaUvUERIf+8qk7gRze3612JMwoO3zdU=", "Let's Encrypt E8"),
        ("8UQKm3bh5B5TpMtGEym/Yze0GXJr5RPkLhnxxpHF1LI=", "Let's Encrypt E9"),
        ("brzvtCELCIZUo4sD/qPX0ccRtPsd3DY6RfmxpOU9oB4=", "Let's Encrypt YE1"),
        ("s/tdAOmUzd8syaTuqfgGvFcn6DzA5Cmb+Vby1ST+U3Y=", "Let's Encrypt YE2"),
        ("ppiiCCS+BOR6GjPE+kiHMb6SAR8jox6QDiyibJwqz84=", "Let's Encrypt YE3"),
        ("LoMHBotttiDko50Gi13uXW71eIy7LAttI+rYT8wXF4w=", "Let's Encrypt YR1"),
        ("nWN7PSep5XDQdge5zK24CnCRXHr3KvzhKEGxsdqCX9E=", "Let's Encrypt YR2"),
        ("UaqofZhLVZrGnpKfiIoCLYMuCJ/026CkErUQG8pLx5k=", "Let's Encrypt YR3"),
        ("kIdp6NNEd8wsugYyyIYFsi1ylMCED3hZbSR8ZFsa/A4=", "Google Trust Services WE1"),
        ("YPtHaftLw6/0vnc2BnNKGF54xiCA28WFcccjkA4ypCM=", "Google Trust Services WR2"),
    ]

    /// Keys of roots that all browsers distrust, by owner.
    static let distrusted: [(name: String, keys: [String])] = [
        ("a root of Symantec (VeriSign, GeoTrust, thawte), distrusted since 2018", symantec),
        ("a root of WoSign or StartCom, distrusted since 2017", wosign),
    ]

    private static let symantec: [String] = [
        "AjyBzOjnxk+pQtPBUEhwfTXZu1uH9PVExb8bxWQ68vo=",
        "CZm/kAvVwpeGXiHhqt5s9rs6lNEa5ep5hEKk4vgTJB8=",
        "C91avpQMqqvosruog0j7b0qkzIRDb4gL7OZrSL2pE9g=",
        "FqngEtMjKfKCsQu/V8fAtCroD2rJVC60CbwcLN5Q0yI=",
        "F3VaXClfPS1y5vAxofB/QAxYi55YKyLxfq4xoVkNEYU=",
        "GQbGEk27Q4V40A4GbVBUxsN/D6YCjAVUXgmU7drshik=",
        "GRbzUI7D+teV+NxL0xb5xghaZN48QVOsbWLV6hlRXTk=",
        "IgduWu9Eu5pBaii30cRDItcFn2D+/6XK9sW+hEeJEwM=",
        "JbQbUG5JMJUoI6brnx0x3vZF6jilxsapbXGVfjhN8Fg=",
        "JsGNxu6m9jL2drzrodjCtINS8pwtX82oeOCdy4Mt1uU=",
        "LclHC+Y+9KzxvYKGCUArt7h72ZY4pkOTTohoLRvowwg=",
        "Le5RcVlquPPNPHY1/qjmwwBqqeMds50Dp0gN2yQooz4=",
        "MCeimPpXMU3A490QGUEbj0BMQ8P5NM4734VlEsgKoVw=",
        "MVEmgCM/XyofKUN/VtSYjPCvxBzGxdpidZKOnAvq3ic=",
        "Q7MQfXNCFl1AbPl1zXmzbtFkUEjwXX/26gCW5Ce324Q=",
        "Rj27mwom7SYWOXtkMSX70ptmzzpG/bQ4SyCeeCN6Gv8=",
        "R50TC/P8YdwvHVCNI5oTJ2rns8mEEBGgLBQCx+Z3vV8=",
        "SQVGZiOrQXi+kqxcvWWE96HhfydlLVqFr4lQTqI5qqo=",
        "SVqWumuteCQHvVIaALrOZXuzVVVeS7f4FGxxu6V+es4=",
        "S6YDHKMFsJ5TveNwUUVIHQMytlH+MDcN1SVMxNLLMvM=",
        "UZJDjsNp1+4M5x9cbbdflB779y5YRBcV6Z6rBMLIrO4=",
        "VnuCEf0g09KD7gzXzgZyy52ZvFtIeljJ1U7Gf3fUqPU=",
        "XE8oU4jzgzYmmlXHwSwLPKc/7ypaTfgriRQehBpsTeQ=",
        "Z9xPMvoQ59AaeaBzqgyeAhLsL/w9d54Kp/nA8OHCyJM=",
        "a4belqZYpWggpPNdkNtsPv3VdM6UuQnLDX/xfDwYnYM=",
        "cAajgxHlj7GTSEIzIYIQxmEloOSoJq7VOaxWHfv72QM=",
        "eB8cOmpC4+kVIi20lncCouV3rrAXB1+jwVmFH93QU14=",
        "fKoDRlEkWQxgHlZ+UhSOlSwM/+iQAFMP4NlbbVDqrkE=",
        "gJ8rquNa+082vWR2znXCABB3kBtq9cTauC4YjGuVwaE=",
        "gamPx4jDX1V2RalSJOUM0drI/7IJ3B5WiKopIF8TIhg=",
        "hgp/GSENXq0FenhTK4CVFFPLKQcxXzunqke2mJfXDz8=",
        "h6801m+z8v3zbgkRHpq6L29Esgfzhj89C1SyUCOQmqU=",
        "lXNUc71no7lajV+QxaIazh4NeUcyBnTUq4R5crkVRNI=",
        "lnsM2T/O9/J84sJFdnrpsFp3awZJ+ZZbYpCWhGloaHI=",
        "lpkiXF3lLlbN0y3y6W0c/qWqPKC7Us2JM8I7XCdEOCA=",
        "nG9qEjy6pO402+zu4kyX1ziHjLQj88InOQNCT10fbdU=",
        "pvH5v4oKndwID7SbHvw9GhwsMtwOE2pbAMlzFvKj3BE=",
        "qzh2w9pd4MnPZzaGjuW4i/m6Hf+cnXLS/lqNL3gwIWY=",
        "qzmksCWVVpGkAmnzU/odXLlOr2x+qYCEhLu7Yv2faPM=",
        "q1zbM1Y5c1bW5pGXPCW4YYtl12qQSG6nqKXBd2f0Zzo=",
        "q5hJUnat8eyv8o81xTBIeB5cFxjaucjmelBPT2pRMo8=",
        "rPZeHWLLWKK6/W/6tA+4hpnEc5fPXLSD1C1pytNM1Is=",
        "ryB8Yf2cfPksKv6BVCgtw/LL8y91zRcoFMUrA7frwlg=",
        "sRJBQqWhpaKIGcc1NA7/jJ4vgWj+47oYfyU7waOS1+I=",
        "st71NirT+s0EvSkEekOET3ZwNOpIkvgOVr7mkCQ+JQI=",
        "vPtEqrmtAhAVcGtBIep2HIHJ6IlnWQ9vlK50TciLePs=",
        "wHE19rRSOYJkpHdtvQpqMHxgo2+We9JjIdy4F7XAxIE=",
        "yrSCzT6CDFznKqO2/b6Yi7ik8EB+yv2Mkm42gk6rkt0=",
        "0vkaBOOmHU6teEjI1DteEVLYhXJ0ibxlc4tnwKInhac=",
        "06JdqA23urEpoGarQVA93f+gLHaMBYn5n9cRk+aZFrY=",
        "1K9sCkgjEL18VLt6sSGRb4bAwHzVL8rDLThEwmAFEV8=",
        "2oALgLKofTmeZvoZ1y/fSZg7R9jPMix8eVA6DH4o/q8=",
        "8V8dMj7Zypjp6pWzPsXdpH6kwyn5UsFvZa1BnmRSBHY=",
        "8uk2XqEh317r2N4kaP3BcdwKnkba3Bq0HVJ5C6mAp8I=",
        "9TwiBZgX3Zb0AGUWOdL4V+IQcKWavtkHlADZ9pVQaQA=",
        "9rWcjieJof1dWyU3Qv6txpJcuT7cNF5TFm4SxSuipgE=",
        "/1aAzXOlcD2gSBegdf1GJQanNQbEuBoVg+9UlHjSZHY=",
    ]

    private static let wosign: [String] = [
        "FSg5faISiQqDCwuVpZlozvI0dzd531GBzxD6ZHU0u2U=",
        "OBo/x6iwgvooYTpNB/LHVT9OGRjuB8qp6LfO3lqcoGo=",
        "eu3d82sY+Ky3N5/hzhgyErI1DQeIq+DoJFe+m62tbVQ=",
        "nZih+2BTjEzEhX/xqMgDT69vxZIJP2GZlLLIE9JQuGQ=",
        "1qGEQ9NI25lPk0zNjmNdgzonrB5W+K+vfJfLT0Pqtos=",
        "2xXABitSDzGKGdrP7NZPnno/vmCf1YZ5byCuAo6OMFg=",
        "5C8kvU039KouVrl52D0eZSGf4Onjo4Khs8tmyTlV3nU=",
    ]
}
