// SPDX-License-Identifier: Apache-2.0

extension SourceReadingTests {
    /// Names of constants that mean something else where they are used.
    static let otherMeanings: [Row] = [
        Row(
            "a string that is appended to", "A.java",
            """
            String host = "a.test";
            host += ".evil.test";
            new CertificatePinner.Builder().add(host, "sha256/{CA}");
            """, [], (.pinFileNotLiteral, 3)),
        Row(
            "an array with an assigned element", "A.java",
            """
            private static final String[] PINS = {"sha256/{CA}"};
            void f() { PINS[0] = System.getenv("PIN"); }
            Object p = new CertificatePinner.Builder().add("a.test", PINS);
            """, [], (.pinFileNotLiteral, 3)),
        Row(
            "parameters of a Java lambda", "A.java",
            """
            static final String host = "a.test";
            void f() { pins.forEach((host, pin) -> builder.add(host, "sha256/{CA}")); }
            """, [], (.pinFileNotLiteral, 2)),
        Row(
            "loop variables", "A.kt",
            """
            fun other() { val host = "a.test" }
            val b = CertificatePinner.Builder()
            fun f() { for ((host, pin) in pins) b.add(host, "sha256/{CA}") }
            """, [], (.pinFileNotLiteral, 3)),
        Row(
            "lambda parameters in parentheses", "A.kt",
            """
            fun other() { val host = "a.test" }
            val b = CertificatePinner.Builder()
            fun f() { pins.forEach { (host, pin) -> b.add(host, "sha256/{CA}") } }
            """, [], (.pinFileNotLiteral, 3)),
        Row(
            "lambda parameters", "A.kt",
            """
            fun other() { val pin = "sha256/{CA}" }
            val b = CertificatePinner.Builder()
            fun f() { pins.forEach { host, pin -> b.add("a.test", pin) } }
            """, [], (.pinFileNotLiteral, 3)),
        Row(
            "a variable of a destructuring declaration", "A.kt",
            """
            const val HOST = "a.test"
            fun f() { val (HOST, pin) = pair(); CertificatePinner.Builder().add(HOST, "sha256/{CA}") }
            """, [], (.pinFileNotLiteral, 2)),
        Row(
            "lists that grow", "A.kt",
            """
            val mutable = mutableListOf("sha256/{CA}")
            val added = listOf("sha256/{CA}")
            val set = arrayOf("sha256/{CA}")
            fun f() { added += other; set.fill(pin()) }
            val p = CertificatePinner.Builder().add("a.test", *mutable.toTypedArray())
                .add("b.test", *added).add("c.test", *mutable).add("d.test", *set)
            """, [], (.pinFileNotLiteral, 5), (.pinFileNotLiteral, 6), (.pinFileNotLiteral, 6), (.pinFileNotLiteral, 6)),
        Row(
            "plain reads of constants", "A.kt",
            """
            const val HOST = "a.test"
            const val PIN = "sha256/{CA}"
            val map = mapOf(HOST to PIN)
            fun f(): String {
                log(HOST, "x" + HOST, listOf(HOST)[0], url.host(HOST))
                if (HOST == x && y != HOST) return HOST
                return "${HOST}/$HOST"
            }
            val p = CertificatePinner.Builder().add(HOST, PIN, "sha256/{OTHER}").add("b.test", PIN)
            """, ["a.test CA OTHER", "b.test CA"]),
        Row(
            "parameters of a closure", "A.swift",
            """
            let pin = "{CA}", host = "a.example.org"
            let x = pins.map { host, pin in [kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: ["{CA}", "{OTHER}"]]]] }
            """, [], (.pinFileNotLiteral, 2)),
        Row(
            "names in a pattern", "A.swift",
            """
            let host = "a.example.org"
            if case let .pair(host, pin) = x { use([kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: ["{CA}", "{OTHER}"]]]]) }
            """, [], (.pinFileNotLiteral, 2)),
        Row(
            "a JavaScript pattern", "A.ts",
            """
            const host = 'a.test';
            function f(x) { const { host } = x; initializeSslPinning({ [host]: { publicKeyHashes: ['{CA}', '{OTHER}'] } }); }
            """, [], (.pinFileNotLiteral, 2)),
        Row(
            "plain reads in JavaScript", "A.ts",
            """
            export const HOST = 'a.test';
            fetch(`https://${x}/${HOST}/`, { host: HOST, HOST: 1 });
            initializeSslPinning({ [HOST]: { publicKeyHashes: ['{CA}', '{OTHER}'] } });
            """, ["a.test CA OTHER"]),
        Row(
            "a JavaScript list that grows", "A.ts",
            """
            const PINS = ['{CA}', '{OTHER}'];
            PINS.push(pin);
            initializeSslPinning({ 'a.test': { publicKeyHashes: PINS } });
            """, [], (.pinFileNotLiteral, 3)),
    ]

    /// Calls on builders that are created elsewhere.
    static let otherBuilders: [Row] = [
        Row(
            "a block of with", "A.kt",
            """
            const val HOST = "a.test"
            const val PIN = "sha256/{CA}"
            val p = with(CertificatePinner.Builder()) { add(HOST, PIN).add("b.test", pin); build() }
            """, ["a.test CA"], (.pinFileNotLiteral, 3)),
        Row(
            "a builder from a function, with constants", "A.kt",
            """
            const val HOST = "a.test"
            const val PIN = "sha256/{CA}"
            val p = CertificatePinner.Builder().build()
            val q = builder().add(HOST, PIN).build()
            val r = builder().add("b.test", *arrayOf(PIN)).build()
            """, ["a.test CA", "b.test CA"]),
        Row(
            "an extension of the builder, with constants", "A.kt",
            """
            const val HOST = "a.test"
            const val PIN = "sha256/{CA}"
            fun CertificatePinner.Builder.ours() = this.add(HOST, PIN)
            val p = CertificatePinner.Builder().add("b.test", PIN).build()
            """, ["a.test CA", "b.test CA"], (.pinFileContradiction, 4)),
        Row(
            "a builder from a function, with unknown values", "A.kt",
            """
            import okhttp3.CertificatePinner
            val p = pinnerBuilder().add(host, pin).build()
            fun f() { list.add(0, item); pinners.add(pinner); certificatePinner.add("a.test", remote()) }
            """, [], (.pinFileNotLiteral, 2), (.pinFileNotLiteral, 3)),
    ]

    /// Code that is compiled or runs under a condition, or never.
    static let conditions: [Row] = [
        Row(
            "conditional calls", "A.kt",
            """
            val b = CertificatePinner.Builder().add("a.test", "sha256/{CA}")
            fun f() {
                if (BuildConfig.DEBUG) { b.add("b.test", "sha256/{CA}") } else { b.add("c.test", "sha256/{CA}") }
                if (BuildConfig.DEBUG) b.add("d.test", "sha256/{CA}")
                when (x) { 1 -> b.add("e.test", "sha256/{CA}") }
                b.add("f.test", "sha256/{CA}")
            }
            """, ["a.test CA", "b.test CA", "c.test CA", "d.test CA", "e.test CA", "f.test CA"],
            (.pinFileNotLiteral, 3),
            (.pinFileNotLiteral, 3), (.pinFileNotLiteral, 4), (.pinFileNotLiteral, 5)),
        Row(
            "a condition inside a block", "A.kt",
            "val p = CertificatePinner.Builder().apply {\n  add(\"a.test\", \"sha256/{CA}\")\n  if (debug) {\n    add(\"b.test\", \"sha256/{CA}\")\n  }\n}.build()",
            ["a.test CA", "b.test CA"], (.pinFileNotLiteral, 4)),
        Row(
            "a conditional pinner", "A.java",
            "if (!DEBUG) {\n  builder.certificatePinner(new CertificatePinner.Builder().add(\"a.test\", \"sha256/{CA}\").build());\n}",
            ["a.test CA"]),
        Row(
            "a dictionary in code that is never compiled", "A.m",
            """
            #if 0
            id old = @{ kTSKPinnedDomains : @{ @"a.example.org" : @{ kTSKPublicKeyHashes : @[ @"{CA}", @"{OTHER}" ] } } };
            #endif
            """, ["a.example.org CA OTHER"], (.pinFileNotLiteral, 2)),
        Row(
            "a conditional pin", "A.m",
            """
            id x = @{ kTSKPinnedDomains : @{ @"a.example.org" : @{ kTSKPublicKeyHashes : @[ @"{CA}", @"{OTHER}",
            #if X
                @"{ROOT}",
            #endif
            ] } } };
            """, ["a.example.org CA OTHER"], (.pinFileNotLiteral, 2), (.pinFileNotLiteral, 4)),
        Row(
            "a conditional dictionary", "A.m",
            """
            #ifdef DEBUG
            id old = @{ kTSKPinnedDomains : @{ @"a.example.org" : @{ kTSKPublicKeyHashes : @[ @"{CA}", @"{OTHER}" ] } } };
            #endif
            """, ["a.example.org CA OTHER"], (.pinFileNotLiteral, 2)),
        Row(
            "a dictionary in a header guard", "A.h",
            """
            #ifndef A_H
            #define A_H
            id old = @{ kTSKPinnedDomains : @{ @"a.example.org" : @{ kTSKPublicKeyHashes : @[ @"{CA}", @"{OTHER}" ] } } };
            #endif
            """, ["a.example.org CA OTHER"], (.pinFileNotLiteral, 3)),
        Row(
            "a constant and a dictionary under Swift conditions", "A.swift",
            """
            #if DEBUG
            let host = "a.example.org"
            #endif
            #if os(iOS)
            let x = [kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: ["{CA}", "{OTHER}"]], "b.example.org": [kTSKPublicKeyHashes: ["{CA}", "{OTHER}"]]]]
            #endif
            """, ["b.example.org CA OTHER"], (.pinFileNotLiteral, 5), (.pinFileNotLiteral, 5)),
    ]
}
