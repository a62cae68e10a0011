// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/pack-book. Don't edit this file. Edit the texts in Book and run the script.
//
// swift-format-ignore-file

/// The texts of the book that this module shows, in the form that `Book` reads.
enum PackedBook {
    /// The guides to failure codes.
    static let failures = #"""
certificateExpired
source: RFC 5280 § 6.1.3 (a)(2)
example: certificate 0 (leaf) expired 2026-11-18T12:00:00Z, verify date 2026-11-20T12:00:00Z
meaning: A certificate in the path expired before the verify date.
sign: `notAfter` is in the past: `openssl s_client -connect HOST:443 </dev/null | openssl x509 -noout -dates`.
cause: Renewal failed unnoticed: the ACME client can no longer answer its challenge, because of a moved DNS record, a closed port 80 or a new redirect.
cause: The certificate was renewed on disk, but the server wasn't reloaded and still serves the old one from memory.
cause: One node behind a load balancer wasn't renewed, so the failure comes and goes.
cause: A CA certificate in the chain expired, and the server still sends that old intermediate.
cause: The client's clock is wrong. A device without a battery starts in 1970 or in the year it was built.
remedy: Renew and reload: `certbot renew --deploy-hook "systemctl reload nginx"`. Check with `systemctl list-timers` that the timer runs.
remedy: If the file is already new, reload the server: `nginx -s reload`, `apachectl graceful`, `systemctl reload haproxy`.
remedy: If a CA's certificate has expired, put the CA's current chain into the chain file (`fullchain.pem`) and reload.
remedy: Check every node by its address: `servertrust check HOST --all-addresses`.
remedy: Monitor the certificate: run `servertrust check HOST --expires-within 21d` in a scheduled job.
change: If your app has a user, ask the user to accept exactly this failure of exactly this certificate for a few days.
snippet: exception
never: Setting the verify date back for all connections: this accepts every stolen certificate that has expired since.
never: Turning off validation "until the renewal": the setting outlives the renewal.

certificateNotYetValid
source: RFC 5280 § 6.1.3 (a)(2)
example: certificate 0 (leaf) is valid from 2026-11-21T00:00:00Z, verify date 2026-11-20T12:00:00Z
meaning: A certificate in the path becomes valid only after the verify date.
sign: `openssl x509 -noout -startdate -in cert.pem` prints a `notBefore` that is later than `date -u`.
cause: The client's clock is slow: a virtual machine resumed from a snapshot, or a device started without network time.
cause: The clock of a private CA is ahead of the clients' clocks, and certificates go into service in the minute they are issued.
cause: A certificate for a later date was installed too early.
remedy: First compare the clocks: `date -u` on client and server, then `timedatectl` or `chronyc tracking`.
remedy: Keep the previous certificate in service until the new one's `notBefore` has passed.
remedy: Configure the private CA to set `notBefore` one hour in the past, as public CAs do.
change: If a device's clock isn't set, evaluate with a verify date from an authenticated source, such as NTS or a signed response.
snippet: verify-date
never: Ignoring all dates because one clock is wrong: set the clock.
never: Taking the date from the server itself, such as from the `Date` header of the same connection.

hostMismatch
source: RFC 9525 § 6
example: certificate 0 (leaf) is valid for www.example.com, example.com, not api.example.com
meaning: The certificate is for different names than the one that the client connects to. Only the subject alternative name counts, and a wildcard matches exactly one label.
sign: The requested name isn't in `openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -noout -ext subjectAltName`.
cause: The server has several sites and answers with its default certificate, because it has no site for this name or the client sends no SNI.
cause: The certificate has `www.example.com` but not `example.com`, or the other way round.
cause: An administrator expected a wildcard to cover more than one label: `*.example.com` isn't valid for `a.b.example.com`.
cause: The client connects to an IP address, an internal alias or the name of a load balancer.
cause: The name points to another machine: old DNS, a parked domain, a captive portal or an interceptor.
remedy: Have the certificate reissued with every name that clients use: `certbot certonly --nginx -d example.com -d www.example.com`.
remedy: Configure a separate site for the name, with its own certificate (`server_name` in nginx, `<VirtualHost>` with `ServerName` in Apache). Compare the answers for two names: `openssl s_client -connect HOST:443 -servername NAME`.
remedy: Check where the name points: `dig +short NAME`. If it is another machine, correct the record.
remedy: Have clients connect by name. For an IP address, the certificate needs an `IP:` entry in its subject alternative name.
change: If the server has another name than the address in use, expect that name at that address. All other checks still apply.
snippet: expected-name
never: Accepting any name (`validateHost: false`, `--insecure`, `verify_hostname = False`) without a pin: the holder of any certificate can then pose as the server.

subjectAlternativeNameMissing
source: RFC 9525 § 6.3
example: certificate 0 (leaf) has no subject alternative name, expected www.example.com
meaning: The certificate has no name of the type that the client checks. A host that only appears in the common name hasn't counted since 2017 (Chrome 58). RFC 9525 forbids it.
sign: `openssl x509 -noout -ext subjectAltName -in cert.pem` prints `No extensions in certificate`.
cause: The certificate was created with `openssl req -x509` and only a subject, following old instructions.
cause: An internal CA drops the extension from the request. By default, `openssl x509 -req` copies no extensions.
cause: The certificate comes from a device's factory and has the serial number as its common name.
remedy: Create the request with the names: `openssl req -new -key key.pem -subj /CN=api.example.com -addext subjectAltName=DNS:api.example.com -out request.pem`.
remedy: Have the CA copy the names: `openssl x509 -req -copy_extensions copy …`, `copy_extensions = copy` in `openssl.cnf`, or `servertrust ca issue api.example.com`.
change: For a device with such a certificate, accept exactly this certificate, and only at the device's address.
snippet: pinned-leaf-under-any-name
never: Falling back to the common name: it has no defined form, and CAs' name constraints don't cover it in the same way.
never: Accepting any name for all hosts.

unknownIssuer
source: RFC 5280 § 6.1
example: certificate 0 (leaf) was issued by CN=R11, O=Let's Encrypt, C=US, which is neither among the anchors nor among the intermediates
meaning: The path ends at a certificate whose issuer is neither an anchor nor among the certificates that the server sent.
sign: `openssl s_client -connect HOST:443 -showcerts </dev/null` shows a chain whose last issuer (`i:`) isn't the subject (`s:`) of a trusted root. Very often it shows only one certificate.
cause: The server sends its leaf without the intermediate, because `cert.pem` is configured instead of `fullchain.pem`. Browsers hide this: they fetch or remember intermediates.
cause: The CA changed its intermediate at renewal, but the server still sends the old one.
cause: The certificate comes from a private CA, and this machine doesn't have its root.
cause: A proxy or virus scanner intercepts the connection with its own CA.
cause: The list of roots is out of date or missing, as in minimal container images.
remedy: Send the whole chain: `ssl_certificate /etc/letsencrypt/live/HOST/fullchain.pem;` in nginx, the same file as `SSLCertificateFile` in Apache 2.4.8 and newer, or one PEM file with leaf, intermediates and key for HAProxy.
remedy: Create the chain: `servertrust check HOST --fix > chain.pem` fetches the missing certificates from the CA.
remedy: If the CA is private, give clients its root: `--anchors root.pem` for this command, `update-ca-certificates` on Debian, `update-ca-trust` on Fedora.
remedy: On the client, install the roots: `apt-get install ca-certificates`.
change: A client can supply the missing intermediate. This adds no trust: the root still has to be trusted.
snippet: missing-intermediate
never: Adding the server's leaf or its intermediate to the machine's roots: the machine would trust such an intermediate for every name.
never: Turning off verification (`curl -k`, `verify=False`, `NODE_TLS_REJECT_UNAUTHORIZED=0`) because "the certificate is fine in the browser".

issuerUnreadable
source: RFC 5280 § 4.1
example: certificate 0 (leaf) was issued by CN=Example CA, whose certificate can't be read: byte 9: the version is 7
meaning: The server sent the issuer's certificate, or the caller passed it, but its bytes aren't an X.509 certificate in strict DER.
sign: The message names the certificate, the field, its value, and the rule that it breaks. `servertrust inspect chain.pem --format asn1` shows the bytes.
cause: A private CA's software writes a field that RFC 5280 doesn't allow: a date without seconds, a serial number with an extra byte, or an extension twice.
cause: The intermediate's file was cut off or changed when you copied it to the server.
cause: A person or an unchecked template wrote the certificate.
remedy: Have the CA reissue its certificate with software that writes DER, under the same name and key. Send the new one. The certificates below it stay valid.
remedy: If the CA delivered a good file, install it again. Check it with `openssl x509 -noout -text -in intermediate.pem`.
remedy: If the certificate is an anchor in a client's own store, replace it there. The server needs no change.
no-change: Clients can't rely on the name, key, or limits of an unreadable certificate.
never: Adding the certificate to the machine's roots: it is unreadable there, too.
never: Reading it leniently: a reader that skips an error may skip a constraint.
demonstration: {newAuthority} servertrust ca issue api.lab.test --folder "$d/ca" > "$d/log"; c=$(sed -n '2,/-----END/p' "$d/ca/issued/api.lab.test.pem" | sed /-----/d | tr -d '\n'); echo '{"chain":["'$c'","MAA="],"anchors":[]}' | servertrust verify --batch; rm -r "$d"

untrustedRoot
source: RFC 5280 § 6.1
example: certificate 2 (root) is a root that is not among the anchors: CN=Corp Root
meaning: The chain is complete and ends in a self-signed root that isn't among the anchors.
sign: The last certificate of `openssl s_client -connect HOST:443 -showcerts </dev/null` is its own issuer, and isn't in the list of roots.
cause: The server's certificate comes from a private CA, and this client doesn't have its root.
cause: A company's proxy, a virus scanner or a debugging tool (mitmproxy, Charles, Zscaler) intercepts the connection.
cause: Root programs removed the root because they no longer trust its CA.
cause: A container or a language runtime (Java, Python's certifi, Node) uses its own list of roots.
remedy: For a private CA, distribute its root to the clients, or use a certificate from a public CA.
remedy: For a distrusted root, have a certificate issued by another CA. A different chain to the same root doesn't help.
remedy: Leave the root out of the chain that the server sends. Clients that trust it already have it.
change: Make the private root the only anchor for its hosts.
snippet: private-anchors
never: Adding a root that came with the connection itself: first compare its fingerprint with the CA's over another channel.
never: Trusting an interceptor's root for all hosts in an app that you ship.

selfSignedLeaf
source: RFC 5280 § 6.1
example: certificate 0 (leaf) is self-signed and not among the anchors: CN=localhost
meaning: The server's certificate is signed with its own key and isn't an anchor, so no CA vouches for it.
sign: Certificate 0 has the same subject and issuer: `openssl x509 -noout -subject -issuer -in cert.pem`.
cause: The server uses the certificate that its installer created (`snakeoil`, `localhost`, a device's web page).
cause: A development server's certificate was created with `openssl req -x509`.
cause: A reverse proxy or ingress has no certificate for the name and answers with its default (`Kubernetes Ingress Controller Fake Certificate`, `TRAEFIK DEFAULT CERT`).
cause: An interceptor creates certificates on the fly.
remedy: Get a certificate from a public CA: use `certbot --nginx -d HOST`, or the server's ACME module.
remedy: Inside your network, issue from a private CA: `servertrust ca init` and `servertrust ca issue HOST`.
remedy: In Kubernetes, check that the ingress names the secret: `kubectl describe ingress NAME`, `kubectl get certificate`.
change: Pin exactly this certificate for exactly this host. Read its fingerprint on the device, not from the connection.
snippet: pinned-leaf
never: Accepting every self-signed certificate: this is no authentication at all.
never: Pinning the certificate of the first connection without comparing its fingerprint over another channel.

maximumIntermediatesExceeded
source: policy of the caller
example: the path has 3 intermediates, expected at most 2
meaning: The path has more intermediates than the client's policy allows.
sign: `servertrust verify --format json` lists the path. Self-issued intermediates don't count.
cause: The CA inserted a cross-signed or new issuing CA between leaf and root.
cause: The policy was written for a private PKI with two levels, but the PKI now has three.
remedy: Nothing is wrong on the server, unless it sends a cross-signed certificate that no client needs anymore. In that case, remove it from the chain.
remedy: Raise the client's limit by the one level that was added.
change: Raise the limit to the current length of the PKI's paths.
snippet: longer-paths
never: Removing the limit: it prevents a sub-CA of a sub-CA from issuing for these hosts.

signatureInvalid
source: RFC 5280 § 6.1.3 (a)(1)
example: certificate 0 (leaf) is not signed by its issuer CN=Example CA
meaning: The signature of a certificate doesn't verify with the key of the certificate that is named as its issuer.
sign: `openssl verify -partial_chain -trusted issuer.pem cert.pem` says `certificate signature failure`: the names match, but the keys don't.
cause: The CA was recreated under its old name, but the server still sends the old CA certificate or the old leaf.
cause: Two private CAs have the same subject, such as a template's default name, and one is used instead of the other.
cause: The certificate was damaged: edited, converted by a faulty tool, truncated or padded.
cause: An attacker put the name of a trusted CA into their own certificate.
remedy: Send the chain that the CA delivered with this certificate. The issuer's subject key identifier has to match the leaf's authority key identifier: `openssl x509 -noout -ext subjectKeyIdentifier,authorityKeyIdentifier -in cert.pem`.
remedy: After you recreate a CA, reissue the server's certificate, and give the new root a different name.
remedy: On a private CA's clients, replace the old root. A frequent cause is two anchors with one name and different keys.
no-change: Nothing in a certificate with an invalid signature is authentic, not even its name and key. An exception would have nothing to identify.
never: Treating it like an unknown CA: the CA isn't unknown here, and the signature contradicts its key.
never: Retrying until it works: a node that serves the right chain hides the one that doesn't.

signatureAlgorithmMismatch
source: RFC 5280 § 4.1.1.2
example: certificate 0 (leaf) names two signature algorithms: ecdsaWithSHA256 inside the signed part, ecdsaWithSHA384 outside
meaning: A certificate names one signature algorithm inside its signed part and a different one next to the signature.
sign: `openssl x509 -noout -text -in cert.pem` shows two different `Signature Algorithm:` lines.
cause: The CA's software writes incorrect certificates, as custom issuing scripts sometimes do.
cause: The certificate was changed after it was signed, or was made to test parsers.
remedy: Have the certificate reissued. If the new one has the same error, the CA's software has to be fixed.
remedy: If it is an intermediate, ask the CA for a correct one.
no-change: The outer algorithm isn't signed. Whichever one the client follows, an attacker may have chosen it.
never: Using the outer algorithm because "it verifies": the rule exists to prevent this substitution.

signatureUsesMD5
source: RFC 6151
example: certificate 1 (intermediate) is signed with MD2, MD4 or MD5, expected SHA-256 or better
meaning: A certificate is signed with an MD2, MD4 or MD5 digest. Forgeries of such signatures have been possible since 2008.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `md5WithRSAEncryption`.
cause: An old device has its original factory certificate.
cause: A private CA uses an `openssl.cnf` from the last century with `default_md = md5`.
remedy: Reissue the certificate with SHA-256: `default_md = sha256` in `openssl.cnf`, or `openssl x509 -req -sha256 …`.
remedy: If you can't change a device, put a proxy with a current certificate in front of it.
no-change: A laptop can create two certificates with the same MD5 signature, so the signature proves nothing.
never: Lowering the security level of the whole program (`SECLEVEL=0`) for one device.
never: Trusting the CA because it is internal: attackers can forge its certificates all the same.

signatureUsesSHA1
source: RFC 9155; CA/Browser Baseline Requirements § 7.1.3.2
example: certificate 1 (intermediate) is signed with SHA-1, expected SHA-256 or better
meaning: A certificate is signed with a SHA-1 digest. Chosen-prefix collisions cost about ten thousand dollars, and public CAs stopped using SHA-1 in 2016.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `sha1WithRSAEncryption` or `ecdsa-with-SHA1`.
cause: An internal CA was set up years ago and never changed its digest. AD CS keeps SHA-1 until you reconfigure it.
cause: The intermediate was renewed, but the old one, signed with SHA-1, is still in the chain file.
cause: A device or appliance creates its own certificate with an old library.
remedy: Reissue with SHA-256: `openssl x509 -req -sha256 …`. On AD CS, run `certutil -setreg ca\csp\CNGHashAlgorithm SHA256`, restart, and renew.
remedy: If a CA's certificate is signed with SHA-1, replace the chain file with the CA's current one. A root's signature on itself doesn't count.
no-change: An attacker can move a SHA-1 signature to another certificate, so it no longer shows which one the CA signed.
never: Setting `DEFAULT@SECLEVEL=0` or `update-crypto-policies --set LEGACY` for the whole machine.
never: Making the intermediate that is signed with SHA-1 an anchor for every host.

signatureUsesDSA
source: CA/Browser Baseline Requirements § 7.1.3.2
example: certificate 1 (intermediate) is signed with DSA, expected RSA, ECDSA, Ed25519 or ML-DSA
meaning: A certificate is signed with DSA. No public CA uses DSA, and this package doesn't verify it.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `dsa_with_SHA256` or `dsaWithSHA1`.
cause: A private CA, often from a government or a Java product from around 2005, has a DSA key. `keytool -genkey` created one by default.
remedy: Create a CA with a P-256 or RSA key and reissue: `servertrust ca init`, or `keytool -genkeypair -keyalg EC`.
no-change: This package doesn't verify DSA, and it can't trust a signature that it doesn't verify.
never: Skipping the signature check for this CA.

signatureAlgorithmUnsupported
source: RFC 5280 § 4.1.1.2
example: certificate 0 (leaf) is signed with an unsupported algorithm: id-ml-dsa-44 (2.16.840.1.101.3.4.3.17), expected ML-DSA-65 or ML-DSA-87, because the crypto library has no ML-DSA-44
meaning: A certificate is signed with an algorithm that this package doesn't support.
sign: The message contains the object identifier. `openssl x509 -noout -text -in cert.pem` may show its name.
cause: The CA uses a national algorithm (SM2, GOST) or Ed448.
cause: The CA tests a post-quantum algorithm before its standard is final, or uses a parameter set other than ML-DSA-65 and ML-DSA-87.
remedy: Serve a second certificate with a common algorithm (ECDSA P-256 or RSA). nginx and OpenSSL choose according to the client's signature algorithms.
remedy: Have the CA sign with RSA, ECDSA or Ed25519.
no-change: The signature can't be verified, so nothing proves who issued the certificate.
never: Accepting the certificate because its names are right: without a verified signature, names are only a claim.

signatureParametersUnsupported
source: RFC 4055 § 3.1; RFC 8446 § 4.2.3
example: certificate 0 (leaf) is signed with an algorithm whose parameters are not allowed: RSASSA-PSS with SHA-1
meaning: This package doesn't accept the parameters of the signature algorithm: RSASSA-PSS with unusual settings, or parameters where none are allowed.
sign: `openssl x509 -noout -text -in cert.pem` shows values of `Hash Algorithm`, `Mask Algorithm` and `Salt Length` that don't match.
cause: The CA's software uses RSASSA-PSS with the longest possible salt, which is the default of some hardware security modules.
cause: The mask generation uses a different hash than the signature, such as SHA-1 for MGF1.
cause: A Java version from before 2021 signed with ECDSA and wrote NULL as parameters. OpenSSL, Java and Windows accept this, but browsers don't.
remedy: Sign with the usual parameters: `openssl x509 -req -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -sigopt rsa_mgf1_md:sha256 …`.
remedy: You can also sign with PKCS #1 v1.5 or ECDSA. For ECDSA with NULL, have the certificate reissued by a current Java version.
change: Under a private root, plain RFC 5280 accepts ECDSA with NULL. TLS 1.3 prescribes the parameters of RSASSA-PSS (RFC 8446 § 4.2.3).
snippet: plain-profile
never: Treating unknown parameters as the usual ones.

keyUsesExplicitCurve
source: RFC 5480 § 2.1.1
example: certificate 0 (leaf) has a key with explicit curve parameters, expected a named curve
meaning: The key of a certificate spells out its elliptic curve as numbers instead of naming it. Such curves made forged CAs possible (CVE-2020-0601).
sign: `openssl x509 -noout -text -in cert.pem` shows `Field Type: prime-field` and numbers instead of `ASN1 OID: prime256v1`.
cause: The key was created with `openssl ecparam -param_enc explicit`, or by a smart card or a Java provider that writes the parameters out.
cause: An attacker presents a CA key with a specially chosen generator, so that they know the private key.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: To keep an existing key, write it with the curve's name: `openssl ec -in key.pem -param_enc named_curve -out named.pem`. Then have the certificate reissued.
no-change: An attacker who can choose the curve can imitate the signatures of any CA.
never: Comparing the numbers to those of a known curve and accepting "the same" curve: that check failed in CVE-2020-0601.

keyUsesUnsupportedCurve
source: CA/Browser Baseline Requirements § 6.1.5
example: certificate 0 (leaf) has a key on curve secp256k1, expected P-256, P-384 or P-521
meaning: The key of a certificate uses a curve other than P-256, P-384 and P-521.
sign: `openssl x509 -noout -text -in cert.pem | grep 'ASN1 OID'` shows a curve such as `secp256k1`, `brainpoolP256r1` or `prime192v1`.
cause: The key was created for another purpose: secp256k1 for a blockchain, Brainpool curves for government PKIs.
cause: An administrator copied instructions with `openssl ecparam -name secp256k1`.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: If a regulation requires the other curve, have the server offer a second certificate with P-256.
no-change: This package doesn't verify signatures on these curves, and the CA/Browser baseline doesn't allow them either.
never: Making a self-signed certificate with such a key an anchor: the handshake's signature still can't be verified.

keyUsesDSA
source: CA/Browser Baseline Requirements § 6.1.5
example: certificate 0 (leaf) has a DSA key, expected RSA, an elliptic curve, Ed25519 or ML-DSA
meaning: The key of a certificate is a DSA key. TLS 1.3 doesn't have DSA, and no current client offers it.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows `dsaEncryption`.
cause: The key was created by an old `keytool -genkey` or by `openssl dsaparam -genkey`.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
no-change: This package doesn't verify DSA.
never: Keeping the key and only renewing the certificate: the key is the cause.

rsaKeyTooSmall
source: CA/Browser Baseline Requirements § 6.1.5
example: certificate 0 (leaf) has an RSA key of 1024 bits, expected at least 2048
meaning: The RSA key of a certificate is shorter than 2048 bits. Researchers have factored 829 bits, and public CAs stopped issuing for 1024 bits in 2013.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(1024 bit)`.
cause: A device creates its own short key because its processor is slow.
cause: A key from before 2010 survived all renewals (`--reuse-key`, an old request file).
cause: A private root from that time signs good leaves with a short key.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: For RSA: `openssl req -new -newkey rsa:2048 -noenc …`. Have the ACME client create new keys: `certbot renew --new-key`.
remedy: If a CA has the short key, move to a new CA. A new leaf key doesn't help.
no-change: Others may know the key. A pin or an exception would accept the attacker as well as the server.
never: Lowering the limit for all servers because you can't update one device: put a proxy in front of it.

rsaKeyTooLarge
source: budget of this package
example: certificate 2 (root) has an RSA key of 9216 bits, expected at most 8192
meaning: The RSA key of a certificate is longer than 8192 bits, so each check takes too much of the client's time.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows `(16384 bit)`.
cause: The key is as long as the tool allows, in the belief that longer is safer.
cause: An attacker made the certificate to keep clients busy.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: For RSA, 3072 bits are enough beyond 2030 (NIST SP 800-57). The longest size in common use is 4096.
no-change: The limit protects the client's processor, and the engine doesn't verify signatures with longer keys.
never: Removing limits on key sizes: every connection to a hostile server then takes seconds of processor time.

keyMalformed
source: RFC 3279 § 2.3; RFC 5480; RFC 8410; RFC 9881
example: certificate 0 (leaf) has a malformed RSA key: the exponent is 1
meaning: The bytes of a certificate's key aren't a key of the algorithm that the certificate names.
sign: `openssl x509 -noout -pubkey -in cert.pem` fails or prints a key that `openssl pkey -pubin -check` refuses.
cause: The CA's software encoded the key incorrectly: an even modulus or exponent, a point that isn't on the curve, or parameters where none are allowed.
cause: The certificate is damaged, or was made to test parsers.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: Check the request before you send it to the CA: `openssl req -verify -noout -in request.pem`.
no-change: No signature can be verified with such a key.
never: Repairing the key in the client.

keyAlgorithmUnsupported
source: RFC 5280 § 4.1.2.7
example: certificate 0 (leaf) has a key of an unsupported algorithm: Ed448 (1.3.101.113), expected RSA, P-256, P-384, P-521, Ed25519, ML-DSA-65 or ML-DSA-87
meaning: The key of a certificate has an algorithm that this package doesn't support.
sign: The message names the algorithm, and so does `servertrust inspect cert.pem`. `openssl x509 -noout -text -in cert.pem` shows the name if this version of OpenSSL knows it.
cause: The certificate has a key of a national algorithm (SM2, GOST), an Ed448 key, or an X25519 key, which can't sign.
cause: The certificate uses a post-quantum algorithm that the crypto library doesn't verify: ML-DSA-44, SLH-DSA, Falcon, or a composite of ML-DSA with RSA or a curve. It verifies ML-DSA-65 and ML-DSA-87.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
remedy: Use two certificates: OpenSSL, nginx and HAProxy serve both for one name and choose according to the client's algorithms.
no-change: No signature by this key can be verified, so neither the chain nor the handshake can be.
never: Accepting the leaf by its fingerprint: without a signature, the server doesn't prove that it has the key.

criticalExtensionUnhandled
source: RFC 5280 § 4.2
example: certificate 0 (leaf) has an unsupported critical extension: 1.2.3.4
meaning: A certificate has a critical extension that this package doesn't process. RFC 5280 requires clients to reject such a certificate.
sign: `openssl x509 -noout -text -in cert.pem` shows the extension with `critical`. The message names its object identifier.
cause: A private CA marks a private extension as critical, or an extension that usually isn't critical.
cause: The certificate has another purpose: it is a precertificate (1.3.6.1.4.1.11129.2.4.3), a proxy certificate or an attestation.
remedy: Have the certificate reissued without the extension, or with the extension not marked critical.
remedy: If you installed a precertificate, replace it with the certificate that the CA delivered afterwards.
no-change: By marking the extension critical, the CA says that software must not use the certificate if it doesn't understand the extension.
never: Ignoring criticality: this extension may be the one that limits the certificate to another use.

certificateVersionNotAllowed
source: RFC 5280 § 6.1.4 (k); CA/Browser Baseline Requirements § 7.1.1
example: certificate 1 (intermediate) is an X.509 v1 certificate, expected v3
meaning: A certificate in the path has X.509 version 1 or 2. These versions can't say whether a certificate is a CA, so anyone with such a certificate could issue others.
sign: `openssl x509 -noout -text -in cert.pem` shows `Version: 1 (0x0)`.
cause: Before OpenSSL 3.2, `openssl x509 -req` without `-extfile` creates version 1 certificates.
cause: A private root from before 2000, or from a small device, has version 1.
remedy: Reissue the certificate with extensions: `openssl x509 -req -extfile ext.cnf …` with `basicConstraints=critical,CA:TRUE` for a CA. `servertrust ca init` creates a new CA.
remedy: Look at the certificates that the server sends: `openssl s_client -connect HOST:443 -showcerts </dev/null`. Then replace the chain file with the CA's own (`fullchain.pem`).
change: For a private PKI with a version 1 root, plain RFC 5280 accepts the root as an anchor. It still rejects version 1 intermediates.
snippet: plain-profile
never: Switching the profile for servers on the public web, where no root has version 1 anymore.

issuerNameEmpty
source: RFC 5280 § 4.1.2.4
example: certificate 0 (leaf) names no issuer
meaning: A certificate has no issuer name, so its CA can't be found by name.
sign: `openssl x509 -noout -issuer -in cert.pem` prints `issuer=` and nothing after it.
cause: A script creates self-signed certificates without a subject.
cause: The private CA itself has an empty subject.
remedy: Give the CA a subject (`-subj '/CN=Example Issuing CA'`), and reissue the server's certificate.
remedy: For a single server: `servertrust ca init --name 'Example Root'` and `servertrust ca issue HOST`.
change: Accept exactly this certificate at exactly this host.
snippet: pinned-leaf
never: Matching issuers by key identifier only: the issuer of a certificate can choose any identifier.

notCertificateAuthority
source: RFC 5280 § 6.1.4 (k)
example: certificate 1 (intermediate) is used as an issuer but states that it isn't a certificate authority
meaning: The issuer of a certificate isn't a CA: the issuer's own certificate says `CA:FALSE`.
sign: `openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `CA:FALSE`.
cause: The chain file contains a server's certificate instead of the intermediate.
cause: A developer signed a certificate with the key of another server's certificate.
cause: An attacker uses the key of a valid certificate to issue others, hoping that clients don't check.
remedy: Look at the certificates that the server sends: `openssl s_client -connect HOST:443 -showcerts </dev/null`. Then replace the chain file with the CA's own (`fullchain.pem`).
remedy: For a private CA, issue from a CA with `basicConstraints=critical,CA:TRUE` and `keyUsage=critical,keyCertSign,cRLSign`.
change: If you can't change the server, accept exactly its certificate. The certificate above it gains no trust.
snippet: pinned-leaf
never: Making the wrong issuer an anchor: the holder of that server's key could then issue certificates for every name.

basicConstraintsMissing
source: RFC 5280 § 6.1.4 (k)
example: certificate 1 (intermediate) is used as an issuer but has no basic constraints
meaning: A certificate is used as a CA, but has no basic constraints. A version 3 certificate without them isn't a CA.
sign: `openssl x509 -noout -ext basicConstraints -in issuer.pem` prints `No extensions in certificate`.
cause: The private CA was created without an extensions section: `openssl req -x509` with a configuration that lacks `x509_extensions`.
cause: The chain file contains the wrong certificate above the leaf.
remedy: Reissue the CA's certificate with `basicConstraints=critical,CA:TRUE`. Keep the name and the key, so that existing leaves stay valid.
remedy: Look at the certificates that the server sends: `openssl s_client -connect HOST:443 -showcerts </dev/null`. Then replace the chain file with the CA's own (`fullchain.pem`).
change: Accept exactly the server's certificate until the CA is replaced.
snippet: pinned-leaf
never: Accepting CAs without the extension: every server certificate from old software would then be a CA.

keyUsageLacksCertSign
source: RFC 5280 § 6.1.4 (n)
example: certificate 1 (intermediate) is used as an issuer but its key usage lacks keyCertSign: digitalSignature
meaning: A certificate is used as a CA, but its key usage doesn't permit signing certificates.
sign: `openssl x509 -noout -ext keyUsage -in issuer.pem` lists usages without `Certificate Sign`.
cause: The CA was created with a server's key usage (`digitalSignature, keyEncipherment`).
cause: A self-signed server certificate is used as a root for others.
cause: The chain file contains the wrong certificate above the leaf.
remedy: Reissue the CA's certificate for the same key with `keyUsage=critical,keyCertSign,cRLSign`.
remedy: Look at the certificates that the server sends: `openssl s_client -connect HOST:443 -showcerts </dev/null`. Then replace the chain file with the CA's own (`fullchain.pem`).
change: Accept exactly the server's certificate until the CA is replaced.
snippet: pinned-leaf
never: Skipping the key usage check for all CAs.

pathLengthExceeded
source: RFC 5280 § 6.1.4 (l), (m)
example: certificate 2 (root) allows 0 intermediates below it, found 1
meaning: A CA in the path limits how many CAs may be below it, but the path has more.
sign: `openssl x509 -noout -ext basicConstraints -in ca.pem` shows `pathlen:0` or another number, and the chain has more CAs below it.
cause: An issuing CA with `pathlen:0` issued another CA, because of its template or by mistake.
cause: A cross-signed certificate makes the path one certificate longer than the limit allows.
remedy: Issue the server's certificate directly from the CA with the limit.
remedy: Have the CA above it issue an intermediate with a larger `pathlen` for the same key and name.
remedy: Leave out the cross-signed certificate that makes the path longer.
change: Accept exactly the server's certificate. The extra CA gains no trust.
snippet: pinned-leaf
never: Making the lowest CA an anchor for every host: the limit is there to stop exactly such a CA.

extendedKeyUsageNotAllowed
source: RFC 5280 § 4.2.1.12; CA/Browser Baseline Requirements § 7.1.2
example: certificate 0 (leaf) is for clientAuth, expected serverAuth
meaning: A certificate in the path isn't for this purpose: its extended key usage lists only other purposes. For a server, `serverAuth` is missing.
sign: `openssl x509 -noout -ext extendedKeyUsage -in cert.pem` doesn't list `TLS Web Server Authentication`.
cause: A client certificate or a code signing certificate was installed on the server.
cause: The template of a private CA only issues `clientAuth`, as for devices and users.
cause: An intermediate is limited to another purpose, such as email.
remedy: Have the certificate reissued with `extendedKeyUsage=serverAuth`. In AD CS, use the template "Web Server".
remedy: If an intermediate is limited, have the certificate issued by the CA's intermediate for TLS.
change: For peers that authenticate with client certificates, set that purpose. Do so only with a private root as the anchor.
snippet: purpose
never: Allowing any purpose with the system's anchors: every email certificate would then be valid for a server.

keyUsageNotForTLS
source: RFC 5246 § 7.4.2; RFC 8446 § 4.4.2.2
example: certificate 0 (leaf) has key usage keyCertSign, expected one of digitalSignature, keyEncipherment
meaning: The key usage of the server's certificate permits no operation of a TLS handshake, or not the one that the negotiated suite needs. TLS 1.3 and (EC)DHE need a signature.
sign: `openssl x509 -noout -ext keyUsage -in cert.pem` lacks `Digital Signature`. `Key Encipherment` without it only works with RSA key exchange in TLS 1.2. BoringSSL's clients print `KEY_USAGE_BIT_INCORRECT`.
cause: The certificate comes from a template for CAs (`keyCertSign`), encryption or email.
cause: A self-signed certificate was created with the extensions of a CA.
cause: An old script only requests `keyEncipherment` and `dataEncipherment`.
remedy: Have the certificate reissued with `keyUsage=critical,digitalSignature` (and `keyEncipherment` for RSA in TLS 1.2).
change: Under a private root, plain RFC 5280 doesn't check the leaf's key usage. TLS libraries may still refuse it.
snippet: plain-profile
never: Using the CA's own certificate as the server's certificate: the CA's key is then on the server.

nameExcluded
source: RFC 5280 § 6.1.3 (c)
example: certificate 0 (leaf) has the name db.corp.example, which a CA above it excludes: corp.example
meaning: A CA in the path must not issue for a name of the certificate, because the name is in an excluded subtree.
sign: `openssl x509 -noout -ext nameConstraints -in ca.pem` lists the name's domain or address under `Excluded`.
cause: A company's CA excludes certain domains, but issued a certificate for one of them.
cause: The CA excludes IP ranges (`0.0.0.0/0`), and the certificate has an address in addition to its DNS names.
remedy: If the server doesn't need the excluded name, remove it from the request. Often it is an address beside DNS names.
remedy: Get a certificate for the name from a CA that may issue for it.
change: Accept exactly this certificate at exactly this host until another CA has issued one.
snippet: pinned-leaf
never: Making the constrained CA an anchor without its constraints: it got its certificate only with these constraints.

nameNotPermitted
source: RFC 5280 § 6.1.3 (b)
example: certificate 0 (leaf) has the name www.example.com, expected one within corp.example
meaning: A CA in the path may only issue for certain names, and a name of the certificate isn't among them.
sign: `openssl x509 -noout -ext nameConstraints -in ca.pem` lists `Permitted` subtrees that don't cover every name of `openssl x509 -noout -ext subjectAltName -in cert.pem`.
cause: The CA is for `corp.example`, but issued a certificate for a server in a new domain.
cause: The company was renamed, and the constraint doesn't contain its new DNS names.
cause: The certificate has an IP address or an email address, but the constraint only permits DNS names.
remedy: Have the certificate issued only for permitted names, or by a CA that may issue for the other names.
remedy: Have the CA's certificate renewed with the new domain in its permitted subtrees.
change: Accept exactly this certificate at exactly this host until another CA has issued one.
snippet: pinned-leaf
never: Ignoring name constraints: they limit a private CA to its own names on every machine that trusts it.

nameConstraintUndecidable
source: RFC 5280 § 4.2.1.10
example: certificate 0 (leaf) has the name a@example.com, which can't be compared with the constraint @example.com
meaning: A name and a name constraint of the same type can't be compared: one of them is malformed, or this package doesn't compare its form.
sign: `openssl x509 -noout -ext nameConstraints -in ca.pem` shows the constraint that the message names, such as a URI or a mask with gaps.
cause: The constraint is malformed: `*.example.com` or `https://example.com` instead of `example.com`, or an address without a mask.
cause: The certificate has a name with a space or a misplaced underscore, or a URI without a host.
remedy: Have the certificate reissued without the malformed name.
remedy: Have the CA's certificate reissued with a constraint in the form of RFC 5280 § 4.2.1.10: `permitted;DNS:example.com`, `permitted;IP:10.0.0.0/255.0.0.0`.
change: Accept exactly this certificate at exactly this host.
snippet: pinned-leaf
never: Treating a constraint that can't be compared as met.

policyMappingOfAnyPolicy
source: RFC 5280 § 6.1.4 (a)
example: certificate 1 (intermediate) maps to or from anyPolicy
meaning: A CA's certificate maps a certificate policy to or from anyPolicy, which RFC 5280 forbids.
sign: `openssl x509 -noout -ext policyMappings -in ca.pem` shows `2.5.29.32.0`.
cause: A bridge CA was configured with a wildcard mapping, to accept every policy of its partner.
remedy: Have the cross-certificate reissued with one mapping for each policy.
remedy: If there is another path, send it without that cross-certificate.
change: Accept exactly the server's certificate until the bridge CA is fixed.
snippet: pinned-leaf
never: Ignoring policy mappings in a PKI that relies on policies.

policyNotAcceptable
source: RFC 5280 § 6.1.5 (g); RFC 9618 § 5
example: the path has no acceptable certificate policy: found none, expected 2.23.140.1.2.2
meaning: The client or a CA in the path requires a certificate policy, but no acceptable policy is valid along the whole path.
sign: `openssl x509 -noout -ext certificatePolicies,policyConstraints -in cert.pem`, run for each certificate, shows no common policy.
cause: The issuing CA was replaced, and the new one asserts another policy.
cause: The client requires the policy for extended validation or for a government PKI, but the certificate is an ordinary one.
cause: A CA sets `requireExplicitPolicy`, but the leaf has no policies.
remedy: Have the certificate issued under the required policy.
remedy: Have the CA's certificates assert the policy. A CA certificate without the policy ends it for every certificate below.
change: Add the new policy's identifier to the acceptable ones, and keep requiring a policy.
snippet: certificate-policies
never: Turning off `requireExplicit` for all servers: the policy is the reason to trust this PKI.

tlsFeatureMissing
source: RFC 7633 § 4.2.2
example: certificate 0 (leaf) requires the TLS features none, but the CA above it also requires status_request
meaning: A CA in the path requires TLS features from its servers (RFC 7633), but a certificate below it doesn't require them.
sign: `openssl x509 -noout -ext tlsfeature -in ca.pem` prints `status_request`. For the certificate below it, the same command prints less.
cause: The CA's certificate was created with "must staple", but the CA's software doesn't put the extension into the certificates it issues.
cause: The extension was meant for one server, but was added to the configuration of a CA.
remedy: Have the certificate reissued with the same extension (`tlsfeature=status_request` in OpenSSL's configuration), and turn on stapling.
remedy: If the CA's servers don't staple, have the CA's certificate renewed without the extension.
change: Accept exactly this certificate at exactly this host until the CA has issued a new one.
snippet: pinned-leaf
never: Ignoring the requirement of a CA: it is there so that a stolen key can be revoked in time.

certificateRevoked
source: RFC 5280 § 6.1.3 (a)(3)
example: certificate 0 (leaf) was revoked 2026-11-02T08:00:00Z, reason: keyCompromise
meaning: The CA revoked a certificate in the path before it expired.
sign: `servertrust check HOST --revocation required --fetch` names the CRL or OCSP response, the date and the reason.
cause: The key was lost or published, for example in a repository, and its owner or the person who found it reported it.
cause: The CA revoked a batch that it had issued incorrectly. Public CAs have to do so within 24 hours or five days.
cause: The certificate was revoked as superseded, but a node still serves it.
cause: The domain or the contract changed hands.
remedy: Create a new key and have a new certificate issued: `certbot certonly --force-renewal --new-key -d HOST`. Then reload every node.
remedy: If the reason is `keyCompromise`, find out how the key leaked before you install the new one. Replace every secret that was encrypted with it.
remedy: Use an ACME client with ARI (RFC 9773), which announces mass revocations in advance.
no-change: An attacker may have stolen the key of a revoked certificate. Revocation exists for this case.
never: Turning off revocation checks so that the connection succeeds.
never: Renewing with the same key after a compromise.

stapleMissing
source: RFC 7633 § 4.2.3.1
example: certificate 0 (leaf) requires a good OCSP response in the handshake, found none
meaning: The certificate promises that its server always staples an OCSP response ("must staple", RFC 7633), but the handshake had no good one.
sign: `openssl s_client -connect HOST:443 -status </dev/null | grep -A1 'OCSP response'` prints `no response sent`, and `openssl x509 -noout -ext tlsfeature -in cert.pem` prints `status_request`.
cause: Stapling is turned off, or the server can't reach the CA's responder through its firewall.
cause: After a restart, nginx only fetches the response during the first handshake, and sends none in that handshake.
cause: The stapled response is out of date because the process that renews it has stopped.
cause: The CA ended OCSP, as Let's Encrypt did in 2025, but old certificates still require a staple.
remedy: Turn on stapling: `ssl_stapling on; ssl_stapling_verify on; resolver 9.9.9.9;` in nginx, `SSLUseStapling on` and `SSLStaplingCache` in Apache.
remedy: Allow the server to reach the responder. `openssl x509 -noout -ocsp_uri -in cert.pem` prints its address.
remedy: Have a certificate issued without "must staple": run `certbot` without `--must-staple`.
no-change: The certificate's owner asked for this refusal, so that an attacker who has stolen its key can't hide the revocation.
never: Ignoring the TLS feature extension in clients that can see the staple.

revocationUnavailable
source: policy of the caller; RFC 5280 § 6.3.3
example: certificate 0 (leaf) can't be checked for revocation: the CRL expired 2026-11-01
meaning: The client requires a revocation check, but found no usable CRL or OCSP response for a certificate in the path. Or the check took more work than the budget allows.
sign: `servertrust check HOST --revocation required --fetch --format json` lists the reasons for each certificate in `revocation[].obstacles`.
cause: The client can't reach the CA's responder and CRLs. They use plain HTTP on port 80, which firewalls block.
cause: The available CRL or OCSP response is out of date.
cause: The certificate has neither a CRL address nor a responder, as with many private CAs. Leaves with noRevAvail and short-lived leaves of public CAs are exempt. Those of other CAs are exempt if `--exempt-short-lived all` or `RevocationPolicy.shortLivedExemption` says so.
cause: The CRL or OCSP response is older than permitted below a public anchor: 10 days for a leaf (`crlTooOld`, `ocspTooOld`).
cause: The CA's CRL is larger than the budget.
remedy: If the CA has a responder, have the server staple an OCSP response (`ssl_stapling on;`).
remedy: For a private CA, publish each CRL before the previous one expires: run `servertrust ca crl` in a scheduled job. Put the CRL's address into certificates.
remedy: Allow clients to reach the addresses in `openssl x509 -noout -ext crlDistributionPoints,authorityInfoAccess -in cert.pem`, or give them a cache.
change: Supply the CA's current CRL in the client.
snippet: revocation-data
never: Turning off the requirement for all hosts because one CA publishes nothing.

anchorDistrustedAfter
source: policy of the root program
example: certificate 2 (root) is trusted for certificates issued until 2024-11-30, but this certificate was issued 2025-02-01
meaning: The root program only trusts the root for certificates issued up to a certain date, but this one was issued later.
sign: `servertrust roots report --against LIST` names the root and the date. The message states the date of issuance and which clock it comes from.
cause: A browser no longer trusts the CA, but accepts older certificates until they expire.
cause: The certificate was renewed with the usual CA after the program's date.
cause: The certificate states an early date, but the timestamps of logs show when it was really issued.
remedy: Have the certificate issued by another CA: `certbot certonly --server https://acme-v02.api.letsencrypt.org/directory -d HOST`.
remedy: If the CA has a cross-certificate from a root that is still trusted, send it in the chain.
remedy: Find other hosts with the same root before their renewal: `servertrust roots report --against LIST --hosts hosts.txt`.
change: Add an exception for this certificate at this host until the server has one from another CA.
snippet: exception
never: Setting the verify date back: the rule uses the date of issuance, and expired certificates would be accepted.
never: Removing the root program's list for all hosts.

anchorNameNotPermitted
source: policy of the root program
example: certificate 2 (root) is trusted for names in gov.example, but the certificate has www.example.com
meaning: The root program only trusts the root for certain domains, and the certificate has a name outside them.
sign: The message lists the permitted domains and the name. `servertrust roots show --against LIST` prints the root's conditions.
cause: The root belongs to a government or a region, and programs limit it to its own top-level domain.
cause: The certificate has several names, and one of them is outside the permitted domains.
cause: The certificate has an IP address among its names, but the condition only permits domains.
remedy: Have the certificate issued by a CA without such a limit.
remedy: Split the certificate. Keep names in the permitted domains with this CA, and get a certificate from another CA for the others.
change: Add an exception for this certificate at this host until the server has one from another CA.
snippet: exception
never: Trusting the root for every name because one host needs it.

anchorPurposeNotPermitted
source: policy of the root program
example: certificate 2 (root) is trusted for email, found serverAuth
meaning: In the root program's list, the root is for another purpose, such as email, or has conditions that this version can't check.
sign: `servertrust roots report --against LIST` lists the root as not trusted for servers.
cause: The program no longer trusts the root for servers, but still trusts it for signed email.
cause: The system's store has one bundle for all purposes.
cause: The list is newer than the program that reads it, and contains a new type of condition.
remedy: Have the certificate issued by a CA that the program trusts for servers.
remedy: If the CA has moved to a newer root, send the chain that ends in that root.
change: Add an exception for this certificate at this host until the server has one from another CA.
snippet: exception
never: Allowing any purpose (`--purpose any`) so that the check passes.

anchorNotInProgram
source: policy of the root program
example: certificate 2 (root) is not among the roots of Mozilla
meaning: The system's store contains the root, but the root program's complete list doesn't. The root was removed, or was never in it.
sign: `servertrust roots report --against LIST` reports that the root isn't in the list.
cause: The system is old, and its store dates from a time when the program still contained the root.
cause: The root belongs to a company, and was copied into the store's folder instead of the administrator's.
cause: The list is from a different root program than the one that contains the server's CA.
remedy: Have the certificate issued by a CA in the program.
remedy: If the root is yours, install it in the administrator's folder: `/usr/local/share/ca-certificates` on Debian, `/etc/pki/ca-trust/source/anchors` on Fedora.
remedy: Update the system's store: `apt-get install --only-upgrade ca-certificates`.
change: Trust the root only for the hosts that need it, instead of the whole store.
snippet: private-anchors
never: Keeping every root that isn't in the list (`--roots-unlisted keep`) because of one of them.

transparencyNotMet
source: RFC 6962 § 3.3, policy of the browser
example: certificate 0 (leaf) wasn't published as required: expected 2 SCTs, found 0
meaning: The certificate doesn't prove that it was published. For the policy, it has too few signed certificate timestamps (SCTs), or SCTs from the wrong logs.
sign: `servertrust verify chain.pem --ct-logs LIST` lists each SCT with its log, and why it doesn't count.
cause: The CA issued the certificate without SCTs, because it is for internal use or was ordered without them.
cause: A log was retired or rejected after the certificate was issued, and the other SCTs are too few.
cause: The list of logs is from another time or another program, and doesn't contain the certificate's logs.
cause: The certificate is a few minutes old, and the client's clock is slow: SCTs from the future don't count.
cause: A CA that was attacked, or that cooperates with an attacker, issued the certificate secretly.
remedy: Have the certificate reissued. Public CAs include enough SCTs from current logs.
remedy: If it is an internal certificate under a public root, move it to a private CA.
remedy: If you find certificates with too few SCTs that you didn't order, ask the CA to revoke them, and search the logs for others.
change: Require publication for every host except the one whose certificate can't have SCTs.
snippet: published-but-one
never: Adding logs whose keys anyone can use, such as test logs.
never: Accepting a list of any age: timestamps of logs that were rejected since would count.

transparencyLogListMissing
source: policy of the browser
example: can't check whether certificate 0 (leaf) was published as the Chrome policy requires: there is no list of logs
meaning: The client requires that certificates were published, but has no list of logs to verify this.
sign: The evaluation's settings use the `require` mode, but have no list. The verdict lists the check as not performed.
cause: The list comes with signed updates, but the first one hasn't arrived.
cause: A `verify --batch` request sets the `require` mode in `ct`, but the command has no `--ct-logs`.
remedy: Nothing is wrong on the server. Give the client a list of logs.
remedy: Ship a list with the program, for use before the first update.
change: Only report missing publication until a list is available.
snippet: reported-publication
never: Fetching a list without checking its signature or a known digest.

pinNotMatched
source: RFC 7469 § 2.6
example: the path matches none of the pinned keys: found sha256/QKjr…, sha256/jQJT…, expected sha256/C5+l…
meaning: The path is valid, but this program pins none of its keys. Either an interceptor uses a trusted CA, or the server has a new key or CA that the pins don't include.
sign: `servertrust check HOST --pins FILE` prints the found and expected keys. The path is otherwise trusted.
cause: The renewal created a new key, as ACME clients do by default, and the pin was for the leaf's key.
cause: The CA changed its intermediate, and the intermediate's key was the only pin.
cause: A company's proxy, a virus scanner or a debugging tool intercepts with a CA that the machine trusts.
cause: A year-old app connects to a server whose pins have been rotated twice since then.
remedy: First compare two networks: run `servertrust pins make HOST` over a mobile connection and over the connection that fails. A difference means interception.
remedy: Put the pinned key back into service until clients have the new pin: have a certificate issued for it (`certbot certonly --csr request.pem`).
remedy: From then on, keep the key at renewal (`certbot renew --reuse-key`), and publish the pin of a backup key in advance.
change: Renew pins with an app update or a signed list, and always include a backup key. Users can't agree to an exception for this failure.
snippet: pins-with-backup
never: Adding the key from the failing connection before you know that it is the server's.
never: Falling back to an unpinned connection when no pin matches: this is what an interceptor wants.

pinsExpired
source: configuration of the caller
example: certificate 0 (leaf) can't be compared with pins: they expired 2026-11-01T00:00:00Z, verify date 2026-11-20T12:00:00Z
meaning: The host's pins expired, and their configuration refuses the host after that date.
sign: `servertrust pins lint FILE` reports the date. In the verdict, it is the expected value, and the verify date is the found one.
cause: The app hasn't been updated since its pins expired.
cause: The signed pin list is no longer renewed, or the client can't reach its address.
cause: The device's clock is ahead.
remedy: Nothing is wrong on the server. Publish new pins, with an app update or a signed list with a later date.
remedy: Lint pins in CI, so that you learn of the expiry in time: `servertrust pins lint FILE --format sarif`.
change: Give the host current pins and a backup key.
snippet: pins-with-backup
never: Setting the device's clock or the verify date back.
never: Removing the date: old pins then lock users out forever.

certificateNotPinned
source: configuration of the caller
example: the path matches none of the pinned certificates: found SHA-256 77b0…, expected SHA-256 5a1c…
meaning: The path is valid, but it contains none of the certificates that this program pins byte for byte.
sign: The SHA-256 of each certificate (`openssl x509 -noout -fingerprint -sha256 -in cert.pem`) differs from the pinned ones.
cause: The server's certificate was renewed, as happens every 90 days and soon every 47, but the app pins the old one.
cause: Only one node has the new certificate.
cause: An interceptor uses a CA that the machine trusts.
remedy: First compare two networks: run `servertrust pins make HOST` over a mobile connection and over the connection that fails. A difference means interception.
remedy: While the pinned certificate is valid, put it back into service. Ship the next one to clients before the next renewal.
remedy: Move clients to key pins, which survive renewals that keep the key.
change: Pin both the current and the renewed certificate during the change, or pin a key instead of certificates.
snippet: renewed-certificate
never: Pinning the certificate from the failing connection without checking it.
never: Removing the pin for good: pin a key instead.

authorityNotMatched
source: configuration of the caller
example: the path matches none of the pinned certificate authorities: found Other CA, expected Example CA
meaning: The path is valid, but it contains none of the CAs that this program requires for the host.
sign: `servertrust check HOST` shows the path. Its issuers differ from the required ones.
cause: The server moved to another CA, or its hosting provider or CDN did.
cause: The CA issues from a new intermediate, but the program requires the old intermediate instead of the root.
cause: The ACME client fell back to its second CA.
cause: An interceptor uses a CA that the machine trusts.
remedy: First compare two networks: run `servertrust pins make HOST` over a mobile connection and over the connection that fails. A difference means interception.
remedy: Have the certificate issued by the required CA again until clients know the new one.
remedy: Publish a CAA record, so that no other CA issues by accident. `dig +short HOST CAA` shows it.
change: While the server moves, require one of two CAs: the current one and the next one.
snippet: two-authorities
never: Requiring no CA at all for the host: announce the change to clients instead.

hostNotListed
source: configuration of the caller
example: www.example.org is not among the hosts that this program may connect to
meaning: The program has a rule for each host that it may connect to, but none for this one. It didn't evaluate the host's certificates.
sign: `ServerTrustManager.rule(for:)` returns nil for the host.
cause: A new backend host, a CDN or a redirect target isn't in the list of rules yet.
cause: The rule is for `example.com`, but the connection goes to `www.example.com`. A rule for a host doesn't cover its subdomains.
cause: A library inside the app connects to its own host.
remedy: Nothing is wrong on the server. Add a rule for the host to the program.
remedy: If the host comes from a redirect, change the redirect to a listed host.
change: Add a rule for this one host.
snippet: host-rule
never: Allowing all hosts without a rule: this permits every redirect and every library.

hostDenied
source: configuration of the caller
example: ads.example.net is denied by the rule for *.example.net
meaning: A rule of the program refuses the host, regardless of its certificates.
sign: The message contains the pattern of the rule. `ServerTrustManager.rule(for:)` returns it.
cause: The host was retired or blocked on purpose.
cause: A pattern such as `*.example.com` denies more hosts than intended.
remedy: Nothing is wrong on the server. Correct the address that the program uses, or the rule.
remedy: If the pattern is too wide, add a rule for the one host. An exact name takes precedence over a pattern.
change: Add a rule for this one host. An exact name takes precedence over a pattern.
snippet: host-rule
never: Connecting to the IP address to get around the rule.

certificateDenied
source: configuration of the caller
example: certificate 1 (intermediate) is on a list of denied certificates: the company's list of 2026-11-01
meaning: The program's list of denied certificates or a root program's list distrusts a certificate in the path, or one that the server sent. The entry names its SHA-256 digest, its issuer and serial number, or its key. `TrustFailure.deniedEntry` has the entry.
sign: The message names the entry, such as `key, sha256/…`. `servertrust verify chain.pem` with `--denied FILE` or `--roots-overlay FILE` refuses the same chain.
cause: Browsers removed a CA from their root programs, and its certificates are in OneCRL or a CRLSet.
cause: The certificate was revoked after an incident that affects all clients.
cause: A proxy intercepts the connection with a key that the list blocks.
cause: The key leaked, or is one of a known set such as keys in firmware images. The list denies it, but the server still uses it.
remedy: Get a certificate from a CA that isn't on the list.
remedy: If the server's key is denied, create a new one: `certbot certonly --force-renewal --new-key -d HOST`.
remedy: If the CA has another, cross-signed certificate, send a chain with that one.
no-change: The list takes precedence over everything: no pin, exception or anchor overrides it.
never: Running without the list, or removing an entry, because one server is on it.

extendedValidationMissing
source: CA/Browser Extended Validation Guidelines § 7.1.6.1
example: certificate 0 (leaf) doesn't assert extended validation: found policies 2.23.140.1.2.1, expected 2.23.140.1.1
meaning: The program requires extended validation, but the path doesn't assert its policy from leaf to root.
sign: `openssl x509 -noout -ext certificatePolicies -in cert.pem` shows neither 2.23.140.1.1 nor the CA's own identifier.
cause: The certificate was renewed with ACME, which only provides domain validation.
cause: The intermediate or root isn't for extended validation.
cause: A CDN in front of the server has its own certificate.
remedy: Order a certificate with extended validation, and install it together with its chain.
change: Require the CA and the subject's organization instead of the policy. Decide whether that is enough.
snippet: attributes
never: Accepting an organization's name in any certificate as proof: only certain CAs verify it.

attributeNotMatched
source: configuration of the caller
example: certificate 0 (leaf) has O=Other Ltd, expected O=Example Ltd
meaning: The path is valid, but the leaf lacks an attribute that the program requires: an organization, a purpose or a short validity.
sign: The message states the found and expected values. `servertrust inspect HOST --long` shows all fields.
cause: The organization was renamed, or the CA writes its name differently (`Inc.` and `Incorporated`).
cause: The certificate was renewed with domain validation, and no longer has an organization.
cause: The validity is longer than the rule allows.
remedy: Have the certificate reissued with the attribute.
remedy: If the change is intended, announce it. Clients need the new value before you install the certificate.
change: Change this one requirement for this one host, and also require the CA.
snippet: attributes
never: Requiring attributes without requiring the CA: every CA can issue for any organization.

validityTooLong
source: Apple's requirements for trusted certificates (HT210176, HT211025)
example: certificate 0 (leaf) is valid for 3650 days, but Apple's systems allow 825
meaning: The path is valid, but the leaf's validity is longer than Apple's systems permit. The program requires Apple's rules for this host.
sign: The message states the number of days. `openssl x509 -noout -dates -in cert.pem` prints both dates.
cause: The organization's own CA issues certificates for several years.
cause: The certificate was created manually with `-days 3650`.
remedy: Have the certificate reissued for at most 397 days, and renew it automatically.
remedy: If the root belongs to the organization, distribute it with device management. Apple's systems exempt such roots.
no-change: Apple's systems refuse the server. A client that accepts it hides this until the release.
never: Turning off evaluation in the app for Apple's systems because they refuse one server.
demonstration: {newAuthority} servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test --apple; rm -r "$d"

evaluatorRefused
source: configuration of the caller
example: the path was refused by an evaluator of this program: the key is on the blocklist
meaning: The path is valid, but the program's own evaluator refused it. The evaluator supplies the message.
sign: The message ends with the evaluator's text. The rule for the host names the evaluator.
cause: The certificate doesn't meet the evaluator's condition. Ask the evaluator's author.
cause: The evaluator itself failed, for example because it couldn't read a file, so it refused the path to be safe.
remedy: Read the evaluator's text, and change the certificate that it names. Nothing else is wrong with the path.
no-change: The rule is the program's own code. Change the rule for this one host there.
never: Removing the evaluator for all hosts.

presentedChainEmpty
source: RFC 5246 § 7.4.2; RFC 8446 § 4.4.2
example: no certificate was presented
meaning: The server sent no certificate. It authenticates in another way, or it doesn't speak TLS at this point.
sign: `openssl s_client -connect HOST:443 </dev/null` prints `no peer certificate available`.
cause: The port speaks plain HTTP, or a protocol that starts without TLS and switches later (SMTP, PostgreSQL, LDAP).
cause: The server has no certificate for the requested name and ends the handshake.
cause: The server is configured with a pre-shared key or an anonymous cipher suite.
cause: The adapter passed an empty list because it reads the chain too early.
remedy: Connect to the port that has TLS, usually 443. For protocols that start without TLS, use `servertrust check HOST:25 --starttls smtp`.
remedy: Configure a certificate and a key: `ssl_certificate` and `ssl_certificate_key` in nginx, and `listen 443 ssl;` for the port.
no-change: Without a certificate, there is nothing to evaluate and nothing to pin.
never: Continuing without TLS.
never: Offering anonymous cipher suites.
call: try Trust(presentedChain: PresentedChain([]), host: Hostname("api.lab.test")).evaluate()

certificateMalformed
source: RFC 5280 § 4.1
example: certificate 0 (leaf) can't be parsed: byte 14: the serial number is negative
meaning: The bytes that the server sent as its certificate aren't an X.509 certificate in strict DER.
sign: `openssl x509 -inform DER -noout -text -in leaf.der` fails, or the message names an offset and the rule that the bytes break there.
cause: The file on the server is damaged, or contains a request or a key instead of the certificate.
cause: The CA's software writes malformed certificates: a negative serial number length, BER instead of DER, or a wrong time.
cause: A middlebox changes the handshake.
remedy: Reinstall the certificate as the CA delivered it, and check it: `openssl x509 -noout -text -in cert.pem`.
remedy: Find the malformed part: `servertrust inspect cert.pem --format asn1`.
remedy: For a private CA, change its software. Other clients refuse such certificates, too.
no-change: Two parsers may read two different certificates from the same malformed bytes.
never: Parsing leniently: a parser that skips an error may skip the name or the constraint.
demonstration: echo '{"chain":["MAA="]}' | servertrust verify --batch

handshakeSignatureInvalid
source: RFC 8446 § 4.4.3; RFC 5246 § 7.4.3
example: the server's signature in the handshake (rsa_pss_rsae_sha256) wasn't made with the key of certificate 0 (leaf)
meaning: The server's signature in the handshake wasn't made with the key of the certificate that it sent.
sign: `openssl x509 -noout -pubkey -in cert.pem` and `openssl pkey -pubout -in key.pem` print different keys, or something changes the handshake in transit.
cause: Certificate and key were renewed separately, and the server loaded one of each. In that case, most servers refuse to start, but custom ones may not.
cause: A hardware security module signs with another key.
cause: An attacker on the network path presents a certificate without having its key.
remedy: Install a certificate and a key that belong together, and reload the server.
remedy: Check each node by its address: `servertrust check HOST --all-addresses`.
no-change: Only the key distinguishes the server from an attacker who copied its certificate.
never: Accepting a certificate without proof of its key: certificates are public.

handshakeUnproven
source: RFC 9325 § 4.1
example: the server didn't prove that it has the key of certificate 0 (leaf) (RSA key exchange)
meaning: The probe saw the certificate, but no proof that the server has its key. The suite has no signature, or this package doesn't verify its signature.
sign: `openssl s_client -connect HOST:443 -tls1_2 </dev/null | grep Cipher` shows a suite without `ECDHE` or `DHE`, or a signature with SHA-1.
cause: The server only offers RSA key exchange (`AES128-SHA`), as was common before 2013.
cause: The server signs the handshake with SHA-1 or MD5.
cause: The server ended the handshake before it was complete.
remedy: Offer TLS 1.3, and ECDHE with SHA-256 in TLS 1.2: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, with a current list of suites (ssl-config.mozilla.org, "intermediate").
no-change: Without proof of its key, a certificate says nothing about the server that sends it.
never: Offering RSA key exchange again for one server: a stolen key then decrypts all recorded traffic.

tlsVersionOutdated
source: RFC 8996
example: the server speaks TLS 1.0, expected TLS 1.2 or newer
meaning: The server supports no current version of TLS. Versions 1.0 and 1.1 were deprecated in 2021 (RFC 8996).
sign: `openssl s_client -connect HOST:443 -tls1_2 </dev/null` fails, and `servertrust check HOST --tls-minimum 1.0` shows the version.
cause: The server's operating system or library dates from before 2012: Windows Server 2008, OpenSSL 1.0.0, Java 6.
cause: An old configuration pins the version: `ssl_protocols TLSv1;`.
cause: A load balancer uses an outdated policy.
remedy: Offer TLS 1.2 and 1.3: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, `SSLProtocol -all +TLSv1.2 +TLSv1.3` in Apache, or a current policy on load balancers.
remedy: Put a proxy with current TLS in front of a server that can't be updated.
no-change: The signatures of old handshakes use MD5 and SHA-1, so an attacker can change them in transit.
never: Lowering the client's minimum TLS version for all servers.

systemAnchorsUnavailable
source: configuration of this machine
example: can't be evaluated: no system anchors
meaning: The evaluation needs the machine's list of roots, but the machine has no readable list.
sign: `ls -l /etc/ssl/certs/ca-certificates.crt` fails, or `SSL_CERT_FILE` names a file that doesn't exist.
cause: A minimal container image (`scratch`, `debian:slim`, `alpine`) has no package of roots.
cause: `SSL_CERT_FILE` and `SSL_CERT_DIR` name only files and folders that exist on another machine.
cause: `COPY /etc/ssl/certs` put links into an image, but not the files that they name.
cause: A chroot or sandbox hides `/etc/ssl`.
remedy: Nothing is wrong on the server. On the client, install the roots: `apt-get install ca-certificates`, `apk add ca-certificates`, `dnf install ca-certificates`.
remedy: In a `scratch` image: `COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/`.
remedy: Clear or correct the variables: `env | grep SSL_CERT`.
change: Ship the anchors with the program, and renew them with it.
snippet: anchors-file
never: Continuing without anchors: then either nothing or everything is trusted.
demonstration: {newAuthority} c=$(sed /-----/d "$d/ca/root.pem" | tr -d '\n'); echo '{"chain":["'$c'"]}' | SSL_CERT_FILE=/none SSL_CERT_DIR= servertrust verify --batch; rm -r "$d"

systemRefused
source: SecTrustEvaluateWithError; Apple's requirements for trusted certificates (HT210176, HT211025, HT205280)
example: the path was refused by the operating system: certificate is not trusted
meaning: The operating system's evaluator refused the certificates for a reason that has no code in this package.
sign: The message ends with the system's text. On a Mac, `security verify-cert -c leaf.pem -n HOST` repeats it.
cause: The certificate doesn't meet Apple's rules for public certificates: its validity is longer than 398 days, or it lacks Certificate Transparency timestamps.
cause: A user or an administrator set "Never Trust" for a certificate in the path.
cause: Apple blocks the CA, or some of its certificates.
remedy: Have the certificate issued by a current public CA. Its validity and transparency meet the rules.
remedy: On the machine, check the root's trust settings in Keychain Access.
no-change: The system refused the certificate, and this package doesn't know the reason.
never: Replacing the system's evaluator with your own to get around a blocked CA.

systemEvaluationUnavailable
source: configuration of the caller; Security framework
example: the operating system can't evaluate the path: trustd didn't answer
meaning: The operating system should have evaluated the certificates, but couldn't, so there is no decision.
sign: The message states the system's status or the setting that the system doesn't support.
cause: The settings ask for something that the system's evaluator can't do, such as a budget or a certificate policy.
cause: The system's trust daemon isn't running or is out of memory.
remedy: Nothing is wrong on the server. Use the package's own engine with named anchors: it supports every setting.
remedy: If the daemon failed, try again later.
change: Name the anchors. The package's engine evaluates paths that don't end in the system's anchors.
snippet: anchors-file
never: Treating an evaluation that didn't happen as trust.

depthBudgetExceeded
meaning: Every path that the engine found has more than 32 certificates, including the leaf and the anchor. The evaluation reached no decision, so the server isn't trusted.
cause: A private PKI has a CA for every unit of an organization, each below the previous one.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Issue the server's certificate closer to the root. The longest chains in use have six certificates.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the path is longer than 10 certificates
sign: `openssl s_client -connect HOST:443 -showcerts </dev/null | grep -c BEGIN` prints a large number.

signatureBudgetExceeded
meaning: The search for a path needed signature checks that cost more than 200 P-256 checks. The evaluation reached no decision, so the server isn't trusted.
cause: The server sends a bundle of all CA certificates that were ever issued under one name.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Send one certificate for each CA in the path, and avoid P-521 and RSA-4096 keys where you can.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the search stopped: more than 128 units of signature checks
sign: The chain has many CAs with one name and different keys. `servertrust inspect HOST` lists them.

comparisonBudgetExceeded
meaning: The search needed more than 250,000 comparisons between names and name constraints. The evaluation reached no decision, so the server isn't trusted.
cause: A CA with thousands of permitted domains issues certificates with hundreds of names.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Split the certificate into several with fewer names, or the CA into several with fewer permitted domains.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the search stopped: more than 250000 comparisons of names with constraints
sign: `openssl x509 -noout -ext nameConstraints -in ca.pem | wc -l` prints a number in the hundreds, and the leaf has hundreds of names.

stepBudgetExceeded
meaning: The search tried more than 4,000 issuers, counted over all paths. The evaluation reached no decision, so the server isn't trusted.
cause: Several CAs cross-signed each other in both directions, and the server sends all these certificates, or the client's configuration contains them.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Send the one path that clients need. Leave out cross-signed certificates for other paths.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the search stopped: more than 10000 steps
sign: The chain has many certificates with few different names. Each pair multiplies the number of paths.

workBudgetExceeded
meaning: Parsing and comparing the certificates took more than 20 million units of work, which is about 20 to 40 milliseconds. The evaluation reached no decision, so the server isn't trusted.
cause: A certificate has thousands of names or extensions, or names in scripts that are expensive to compare.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Have certificates issued only for the names that the server serves.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the search stopped: more than 1000000 units of work
sign: One certificate is very large: `openssl s_client -connect HOST:443 -showcerts </dev/null | wc -c`.

byteBudgetExceeded
meaning: The certificates together are larger than 4 MiB. The evaluation reached no decision, so the server isn't trusted.
cause: A whole bundle of roots or intermediates is configured as the server's chain, or as the client's extra intermediates.
cause: An attacker made the certificates to use up the client's processor time or memory.
remedy: Send only the chain: `ssl_certificate fullchain.pem;` without `ca-bundle.crt`.
remedy: Compare with `servertrust check HOST --fix`, which prints the shortest chain. A normal server needs less than a twentieth of the budget.
no-change: The budget protects the client, and an evaluation that stops early has found no path.
never: Raising limits until a server passes: the next chain will be larger.
source: budget of this package
example: the search not started: 2097152 bytes of certificates, expected at most 1048576
sign: The message states the size. A typical chain on the public web is about 5 KB long.

strictSerialNumber
meaning: The serial number isn't positive, or is longer than 20 bytes. This is a strict rule: it only applies if the policy asks for it.
cause: A script numbers certificates from 0, or uses a random number whose first bit makes it negative.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.1.2.2
example: certificate 0 (leaf) has serial number -1, expected a positive number of at most 20 bytes
sign: `openssl x509 -noout -serial -in cert.pem` prints a minus sign, zero or more than 40 digits.
remedy: Have the CA's software choose it: `openssl x509 -req -CAcreateserial …`. Otherwise use 8 to 20 random bytes with the first bit clear.

strictAuthorityKeyIdentifier
meaning: The authority key identifier is missing, is critical, or lacks the key identifier. This is a strict rule: it only applies if the policy asks for it.
cause: The CA's extensions section lacks `authorityKeyIdentifier=keyid`, or asks for `issuer:always`.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.2.1.1; CA/Browser Baseline Requirements § 7.1.2
example: certificate 0 (leaf) has authority key identifier none, expected one
sign: `openssl x509 -noout -ext authorityKeyIdentifier -in cert.pem` has no `keyid`.
remedy: Issue with `authorityKeyIdentifier=keyid:always`. Clients then find paths at once, even after a change of keys.

strictSubjectKeyIdentifier
meaning: A CA's certificate has no subject key identifier. This is a strict rule: it only applies if the policy asks for it.
cause: The CA was created without `subjectKeyIdentifier=hash`.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.2.1.2
example: certificate 1 (intermediate) has subject key identifier none, expected one
sign: `openssl x509 -noout -ext subjectKeyIdentifier -in ca.pem` prints `No extensions in certificate`.
remedy: Reissue the CA's certificate for the same key and name with `subjectKeyIdentifier=hash`.

strictExtensionCriticality
meaning: An extension is critical where its specification forbids it, or isn't critical where the specification requires it. This is a strict rule: it only applies if the policy asks for it.
cause: A configuration has `basicConstraints=CA:TRUE` without `critical,`, or `critical` before a key identifier.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.2; CA/Browser Baseline Requirements § 7.1.2
example: certificate 1 (intermediate) has basic constraints that aren't critical, expected critical
sign: `openssl x509 -noout -text -in cert.pem` shows `critical` where it doesn't belong, or lacks it. The message names the extension.
remedy: Write `basicConstraints=critical,CA:TRUE` and `keyUsage=critical,…`, and don't write `critical` elsewhere.

strictExtensionNotAllowed
meaning: The server's certificate has an extension that belongs in CA certificates. This is a strict rule: it only applies if the policy asks for it.
cause: A template for CAs was used for a server.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 §§ 4.2.1.5, 4.2.1.10, 4.2.1.11
example: certificate 0 (leaf) has name constraints, which is allowed only in CA certificates
sign: `openssl x509 -noout -text -in cert.pem` shows `Name Constraints`, `Policy Mappings` or `Policy Constraints` in the leaf.
remedy: Issue the server's certificate from the template for servers.

strictKeyUsage
meaning: Key usage and basic constraints contradict each other, or a CA lacks one of them. This is a strict rule: it only applies if the policy asks for it.
cause: A self-signed certificate has the usages of both a CA and a server.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 §§ 4.2.1.3, 4.2.1.9
example: certificate 1 (intermediate) has key usage none, expected keyCertSign
sign: `openssl x509 -noout -ext keyUsage,basicConstraints -in cert.pem` shows `Certificate Sign` with `CA:FALSE`, or a CA without key usage.
remedy: Give a CA `keyUsage=critical,keyCertSign,cRLSign`, and a server `keyUsage=critical,digitalSignature`.

strictExtendedKeyUsage
meaning: The extended key usage violates the CA/Browser baseline, which requires `serverAuth` for servers and intermediates, and no extended key usage for roots. This is a strict rule: it only applies if the policy asks for it.
cause: A private CA issues without extended key usage, which RFC 5280 reads as any purpose.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: CA/Browser Baseline Requirements § 7.1.2; Mozilla Root Store Policy § 5.3
example: certificate 0 (leaf) has extended key usage none, expected serverAuth
sign: `openssl x509 -noout -ext extendedKeyUsage -in cert.pem` shows `No extensions in certificate`, `Any Extended Key Usage` or `OCSP Signing` for a server, `Any Extended Key Usage` for an intermediate, or a usage for a root.
remedy: Issue servers with `extendedKeyUsage=serverAuth`, and roots without the extension.

strictSubjectName
meaning: A CA has an empty subject, or a common name isn't one of the alternative names. This is a strict rule: it only applies if the policy asks for it.
cause: The common name is a description such as `Web server 3`, or differs in case from the alternative name.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.1.2.6; CA/Browser Baseline Requirements § 7.1.4.3
example: certificate 1 (intermediate) has subject an empty name, expected a name
sign: `openssl x509 -noout -subject -ext subjectAltName -in cert.pem` shows a common name that isn't repeated below.
remedy: Leave out the common name, or make it exactly one of the alternative names, character by character.

strictAlternativeName
meaning: An alternative name isn't in the preferred form, or the extension has the wrong criticality. This is a strict rule: it only applies if the policy asks for it.
cause: The request contains a name such as `my_host.example.com` or `https://example.com`.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.2.1.6; CA/Browser Baseline Requirements § 7.1.2.7.12
example: certificate 0 (leaf) has alternative name bücher.example, expected A-labels
sign: `openssl x509 -noout -ext subjectAltName -in cert.pem` shows an underscore, a trailing dot, a port or a URL.
remedy: Request names of letters, digits and hyphens. Mark the extension critical if and only if the subject is empty.

strictNameConstraints
meaning: A name constraint has a form that RFC 5280 § 4.2.1.10 doesn't define. This is a strict rule: it only applies if the policy asks for it.
cause: The constraint was written by hand like a host pattern, or by AD CS, which excludes all addresses this way.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.2.1.10
example: certificate 1 (intermediate) has the name constraint .example.com*, expected example.com
sign: `openssl x509 -noout -ext nameConstraints -in ca.pem` shows a DNS name with a leading dot, or an address without a value.
remedy: Write `nameConstraints=critical,permitted;DNS:example.com`, without a leading dot or asterisk.

strictLeafIsAuthority
meaning: The server's certificate says that it is a certificate authority (`CA:TRUE`). This is a strict rule: it only applies if the policy asks for it.
cause: By default, `openssl req -x509` marks every certificate as a CA.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: CA/Browser Baseline Requirements § 7.1.2.7.8
example: certificate 0 (leaf) is a certificate authority, expected a server certificate
sign: `openssl x509 -noout -ext basicConstraints -in cert.pem` prints `CA:TRUE` for the leaf.
remedy: Add `-addext basicConstraints=critical,CA:FALSE`, or issue from a CA: `servertrust ca issue HOST`.

strictKeySize
meaning: The length of an RSA modulus isn't a multiple of 8 bits. This is a strict rule: it only applies if the policy asks for it.
cause: The key generator doesn't set the first two bits of its primes.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: CA/Browser Baseline Requirements § 6.1.5
example: certificate 0 (leaf) has an RSA modulus of 2047 bits, expected a multiple of 8
sign: `openssl x509 -noout -text -in cert.pem | grep 'Public-Key'` shows a size such as 2047 or 4095.
remedy: Create a new key with a current library: `openssl genrsa -out key.pem 2048`.

strictTimeEncoding
meaning: A date through 2049 is a GeneralizedTime instead of a UTCTime. This is a strict rule: it only applies if the policy asks for it.
cause: Custom issuing software writes every date with the same type.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.1.2.5
example: certificate 0 (leaf) writes 2030-01-01 as GeneralizedTime, expected UTCTime before 2050
sign: `openssl asn1parse -in cert.pem | grep TIME` shows `GENERALIZEDTIME` for a year before 2050.
remedy: Issue with software that follows RFC 5280 § 4.1.2.5.

strictEncoding
meaning: Contrary to DER, a default value is encoded, or a bit string with named bits ends in zero bits. This is a strict rule: it only applies if the policy asks for it.
cause: The CA's software encodes `critical=false` or `cA=false`, as some old software does.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: X.690 §§ 11.2.2, 11.5
example: certificate 0 (leaf) has a boolean of 01, expected strict DER
sign: `servertrust inspect cert.pem --format asn1` shows `BOOLEAN false` in an extension, or the bit string that the message names.
remedy: Issue with software that writes DER. The certificate's meaning doesn't change, but some parsers refuse it.

strictValidityPeriod
meaning: A public CA issued the server's certificate for longer than the CA/Browser baseline allows at that date: 398 days, 200 from March 2026 on, 100 from March 2027 on, 47 from March 2029 on. This is a strict rule: it only applies if the policy asks for it.
cause: A private CA whose root is in the system's store issues certificates for years.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: CA/Browser Baseline Requirements § 6.3.2
example: certificate 0 (leaf) is valid for 825 days, expected at most 398
sign: `openssl x509 -noout -dates -in cert.pem` shows more days between `notBefore` and `notAfter` than the message expects.
remedy: Renew with ACME and a shorter validity. For a private CA, install the root as the administrator's own: the limits don't apply there.
demonstration: {newAuthority} servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test --strict; rm -r "$d"

certificateExpiresSoon
source: the --expires-within option of check and verify
example: certificate 0 (leaf) ends 2026-12-01T00:00:00Z, expected after 2026-12-11T00:00:00Z
meaning: A certificate in a trusted path expires within the `--expires-within` time. It is valid today.
sign: The finding names the certificate, its expiry date and the days left.
cause: Renewal is due: ACME clients renew when a third of the validity period is left.
cause: Renewal has been failing for some time, and nothing else has reported it.
cause: A CA certificate in the path expires before the server's certificate does.
remedy: Renew the certificate and reload the server, for example with `certbot renew --deploy-hook "systemctl reload nginx"`.
remedy: If a CA's certificate expires, put the CA's newer chain into the chain file.
no-change: Nothing has failed: clients trust the server until the certificate expires.
never: Raising the threshold until the job is quiet. The certificate still expires.
demonstration: {newAuthority} servertrust ca issue api.lab.test --days 7 --folder "$d/ca" > "$d/log"; servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test --anchors "$d/ca/root.pem" --expires-within 30d; rm -r "$d"

requestNotJSON
meaning: A `verify --batch` line isn't a JSON object. Nothing was evaluated.
cause: The JSON spans several lines, or the line contains an array or a string.
remedy: Correct the request. The server has no problem.
remedy: Write one object on each line: `jq -c . requests.json > requests.jsonl`.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: format of verify --batch (servertrust help batch)
example: line isn't a JSON object: an unexpected end
sign: `head -n LINE requests.jsonl | tail -n 1 | jq .` fails.
demonstration: echo '{' | servertrust verify --batch

requestTooLong
meaning: A `verify --batch` line is longer than the limit and was skipped. Nothing was evaluated.
cause: Each request contains a whole bundle of CRLs or anchors.
remedy: Correct the request. The server has no problem.
remedy: Pass anchors and CRLs once for all requests, with the options of `verify`.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: format of verify --batch (servertrust help batch)
example: line is longer than 16777216 bytes and was skipped
sign: The finding states the limit in bytes; `awk '{ print length }' requests.jsonl | sort -n | tail -1` prints the longest line.
demonstration: head -c 17000000 /dev/zero | tr '\0' x | servertrust verify --batch

requestKeyMissing
meaning: A `verify --batch` request lacks a required key. Nothing was evaluated.
cause: The program that writes the requests omits empty values, or spells a key differently.
remedy: Correct the request. The server has no problem.
remedy: Compare the request with the format: `servertrust help batch`.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: format of verify --batch (servertrust help batch)
example: chain is missing
sign: The finding names the key.
demonstration: echo '{}' | servertrust verify --batch

requestKeyWrongType
meaning: A key in a `verify --batch` request has the wrong JSON type. Nothing was evaluated.
cause: A chain with one certificate is written as a string instead of an array, or a missing value as `null`.
remedy: Correct the request. The server has no problem.
remedy: Write arrays even for one value, and omit keys without a value.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: format of verify --batch (servertrust help batch)
example: chain is a string, expected a list
sign: The finding states the found and the expected type.
demonstration: echo '{"chain":"MIIB"}' | servertrust verify --batch

requestValueInvalid
meaning: A value in a `verify --batch` request has the right type, but isn't valid for its key. Nothing was evaluated.
cause: A host is written as a URL, a date isn't in RFC 3339 format, or a profile is misspelled.
remedy: Correct the request. The server has no problem.
remedy: Write hosts without scheme and port, and dates like `2026-11-21T09:30:00Z`.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: format of verify --batch (servertrust help batch)
example: value not allowed: time "yesterday"
sign: The finding states the value and the key.
demonstration: echo '{"chain":[]}' | servertrust verify --batch

base64Malformed
meaning: A certificate, CRL or OCSP response in a request isn't in the expected base64 form. Nothing was evaluated.
cause: The value is PEM with its header, footer and line breaks, or URL-safe base64 without padding.
remedy: Correct the request. The server has no problem.
remedy: Write the DER in base64: `openssl x509 -in cert.pem -outform DER | base64 -w 0`.
no-change: Nothing can be trusted until the request is correct.
never: Treating a request without a verdict as trusted.
source: RFC 4648 § 4
example: chain[0] has the character "-", expected base64 with padding and without line breaks
sign: `jq -r '.chain[0]' request.json | base64 -d | openssl x509 -inform DER -noout` fails.
demonstration: echo '{"chain":["?"]}' | servertrust verify --batch

"""#

    /// The guides to error codes. An entry without texts is in the book of `PinLint`.
    static let errors = #"""
hostEmpty
meaning: The host name is empty.
remedy: Print the setting that contains the name. The usual cause is a missing environment variable or an empty field.

hostTooLong
meaning: The host name has more than 253 characters, or a label of more than 63 (RFC 1035 § 2.3.4).
remedy: Check that the text is one host name, rather than a list or a whole line of a file.
remedy: Shorten the label. No DNS server can serve such a name.

hostLabelMalformed
meaning: The host name has an empty label, starts with a hyphen, or contains a forbidden character, such as white space, `/`, `@` or `*`.
remedy: Remove white space at both ends, a path after the name, and a user name before it.
remedy: Where wildcards are allowed, use the pattern type: `HostPattern("*.example.com")`.

hostLabelNotCertifiable
meaning: A label of the host name starts or ends with a hyphen. Resolvers accept such a name, but certificates can't contain it (RFC 1034 § 3.5).
remedy: Rename the host, or issue the certificate for another name of the server.

hostAddressMalformed
meaning: The text looks like an IP address, but isn't valid. A name that ends with a number counts as an address.
remedy: Write IPv4 addresses as four decimal numbers without leading zeros: `192.0.2.1`.
remedy: Write IPv6 addresses as in RFC 5952, with or without brackets: `2001:db8::1`.

hostIsURL
meaning: The text is a URL. A host name has neither a scheme nor a path.
remedy: Pass the host of the URL, such as `www.example.com` for `https://www.example.com/path`.

hostHasPort
meaning: The text has a port. Certificates are for names, and a name is valid on every port.
remedy: Pass the name without the port, such as `example.com` for `example.com:8443`.
remedy: To name an endpoint for a connection, use the type that has a port.

hostHasZone
meaning: The IPv6 address has a zone such as `%eth0`. A zone is only for connecting. Rules and certificates don't have zones.
remedy: Leave out the zone: `fe80::1` instead of `fe80::1%eth0`.

hostZoneMalformed
meaning: The text after `%` isn't the name or number of a network interface.
remedy: List the interfaces with `ip link`, and use one of them: `fe80::1%eth0`.

hostNotASCII
meaning: The host name has characters outside ASCII. Certificates and DNS contain internationalized names as A-labels.
remedy: Write the name as A-labels, such as `xn--bcher-kva.example` for the name with an umlaut. `idn2 NAME` converts a name.
remedy: If a user enters the name, convert it with the library that reads it, such as Foundation's `URL`.

timeMalformed
meaning: The text isn't a date or time in the form of RFC 3339.
remedy: Write `2026-11-21` or `2026-11-21T09:30:00Z`. `date -u +%Y-%m-%dT%H:%M:%SZ` prints the current time in this form.

pemNotTerminated
meaning: An object in the PEM text has no END line, because the text was cut off.
remedy: Copy the whole file again, including the line that begins with `-----END`.
remedy: Compare the sizes of the original and the copy: `wc -c FILE`.

pemLabelMismatch
meaning: An object in the PEM text has different labels in its BEGIN and END lines.
remedy: Write the same label into both lines. If two files were joined in the middle of an object, join them again.

pemNotBase64
meaning: An object in the PEM text has a character that isn't base64, or wrong padding. The message names the byte.
remedy: Get the file again. Editors, mail programs and terminals add and drop characters.
remedy: Write the object again from its DER: `openssl x509 -inform DER -in cert.der -out cert.pem`.

pemHasHeaders
meaning: An object in the PEM text has header lines such as `Proc-Type` (RFC 1421). It is usually an encrypted key.
remedy: Pass the certificate instead of the key.
remedy: If you need the key, decrypt it: `openssl pkey -in key.pem -out plain.pem`.

derCutOff
meaning: The DER is shorter than its length field says, so the object is incomplete.
remedy: Get the whole file again, and compare the sizes: `wc -c FILE`.

derTrailingBytes
meaning: The DER is followed by more bytes. Several objects were joined, or the file has extra bytes at its end.
remedy: Store each object in its own file. `openssl asn1parse -inform DER -in FILE` shows where the first object ends.
remedy: To store several certificates in one file, use PEM.

derLimitExceeded
meaning: The DER exceeds a limit on size, length or nesting depth. No certificate from a CA comes near these limits.
remedy: Check that this is the right file: `servertrust inspect FILE`.
remedy: Otherwise, refuse the data. Bytes of this kind are made to use up time or memory.

derMalformed
meaning: The bytes aren't DER, or aren't the expected type. The message names the field and the byte.
remedy: Find out the type: `servertrust inspect FILE` says whether the file is a certificate, a key or a request.
remedy: If the encoding is wrong, have the CA reissue the certificate. A certificate can't be repaired without a new signature.

clubcardMalformed
meaning: The bytes aren't a CRLite filter, or were cut off or changed.
remedy: Fetch the filters again: `servertrust cache update --filters DIR --from URL`.
remedy: Keep the earlier filters until you have new ones that can be read. Without a filter, OCSP and CRLs provide the status.

clubcardVersionUnknown
meaning: The CRLite filter has a format version other than 3 and 4.
remedy: Update this package.
remedy: Until then, fetch filters from a channel that has version 3 or 4.

certificateFileEmpty
meaning: The file is empty, or its text is only white space.
remedy: Copy or export the certificate again.
remedy: In a container, check that the secret or the volume is mounted before the program starts.

certificateFileWithoutCertificate
meaning: The file contains no certificate. A reader of pins also accepts public keys and certificate requests, but found none.
remedy: Run `servertrust inspect FILE`. It lists every object in the file.
remedy: Pass the file with the certificate, in PEM (`-----BEGIN CERTIFICATE-----`) or DER.
remedy: For PKCS #7 or PKCS #12, extract the certificates: `openssl pkcs7 -print_certs -in FILE` or `openssl pkcs12 -nokeys -in FILE`.

certificateFileUndecodable
meaning: A PEM object has no END line, has header lines, or isn't base64. The error names the line and the byte.
remedy: Copy the whole object again, from `-----BEGIN` to the last hyphen after `END`.
remedy: Remove quotation marks, escapes (`\n`) and indentation that an editor or a template added.

certificateFileMalformed
meaning: The bytes of an object aren't a certificate, key or request in strict DER. The error names the field.
remedy: Run `servertrust inspect FILE --format asn1` to see the bytes.
remedy: Copy a DER file in binary mode. If the file was cut off, export it again.
remedy: If the CA wrote invalid DER, have the certificate reissued.

certificateFileMislabelled
meaning: The contents of a PEM object don't match the label on its BEGIN line.
remedy: Write the correct label on the BEGIN and END lines.
remedy: Pass the correct file.

certificateFileTrustedCertificate
meaning: The object is an OpenSSL `TRUSTED CERTIFICATE`. The library doesn't read its trust settings, and it doesn't use the certificate without them.
remedy: Convert it: `openssl x509 -in FILE -out new.pem`. This drops the trust settings.

certificateFilePrivateKey
meaning: The file contains a private key. The library doesn't make pins from private keys.
remedy: Leave the private key where it is, and write its public key to another file: `openssl pkey -in FILE -pubout -out public.pem`.
remedy: If the key was in an app or a repository, replace it.

certificateFileUnlabelledKey
meaning: The DER file contains two numbers. They can be a PKCS #1 RSA public key or a signature, and only a PEM label shows which.
remedy: Convert it: `openssl rsa -RSAPublicKey_in -inform DER -in FILE -pubout -out public.pem`.

certificateFileRequestInvalid
meaning: The signature of the certificate request doesn't verify with its key. The request was changed or damaged.
remedy: Copy the request again, or create a new one with the same key.

certificateFileRequestNotVerifiable
meaning: The certificate request has a signature algorithm or a key that this package doesn't support.
remedy: Extract the public key: `openssl req -in FILE -noout -pubkey -out public.pem`.

certificateFileEncodedTwice
meaning: The text is PEM, encoded in base64 again. Kubernetes encodes the values of secrets this way.
remedy: Decode it once: `base64 -d FILE`.

certificateFileOtherObjects
meaning: The text has to be exactly one certificate, but it contains other objects. The error lists their labels.
remedy: Use only the certificate's own PEM object.
remedy: Read a file of several certificates with `CertificateFile.certificates(in:name:)`.

certificateFileMissing
meaning: There is no file at the path, or a symbolic link to it is broken.
remedy: Correct the path or the link.
remedy: Check that the volume is mounted.

certificateFileUnreadable
meaning: The system doesn't permit reading the file.
remedy: Give the program's user read access. `ls -l FILE` shows who has it.

certificateFileNotRegular
meaning: The path names a pipe, a socket or a device. The library doesn't open it, because that could block.
remedy: Pass a file, or write the certificates to a file first.

certificateFileTooLarge
meaning: The file is larger than 8 MiB. The error states its size.
remedy: Pass the file with the certificates. All roots of the public web together are about 210 KB.
remedy: Split a larger file into several.

certificateFolderIsFile
meaning: The path should name a folder, but names a file.
remedy: Pass the folder that contains the file.
remedy: Read a single file with `CertificateFile.certificates(in:name:)`.

certificateFolderUnreadable
meaning: The system doesn't permit listing the folder.
remedy: Give the program's user read and search access to the folder: `chmod u+rx FOLDER`.

certificateFolderWithoutFiles
meaning: The folder has no file with the extension `.cer`, `.crt`, `.der` or `.pem`. Files in nested folders only count if you read those folders too.
remedy: Rename the certificates, or pass another folder.
remedy: Pass `recursively: true` to read nested folders.

systemAnchorsMissing
meaning: The usual files and folders of the system contain no CA certificate, so the client can't trust any server.
remedy: Install the CA certificates: `apt-get install ca-certificates` or `dnf install ca-certificates`.
remedy: In a minimal image, copy in a bundle and set `SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt`.
remedy: If you only use a private CA, don't use the system's store: `settings.anchors = .only([root])`.

systemAnchorsUnreadable
meaning: Every place that `SSL_CERT_FILE` and `SSL_CERT_DIR` name is missing, can't be read, or contains no CA certificate. In this case, the library doesn't try the usual places. If another place contains certificates, the library skips such a place and lists it in `TrustAnchors.warnings`.
remedy: Correct the variable. `SystemAnchorsError.paths` and the message list each place and what is wrong with it.
remedy: Give the program's user permission to read the file.
remedy: If the message counts links without files, copy the folder with `cp -rL`, or mount the folder that the links name.
remedy: Unset both variables to use the distribution's store.

systemAnchorsListInvalid
meaning: `SERVERTRUST_ROOTS_OVERLAY` names a root program's list that can't be used. `SystemAnchorsError.listError` has the reason.
remedy: Correct the path or the list. `servertrust roots show --against FILE` reads the list and names the line.
remedy: Unset the variable to use the store without the list.

rootListUnreadable
meaning: The file with a root program's list can't be opened, or is too large for such a list.
remedy: Correct the path, and give the program's user permission to read the file.
remedy: If the file is too large, it isn't a root program's list. Get the list again from its publisher.

rootListFormUnknown
meaning: The file isn't a root program's list in a known format.
remedy: Use Mozilla's `certdata.txt`, Chrome's `root_store.textproto`, a p11-kit file, PEM with `TRUSTED CERTIFICATE`, or this package's JSON.
remedy: A bundle of plain certificates isn't a list. Use its certificates as anchors.

rootListInvalid
meaning: A part of a root program's list can't be read, so the library uses no part of the list. `RootListError.line` has the line.
remedy: Get the list again. It may have been cut off or changed during the download.
remedy: If you write the list yourself, correct the line.

rootListEmpty
meaning: A root program's list contains no certificate, or it is a complete list that trusts no root for TLS.
remedy: Get the complete list again. A list that is cut off would distrust every root.
remedy: For a list that only distrusts certificates, use another form, such as this package's JSON.

deniedListUnreadable
meaning: The file with a list of denied certificates can't be opened, or is too large for such a list.
remedy: Correct the path, and give the program's user permission to read the file.
remedy: If the file is too large, it isn't a list of denied certificates. Get the list again from its publisher.

deniedListFormUnknown
meaning: The file is neither Mozilla's OneCRL in JSON nor a Chrome CRLSet.
remedy: Get the records in Mozilla's `security-state/onecrl` collection as JSON, or the `crl-set` file from Chrome's component.
remedy: To deny your own keys or certificates, create a list in the program: `DeniedList(keys:)`, `DeniedList(certificates:)`.

deniedListInvalid
meaning: A part of a list of denied certificates can't be read, so the library uses no part of the list. `DeniedListError.part`, `line` or `offset` has the position.
remedy: Get the complete list again. The library can't use a list of changes to an older list.
remedy: Keep using the previous list until you have a newer one that can be read.

deniedListEmpty
meaning: A list of denied certificates has no entry. This is usually a mistake.
remedy: Get the list again. The download may have failed.
remedy: If an empty list is intended, allow it: `DeniedList(contentsOfFile: path, allowsEmpty: true)`.

logListInvalid
meaning: A list of Certificate Transparency logs isn't version 3 JSON, or has a part that can't be read.
remedy: Get the list again in version 3: Chrome's `log_list.json` or Apple's `current_log_list.json`.
remedy: Check its signature with the publisher's key: `CTLogList(json:signature:key:now:)`.

logListSignatureInvalid
meaning: The signature of a list of logs wasn't made with the given key, so the list may have been changed.
remedy: Get the list and its signature at the same time. The publisher renews both every day.
remedy: Compare the key with the one that the publisher names today.
remedy: Pass the exact bytes that you downloaded, rather than reserialized JSON.

logListFromFuture
meaning: The date of a list of logs is later than this machine's clock.
remedy: Set this machine's clock.
remedy: If the clock is right, get the list again from its publisher.

filterFileUnreadable
meaning: A file or folder of revocation filters doesn't exist, or can't be opened, read or written.
remedy: First get the filters: `servertrust cache update --filters FOLDER --from URL`.
remedy: Correct the path, and give the program's user permission to read the folder.
remedy: A filter has to be a regular file. Replace a symbolic link with the file itself.

filterFileInvalid
meaning: A file isn't a revocation filter or a manifest, or its size or digest differs from the manifest. The previous filters stay in use.
remedy: Get the filters again. A download was cut off, or another program changed a file.
remedy: Put a manifest and filters from the same day into the folder.

filterFolderUnsuitable
meaning: A folder can't be used for revocation filters: it contains other files, belongs to upki, or is writable by every user.
remedy: Pass an empty folder, or one that was made for filters.
remedy: Remove write permission for other users: `chmod o-w FOLDER`.

filterFolderBusy
meaning: Another process is updating the folder of revocation filters, or the lock can't be created.
remedy: Wait for the other process to finish, and use only one job to update a folder.
remedy: Give the program's user permission to write to the folder.

fetchUnsupportedAddress
meaning: The address of a CRL, an OCSP responder or an issuer's certificate is neither `http` nor `https`.
remedy: Supply the CRL or OCSP response yourself: `--crl`, `--ocsp`, or `TrustSettings` in code.
remedy: Have the CA put an `http` address into its certificates. The library doesn't fetch from LDAP addresses.

fetchForbiddenAddress
meaning: The address is loopback, link-local or private, and the app hasn't permitted it. Otherwise a certificate could make a server send requests inside its network.
remedy: If a CA in your network publishes its CRLs there, permit the network: `AddressRules` in code, or the command's `--fetch-from`.
remedy: If you don't expect this address, compare it with the one in the certificate.

fetchUnreachable
meaning: The client couldn't connect to the resource's server: DNS, TCP or TLS failed.
remedy: Try the address from the same machine: `curl -v URL`.
remedy: Allow the address in the firewall, or configure the proxy: `HTTP_PROXY`.
remedy: Staple an OCSP response on the server, so that clients don't have to fetch one.

fetchStatus
meaning: The resource's server answered with a status other than 200.
remedy: Try the address: `curl -i URL`. For 404, tell the CA that the address in its certificates is wrong.
remedy: For 403 or 407, check the rules of the proxy on the network path.
remedy: For 5xx, wait. The client retries the request later.

fetchTooLarge
meaning: The response is larger than the limit for its kind of resource.
remedy: Raise the limit if the CRL really is that large: `TrustResourceLimits` in code.
remedy: Fetch large CRLs in advance with `servertrust cache prefetch`, or use filters of revoked certificates.

fetchTooManyRedirects
meaning: The server redirects more often than allowed, or in a loop.
remedy: Follow the redirects to see where they lead: `curl -sIL URL`. The CA has to correct the address.

fetchTimedOut
meaning: The fetch, or the evaluation that needs it, took longer than its time limit.
remedy: Try the address and measure the time: `curl -o /dev/null -w '%{time_total}' URL`.
remedy: Raise the limits: `TrustResourceLimits` in code, or the command's `--timeout`.
remedy: Fetch CRLs in advance, so that connections don't wait: `servertrust cache prefetch`.

fetchCancelled
meaning: The fetch was canceled because its task, or every evaluation that needs it, ended.
remedy: Evaluate again. If this happens often, the time limit of the surrounding task is too short.

fetchProtocolViolation
meaning: The server violated HTTP, or ended its response early.
remedy: Try the address: `curl -v URL`. The usual cause is a proxy or a captive portal on the network path.
remedy: If the response is also broken without a proxy, report it to the CA.

fetchBackingOff
meaning: Fetching the resource failed recently. The client won't request it again before the time in the message.
remedy: Fix the first error, which the message names. The next fetch after the wait clears this one.

fetchMalformed
meaning: The response isn't a certificate, a CRL or an OCSP response, whichever was requested.
remedy: Look at the bytes: `curl -s URL | servertrust inspect -`. An HTML page comes from a portal or a proxy.
remedy: Have the CA serve DER at the address, as RFC 5280 requires.

fetchOutOfDate
meaning: The fetched CRL or OCSP response has expired, or isn't valid yet.
remedy: Check the clock of this machine: `date -u`.
remedy: Have the CA publish a new one. The message states the dates.
remedy: Clear the cache of a proxy that serves an old copy.

fetchOlderThanKnown
meaning: The fetched CRL or OCSP response is older than one that the client already has. It is a replay, or the server lags behind.
remedy: Wait until all of the CA's servers have the new one. Until then, the client uses the one it has.
remedy: Clear the cache of a proxy that serves an old copy.

fetchNotCached
meaning: The client isn't allowed to use the network for the resource, and no cache contains it.
remedy: Allow fetching in the revocation policy, or fill the cache in advance: `servertrust cache prefetch`.
remedy: Supply the CRL or OCSP response with the chain: `--crl`, `--ocsp`.

fetchRefused
meaning: The client evaluated the fetched resource and can't use it, for example because of its signer. The message has the reason.
remedy: Inspect the resource: `curl -s URL | servertrust inspect -`. The CA has to publish a new one.
remedy: Use another source for the status: OCSP instead of CRLs, or the other way round.

cacheFailed
meaning: The cache can't be read or written, or one of its entries is damaged. Evaluations continue without the cache.
remedy: Check the free space and the permissions: `df -h FILE`, `ls -l FILE`.
remedy: Remove the file. The client fetches lost entries again.

cacheFolderMissing
meaning: The cache's folder doesn't exist, or isn't a folder.
remedy: Create the folder: `mkdir -p -m 700 FOLDER`.

cacheNotWritable
meaning: The cache, or a file that belongs next to it, can't be created or written.
remedy: Make the program's user the owner of the folder: `chown USER FOLDER`.
remedy: Choose a file in a folder that this user may write to. Containers often have a read-only root.

cacheNotReadable
meaning: The cache can't be read.
remedy: Check that the file exists, and check its permissions: `ls -l FILE`.

cacheFileOfAnotherKind
meaning: The path names something other than a cache: a folder, another file, or another program's database.
remedy: Choose another file. The client doesn't change the one at the path.

cacheWritableByOthers
meaning: The group or other users can write to the cache. They could remove evidence (CRLs and OCSP responses) from it.
remedy: Remove the permission: `chmod go-w FILE`.

cacheOwnedByAnother
meaning: The cache belongs neither to the program's user nor to root.
remedy: Make the program's user the owner of the file: `chown USER FILE`.
remedy: Choose another file for the cache.

cacheDamaged
meaning: The cache is damaged, and the policy says to leave it as it is.
remedy: Remove the file. The client fetches lost entries again.
remedy: Choose the policy that sets damaged files aside: `DamagedFilePolicy.setAside`.

cachePlaceTaken
meaning: The cache is damaged, but it can't be set aside: a file that isn't a database already has that name.
remedy: Move one of the two files. The message has both names.

cacheVersionNewer
meaning: A later version of this package created the cache.
remedy: Update this program, or choose another file for it.

evaluatorKeysMissing
meaning: The program creates an evaluator with an empty list of pinned keys. Such an evaluator would accept everything or nothing.
remedy: Check the files that the keys come from. The folder or bundle may contain no certificates.
remedy: Use DefaultTrustEvaluator for a host without pins.

evaluatorCertificatesMissing
meaning: The program creates an evaluator with an empty list of pinned certificates or CAs. Such an evaluator would accept everything or nothing.
remedy: Check the files that the certificates come from. The folder or bundle may contain none.
remedy: Use DefaultTrustEvaluator for a host without pins.

evaluatorMembersMissing
meaning: The program creates a CompositeTrustEvaluator without evaluators. Such an evaluator would require nothing.
remedy: Pass at least one evaluator.
remedy: Use DefaultTrustEvaluator for a host without further requirements.

hostPatternRepeated
meaning: Two rules of a manager have the same host pattern. Patterns that only differ in case, a trailing dot or the notation of an address are the same.
remedy: Remove one of the rules.
remedy: Combine the evaluators of both in a CompositeTrustEvaluator.

hostRuleAcceptsAnyServer
meaning: The evaluator of a rule, or a part of it, accepts any certificate.
remedy: Use an evaluator that checks the certificate. PinnedCertificatesTrustEvaluator accepts a self-signed certificate that you name.
remedy: For tests on a machine without secrets, set the manager's allowsDisabledEvaluators option.

exceptionNotNeeded
meaning: The program asks for exceptions to a trusted verdict, but such a verdict has no failures.
remedy: Ask for exceptions only if the verdict's result is recoverableFailure.

exceptionHostMissing
meaning: The trust object has no host. An exception is for one host and one certificate.
remedy: Create the trust object with the host of the connection.

exceptionNotPermitted
meaning: The verdict has failures that a user can't accept: they are fatal, or the evaluation reached no decision.
remedy: Look up each failure with `servertrust explain CODE`, and fix the server.
remedy: If the rule for the host refuses the server by mistake, correct the rule.

exceptionFileNotReadable
meaning: The operating system can't read the exceptions file.
remedy: Check the path and the permissions of the file and its folders.

exceptionFileNotWritable
meaning: The operating system can't write the exceptions file or its lock. The file is unchanged.
remedy: Create the folder, and give the program's user permission to write to it.
remedy: Free space on the disk.

exceptionFileMalformed
meaning: The file doesn't contain exceptions, or a newer version wrote it.
remedy: Name another file.
remedy: Restore the file from a backup or delete it. After that, the app asks users again.

exceptionFileTooLarge
meaning: The exceptions file is larger than 16 MiB.
remedy: Remove expired exceptions with `ExceptionStore.removeExpired(at:)`.
remedy: Name another file.

exceptionFileWritableByOthers
meaning: The group or other users can write to the file. They could add exceptions in its owner's name.
remedy: Check the contents, then run `chmod go-w FILE`.

hostPatternEmpty
meaning: The text of a host pattern is empty.
remedy: Write a host such as `api.example.com`, `*.example.com` or `**.example.com`.

hostPatternWithoutName
meaning: The pattern is a wildcard without a name after it. No pattern matches every host.
remedy: Write a name after the wildcard: `**.example.com`.
remedy: To choose what happens to hosts without a rule, set `ServerTrustManager`'s `allHostsMustBeEvaluated`. If it is false, the default evaluation applies to these hosts.

hostPatternWildcardMisplaced
meaning: A star is only a part of a label, its label isn't the first one, or there are more than two stars.
remedy: Start the pattern with `*.` for exactly one label, or with `**.` for a name and all its subdomains.
remedy: If no wildcard covers the hosts, write one pattern for each host.

hostPatternWildcardBeforeAddress
meaning: A wildcard precedes an IP address. Addresses have no subdomains.
remedy: Write each address as a separate pattern without a wildcard.

hostPatternTooLong
meaning: The name after `*.` is so long that a host name has no room for another label (RFC 1035 § 2.3.4).
remedy: Write the host names themselves.

hostPatternHasScheme
meaning: The text is a URL. A pattern is a host without a scheme.
remedy: Leave out `https://` and everything from the next `/` on.

hostPatternHasPort
meaning: The text has a port. A rule applies to a host on all its ports.
remedy: Leave out the colon and the port.

hostPatternHasPath
meaning: The text has a path, a query, a fragment or a prefix length of an address range.
remedy: Leave out everything from the `/`, `?` or `#` on.
remedy: Write one pattern for each address of a range.

hostPatternHostInvalid
meaning: The name after the stars isn't a host name. The error's `host` property has the reason.
remedy: Correct the name as the message says.
remedy: Write international names as A-labels: `xn--bcher-kva.example`.

pinPrefixMissing
meaning: The text of a pin doesn't start with `sha256/`.
remedy: Write a pin as `sha256/` and the base64 of 32 bytes. `servertrust pins make HOST` prints pins in this form.
remedy: Create pins with other digests, such as SHA-1, again from the key or the certificate.

pinNotBase64
meaning: The text after `sha256/` isn't base64 with padding.
remedy: Copy the whole pin again, without spaces or line breaks.
remedy: Replace `-` and `_` of base64url with `+` and `/`, and curl's `sha256//` with `sha256/`.

pinLengthWrong
meaning: The digest of a pin isn't 32 bytes long, as SHA-256 digests are.
remedy: Copy the whole pin again.
remedy: Create it again: `servertrust pins make HOST`.

pinSetEmpty
meaning: You passed no pin in use. An empty set would refuse every server.
remedy: Pass the pin of a key that the server uses: `servertrust pins make HOST`.
remedy: Use `DefaultTrustEvaluator` for a host without pins.

pinSetWithoutBackup
meaning: You passed no backup pin. If the pinned keys are lost, every user is locked out until they update the app.
remedy: Create a second key, keep it away from the server, and pass its pin as the backup (RFC 7469 § 4.3).
remedy: If you accept the risk, use `init(pinsRiskingLockout:)`.

pinSetDuplicate
meaning: You passed a pin more than once. A pin in use can't be its own backup.
remedy: Remove the repeated pin.
remedy: Pass the pin of another key as the backup.

pinEnforcementHostMissing
meaning: The pins in the file are for any host, as in curl's option. A manager needs a host.
remedy: Bind the pins to a host: `configuration.bound(to: host)`.

pinEnforcementResourceMissing
meaning: The file names an app resource with certificates, but the resource is missing or contains no certificate.
remedy: In `PinEnforcement`'s `resource` closure, return the certificates in `raw/NAME`.
remedy: If you use the command, put the resource next to the file as in an app (`../raw/NAME`).

pinEnforcementAnchorsForAllHosts
meaning: The file sets anchors for hosts whose rules have none, but a manager has no anchors.
remedy: Call `serverTrustConfiguration(_:)` instead of `serverTrustManager(_:)`.

pinEnforcementRulesInvalid
meaning: A manager can't use the rules in the file. The error's `rules` property has the reason.
remedy: Correct the file as the message says.
remedy: Find the line: `servertrust pins lint FILE`.

pinWritingNeedsHost
meaning: The format supports one set of pins for any host, but the file has several.
remedy: Name the host with `servertrust pins convert --host HOST`, or with `PinWritingOptions.host`.

pinWritingNothing
meaning: There are no pins that the format can express, or the named host has no pins.
remedy: Check the host's rule: `servertrust pins why FILE HOST`.
remedy: Write another format. `servertrust help pins convert --all` lists what each format can express.

pinWritingRefused
meaning: The program that reads the format would refuse or misread the file. The error's `refusal` property has the problems.
remedy: Add what the format requires for the hosts, such as a second pin for TrustKit.
remedy: Write another format.

pinWritingNotBinary
meaning: You requested a binary file, but the format isn't a property list.
remedy: Leave out `--binary`, or `isBinary` of `PinWritingOptions`.
remedy: Write `ats`, `trustkit` or `isp`.

pinFileUnreadable

pinFileTooLarge

pinFileFormatUnclear

pinFileEntity

pinFileUnknownKey

pinFileMissingKey

pinFileDuplicateKey

pinFileWrongType

pinFileBadValue

pinFileBadBase64

pinFileWrongLength

pinFileBadDigest

pinFileBadDate

pinFileBadHost

pinFileUnmatchableHost

pinFileMisplacedKey

pinFileNothingPinned

pinFileDuplicateHost

pinFileEmptyList

pinFileDuplicatePin

pinFileUnmatchablePin

pinFileTooFewPins

pinFileBadCertificate

pinFileBadURI

pinFileNotLiteral

pinFileContradiction

pinSigningKeyNotPEM
meaning: The text isn't exactly one key in PEM: `PUBLIC KEY`, or `PRIVATE KEY` (PKCS #8) without a password.
remedy: Create a key pair: `servertrust pins list keygen`.
remedy: Pass the `NAME.pub` file where a public key is expected.
remedy: Convert a key: `openssl pkey -in FILE`. Add `-pubout` for the public key.

pinSigningKeyUnsupported
meaning: The key isn't a P-256 or Ed25519 key. Lists only support signatures by these two kinds of keys.
remedy: Create a key pair: `servertrust pins list keygen`.

pinSigningKeyInvalid
meaning: The bytes aren't a point on the key's curve, or aren't in the only valid encoding.
remedy: Copy the whole key again.
remedy: Create a new key pair: `servertrust pins list keygen`.

pinSigningKeyUnsafe
meaning: The key is an Ed25519 key of small order. Anyone can make signatures that it verifies.
remedy: Find out who gave you this key. No program creates such a key by accident.
remedy: Create a new key pair: `servertrust pins list keygen`.

pinSignersEmpty
meaning: You passed no key that could sign a list.
remedy: Pass at least one public key.

pinSignersTooMany
meaning: You passed more than 16 keys. Clients limit the work for one list.
remedy: Pass at most 16 keys.

pinSignersDuplicate
meaning: A key occurs twice. It would count twice for the threshold.
remedy: Remove the repeated key.

pinSignersThreshold
meaning: The number of keys that have to sign is less than 1 or greater than the number of keys.
remedy: Choose a threshold that the keys can meet: `--threshold`.

pinListTooLarge
meaning: The list is larger than 8 MiB, or has too many signatures, rotations or denied keys.
remedy: Split the hosts into separate lists for several apps.
remedy: Release the app with a newer built-in list, so that it needs fewer rotations.

pinListTruncated
meaning: The document is incomplete, for example after an interrupted download.
remedy: Download it again.
remedy: Upload the file again, and compare its size with the original.

pinListMalformed
meaning: The document isn't a JWS in the general JSON serialization (RFC 7515 § 7.2.1), or was changed after signing.
remedy: Look at what the server sends. It may be a login page or an error page instead of a list.
remedy: Sign a new list: `servertrust pins list sign`. The command checks the list in the same way as clients.

pinListForeignType
meaning: The signatures are for another kind of document: `typ` isn't `pin-list+jws`.
remedy: Sign a new list: `servertrust pins list sign`. The command checks the list in the same way as clients.
remedy: Don't use the keys of pin lists to sign other documents.

pinListUnknownCriticalField
meaning: The list has a member that a client must understand, but this version doesn't know it.
remedy: Update the app or the command.
remedy: For older clients, sign a list without the member.

pinListUnknownVersion
meaning: This version doesn't support the list's version.
remedy: Update the app or the command.
remedy: For older clients, sign a list of version 1.

pinListInvalid
alias: listInvalid
meaning: A member of the list is missing or invalid. The error names its position.
remedy: Correct the member that the message names, and sign the list again.
remedy: Sign a new list: `servertrust pins list sign`. The command checks the list in the same way as clients.

pinListPinsInvalid
meaning: The hosts and pins in the list can't be read or enforced.
remedy: Check the pin file before you sign it: `servertrust pins lint FILE`.
remedy: Use `--own-rules` if the app creates its rules itself (`PinStore`'s `makeManager`).
hint: a PinStore refuses them unless the app makes its own rules (--own-rules)

pinListAlgorithmNotAllowed
meaning: A signature names `none`, an unknown algorithm, or an algorithm that doesn't match its key.
remedy: Sign with ES256 or EdDSA, depending on the key: `servertrust pins list sign`.

pinListUnknownSigner
meaning: No signature was made with a key that may sign. The client knows other keys, or the list isn't yours.
remedy: Sign with the keys that the previous list names: `--key`.
remedy: Pass the lists that changed the keys as rotations: `--previous`.
remedy: If you didn't sign the list, find out where it comes from.
hint: sign with the keys that the previous list names (--key), or use --partial now and --add-to or servertrust pins list attach later

pinListSignatureInvalid
meaning: A signature that names a known key doesn't verify with that key. The list was changed, or the wrong bytes were signed.
remedy: Download the list again, and compare it with the original.
remedy: Sign the bytes that `servertrust pins list prepare` writes for this key.

pinListBelowThreshold
meaning: Fewer keys signed the list than the client requires.
remedy: Add the missing signatures: `servertrust pins list sign --add-to`, or `servertrust pins list attach`.
hint: sign with the keys that the previous list names (--key), or use --partial now and --add-to or servertrust pins list attach later

pinListUnprovenSigners
meaning: The list names keys for the next list, but too few of them signed this one. A typo in a key would lock out every client.
remedy: Also sign with the next keys. Use `--key` now, or `servertrust pins list attach` later.
hint: also sign with the next keys (--key), or use --partial now and --add-to or servertrust pins list attach later

pinListRootRequired
meaning: The list names new keys, but too few of the root keys in force signed it.
remedy: Sign with the root keys. Use `--key` now, or `servertrust pins list attach` later.
remedy: If the change was a mistake, name the same keys as in the previous list.
hint: changing the keys requires the root keys in force; sign with them (--key), or use --partial now and servertrust pins list attach later

pinListRootDropped
meaning: The list names no root keys, but the client has some. You can replace root keys, but not remove them.
remedy: Name the root keys again: `--root-key`.
hint: root keys can be replaced, but not removed; see --root-key

pinListForeignAudience
meaning: The list is for another app.
remedy: Sign a list with this app's audience: `--audience`.
remedy: Check which address the app downloads from.

pinListRollback
meaning: The list, its logs or its filters are older than those in force. A cache or an attacker is replaying an old list.
remedy: Publish the newest list.
remedy: Sign with a higher number: `--sequence`.
hint: --sequence must be higher than the previous list's

pinListSequenceReused
meaning: Another list with the same number is already in force.
remedy: Sign with a higher number: `--sequence`.
hint: --sequence must be higher than the previous list's

pinListIssuedEarlier
meaning: The list has a higher number than the list in force, but an earlier date.
remedy: Set the clock of the computer that signs, and sign the list again.

pinListClockSetBack
meaning: The device's clock is before the date of the list in force, so the client can't check dates.
remedy: Set the device's clock.

pinListNotYetValid
meaning: Clients accept the list only from a later date on.
remedy: Wait until that date.
remedy: Set the device's clock.
remedy: Sign with an earlier `--not-before`.

pinListExpired
meaning: The list has expired. The source withholds newer lists, or you haven't published one.
remedy: Sign and publish a new list with a later `--expires`.
remedy: Check caches between the client and the source.

pinListHostUnpinned
meaning: The list doesn't pin a host that the app always pins, or its rule can expire or be overridden.
remedy: Give the host an enforced rule. It must not become unpinned when it expires, and no anchors may override its pins.
hint: its rule must be enforced, without an expiry that ends its pins and without anchors that need no pin

pinListLogsInvalid
meaning: The Certificate Transparency logs in the list can't be read or used.
remedy: Check the list of logs: `servertrust roots logs check`.
hint: see servertrust roots logs check

pinListLogsDropped
meaning: The list has no Certificate Transparency logs, but the list in force has some.
remedy: Add the logs: `--ct-logs`.
remedy: To suspend their effect, use `--ct-report-only`.
hint: clients that have logs require some; name them with --ct-logs, or suspend their effect with --ct-report-only

pinListDeniedInvalid
meaning: The denied certificates in the list can't be read.
remedy: Pass OneCRL's JSON or a CRLSet: `--denied`.
hint: --denied accepts OneCRL's JSON and CRLSets

pinListFiltersInvalid
meaning: The manifest of revocation filters in the list can't be read.
remedy: Pass the `manifest.json` from the folder of filters.

pinListStoreUnreadable
meaning: The store's file can't be read, is too large, or is writable by other users.
remedy: Give the file and its folder to the app's user, and remove write permission for other users.
remedy: Delete the file. The app then uses the built-in list.

pinListStoreNotWritable
meaning: The store's file can't be written.
remedy: Give the app's user permission to write to the file's folder.
remedy: Free space on the disk.

connectionNameNotResolved
meaning: DNS has no address for the host name.
remedy: Check the spelling of the host.
remedy: Ask the owner of the domain whether the name is in DNS.
remedy: Connect by address: `servertrust check HOST --connect ADDRESS`.

connectionNameLookupTimedOut
meaning: No name server answered within the time limit.
remedy: Try again. Name servers may be down for a short time.
remedy: Check the name servers of this machine and of the domain.

connectionNameServerFailed
alias: nameLookupTimedOut
meaning: This machine reached no name server, or none of them had an answer. The machine may be offline.
remedy: Check the network of this machine.
remedy: Check the name servers in the machine's configuration.

connectionUnreachable
meaning: The server refuses connections on this port, or there is no route to it.
remedy: Start the server, and check which port it listens on.
remedy: Check the firewall between this machine and the server.

connectionTimedOut
meaning: The server didn't answer, or didn't finish the handshake, within the time limit.
remedy: Check whether the server is up, and whether a firewall drops its packets.
remedy: Check whether the protocol on this port starts without TLS. Such a server waits for a command first.
remedy: Set a longer time limit.

connectionEvaluationTimedOut
alias: timedOut
meaning: The server presented its certificates, but their evaluation took longer than the time limit.
remedy: Check whether this machine can reach the servers for CRLs and OCSP. The evaluation may be waiting for them.
remedy: Set a longer time limit for evaluations.

connectionHandshakeFailed
meaning: The client can't use a part of the server's TLS handshake.
remedy: Read the message. It names the part.
remedy: Check the server's TLS configuration and its log.

connectionHandshakeAlert
meaning: The server ended the TLS handshake with an alert.
remedy: Read the server's log for the reason.
remedy: Configure the server for TLS 1.2 or 1.3, with ECDHE and AES-GCM or ChaCha20 cipher suites.

connectionClosed
meaning: The server, or a machine on the network path, closed the connection before there was a verdict.
remedy: Read the server's log. Some servers close connections that ask for a name they don't have.
remedy: Check the firewalls and proxies on the network path.

connectionPlainHTTP
meaning: The server speaks HTTP without TLS on this port.
remedy: Use the port with TLS, usually 443.
remedy: Turn on TLS for this port in the server's configuration.

connectionStartTLSNeeded
meaning: The server's protocol starts without TLS and switches to TLS on request.
remedy: Name the protocol: `servertrust check HOST --starttls smtp`.
remedy: In a program, pass its `TLSPrologue`, such as `.smtp`.
remedy: Use the port where TLS starts at once, if the server has one.

connectionNotTLS
meaning: The server doesn't speak TLS on this port, but another protocol.
remedy: Use the port with TLS.

connectionOldTLSOnly
meaning: The server only supports TLS 1.1 and older.
remedy: Update the server to TLS 1.2 or 1.3. Current clients refuse older versions.

connectionNameRefused
meaning: The server doesn't serve the name that the client sent.
remedy: Check the spelling of the host.
remedy: Configure a certificate for this name on the server.

connectionClientCertificateRequired
meaning: The server requires a client certificate, but the client sent none that the server accepts.
remedy: Pass a certificate from a CA that the server trusts: `--client-cert FILE --client-key FILE`.
remedy: Check that the client certificate has not expired.

connectionStartTLSDeclined
meaning: The server's protocol starts without TLS, and the server doesn't offer TLS or declines it.
remedy: Turn on TLS in the server's configuration.
remedy: Use another port, if the server has TLS there.

connectionStartTLSFailed
meaning: Before TLS, the server speaks a different protocol than expected, or sends more plain text than it may. An attacker can insert plain text.
remedy: Name the protocol that the server speaks.
remedy: Leave out the protocol if TLS starts at once.
remedy: If the protocol is right, check the machines on the network path. One of them may insert bytes.

connectionProxyFailed
meaning: The client can't reach the proxy or doesn't trust it, or the proxy doesn't open a tunnel to the server.
remedy: Check the proxy's address and kind: HTTP, HTTP over TLS (`https://`) or SOCKS 5.
remedy: If an `https://` proxy isn't trusted, add its root to the anchors, or correct its certificate.
remedy: Ask the proxy's operator whether it may open tunnels to this host and port.

connectionProxyAuthorizationRequired
alias: proxyFailed
meaning: The proxy requires credentials, or different ones.
remedy: Set the user name and password for the proxy: `http://USER:PASSWORD@HOST:PORT` or `socks5://USER:PASSWORD@HOST:PORT`. Percent-encode special characters.
remedy: In a `URLSession`, answer the delegate's challenge whose protection space is a proxy.

connectionProxyTimedOut
alias: proxyFailed
meaning: The client didn't reach the proxy in time, or the proxy didn't answer in time.
remedy: Check whether the proxy is running.
remedy: Set a longer time limit.

connectionNotEvaluated
alias: handshakeFailed
meaning: The TLS handshake finished without a verdict. The client closed the connection before it sent anything.
remedy: Report this to the authors of swift-server-trust. It should never happen.

connectionSentTooEarly
alias: handshakeFailed
meaning: The program wrote data before the server was trusted. The client held the data back and closed the connection.
remedy: Wait for the handshake's future before you write.

requestMalformedURL
meaning: The client can't read the URL, or its host isn't a host name or an address.
remedy: Write the URL as `https://HOST/PATH`. The host has to be in ASCII, and special characters in the path have to be escaped.

requestUnsupportedScheme
meaning: The URL's scheme is neither `https` nor `http`.
remedy: Use `https`.
remedy: For a Unix socket, name it in `TrustedHTTPConfiguration.unixSockets`.

requestPlainHTTPRefused
meaning: The URL has the `http` scheme, but the configuration doesn't allow plain HTTP for its host.
remedy: Use `https`.
remedy: If the host has no TLS, allow it in the configuration. Anyone on the network path can then read and change its responses.

requestUserInURL
meaning: The URL contains a user name. Such URLs are often made to mislead readers about the host.
remedy: Send the credentials in the `Authorization` header.
remedy: If the URL comes from another source, check its real host: the part after the `@`.

requestMalformed
meaning: The method or a header field of the request contains a forbidden character, such as a line break. The client sent nothing.
remedy: Check values from outside before you put them into a request.

responseMalformed
meaning: The response breaks HTTP: its status isn't a number from 100 to 599, it is 101 without a request to upgrade, or a body or the end comes before a final status. The error names the status.
remedy: Ask the server's operator to fix the response. `curl -v URL` shows the status line.
remedy: Check whether a proxy or another device changes the response.

http2ConnectionEnded
meaning: The server broke HTTP/2, or ended the connection with GOAWAY. The message has the reason. The client doesn't use the connection again.
remedy: Send the request again if the server may process it twice.
remedy: If this happens again, report the message to the server's operator, or set `TrustedHTTPConfiguration.httpVersion` to `.http1Only`.

requestTLSConfiguration
meaning: The request has its own TLS configuration. The client uses one configuration for all requests.
remedy: Set `TrustedHTTPConfiguration.tls`, or create a second client.

redirectToPlainHTTP
alias: redirect
meaning: The server redirects from `https` to `http`, where anyone on the network path can answer.
remedy: Ask the server's operator to redirect to `https`.

redirectMalformed
alias: redirect
meaning: The client can't read the location of the server's redirect, or can't use its URL.
remedy: Ask the server's operator to fix the `Location` header.

redirectLimitExceeded
alias: redirect
meaning: The server sends more redirects than the client follows.
remedy: Check the first URL.
remedy: Raise the limit: `TrustedHTTPConfiguration.redirects`.

redirectCycle
alias: redirect
meaning: The server redirects to a URL that the client has already requested.
remedy: Check whether the server expects a cookie or a header field.
remedy: Ask the server's operator to fix the redirects.

decompressionLimitExceeded
meaning: The decoded body of the response is larger than the client's limit for decompression.
remedy: Raise the limit if you trust the server: `TrustedHTTPConfiguration.decompression`.
remedy: Read the body without decompression.

clientShutDown
meaning: The client is shut down.
remedy: Send requests before you shut down the client, or create a new client.

clientShared
meaning: You can't replace the rules of the shared client.
remedy: Create a `TrustedHTTPClient` with your rules.

trustSettingUnused
meaning: The settings of a rule have a key that its `trust` doesn't use, so the rule checks less than the settings say.
remedy: Set `trust` to `pins` or `roots`, or remove the key. The message names both.

proxyUnsupported
meaning: The client doesn't support the kind of proxy that the environment or the configuration names, or can't read its address.
remedy: Configure an HTTP proxy or a SOCKS 5 proxy: `http://HOST:PORT`, `https://HOST:PORT` or `socks5://HOST:PORT`.
remedy: Percent-encode special characters in the user name and the password. With SOCKS, both need 1 to 255 bytes.

tlsVerificationTurnedOff
meaning: The TLS configuration turns off verification.
remedy: Leave `certificateVerification` at `.fullVerification`.
remedy: To trust a server in development, add a rule for its host to the manager.

tlsTrustRootsNamed
meaning: The TLS configuration names trust roots, but the client doesn't use them.
remedy: Set `ServerTrustConfiguration.anchors` instead.

tlsRefusalIgnored
meaning: With this TLS context, a connection continues even if the server is refused.
remedy: Create the configuration with `TLSConfiguration.clientForServerTrust()`.

tlsHostCheckedTwice
meaning: With this TLS context, NIOSSL also checks the host, by different rules.
remedy: Create the configuration with `TLSConfiguration.clientForServerTrust()`.

tlsPreSharedKey
meaning: The TLS configuration has a pre-shared key. A server that has the key presents no certificate.
remedy: Remove the pre-shared key from the configuration.

tlsRenegotiation
meaning: The TLS configuration allows renegotiation. A server could then change its certificate after the verdict.
remedy: Set `renegotiationSupport` to `.none`.

tlsOutdatedVersion
meaning: The configuration allows TLS below 1.2, or the server uses it.
remedy: Set `minimumTLSVersion` to `.tlsv12` or `.tlsv13`.
remedy: Update a server that only supports older versions.

tlsLayoutUnknown
meaning: The linked version of swift-nio-ssl has a different internal layout than the tested version, so the client can't read the handshake.
remedy: Use a tested version of swift-nio-ssl.
remedy: Use `TrustedHTTPClient` instead of a gate.

gateNotTLS
meaning: The connection doesn't use NIOSSL for TLS, so the gate refuses it.
remedy: Use `https`, and an event loop of NIOPosix.

gateNoServerName
meaning: The client sent no server name, so the gate doesn't know the host.
remedy: Use a URL with a DNS name, or `TrustedHTTPClient`.

gateClientCertificate
meaning: The TLS configuration has a client certificate. A server would receive it before the gate evaluates the server.
remedy: Use `TrustedHTTPClient`. It presents the certificate only to trusted servers.
remedy: Remove the certificate, the private key and `sslContextCallback` from the TLS configuration.

gateProtocolChanged
meaning: The server selected HTTP/1.1 although its other open connections use HTTP/2, or the other way round. The gate refuses this connection.
remedy: Send the request again when the other connections are closed.
remedy: Set `httpVersion = .http1Only` in the client's configuration.
remedy: Have the server's operator configure all servers behind the name alike, or use `TrustedHTTPClient`.

downloadUnusableRequest
meaning: The request isn't a `GET` without a body, or has a `Range` or `If-Range` field.
remedy: Pass a plain `GET` request. The download sets the ranges itself.

downloadMalformedChecksum
meaning: The expected digest isn't 64 hexadecimal digits.
remedy: Pass the file's SHA-256 digest in hexadecimal.

downloadInUse
meaning: Another download to the same path is in progress.
remedy: Wait for the other download, or choose another path.

downloadStatus
meaning: The server's status is neither 200 nor, for the rest of a file, 206.
remedy: Read `status`, and check the URL and your credentials.

downloadTooLarge
meaning: The file is larger than allowed.
remedy: If you expect a file of this size, raise the limit in the options.

downloadIncomplete
meaning: The response ended before the file was complete.
remedy: Download again. If the server allows it, the download continues where it stopped.

downloadTooManyBytes
meaning: The response contains more bytes than it announced.
remedy: Download again. If this happens again, ask the server's operator.

downloadChecksumMismatch
meaning: The file's SHA-256 digest differs from the expected one. The client discarded the bytes.
remedy: Check the expected digest.
remedy: If the digest is right, the server has a different file, or an attacker replaced it. Don't use it.

downloadFileSystem
meaning: The client can't write or rename the file, or another user can change the partial file.
remedy: Check the folder's permissions and the free space.
remedy: Remove a partial file that belongs to another user.

webSocketUnusableURL
meaning: The client can't read the URL, or its scheme isn't `wss`.
remedy: Write the URL as `wss://HOST/PATH`.

webSocketUnusableField
meaning: A header field or a subprotocol contains a forbidden character, or the client sets this field itself.
remedy: Remove the field, or check values from outside.

webSocketNotUpgraded
meaning: The server didn't open a WebSocket: its status isn't 101, or its response doesn't match the request.
remedy: Read `number`. It is the status of the response.
remedy: Check the path, your credentials and the subprotocols.

webSocketTimedOut
meaning: The server didn't answer the WebSocket request, or a ping, in time.
remedy: Check whether the server is overloaded.
remedy: Set a longer time limit.

webSocketProtocolViolation
meaning: The server violated the WebSocket protocol (RFC 6455).
remedy: Report the violation to the server's operator. The message names it.

webSocketTooLarge
meaning: A frame or a message is larger than the client accepts.
remedy: If you expect messages of this size, raise the limit.

webSocketCutOff
meaning: The connection ended without a close frame. The last messages may be missing.
remedy: Connect again, and wait longer after each failure.

webSocketClosedWithCode
meaning: The server closed the WebSocket with a code other than 1000 and 1001.
remedy: Read `closing`. It has the code and the reason.

grpcHostMissing
meaning: The gRPC target is an address or a socket, and you passed no host for the evaluation.
remedy: Pass `host:` with the name in the server's certificate.

grpcHostDiffers
meaning: The gRPC target or the authority names a different host than the one you passed.
remedy: Pass the same host in both, or leave one out.

grpcHostUnreadable
meaning: The name of the gRPC target isn't a host name.
remedy: Check the spelling of the target.

labPortInUse
meaning: Another socket listens on the port of a lab server or repository.
remedy: Leave out the port. The system then chooses a free one.
remedy: Find the program that uses the port, and end it: `ss -ltnp`.

labPortNotPermitted
meaning: The process has no permission to listen on the port. Ports below 1024 usually need it.
remedy: Choose port 1024 or higher, or leave out the port.

labPortFailed
meaning: A lab server or repository can't listen on its port. The message has the system's reason.
remedy: Choose a port between 0 and 65535.
remedy: If the address is `::1`, check that the machine has IPv6. Containers often don't.

testInputUnusable
meaning: The value can't be turned into a certificate, CRL, OCSP response or key for a test.
remedy: Write the value in the form that the message names.

"""#

    /// The causes of messages that no code of this package describes.
    static let causes = #"""
unknownCause
meaning: The message comes from a tool that is known here, but its cause isn't. It may be about the program itself, not about the certificate.
remedy: Check what the server sends: `servertrust check HOST`.
remedy: Pass the lines around the message, too: `servertrust explain - < LOG`.

privateKeyMismatch
meaning: The private key in the configuration doesn't belong to the first certificate in the certificate file.
sign: `openssl x509 -noout -pubkey -in cert.pem` and `openssl pkey -pubout -in key.pem` print different keys.
remedy: Name the key that the certificate request was made with. After a renewal, replace both files, and then reload the server.
remedy: Put the server's own certificate first in the file, before the intermediates.
remedy: If the key is lost, create a new one and have the certificate reissued for it.

privateKeyUnusable
meaning: The program can't read the private key: its file is missing, not permitted, encrypted, or not a key.
sign: `openssl pkey -noout -in key.pem` fails or asks for a password.
remedy: Name the key's file, and let the program's user read it: `ls -l key.pem`.
remedy: HAProxy expects the key in the same file as the certificate, or beside it as `FILE.key`: `cat fullchain.pem privkey.pem > site.pem`.
remedy: For an encrypted key, configure its password, or write it without one: `openssl pkey -in key.pem -out plain.pem`.

certificateFileUnusable
meaning: The program found no certificate in the file: it is missing, empty, not permitted, in DER instead of PEM, or contains something else.
sign: `openssl x509 -noout -subject -in cert.pem` fails.
remedy: See what a file contains: `servertrust inspect FILE`.
remedy: Convert DER to PEM: `openssl x509 -inform DER -in cert.der -out cert.pem`.
remedy: Check the path in the configuration, and the permissions of each folder above the file.

keystorePassword
meaning: The password of the PKCS #12 file or key store is wrong. A damaged file causes the same message.
sign: `openssl pkcs12 -info -noout -in FILE.p12` with this password says `Mac verify error`.
remedy: Use the password that the file was exported with. In Java, the key can have a password of its own.
remedy: Apple's systems and Go can't import files without a password, or with new algorithms. Export again: `openssl pkcs12 -export -legacy -inkey key.pem -in fullchain.pem -out new.p12`.

keystoreUnreadable
meaning: The PKCS #12 file uses algorithms that this program doesn't support: RC2 and 3DES in old files, AES and SHA-256 in new ones, or no MAC.
sign: `openssl pkcs12 -info -noout -in FILE.p12` lists the algorithms. For old files, it needs `-legacy`.
remedy: Read an old file with `openssl pkcs12 -legacy -in FILE.p12 -nodes -out all.pem`, and export it again: `openssl pkcs12 -export -in all.pem -out new.p12`.
remedy: For an old reader (macOS up to 14, Java 8, Windows Server 2016), add `-legacy` to the export.

keystoreEntryMissing
meaning: The key store has no entry with this alias and a private key, or the chain of the CA's reply is incomplete.
sign: `keytool -list -v -keystore FILE` shows no `PrivateKeyEntry` with this alias, or a chain of length 1.
remedy: Import the CA's root and intermediate first, and then the reply under the alias of the key: `keytool -importcert -trustcacerts -alias NAME -file reply.pem -keystore FILE`.
remedy: Create the store from PEM files: `openssl pkcs12 -export -name NAME -inkey key.pem -in fullchain.pem -out FILE.p12`.

stapleUnsupported
meaning: The certificate has no OCSP address, so the server can't staple a response. Let's Encrypt and others ended OCSP in 2025. The certificate is fine.
sign: `openssl x509 -noout -ocsp_uri -in cert.pem` prints nothing.
remedy: Turn stapling off: remove `ssl_stapling` and `ssl_stapling_verify` in nginx, `SSLUseStapling` in Apache, `ocsp-update` in HAProxy.
remedy: If the ACME client requests must-staple, remove that, too.

acmeRequestRefused
meaning: The ACME CA refuses the certificate request: a name, an address, a key or an extension in it isn't allowed.
sign: The text after `detail` or `::` names what the CA refuses.
remedy: Put names and addresses in the alternative names and leave the common name empty. For an address, request the profile `shortlived`.
remedy: Update the ACME client, and have it create a new request and key.

acmeClientAuthEnded
meaning: The CA no longer issues server certificates that are also for clients (clientAuth), because root programs forbid them from 2026 on.
sign: The certificate in use has two purposes: `openssl x509 -noout -ext extendedKeyUsage -in cert.pem`.
remedy: Request a certificate for servers only: remove clientAuth from the request, or select the CA's default profile.
remedy: For clients (mutual TLS), issue certificates with a private CA: `servertrust ca init`.

acmeChallengeFailed
meaning: The ACME CA couldn't verify that you control the name: it didn't reach the server, found a wrong response, or DNS failed.
sign: `curl -v http://NAME/.well-known/acme-challenge/test` from another network fails, or `dig NAME A NAME AAAA` shows another machine.
remedy: Let port 80 reach the ACME client, without a login or a redirect to another host. Correct or remove an AAAA record of another machine.
remedy: For DNS challenges, wait until all name servers serve the record: `dig @NAMESERVER _acme-challenge.NAME TXT`.
remedy: Test with the CA's staging server first, because failures count towards its limits.

acmeRateLimited
meaning: The ACME CA got too many requests or failures for this account, name or address in a short time.
sign: The status is 429, and the text names the limit and often the time when it ends.
remedy: Wait until the stated time. Don't retry in a loop.
remedy: Find the reason for the failures with the CA's staging server. Keep certificates in a volume that survives restarts.

acmeAuthorizationRecord
meaning: A CAA record of the domain or of a domain above it doesn't allow this CA to issue, or DNS didn't answer the question.
sign: `dig NAME CAA` shows other CAs, or an error such as SERVFAIL.
remedy: Add the CA to the record: `NAME. CAA 0 issue "letsencrypt.org"`. For wildcards, the record `issuewild` counts.
remedy: If DNS answers with an error, correct the name servers or DNSSEC.

acmeAccount
meaning: The ACME CA refuses the account: it doesn't exist, needs an external binding or new terms, or the client is too old for this CA.
sign: The text after `detail` or `::` names the reason.
remedy: Register again with the CA's current address and terms, and update the ACME client.
remedy: For ZeroSSL, Google and private CAs, configure the external account binding (EAB).

noSharedCipher
meaning: Client and server share no cipher suite, group, signature algorithm or protocol, so there is no handshake.
sign: `openssl s_client -connect HOST:443 -tls1_2 </dev/null` or `-tls1_3` fails, and `servertrust check HOST` says what the server chose.
remedy: On the server, offer TLS 1.2 and 1.3 with ECDHE: ssl-config.mozilla.org, "intermediate". Add an RSA certificate for clients without ECDSA.
remedy: Check that the server loaded a certificate and key. Without one, a server has no suite to offer.
remedy: Update the client, if it is from before 2015.

protocolNotNegotiated
meaning: Client and server share no protocol in ALPN, such as `h2`. Certificates aren't involved.
sign: `openssl s_client -alpn h2 -connect HOST:443 </dev/null` prints `No ALPN negotiated`.
remedy: Turn on HTTP/2 on the server, and on every proxy in front of it that ends TLS. gRPC needs it.
remedy: If the client should speak HTTP/1.1, offer `http/1.1` in its ALPN list.

weakKeyExchange
meaning: The server's Diffie-Hellman parameters are too short, usually 512 or 1,024 bits.
sign: `openssl s_client -connect HOST:443 -tls1_2 </dev/null | grep "Temp Key"` shows `DH, 1024 bits`.
remedy: On the server, offer ECDHE, and remove suites with DHE or use parameters of 2,048 bits: `openssl dhparam -out dh.pem 2048`.

legacyRenegotiation
meaning: The server doesn't support secure renegotiation (RFC 5746 of 2010), and OpenSSL 3 refuses such servers. A proxy can be the cause.
sign: `openssl s_client -connect HOST:443 -tls1_2 </dev/null` says `Secure Renegotiation IS NOT supported`.
remedy: Update the server's or the proxy's TLS software, or offer TLS 1.3, which has no renegotiation.

handshakeTooLarge
meaning: A message of the handshake is larger than the receiver allows: too many certificates, or a list of hundreds of client CAs.
sign: `openssl s_client -connect HOST:443 -showcerts </dev/null | grep -c BEGIN` shows more than 4, or prints a long list of client CAs.
remedy: Send the leaf and its intermediates only. Don't configure a bundle of roots as the server's chain.
remedy: For client certificates, name only your own CAs: `ssl_client_certificate` in nginx, `ca-file` in HAProxy. nginx has `ssl_trusted_certificate` for CAs that it doesn't send.

clearTextNotPermitted
meaning: The app connects without TLS, and Android or App Transport Security doesn't permit that.
sign: The URL in the app begins with `http:`.
remedy: Use `https:` in the app, and install a certificate on the server.
remedy: For a development server, permit only its host: `domain-config cleartextTrafficPermitted` in Android, `NSExceptionDomains` in Info.plist.

requestCancelled
meaning: The app itself cancelled the request. In an app that pins keys, its delegate cancels the challenge when no pin matches.
sign: The app's own log says whether the delegate refused the server. The number -999 alone doesn't.
remedy: If the app pins keys, compare them: `servertrust check HOST --pins FILE`.
remedy: Otherwise look for a view or task that ended before its request.

notAFailure
meaning: The value isn't a failure. It says that the evaluation succeeded, or that the program has to continue.
remedy: `kSecTrustResultProceed` and `kSecTrustResultUnspecified` mean trusted. After `errSSLServerAuthCompleted`, evaluate the trust and call `SSLHandshake` again.
remedy: Look for another message in the log.

keychainAccess
meaning: The app can't use an item of the keychain: it is missing, locked, exists twice, or the app lacks the entitlement. Servers aren't involved.
sign: `security find-identity -v` or `security find-certificate -a -c NAME` shows whether the item exists.
remedy: Import the certificate with its private key, and give the app the keychain access group that the item is in.
remedy: If the device is locked, use `kSecAttrAccessibleAfterFirstUnlock` for items that are needed in the background.

programmingMistake
meaning: The program calls its TLS library in a wrong way or at a wrong time. Certificates aren't the cause.
remedy: Report the whole message to the program's developers.
remedy: Check what the server sends: `servertrust check HOST`.

schannelCredentials
meaning: Windows couldn't create TLS credentials: no access to the private key, or client and server have no protocol in common.
sign: The Schannel event 36871 (error 10013) or 36870 in the system's event log. `certutil -store my` says whether the key is usable.
remedy: Give the service's account read permission for the certificate's private key (certlm.msc, Manage Private Keys).
remedy: Turn TLS 1.2 on for client and server, and for .NET: `SchUseStrongCrypto`.

originHandshakeFailed
meaning: Cloudflare reached the origin server, but the TLS handshake between them failed.
sign: `servertrust check NAME --connect ORIGIN:443` fails, although visitors reach Cloudflare.
remedy: On the origin, listen with TLS on port 443, install a certificate for this name, and offer TLS 1.2.
remedy: Without a certificate on the origin, install Cloudflare's origin certificate, and keep the mode "Full (strict)".

originCertificateInvalid
meaning: In the mode "Full (strict)", Cloudflare refuses the origin server's certificate: expired, self-signed, incomplete, or for another name.
sign: `servertrust check NAME --connect ORIGIN:443` names the reason.
remedy: On the origin, renew the certificate, or install one from a public CA or Cloudflare's origin CA, with its chain.

"""#

    /// Other tools' messages.
    static let messages = #"""
unable to get local issuer certificate
tool: OpenSSL
form: unable to get local issuer certificate
form: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY
form: error:num=20
form: return code: 20
form: error 20 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer untrustedRoot
note: The usual cause is an intermediate that the server doesn't send, rather than a root that the client lacks.

unable to verify the first certificate
tool: OpenSSL
form: unable to verify the first certificate
form: X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE
form: error:num=21
form: return code: 21
form: error 21 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer
note: OpenSSL found no invalid signature. The server only sent one certificate, and its issuer is missing.

unable to get issuer certificate
tool: OpenSSL
form: unable to get issuer certificate
form: X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT
form: error:num=2
form: return code: 2
form: error 2 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer untrustedRoot

self-signed certificate
tool: OpenSSL
form: self-signed certificate
form: X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT
form: error:num=18
form: return code: 18
form: error 18 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: selfSignedLeaf
note: OpenSSL 1.1 and older print "self signed certificate".

self-signed certificate in certificate chain
tool: OpenSSL
form: self-signed certificate in certificate chain
form: X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN
form: error:num=19
form: return code: 19
form: error 19 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: untrustedRoot
note: Every root is self-signed. The message means that this machine doesn't trust this root.

certificate not trusted
tool: OpenSSL
form: certificate not trusted
form: X509_V_ERR_CERT_UNTRUSTED
form: error:num=27
form: return code: 27
form: error 27 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: untrustedRoot

certificate rejected
tool: OpenSSL
form: certificate rejected
form: X509_V_ERR_CERT_REJECTED
form: error:num=28
form: return code: 28
form: error 28 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: untrustedRoot
note: The store contains the root, but with a setting that rejects it for this purpose.

subject issuer mismatch
tool: OpenSSL
form: subject issuer mismatch
form: X509_V_ERR_SUBJECT_ISSUER_MISMATCH
form: error:num=29
form: return code: 29
form: error 29 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer

authority and subject key identifier mismatch
tool: OpenSSL
form: authority and subject key identifier mismatch
form: X509_V_ERR_AKID_SKID_MISMATCH
form: error:num=30
form: return code: 30
form: error 30 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer signatureInvalid

authority and issuer serial number mismatch
tool: OpenSSL
form: authority and issuer serial number mismatch
form: X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH
form: error:num=31
form: return code: 31
form: error 31 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer signatureInvalid

certificate chain too long
tool: OpenSSL
form: certificate chain too long
form: X509_V_ERR_CERT_CHAIN_TOO_LONG
form: error:num=22
form: return code: 22
form: error 22 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: depthBudgetExceeded maximumIntermediatesExceeded

path loop
tool: OpenSSL
form: path loop
form: X509_V_ERR_PATH_LOOP
form: error:num=55
form: return code: 55
form: error 55 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer

issuer certificate lookup error
tool: OpenSSL
form: issuer certificate lookup error
form: X509_V_ERR_STORE_LOOKUP
form: error:num=70
form: return code: 70
form: error 70 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: unknownIssuer systemAnchorsUnavailable

certificate has expired
tool: OpenSSL
form: certificate has expired
form: X509_V_ERR_CERT_HAS_EXPIRED
form: error:num=10
form: return code: 10
form: error 10 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateExpired

certificate is not yet valid
tool: OpenSSL
form: certificate is not yet valid
form: X509_V_ERR_CERT_NOT_YET_VALID
form: error:num=9
form: return code: 9
form: error 9 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateNotYetValid

format error in certificate's notBefore field
tool: OpenSSL
form: format error in certificate's notBefore field
form: X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD
form: error:num=13
form: return code: 13
form: error 13 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateMalformed strictTimeEncoding

format error in certificate's notAfter field
tool: OpenSSL
form: format error in certificate's notAfter field
form: X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD
form: error:num=14
form: return code: 14
form: error 14 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateMalformed strictTimeEncoding

unable to decrypt certificate's signature
tool: OpenSSL
form: unable to decrypt certificate's signature
form: X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE
form: error:num=4
form: return code: 4
form: error 4 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: signatureInvalid

unable to decode issuer public key
tool: OpenSSL
form: unable to decode issuer public key
form: X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
form: error:num=6
form: return code: 6
form: error 6 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: keyMalformed keyAlgorithmUnsupported

certificate signature failure
tool: OpenSSL
form: certificate signature failure
form: X509_V_ERR_CERT_SIGNATURE_FAILURE
form: error:num=7
form: return code: 7
form: error 7 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: signatureInvalid

issuer certificate doesn't have a public key
tool: OpenSSL
form: issuer certificate doesn't have a public key
form: X509_V_ERR_NO_ISSUER_PUBLIC_KEY
form: error:num=24
form: return code: 24
form: error 24 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: keyMalformed notCertificateAuthority
note: Number 24 was "invalid CA certificate" up to OpenSSL 1.1.1.

path length constraint exceeded
tool: OpenSSL
form: path length constraint exceeded
form: X509_V_ERR_PATH_LENGTH_EXCEEDED
form: error:num=25
form: return code: 25
form: error 25 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: pathLengthExceeded

unsuitable certificate purpose
tool: OpenSSL
form: unsuitable certificate purpose
form: X509_V_ERR_INVALID_PURPOSE
form: error:num=26
form: return code: 26
form: error 26 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS
note: OpenSSL 1.1 and older print "unsupported certificate purpose".

unsupported certificate purpose
form: unsupported certificate purpose
tool: OpenSSL
source: BoringSSL, crypto/x509/x509_txt (as OpenSSL up to 1.1.1)
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

key usage does not include certificate signing
tool: OpenSSL
form: key usage does not include certificate signing
form: X509_V_ERR_KEYUSAGE_NO_CERTSIGN
form: error:num=32
form: return code: 32
form: error 32 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: keyUsageLacksCertSign

unhandled critical extension
tool: OpenSSL
form: unhandled critical extension
form: X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION
form: error:num=34
form: return code: 34
form: error 34 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: criticalExtensionUnhandled

invalid non-CA certificate (has CA markings)
tool: OpenSSL
form: invalid non-CA certificate (has CA markings)
form: X509_V_ERR_INVALID_NON_CA
form: error:num=37
form: return code: 37
form: error 37 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictLeafIsAuthority

key usage does not include digital signature
tool: OpenSSL
form: key usage does not include digital signature
form: X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE
form: error:num=39
form: return code: 39
form: error 39 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: keyUsageNotForTLS

invalid or inconsistent certificate extension
tool: OpenSSL
form: invalid or inconsistent certificate extension
form: X509_V_ERR_INVALID_EXTENSION
form: error:num=41
form: return code: 41
form: error 41 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateMalformed

invalid or inconsistent certificate policy extension
tool: OpenSSL
form: invalid or inconsistent certificate policy extension
form: X509_V_ERR_INVALID_POLICY_EXTENSION
form: error:num=42
form: return code: 42
form: error 42 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: policyNotAcceptable policyMappingOfAnyPolicy

no explicit policy
tool: OpenSSL
form: no explicit policy
form: X509_V_ERR_NO_EXPLICIT_POLICY
form: error:num=43
form: return code: 43
form: error 43 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: policyNotAcceptable

unsupported extension feature
tool: OpenSSL
form: unsupported extension feature
form: X509_V_ERR_UNSUPPORTED_EXTENSION_FEATURE
form: error:num=45
form: return code: 45
form: error 45 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: criticalExtensionUnhandled

application verification failure
tool: OpenSSL
form: application verification failure
form: X509_V_ERR_APPLICATION_VERIFICATION
form: error:num=50
form: return code: 50
form: error 50 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: evaluatorRefused

EE certificate key too weak
tool: OpenSSL
form: EE certificate key too weak
form: X509_V_ERR_EE_KEY_TOO_SMALL
form: error:num=66
form: return code: 66
form: error 66 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: rsaKeyTooSmall keyUsesUnsupportedCurve

CA certificate key too weak
tool: OpenSSL
form: CA certificate key too weak
form: X509_V_ERR_CA_KEY_TOO_SMALL
form: error:num=67
form: return code: 67
form: error 67 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: rsaKeyTooSmall keyUsesUnsupportedCurve
note: Certificate 1 or higher has the short key. A new key for the server doesn't help.

CA signature digest algorithm too weak
tool: OpenSSL
form: CA signature digest algorithm too weak
form: X509_V_ERR_CA_MD_TOO_WEAK
form: error:num=68
form: return code: 68
form: error 68 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: signatureUsesSHA1 signatureUsesMD5
note: The message can be about the server's own certificate, because the CA makes its signature.

Cannot find certificate signature algorithm
tool: OpenSSL
form: Cannot find certificate signature algorithm
form: X509_V_ERR_UNABLE_TO_FIND_SIGNATURE_ALGORITHM
form: error:num=76
form: return code: 76
form: error 76 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: signatureAlgorithmUnsupported

X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH
form: X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH
tool: OpenSSL
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
form: subject signature algorithm and issuer public key algorithm mismatch
codes: signatureInvalid unknownIssuer

cert info signature and signature algorithm mismatch
tool: OpenSSL
form: cert info signature and signature algorithm mismatch
form: X509_V_ERR_SIGNATURE_ALGORITHM_INCONSISTENCY
form: error:num=78
form: return code: 78
form: error 78 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: signatureAlgorithmMismatch

invalid CA certificate
tool: OpenSSL
form: invalid CA certificate
form: X509_V_ERR_INVALID_CA
form: error:num=79
form: return code: 79
form: error 79 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: notCertificateAuthority basicConstraintsMissing

Certificate public key has explicit ECC parameters
tool: OpenSSL
form: Certificate public key has explicit ECC parameters
form: X509_V_ERR_EC_KEY_EXPLICIT_PARAMS
form: error:num=94
form: return code: 94
form: error 94 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: keyUsesExplicitCurve

hostname mismatch
tool: OpenSSL
form: hostname mismatch
form: X509_V_ERR_HOSTNAME_MISMATCH
form: error:num=62
form: return code: 62
form: error 62 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: hostMismatch subjectAlternativeNameMissing

IP address mismatch
tool: OpenSSL
form: IP address mismatch
form: X509_V_ERR_IP_ADDRESS_MISMATCH
form: error:num=64
form: return code: 64
form: error 64 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: hostMismatch subjectAlternativeNameMissing

no matching DANE TLSA records
tool: OpenSSL
form: no matching DANE TLSA records
form: X509_V_ERR_DANE_NO_MATCH
form: error:num=65
form: return code: 65
form: error 65 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: pinNotMatched authorityNotMatched
note: The zone's TLSA records weren't updated for the server's new key, or this is a different server.

permitted subtree violation
tool: OpenSSL
form: permitted subtree violation
form: X509_V_ERR_PERMITTED_VIOLATION
form: error:num=47
form: return code: 47
form: error 47 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameNotPermitted

excluded subtree violation
tool: OpenSSL
form: excluded subtree violation
form: X509_V_ERR_EXCLUDED_VIOLATION
form: error:num=48
form: return code: 48
form: error 48 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameExcluded

name constraints minimum and maximum not supported
tool: OpenSSL
form: name constraints minimum and maximum not supported
form: X509_V_ERR_SUBTREE_MINMAX
form: error:num=49
form: return code: 49
form: error 49 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameConstraintUndecidable strictNameConstraints

unsupported name constraint type
tool: OpenSSL
form: unsupported name constraint type
form: X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE
form: error:num=51
form: return code: 51
form: error 51 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameConstraintUndecidable

unsupported or invalid name constraint syntax
tool: OpenSSL
form: unsupported or invalid name constraint syntax
form: X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX
form: error:num=52
form: return code: 52
form: error 52 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameConstraintUndecidable strictNameConstraints

unsupported or invalid name syntax
tool: OpenSSL
form: unsupported or invalid name syntax
form: X509_V_ERR_UNSUPPORTED_NAME_SYNTAX
form: error:num=53
form: return code: 53
form: error 53 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: nameConstraintUndecidable strictAlternativeName

certificate revoked
tool: OpenSSL
form: certificate revoked
form: X509_V_ERR_CERT_REVOKED
form: error:num=23
form: return code: 23
form: error 23 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateRevoked

unable to get certificate CRL
tool: OpenSSL
form: unable to get certificate CRL
form: X509_V_ERR_UNABLE_TO_GET_CRL
form: error:num=3
form: return code: 3
form: error 3 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

unable to decrypt CRL's signature
tool: OpenSSL
form: unable to decrypt CRL's signature
form: X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE
form: error:num=5
form: return code: 5
form: error 5 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

CRL signature failure
tool: OpenSSL
form: CRL signature failure
form: X509_V_ERR_CRL_SIGNATURE_FAILURE
form: error:num=8
form: return code: 8
form: error 8 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

CRL is not yet valid
tool: OpenSSL
form: CRL is not yet valid
form: X509_V_ERR_CRL_NOT_YET_VALID
form: error:num=11
form: return code: 11
form: error 11 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

CRL has expired
tool: OpenSSL
form: CRL has expired
form: X509_V_ERR_CRL_HAS_EXPIRED
form: error:num=12
form: return code: 12
form: error 12 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable
note: The certificate may be valid. The CA's CRL is out of date.

unable to get CRL issuer certificate
tool: OpenSSL
form: unable to get CRL issuer certificate
form: X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER
form: error:num=33
form: return code: 33
form: error 33 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

key usage does not include CRL signing
tool: OpenSSL
form: key usage does not include CRL signing
form: X509_V_ERR_KEYUSAGE_NO_CRL_SIGN
form: error:num=35
form: return code: 35
form: error 35 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

unhandled critical CRL extension
tool: OpenSSL
form: unhandled critical CRL extension
form: X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION
form: error:num=36
form: return code: 36
form: error 36 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

different CRL scope
tool: OpenSSL
form: different CRL scope
form: X509_V_ERR_DIFFERENT_CRL_SCOPE
form: error:num=44
form: return code: 44
form: error 44 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

CRL path validation error
tool: OpenSSL
form: CRL path validation error
form: X509_V_ERR_CRL_PATH_VALIDATION_ERROR
form: error:num=54
form: return code: 54
form: error 54 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

Certificate Transparency required, but no valid SCTs found
tool: OpenSSL
form: Certificate Transparency required, but no valid SCTs found
form: X509_V_ERR_NO_VALID_SCTS
form: error:num=71
form: return code: 71
form: error 71 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: transparencyNotMet transparencyLogListMissing
note: OpenSSL needs one valid SCT from a log in the file that CTLOG_FILE names.

OCSP verification needed
tool: OpenSSL
form: OCSP verification needed
form: X509_V_ERR_OCSP_VERIFY_NEEDED
form: error:num=73
form: return code: 73
form: error 73 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable stapleMissing

OCSP verification failed
tool: OpenSSL
form: OCSP verification failed
form: X509_V_ERR_OCSP_VERIFY_FAILED
form: error:num=74
form: return code: 74
form: error 74 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable stapleMissing

OCSP unknown cert
tool: OpenSSL
form: OCSP unknown cert
form: X509_V_ERR_OCSP_CERT_UNKNOWN
form: error:num=75
form: return code: 75
form: error 75 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: revocationUnavailable

Path length invalid for non-CA cert
tool: OpenSSL
form: Path length invalid for non-CA cert
form: X509_V_ERR_PATHLEN_INVALID_FOR_NON_CA
form: error:num=80
form: return code: 80
form: error 80 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictKeyUsage

Path length given without key usage keyCertSign
tool: OpenSSL
form: Path length given without key usage keyCertSign
form: X509_V_ERR_PATHLEN_WITHOUT_KU_KEY_CERT_SIGN
form: error:num=81
form: return code: 81
form: error 81 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictKeyUsage

Key usage keyCertSign invalid for non-CA cert
tool: OpenSSL
form: Key usage keyCertSign invalid for non-CA cert
form: X509_V_ERR_KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA
form: error:num=82
form: return code: 82
form: error 82 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictKeyUsage

Issuer name empty
tool: OpenSSL
form: Issuer name empty
form: X509_V_ERR_ISSUER_NAME_EMPTY
form: error:num=83
form: return code: 83
form: error 83 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: issuerNameEmpty

Subject name empty
tool: OpenSSL
form: Subject name empty
form: X509_V_ERR_SUBJECT_NAME_EMPTY
form: error:num=84
form: return code: 84
form: error 84 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictSubjectName

Missing Authority Key Identifier
tool: OpenSSL
form: Missing Authority Key Identifier
form: X509_V_ERR_MISSING_AUTHORITY_KEY_IDENTIFIER
form: error:num=85
form: return code: 85
form: error 85 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictAuthorityKeyIdentifier
note: Python 3.13 turned on strict checks, so it refuses such certificates by default.

Missing Subject Key Identifier
tool: OpenSSL
form: Missing Subject Key Identifier
form: X509_V_ERR_MISSING_SUBJECT_KEY_IDENTIFIER
form: error:num=86
form: return code: 86
form: error 86 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictSubjectKeyIdentifier

Empty Subject Alternative Name extension
tool: OpenSSL
form: Empty Subject Alternative Name extension
form: X509_V_ERR_EMPTY_SUBJECT_ALT_NAME
form: error:num=87
form: return code: 87
form: error 87 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: subjectAlternativeNameMissing strictAlternativeName

Subject empty and Subject Alt Name extension not critical
tool: OpenSSL
form: Subject empty and Subject Alt Name extension not critical
form: X509_V_ERR_EMPTY_SUBJECT_SAN_NOT_CRITICAL
form: error:num=88
form: return code: 88
form: error 88 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictAlternativeName

Basic Constraints of CA cert not marked critical
tool: OpenSSL
form: Basic Constraints of CA cert not marked critical
form: X509_V_ERR_CA_BCONS_NOT_CRITICAL
form: error:num=89
form: return code: 89
form: error 89 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictExtensionCriticality

Authority Key Identifier marked critical
tool: OpenSSL
form: Authority Key Identifier marked critical
form: X509_V_ERR_AUTHORITY_KEY_IDENTIFIER_CRITICAL
form: error:num=90
form: return code: 90
form: error 90 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictExtensionCriticality

Subject Key Identifier marked critical
tool: OpenSSL
form: Subject Key Identifier marked critical
form: X509_V_ERR_SUBJECT_KEY_IDENTIFIER_CRITICAL
form: error:num=91
form: return code: 91
form: error 91 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictExtensionCriticality

CA cert does not include key usage extension
tool: OpenSSL
form: CA cert does not include key usage extension
form: X509_V_ERR_CA_CERT_MISSING_KEY_USAGE
form: error:num=92
form: return code: 92
form: error 92 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: strictKeyUsage

Using cert extension requires at least X509v3
tool: OpenSSL
form: Using cert extension requires at least X509v3
form: X509_V_ERR_EXTENSIONS_REQUIRE_VERSION_3
form: error:num=93
form: return code: 93
form: error 93 at … depth lookup
source: OpenSSL 3.0.22: X509_verify_cert_error_string, x509_vfy.h
codes: certificateVersionNotAllowed

wrong version number
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: wrong version number
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

packet length too long
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: packet length too long
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

SSL_ERROR_SYSCALL
form: SSL_ERROR_SYSCALL
tool: OpenSSL
source: OpenSSL: SSL_get_error(3)
codes: connectionClosed presentedChainEmpty
note: The server, a proxy or a firewall closed the connection during the handshake. Check the server's log.

unsupported protocol
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: unsupported protocol
codes: tlsVersionOutdated

tlsv1 alert protocol version
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: tlsv1 alert protocol version
codes: tlsVersionOutdated

no protocols available
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: no protocols available
codes: tlsVersionOutdated

legacy sigalg disallowed or unsupported
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: legacy sigalg disallowed or unsupported
codes: tlsVersionOutdated handshakeUnproven

no suitable signature algorithm
form: no suitable signature algorithm
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl, BoringSSL: ssl/ssl_privkey.cc
form: no shared signature algorithms
form: NO_COMMON_SIGNATURE_ALGORITHMS
codes: handshakeUnproven signatureAlgorithmUnsupported rsaKeyTooSmall
note: Client and server share no signature algorithm for the server's key. Usual causes are an Ed25519 or RSA-PSS key, a key that is too short for the hash, or a policy that shortens the list.

ee key too small
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: ee key too small
codes: rsaKeyTooSmall

ca key too small
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: ca key too small
codes: rsaKeyTooSmall

ca md too weak
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: ca md too weak
codes: signatureUsesSHA1 signatureUsesMD5

dh key too small
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: dh key too small
codes: weakKeyExchange

tlsv1 unrecognized name
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: tlsv1 unrecognized name
codes: connectionNameRefused presentedChainEmpty
note: The server doesn't serve this name, and ended the handshake with an alert.

sslv3 alert handshake failure
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: sslv3 alert handshake failure
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
note: The server ended the handshake before it sent a certificate. The message has nothing to do with SSL 3.

unexpected eof while reading
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: unexpected eof while reading
codes: connectionClosed presentedChainEmpty
note: The server closed the connection. Check the server's log.

no peer certificate available
form: no peer certificate available
tool: OpenSSL
source: OpenSSL 3.0.22: openssl s_client
codes: presentedChainEmpty

certificate verify failed
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: certificate verify failed
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: Look for the reason elsewhere in the log, or run `openssl s_client -connect HOST:443`.

unable to get local issuer certificate
tool: curl
form: SSL certificate problem: unable to get local issuer certificate
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: unknownIssuer untrustedRoot

unable to get issuer certificate
tool: curl
form: SSL certificate problem: unable to get issuer certificate
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: unknownIssuer untrustedRoot

self-signed certificate
tool: curl
form: SSL certificate problem: self-signed certificate
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: selfSignedLeaf

self-signed certificate in certificate chain
tool: curl
form: SSL certificate problem: self-signed certificate in certificate chain
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: untrustedRoot

certificate has expired
tool: curl
form: SSL certificate problem: certificate has expired
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: certificateExpired

certificate is not yet valid
tool: curl
form: SSL certificate problem: certificate is not yet valid
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: certificateNotYetValid

unsuitable certificate purpose
tool: curl
form: SSL certificate problem: unsuitable certificate purpose
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

EE certificate key too weak
tool: curl
form: SSL certificate problem: EE certificate key too weak
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: rsaKeyTooSmall

CA signature digest algorithm too weak
tool: curl
form: SSL certificate problem: CA signature digest algorithm too weak
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: signatureUsesSHA1 signatureUsesMD5

certificate revoked
tool: curl
form: SSL certificate problem: certificate revoked
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: certificateRevoked

unable to get certificate CRL
tool: curl
form: SSL certificate problem: unable to get certificate CRL
source: libcurl 7.88.1: strings of the library (the reason is OpenSSL's)
codes: revocationUnavailable

SSL: no alternative certificate subject name matches target host name …
tool: curl
source: libcurl 7.88.1: strings of the library
form: SSL: no alternative certificate subject name matches target host name …
codes: hostMismatch subjectAlternativeNameMissing

SSL: certificate subject name … does not match target host name …
tool: curl
source: libcurl 7.88.1: strings of the library
form: SSL: certificate subject name … does not match target host name …
codes: hostMismatch subjectAlternativeNameMissing

SSL: unable to obtain common name from peer certificate
tool: curl
source: libcurl 7.88.1: strings of the library
form: SSL: unable to obtain common name from peer certificate
codes: subjectAlternativeNameMissing hostMismatch

SSL: public key does not match pinned public key
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: SSL: public key does not match pinned public key
form: curl: (90)
form: CURLE_SSL_PINNEDPUBKEYNOTMATCH
codes: pinNotMatched

SSL server certificate status verification FAILED
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: SSL server certificate status verification FAILED
form: curl: (91)
form: CURLE_SSL_INVALIDCERTSTATUS
codes: stapleMissing certificateRevoked revocationUnavailable

SSL certificate revocation reason: …
tool: curl
source: libcurl 7.88.1: strings of the library
form: SSL certificate revocation reason: …
codes: certificateRevoked

Issuer check against peer certificate failed
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: Issuer check against peer certificate failed
form: curl: (83)
form: CURLE_SSL_ISSUER_ERROR
codes: authorityNotMatched unknownIssuer

Problem with the SSL CA cert (path? access rights?)
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: Problem with the SSL CA cert (path? access rights?)
form: curl: (77)
form: CURLE_SSL_CACERT_BADFILE
form: error setting certificate verify locations
codes: systemAnchorsUnavailable
note: Nothing is wrong on the server. The client can't read its file of roots.

SSL peer certificate or SSH remote key was not OK
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: SSL peer certificate or SSH remote key was not OK
form: curl: (60)
form: CURLE_PEER_FAILED_VERIFICATION
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The text after the number names the reason. Pass that text, too.

curl: (51)
form: curl: (51)
tool: curl
source: curl.h, up to curl 7.61 (now 60)
codes: hostMismatch unknownIssuer certificateExpired

SSL connect error
tool: curl
source: libcurl 7.88.1: strings of the library; curl.h
form: SSL connect error
form: curl: (35)
form: CURLE_SSL_CONNECT_ERROR
codes: connectionHandshakeFailed presentedChainEmpty tlsVersionOutdated handshakeUnproven
note: The handshake ended before curl verified the certificate. Check the TLS versions, the cipher suites, and whether the port has TLS.

The certificate of … is not trusted
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … is not trusted
codes: untrustedRoot unknownIssuer selfSignedLeaf

The certificate of … doesn't have a known issuer
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … doesn't have a known issuer
codes: unknownIssuer untrustedRoot selfSignedLeaf

The certificate of … hasn't got a known issuer
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … hasn't got a known issuer
codes: unknownIssuer untrustedRoot selfSignedLeaf

The certificate of … has been revoked
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … has been revoked
codes: certificateRevoked

The certificate signer of … was not a CA
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate signer of … was not a CA
codes: notCertificateAuthority basicConstraintsMissing

The certificate of … was signed using an insecure algorithm
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … was signed using an insecure algorithm
codes: signatureUsesSHA1 signatureUsesMD5

The certificate of … is not yet activated
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … is not yet activated
codes: certificateNotYetValid

The certificate of … has expired
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate of … has expired
codes: certificateExpired

The certificate has expired
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate has expired
codes: certificateExpired

The certificate's owner does not match hostname …
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The certificate's owner does not match hostname …
codes: hostMismatch subjectAlternativeNameMissing

No certificate presented by …
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: No certificate presented by …
codes: presentedChainEmpty

The public key does not match pinned public key
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: The public key does not match pinned public key
codes: pinNotMatched

Unable to locally verify the issuer's authority
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: Unable to locally verify the issuer's authority
codes: unknownIssuer untrustedRoot
note: wget prints this for OpenSSL's error 20 (unable to get local issuer certificate).

Self-signed certificate encountered
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: Self-signed certificate encountered
codes: selfSignedLeaf untrustedRoot

Issued certificate has expired
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: Issued certificate has expired
codes: certificateExpired

Issued certificate not yet valid
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: Issued certificate not yet valid
codes: certificateNotYetValid

no certificate subject alternative name matches requested host name
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: no certificate subject alternative name matches requested host name
codes: hostMismatch subjectAlternativeNameMissing

certificate common name … doesn't match requested host name
tool: wget
source: GNU Wget 1.21: src/gnutls.c, src/openssl.c
form: certificate common name … doesn't match requested host name
codes: hostMismatch subjectAlternativeNameMissing

server certificate verification failed. CAfile: …
form: server certificate verification failed. CAfile: …
tool: git
source: libcurl with GnuTLS, as git of Debian and Ubuntu prints it (public reports)
form: server certificate verification failed
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: git doesn't print the reason. `gnutls-cli HOST` or `servertrust check HOST` names it.

fatal: unable to access … SSL certificate problem
form: fatal: unable to access … SSL certificate problem
tool: git
source: git 2.39.5: git-remote-https, which prints libcurl's message
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch

unable to get local issuer certificate
tool: Python
form: certificate verify failed: unable to get local issuer certificate
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: unknownIssuer untrustedRoot

self-signed certificate
tool: Python
form: certificate verify failed: self-signed certificate
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: selfSignedLeaf

self-signed certificate in certificate chain
tool: Python
form: certificate verify failed: self-signed certificate in certificate chain
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: untrustedRoot

certificate has expired
tool: Python
form: certificate verify failed: certificate has expired
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: certificateExpired

certificate is not yet valid
tool: Python
form: certificate verify failed: certificate is not yet valid
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: certificateNotYetValid

unable to get issuer certificate
tool: Python
form: certificate verify failed: unable to get issuer certificate
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: unknownIssuer untrustedRoot

Missing Authority Key Identifier
tool: Python
form: certificate verify failed: Missing Authority Key Identifier
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: strictAuthorityKeyIdentifier

Basic Constraints of CA cert not marked critical
tool: Python
form: certificate verify failed: Basic Constraints of CA cert not marked critical
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: strictExtensionCriticality

Hostname mismatch, certificate is not valid for …
tool: Python
form: certificate verify failed: Hostname mismatch, certificate is not valid for …
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: hostMismatch subjectAlternativeNameMissing

IP address mismatch, certificate is not valid for …
tool: Python
form: certificate verify failed: IP address mismatch, certificate is not valid for …
source: CPython 3.11: Modules/_ssl.c (the reason is OpenSSL's)
codes: hostMismatch subjectAlternativeNameMissing

SSLCertVerificationError
form: SSLCertVerificationError
tool: Python
source: CPython 3.11: Modules/_ssl.c, Lib/ssl.py
form: CERTIFICATE_VERIFY_FAILED
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The reason follows after "certificate verify failed:". Pass it, too.

hostname … doesn't match either of …
form: hostname … doesn't match either of …
tool: Python
source: urllib3 2.7.0: util/ssl_match_hostname.py, CPython up to 3.6: Lib/ssl.py
codes: hostMismatch

hostname … doesn't match …
tool: Python
source: urllib3 2.7.0: util/ssl_match_hostname.py
form: hostname … doesn't match …
codes: hostMismatch

no appropriate subjectAltName fields were found
tool: Python
source: urllib3 2.7.0: util/ssl_match_hostname.py
form: no appropriate subjectAltName fields were found
form: no appropriate commonName or subjectAltName fields were found
codes: subjectAlternativeNameMissing

Fingerprints did not match
form: Fingerprints did not match
tool: Python
source: urllib3 2.7.0: util/ssl_.py
codes: certificateNotPinned

Could not find a suitable TLS CA certificate bundle, invalid path: …
form: Could not find a suitable TLS CA certificate bundle, invalid path: …
tool: Python
source: requests 2.34.2: adapters.py
codes: systemAnchorsUnavailable
note: REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE names a file that doesn't exist.

UNABLE_TO_VERIFY_LEAF_SIGNATURE
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_VERIFY_LEAF_SIGNATURE
codes: unknownIssuer
note: Node found no invalid signature. The server sends its certificate without the intermediate.

UNABLE_TO_GET_ISSUER_CERT_LOCALLY
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_GET_ISSUER_CERT_LOCALLY
codes: unknownIssuer untrustedRoot

UNABLE_TO_GET_ISSUER_CERT
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_GET_ISSUER_CERT
codes: unknownIssuer untrustedRoot

DEPTH_ZERO_SELF_SIGNED_CERT
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: DEPTH_ZERO_SELF_SIGNED_CERT
codes: selfSignedLeaf

SELF_SIGNED_CERT_IN_CHAIN
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: SELF_SIGNED_CERT_IN_CHAIN
codes: untrustedRoot
note: Behind a company's proxy, set NODE_EXTRA_CA_CERTS to a file with the proxy's root.

CERT_HAS_EXPIRED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_HAS_EXPIRED
codes: certificateExpired

CERT_NOT_YET_VALID
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_NOT_YET_VALID
codes: certificateNotYetValid

CERT_SIGNATURE_FAILURE
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_SIGNATURE_FAILURE
codes: signatureInvalid

CERT_UNTRUSTED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_UNTRUSTED
codes: untrustedRoot

CERT_REJECTED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_REJECTED
codes: untrustedRoot

CERT_REVOKED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_REVOKED
codes: certificateRevoked

CERT_CHAIN_TOO_LONG
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CERT_CHAIN_TOO_LONG
codes: depthBudgetExceeded maximumIntermediatesExceeded

INVALID_CA
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: INVALID_CA
codes: notCertificateAuthority basicConstraintsMissing

INVALID_PURPOSE
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: INVALID_PURPOSE
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

PATH_LENGTH_EXCEEDED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: PATH_LENGTH_EXCEEDED
codes: pathLengthExceeded

HOSTNAME_MISMATCH
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: HOSTNAME_MISMATCH
codes: hostMismatch

UNABLE_TO_GET_CRL
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_GET_CRL
codes: revocationUnavailable

CRL_HAS_EXPIRED
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: CRL_HAS_EXPIRED
codes: revocationUnavailable

UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
codes: keyMalformed keyAlgorithmUnsupported

UNABLE_TO_DECRYPT_CERT_SIGNATURE
tool: Node.js
source: Node.js 20.20.2: src/crypto/crypto_common.cc, documentation of tls
form: UNABLE_TO_DECRYPT_CERT_SIGNATURE
codes: signatureInvalid

Hostname/IP does not match certificate's altnames: …
tool: Node.js
source: Node.js 20.20.2: lib/tls.js, lib/internal/errors.js
form: Hostname/IP does not match certificate's altnames: …
form: ERR_TLS_CERT_ALTNAME_INVALID
codes: hostMismatch subjectAlternativeNameMissing

is not in the cert's altnames: …
tool: Node.js
source: Node.js 20.20.2: lib/tls.js, lib/internal/errors.js
form: is not in the cert's altnames: …
codes: hostMismatch

is not in the cert's list: …
tool: Node.js
source: Node.js 20.20.2: lib/tls.js, lib/internal/errors.js
form: is not in the cert's list: …
codes: hostMismatch
note: The connection goes to an IP address, but the certificate lists other addresses or none.

Cert does not contain a DNS name
tool: Node.js
source: Node.js 20.20.2: lib/tls.js, lib/internal/errors.js
form: Cert does not contain a DNS name
codes: subjectAlternativeNameMissing

ERR_TLS_CERT_ALTNAME_FORMAT
tool: Node.js
source: Node.js 20.20.2: lib/tls.js, lib/internal/errors.js
form: ERR_TLS_CERT_ALTNAME_FORMAT
form: Invalid subject alternative name string
codes: certificateMalformed strictAlternativeName

x509: certificate signed by unknown authority
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate signed by unknown authority
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: Usual causes are an intermediate that the server doesn't send, a private root, a self-signed certificate, or a container without a package of roots.

x509: certificate signed by unknown authority (possibly because of … while trying to verify candidate authority certificate
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate signed by unknown authority (possibly because of … while trying to verify candidate authority certificate
codes: signatureInvalid notCertificateAuthority
note: Go knows a CA with the right name, but its key didn't sign this certificate. Often the CA was recreated under its old name.

x509: certificate has expired or is not yet valid: current time … is after …
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate has expired or is not yet valid: current time … is after …
codes: certificateExpired

x509: certificate has expired or is not yet valid: current time … is before …
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate has expired or is not yet valid: current time … is before …
codes: certificateNotYetValid

x509: certificate has expired or is not yet valid
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate has expired or is not yet valid
codes: certificateExpired certificateNotYetValid

x509: certificate is valid for … not …
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate is valid for … not …
codes: hostMismatch

x509: certificate is not valid for any names, but wanted to match …
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate is not valid for any names, but wanted to match …
codes: subjectAlternativeNameMissing

x509: certificate relies on legacy Common Name field, use SANs instead
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate relies on legacy Common Name field, use SANs instead
codes: subjectAlternativeNameMissing

x509: cannot validate certificate for … because it doesn't contain any IP SANs
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: cannot validate certificate for … because it doesn't contain any IP SANs
codes: hostMismatch subjectAlternativeNameMissing
note: The connection goes to an IP address. Connect by name, or have the certificate reissued with the address.

x509: certificate is not authorized to sign other certificates
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate is not authorized to sign other certificates
codes: notCertificateAuthority basicConstraintsMissing

x509: a root or intermediate certificate is not authorized to sign for this name
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: a root or intermediate certificate is not authorized to sign for this name
codes: nameNotPermitted nameExcluded

x509: … is excluded by constraint …
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: … is excluded by constraint …
codes: nameExcluded

x509: … is not permitted by any constraint
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: … is not permitted by any constraint
codes: nameNotPermitted

x509: a root or intermediate certificate is not authorized for an extended key usage
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: a root or intermediate certificate is not authorized for an extended key usage
codes: extendedKeyUsageNotAllowed

x509: too many intermediates for path length constraint
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: too many intermediates for path length constraint
codes: pathLengthExceeded

x509: certificate specifies an incompatible key usage
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate specifies an incompatible key usage
codes: extendedKeyUsageNotAllowed
note: This is about the extended key usage. Go doesn't check the key usage.

x509: issuer name does not match subject from issuing certificate
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: issuer name does not match subject from issuing certificate
codes: unknownIssuer

x509: issuer has name constraints but leaf contains unknown or unconstrained name
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: issuer has name constraints but leaf contains unknown or unconstrained name
codes: nameConstraintUndecidable nameNotPermitted

x509: issuer has name constraints but leaf doesn't have a SAN extension
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: issuer has name constraints but leaf doesn't have a SAN extension
codes: subjectAlternativeNameMissing nameNotPermitted

x509: failed to load system roots and no roots provided
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: failed to load system roots and no roots provided
codes: systemAnchorsUnavailable

x509: unhandled critical extension
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: unhandled critical extension
codes: criticalExtensionUnhandled

x509: signature check attempts limit reached while verifying certificate chain
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: signature check attempts limit reached while verifying certificate chain
codes: signatureBudgetExceeded

tls: first record does not look like a TLS handshake
form: tls: first record does not look like a TLS handshake
tool: Go
source: Go: crypto/tls/conn.go (golang/go)
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

remote error: tls: handshake failure
tool: Go
source: Go: crypto/tls/alert.go (golang/go)
form: remote error: tls: handshake failure
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
note: The server ended the handshake before it sent a certificate.

remote error: tls: protocol version not supported
tool: Go
source: Go: crypto/tls/alert.go (golang/go)
form: remote error: tls: protocol version not supported
codes: tlsVersionOutdated

http: server gave HTTP response to HTTPS client
form: http: server gave HTTP response to HTTPS client
tool: Go
source: Go: net/http/transport.go (golang/go)
codes: connectionPlainHTTP
note: The client uses https, and this port speaks http. For a Docker registry, put TLS in front of it, or list it in `insecure-registries` for tests.

tls: failed to verify certificate
form: tls: failed to verify certificate
tool: Go
source: Go: crypto/tls/common.go (golang/go)
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The reason follows. It comes from crypto/x509.

x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate"
tool: Go
source: Go: crypto/x509/verify.go (golang/go)
form: x509: certificate signed by unknown authority (possibly because of "x509: invalid signature: parent certificate cannot sign this kind of certificate"
form: x509: invalid signature: parent certificate cannot sign this kind of certificate
codes: notCertificateAuthority keyUsageLacksCertSign
note: Go found the issuer, but it isn't a CA: its basic constraints or its key usage don't allow signing.

tls: server sent certificate containing RSA key larger than … bits
form: tls: server sent certificate containing RSA key larger than … bits
tool: Go
source: Go: crypto/tls/handshake_client.go (golang/go)
form: tls: client sent certificate containing RSA key larger than … bits
codes: rsaKeyTooLarge

tls: private key does not match public key
form: tls: private key does not match public key
tool: Go
source: Go: crypto/tls/tls.go (golang/go)
form: tls: private key type does not match public key type
codes: privateKeyMismatch

tls: failed to find any PEM data in certificate input
form: tls: failed to find any PEM data in certificate input
tool: Go
source: Go: crypto/tls/tls.go (golang/go)
form: tls: failed to find certificate PEM data in certificate input, but did find a private key
form: tls: failed to find PEM block with type ending in … PRIVATE KEY
codes: certificateFileUnusable privateKeyUnusable

tls: client didn't provide a certificate
form: tls: client didn't provide a certificate
tool: Go
source: Go: crypto/tls/handshake_server.go (golang/go)
codes: connectionClientCertificateRequired

http: TLS handshake error from … EOF
form: http: TLS handshake error from … EOF
tool: Go
source: Go: net/http/server.go (golang/go)
codes: connectionClosed
note: A client, a port scanner or a health check closed the connection before the handshake. This line alone is harmless.

tls: no certificates configured
form: tls: no certificates configured
tool: Go
source: Go: crypto/tls/common.go (golang/go)
codes: certificateFileUnusable

x509: negative serial number
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: negative serial number
codes: strictSerialNumber certificateMalformed
note: Go 1.23 and later refuse the certificate. RFC 5280 § 4.1.2.2 requires a positive number. A CA that uses random bytes must clear the first bit.

x509: malformed …
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: malformed …
codes: certificateMalformed strictEncoding
note: The words after it name the field. `servertrust inspect FILE` shows the byte.

x509: invalid …
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: invalid …
codes: certificateMalformed strictEncoding

x509: invalid signature: parent certificate cannot sign this kind of certificate
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: invalid signature: parent certificate cannot sign this kind of certificate
codes: notCertificateAuthority keyUsageLacksCertSign

x509: trailing data
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: trailing data
codes: certificateMalformed

x509: certificate contains duplicate extension
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: certificate contains duplicate extension
codes: certificateMalformed

x509: SAN … is malformed
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: SAN … is malformed
codes: certificateMalformed strictAlternativeName

x509: cannot parse …
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: cannot parse …
codes: certificateMalformed strictAlternativeName

x509: inner and outer signature algorithm identifiers don't match
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: inner and outer signature algorithm identifiers don't match
codes: signatureAlgorithmMismatch

x509: IP constraint contained …
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: IP constraint contained …
codes: nameConstraintUndecidable certificateMalformed
note: In a CA's name constraints, an address range has 8 bytes for IPv4 and 32 for IPv6: the address and its mask. The certificate may also be an intermediate or a root.

x509: failed to parse … constraint
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: failed to parse … constraint
codes: nameConstraintUndecidable strictNameConstraints

x509: empty name constraints extension
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: empty name constraints extension
codes: strictNameConstraints nameConstraintUndecidable

x509: unsupported elliptic curve
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: unsupported elliptic curve
codes: keyUsesUnsupportedCurve keyUsesExplicitCurve

x509: RSA key missing NULL parameters
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: RSA key missing NULL parameters
codes: keyMalformed certificateMalformed

x509: RSA modulus is not a positive number
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: RSA modulus is not a positive number
codes: keyMalformed

x509: cannot verify signature: insecure algorithm …
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: cannot verify signature: insecure algorithm …
codes: signatureUsesSHA1 signatureUsesMD5
note: Go 1.18 and later refuse SHA-1. Go doesn't verify the root's own signature, so the root isn't the cause.

x509: certificate signed by unknown authority (possibly because of … cannot verify signature: insecure algorithm … while trying to verify candidate authority certificate
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: certificate signed by unknown authority (possibly because of … cannot verify signature: insecure algorithm … while trying to verify candidate authority certificate
codes: signatureUsesSHA1 signatureUsesMD5

x509: cannot verify signature: algorithm unimplemented
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: cannot verify signature: algorithm unimplemented
codes: signatureAlgorithmUnsupported

x509: a root or intermediate certificate is not authorized to sign in this domain
tool: Go
source: Go: crypto/x509/parser.go, x509.go (golang/go; public reports)
form: x509: a root or intermediate certificate is not authorized to sign in this domain
codes: nameNotPermitted nameExcluded
note: Go 1.9 and earlier print this message.

PKIX path building failed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: PKIX path building failed
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: Java has its own roots in lib/security/cacerts and doesn't fetch missing intermediates. A browser on the same machine shows no error.

unable to find valid certification path to requested target
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: unable to find valid certification path to requested target
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: Usually the server doesn't send the intermediate. `keytool -importcert` of the leaf hides this until the next renewal.

PKIX path validation failed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: PKIX path validation failed
codes: certificateExpired signatureInvalid certificateRevoked
note: The reason follows after CertPathValidatorException.

Path does not chain with any of the trust anchors
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Path does not chain with any of the trust anchors
codes: untrustedRoot unknownIssuer

the trustAnchors parameter must be non-empty
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: the trustAnchors parameter must be non-empty
form: InvalidAlgorithmParameterException: the trustAnchors parameter
codes: systemAnchorsUnavailable
note: The file of roots is missing, empty or unreadable. Check `javax.net.ssl.trustStore` and the ca-certificates-java package.

No subject alternative DNS name matching … found
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: No subject alternative DNS name matching … found
codes: hostMismatch

No subject alternative names matching IP address … found
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: No subject alternative names matching IP address … found
codes: hostMismatch
note: The connection goes to an IP address. Connect by name, or have the certificate reissued with the address.

No subject alternative names present
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: No subject alternative names present
codes: subjectAlternativeNameMissing hostMismatch

No name matching … found
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: No name matching … found
codes: subjectAlternativeNameMissing hostMismatch

CertificateExpiredException
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert
form: CertificateExpiredException
form: NotAfter: …
codes: certificateExpired

CertificateNotYetValidException
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert
form: CertificateNotYetValidException
form: NotBefore: …
codes: certificateNotYetValid

validity check failed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: validity check failed
form: CertPathValidatorException: validity check failed
codes: certificateExpired certificateNotYetValid

signature check failed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: signature check failed
form: CertPathValidatorException: signature check failed
form: BasicReason.INVALID_SIGNATURE
codes: signatureInvalid

Certificate has been revoked, reason: …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Certificate has been revoked, reason: …
form: CertificateRevokedException
form: BasicReason.REVOKED
codes: certificateRevoked

Could not determine revocation status
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Could not determine revocation status
form: Unable to determine revocation status due to network error
form: UNDETERMINED_REVOCATION_STATUS
form: Certificate's revocation status is unknown
codes: revocationUnavailable

Algorithm constraints check failed on signature algorithm: …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Algorithm constraints check failed on signature algorithm: …
codes: signatureUsesSHA1 signatureUsesMD5
note: `jdk.certpath.disabledAlgorithms` in java.security lists the algorithms.

Algorithm constraints check failed on keysize limits: …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Algorithm constraints check failed on keysize limits: …
codes: rsaKeyTooSmall keyUsesUnsupportedCurve

Algorithm constraints check failed on disabled algorithm: …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Algorithm constraints check failed on disabled algorithm: …
form: ALGORITHM_CONSTRAINED
codes: signatureUsesSHA1 rsaKeyTooSmall signatureUsesMD5 keyUsesDSA

unrecognized critical extension(s)
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: unrecognized critical extension(s)
form: UNRECOGNIZED_CRIT_EXT
form: Certificate contains unsupported critical extensions: …
codes: criticalExtensionUnhandled

Extended key usage does not permit use for TLS server authentication
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Extended key usage does not permit use for TLS server authentication
form: Extended key usage does not permit use for TLS client authentication
codes: extendedKeyUsageNotAllowed
note: The peer's certificate lacks the purpose: serverAuth for a server, clientAuth for a client.

Certificates do not conform to algorithm constraints
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Certificates do not conform to algorithm constraints
form: Certificates does not conform to algorithm constraints
codes: signatureUsesSHA1 rsaKeyTooSmall signatureUsesMD5 signatureAlgorithmUnsupported
note: The java.security file disables a signature or key algorithm of the chain, in `jdk.certpath.disabledAlgorithms` or `jdk.tls.disabledAlgorithms`.

TrustAnchor with subject … is not a CA certificate
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: TrustAnchor with subject … is not a CA certificate
codes: notCertificateAuthority basicConstraintsMissing
note: Java 8u241, 11.0.6, and later require CA:TRUE in version 3 roots of the trust store.

Certificate does not specify OCSP responder
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Certificate does not specify OCSP responder
codes: revocationUnavailable
note: Java should use OCSP (ocsp.enable), but the certificate contains no OCSP address.

Duplicate extensions not allowed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Duplicate extensions not allowed
codes: certificateMalformed

Parse Generalized time, …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Parse Generalized time, …
codes: certificateMalformed strictTimeEncoding

Parse UTC time, …
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Parse UTC time, …
codes: certificateMalformed strictTimeEncoding

timestamp check failed
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: timestamp check failed
codes: certificateExpired certificateNotYetValid

Failed to validate the server name in a certificate
form: Failed to validate the server name in a certificate
tool: SQL Server
source: Microsoft JDBC driver for SQL Server (public reports)
codes: hostMismatch subjectAlternativeNameMissing
note: The hostNameInCertificate property differs from the certificate's name, or the URL has an alias.

No issuer certificate for certificate in certification path found
form: No issuer certificate for certificate in certification path found
tool: Bouncy Castle
source: Bouncy Castle: bcprov, bctls (public reports)
codes: unknownIssuer untrustedRoot

OCSP responder failed: …
form: OCSP responder failed: …
tool: Bouncy Castle
source: Bouncy Castle: OcspCache.java (public reports)
codes: revocationUnavailable
note: The number is the status of the response (RFC 6960): 1 malformed request, 3 try later, 6 unauthorized.

Unable to build a CertPath: no PKIXBuilderParameters available
form: Unable to build a CertPath: no PKIXBuilderParameters available
tool: Bouncy Castle
source: Bouncy Castle: ProvX509TrustManager.java (public reports)
codes: systemAnchorsUnavailable
note: The trust manager's store is missing or empty.

KeyUsage does not allow digital signatures
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: KeyUsage does not allow digital signatures
codes: keyUsageNotForTLS

KeyUsage does not allow key encipherment
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: KeyUsage does not allow key encipherment
codes: keyUsageNotForTLS

check failed: this is not a CA certificate
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert.PKIXReason
form: check failed: this is not a CA certificate
form: BasicReason.NOT_CA_CERT
form: basic constraints check failed
codes: notCertificateAuthority basicConstraintsMissing

PKIXReason.PATH_TOO_LONG
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert.PKIXReason
form: PKIXReason.PATH_TOO_LONG
form: PATH_TOO_LONG
codes: pathLengthExceeded

NO_TRUST_ANCHOR
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert.PKIXReason
form: NO_TRUST_ANCHOR
codes: untrustedRoot unknownIssuer

INVALID_KEY_USAGE
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert.PKIXReason
form: INVALID_KEY_USAGE
codes: keyUsageLacksCertSign keyUsageNotForTLS

NAME_CHAINING
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules); java.security.cert.PKIXReason
form: NAME_CHAINING
codes: unknownIssuer

certificate does not satisfy existing name constraints
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: certificate does not satisfy existing name constraints
codes: nameNotPermitted nameExcluded

UntrustedChecker: untrusted certificate
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: UntrustedChecker: untrusted certificate
codes: certificateDenied untrustedRoot
note: The certificate is on the JDK's list of blocked certificates.

Empty server certificate chain
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Empty server certificate chain
codes: presentedChainEmpty

peer not authenticated
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: peer not authenticated
codes: presentedChainEmpty unknownIssuer

Unsupported or unrecognized SSL message
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Unsupported or unrecognized SSL message
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

The server selected protocol version … is not accepted by client preferences
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: The server selected protocol version … is not accepted by client preferences
codes: tlsVersionOutdated

Remote host terminated the handshake
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Remote host terminated the handshake
codes: connectionClosed presentedChainEmpty tlsVersionOutdated

Received fatal alert: handshake_failure
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Received fatal alert: handshake_failure
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
note: Client and server share no version, cipher suite or key exchange, or the server requires a client certificate.

Received fatal alert: protocol_version
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Received fatal alert: protocol_version
codes: tlsVersionOutdated

Certificate chain does not conform to required transparency policy
form: Certificate chain does not conform to required transparency policy
tool: Android
source: Conscrypt: TrustManagerImpl.java
codes: transparencyNotMet
note: Newer versions print the reason after a colon: too few SCTs, too few operators, or no list of logs.

Trust anchor for certification path not found
form: Trust anchor for certification path not found
tool: Android
source: Conscrypt: TrustManagerImpl.java (public reports)
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: Since Android 7, apps only trust user-installed roots if network_security_config.xml permits it.

Certificate pinning failure!
form: Certificate pinning failure!
tool: OkHttp
source: OkHttp: CertificatePinner.kt
codes: pinNotMatched

SSLPeerUnverifiedException: Hostname … not verified
form: SSLPeerUnverifiedException: Hostname … not verified
tool: OkHttp
source: OkHttp: RealConnection.kt (public reports)
form: Hostname … not verified: certificate
codes: hostMismatch subjectAlternativeNameMissing

Pin verification failed
form: Pin verification failed
tool: Android
source: Android: NetworkSecurityTrustManager.java
codes: pinNotMatched

Chain validation failed
form: Chain validation failed
tool: Android
source: Android: SSLHandshakeException of Conscrypt (public reports)
codes: certificateExpired certificateNotYetValid untrustedRoot
note: The lines that begin with "Caused by" name the reason. Usually it is a date, or the device's clock.

The certificate issuer is unknown
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate issuer is unknown
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: GnuTLS prints the same text for a missing intermediate, a private root and a self-signed certificate.

The certificate is NOT trusted
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate is NOT trusted
codes: untrustedRoot unknownIssuer selfSignedLeaf

The certificate issuer is not a CA
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate issuer is not a CA
codes: notCertificateAuthority basicConstraintsMissing

The certificate chain uses expired certificate
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain uses expired certificate
codes: certificateExpired

The certificate chain uses not yet valid certificate
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain uses not yet valid certificate
codes: certificateNotYetValid

The certificate chain uses insecure algorithm
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain uses insecure algorithm
codes: signatureUsesSHA1 rsaKeyTooSmall signatureUsesMD5

The certificate chain is revoked
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain is revoked
codes: certificateRevoked

The certificate was revoked via OCSP
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate was revoked via OCSP
codes: certificateRevoked

The certificate chain violates the signer's constraints
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain violates the signer's constraints
codes: nameNotPermitted pathLengthExceeded nameExcluded

The certificate chain does not match the intended purpose
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate chain does not match the intended purpose
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

The name in the certificate does not match the expected
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The name in the certificate does not match the expected
codes: hostMismatch subjectAlternativeNameMissing

The certificate contains an unknown critical extension
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate contains an unknown critical extension
codes: criticalExtensionUnhandled

The certificate doesn't match the local copy (TOFU)
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate doesn't match the local copy (TOFU)
codes: certificateNotPinned pinNotMatched

The certificate requires the server to include an OCSP status in its response, but the OCSP status is missing
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The certificate requires the server to include an OCSP status in its response, but the OCSP status is missing
codes: stapleMissing

The received OCSP status response is invalid
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The received OCSP status response is invalid
codes: stapleMissing revocationUnavailable

The revocation or OCSP data are old and have been superseded
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The revocation or OCSP data are old and have been superseded
codes: revocationUnavailable

The revocation or OCSP data are issued with a future date
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The revocation or OCSP data are issued with a future date
codes: revocationUnavailable

The OCSP response is old
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The OCSP response is old
codes: revocationUnavailable stapleMissing

Error in the certificate verification
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: Error in the certificate verification
form: GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR
codes: unknownIssuer untrustedRoot certificateExpired hostMismatch

Error in the time fields of certificate
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: Error in the time fields of certificate
form: GNUTLS_E_CERTIFICATE_TIME_ERROR
codes: certificateMalformed strictTimeEncoding

The provided X.509 certificate list is not sorted (in subject to issuer order)
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The provided X.509 certificate list is not sorted (in subject to issuer order)
form: GNUTLS_E_CERTIFICATE_LIST_UNSORTED
codes: unknownIssuer

No certificate was found
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: No certificate was found
form: GNUTLS_E_NO_CERTIFICATE_FOUND
codes: presentedChainEmpty

Public key signature verification has failed
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: Public key signature verification has failed
form: GNUTLS_E_PK_SIG_VERIFY_FAILED
codes: handshakeSignatureInvalid signatureInvalid

An unexpected TLS packet was received
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: An unexpected TLS packet was received
form: GNUTLS_E_UNEXPECTED_PACKET
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

The curve is unsupported
tool: GnuTLS
source: GnuTLS 3.7.9: strings of gnutls_certificate_verification_status_print and gnutls_strerror
form: The curve is unsupported
codes: keyUsesUnsupportedCurve

SEC_ERROR_UNKNOWN_ISSUER
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNKNOWN_ISSUER
codes: unknownIssuer untrustedRoot
note: Firefox remembers intermediates from earlier visits, so the same server may work in another profile.

SEC_ERROR_UNTRUSTED_ISSUER
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNTRUSTED_ISSUER
form: Peer's certificate issuer has been marked as not trusted by the user
codes: untrustedRoot
note: The root in the database lacks the C trust flag for servers. Set it with certutil -M -t CT,,.

SEC_ERROR_UNTRUSTED_CERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNTRUSTED_CERT
codes: untrustedRoot selfSignedLeaf

SEC_ERROR_EXPIRED_CERTIFICATE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_EXPIRED_CERTIFICATE
codes: certificateExpired

SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE
codes: certificateExpired
note: Certificate 1 or higher has expired, because the server sends an old chain.

SEC_ERROR_REVOKED_CERTIFICATE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_REVOKED_CERTIFICATE
codes: certificateRevoked

SEC_ERROR_REVOKED_CERTIFICATE_CRL
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_REVOKED_CERTIFICATE_CRL
codes: certificateRevoked

SEC_ERROR_REVOKED_CERTIFICATE_OCSP
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_REVOKED_CERTIFICATE_OCSP
codes: certificateRevoked

SEC_ERROR_BAD_SIGNATURE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_BAD_SIGNATURE
codes: signatureInvalid

SEC_ERROR_BAD_DER
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_BAD_DER
codes: certificateMalformed

SEC_ERROR_CA_CERT_INVALID
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_CA_CERT_INVALID
codes: notCertificateAuthority basicConstraintsMissing

SEC_ERROR_INADEQUATE_KEY_USAGE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_INADEQUATE_KEY_USAGE
codes: keyUsageLacksCertSign keyUsageNotForTLS

SEC_ERROR_INADEQUATE_CERT_TYPE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_INADEQUATE_CERT_TYPE
codes: extendedKeyUsageNotAllowed

SEC_ERROR_CERT_USAGES_INVALID
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_CERT_USAGES_INVALID
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

SEC_ERROR_CERT_NOT_IN_NAME_SPACE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_CERT_NOT_IN_NAME_SPACE
codes: nameNotPermitted nameExcluded

SEC_ERROR_CERT_SIGNATURE_ALGORITHM_DISABLED
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_CERT_SIGNATURE_ALGORITHM_DISABLED
codes: signatureUsesSHA1 signatureUsesMD5

SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION
codes: criticalExtensionUnhandled

SEC_ERROR_EXTENSION_VALUE_INVALID
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_EXTENSION_VALUE_INVALID
codes: certificateMalformed

SEC_ERROR_PATH_LEN_CONSTRAINT_INVALID
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_PATH_LEN_CONSTRAINT_INVALID
codes: pathLengthExceeded

SEC_ERROR_POLICY_VALIDATION_FAILED
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_POLICY_VALIDATION_FAILED
codes: policyNotAcceptable

SEC_ERROR_INVALID_TIME
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_INVALID_TIME
codes: certificateMalformed strictTimeEncoding

SEC_ERROR_INVALID_KEY
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_INVALID_KEY
codes: keyMalformed

SEC_ERROR_UNSUPPORTED_KEYALG
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNSUPPORTED_KEYALG
codes: keyAlgorithmUnsupported

SEC_ERROR_UNSUPPORTED_ELLIPTIC_CURVE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_UNSUPPORTED_ELLIPTIC_CURVE
codes: keyUsesUnsupportedCurve

SEC_ERROR_OCSP_UNKNOWN_CERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_UNKNOWN_CERT
codes: revocationUnavailable

SEC_ERROR_OCSP_OLD_RESPONSE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_OLD_RESPONSE
codes: revocationUnavailable stapleMissing

SEC_ERROR_OCSP_FUTURE_RESPONSE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_FUTURE_RESPONSE
codes: revocationUnavailable

SEC_ERROR_OCSP_TRY_SERVER_LATER
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_TRY_SERVER_LATER
codes: revocationUnavailable

SEC_ERROR_OCSP_SERVER_ERROR
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_SERVER_ERROR
codes: revocationUnavailable

SEC_ERROR_OCSP_INVALID_SIGNING_CERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_INVALID_SIGNING_CERT
codes: revocationUnavailable

SEC_ERROR_OCSP_BAD_SIGNATURE
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SEC_ERROR_OCSP_BAD_SIGNATURE
codes: revocationUnavailable

SSL_ERROR_BAD_CERT_DOMAIN
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_BAD_CERT_DOMAIN
form: requested domain name does not match the server's certificate
codes: hostMismatch subjectAlternativeNameMissing

SSL_ERROR_WEAK_SERVER_CERT_KEY
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_WEAK_SERVER_CERT_KEY
form: The server certificate included a public key that was too weak
codes: rsaKeyTooSmall

SSL_ERROR_UNSUPPORTED_VERSION
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_UNSUPPORTED_VERSION
codes: tlsVersionOutdated

SSL_ERROR_PROTOCOL_VERSION_ALERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_PROTOCOL_VERSION_ALERT
codes: tlsVersionOutdated

PR_END_OF_FILE_ERROR
form: PR_END_OF_FILE_ERROR
tool: Firefox
source: NSPR: prerr.h
codes: connectionClosed presentedChainEmpty tlsVersionOutdated
note: The server, a proxy or a firewall closed the connection during the handshake.

SSL_ERROR_NO_CYPHER_OVERLAP
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_NO_CYPHER_OVERLAP
codes: tlsVersionOutdated presentedChainEmpty handshakeUnproven

SSL_ERROR_UNRECOGNIZED_NAME_ALERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_UNRECOGNIZED_NAME_ALERT
form: SSL peer has no certificate for the requested DNS name
codes: connectionNameRefused presentedChainEmpty

SSL_ERROR_RX_RECORD_TOO_LONG
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_RX_RECORD_TOO_LONG
codes: connectionPlainHTTP presentedChainEmpty
note: The length has no meaning. The server answered with plain HTTP.

SSL_ERROR_HANDSHAKE_FAILURE_ALERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_HANDSHAKE_FAILURE_ALERT
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated

Peer's Certificate issuer is not recognized
form: Peer's Certificate issuer is not recognized
tool: NSS
source: NSS: certutil and curl with NSS (mozilla/CCADB-Tools, public reports)
codes: unknownIssuer untrustedRoot selfSignedLeaf

Peer's Certificate has expired
form: Peer's Certificate has expired
tool: NSS
source: NSS: certutil (mozilla/CCADB-Tools)
codes: certificateExpired

SELF_SIGNED_CERT
tool: Firefox
form: MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT
form: MOZILLA_PKIX_SELF_SIGNED_CERT
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: selfSignedLeaf

MITM_DETECTED
tool: Firefox
form: MOZILLA_PKIX_ERROR_MITM_DETECTED
form: MOZILLA_PKIX_MITM_DETECTED
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: untrustedRoot
note: Firefox saw the same unknown issuer on several sites: a proxy or virus scanner intercepts them.

KEY_PINNING_FAILURE
tool: Firefox
form: MOZILLA_PKIX_ERROR_KEY_PINNING_FAILURE
form: MOZILLA_PKIX_KEY_PINNING_FAILURE
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: pinNotMatched

CA_CERT_USED_AS_END_ENTITY
tool: Firefox
form: MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY
form: MOZILLA_PKIX_CA_CERT_USED_AS_END_ENTITY
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: strictLeafIsAuthority
note: The server's certificate says `CA:TRUE`, as `openssl req -x509` writes by default.

INADEQUATE_KEY_SIZE
tool: Firefox
form: MOZILLA_PKIX_ERROR_INADEQUATE_KEY_SIZE
form: MOZILLA_PKIX_INADEQUATE_KEY_SIZE
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: rsaKeyTooSmall

V1_CERT_USED_AS_CA
tool: Firefox
form: MOZILLA_PKIX_ERROR_V1_CERT_USED_AS_CA
form: MOZILLA_PKIX_V1_CERT_USED_AS_CA
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: certificateVersionNotAllowed basicConstraintsMissing

NOT_YET_VALID_CERTIFICATE
tool: Firefox
form: MOZILLA_PKIX_ERROR_NOT_YET_VALID_CERTIFICATE
form: MOZILLA_PKIX_NOT_YET_VALID_CERTIFICATE
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: certificateNotYetValid

NOT_YET_VALID_ISSUER_CERTIFICATE
tool: Firefox
form: MOZILLA_PKIX_ERROR_NOT_YET_VALID_ISSUER_CERTIFICATE
form: MOZILLA_PKIX_NOT_YET_VALID_ISSUER_CERTIFICATE
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: certificateNotYetValid

SIGNATURE_ALGORITHM_MISMATCH
tool: Firefox
form: MOZILLA_PKIX_ERROR_SIGNATURE_ALGORITHM_MISMATCH
form: MOZILLA_PKIX_SIGNATURE_ALGORITHM_MISMATCH
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: signatureAlgorithmMismatch

OCSP_RESPONSE_FOR_CERT_MISSING
tool: Firefox
form: MOZILLA_PKIX_ERROR_OCSP_RESPONSE_FOR_CERT_MISSING
form: MOZILLA_PKIX_OCSP_RESPONSE_FOR_CERT_MISSING
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: revocationUnavailable stapleMissing

VALIDITY_TOO_LONG
tool: Firefox
form: MOZILLA_PKIX_ERROR_VALIDITY_TOO_LONG
form: MOZILLA_PKIX_VALIDITY_TOO_LONG
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: strictValidityPeriod validityTooLong

REQUIRED_TLS_FEATURE_MISSING
tool: Firefox
form: MOZILLA_PKIX_ERROR_REQUIRED_TLS_FEATURE_MISSING
form: MOZILLA_PKIX_REQUIRED_TLS_FEATURE_MISSING
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: stapleMissing tlsFeatureMissing

INVALID_INTEGER_ENCODING
tool: Firefox
form: MOZILLA_PKIX_ERROR_INVALID_INTEGER_ENCODING
form: MOZILLA_PKIX_INVALID_INTEGER_ENCODING
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: strictSerialNumber certificateMalformed

EMPTY_ISSUER_NAME
tool: Firefox
form: MOZILLA_PKIX_ERROR_EMPTY_ISSUER_NAME
form: MOZILLA_PKIX_EMPTY_ISSUER_NAME
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: issuerNameEmpty

ADDITIONAL_POLICY_CONSTRAINT_FAILED
tool: Firefox
form: MOZILLA_PKIX_ERROR_ADDITIONAL_POLICY_CONSTRAINT_FAILED
form: MOZILLA_PKIX_ADDITIONAL_POLICY_CONSTRAINT_FAILED
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: anchorDistrustedAfter anchorNameNotPermitted untrustedRoot
note: Firefox distrusts some certificates of the CA, such as those issued after a date.

ISSUER_NO_LONGER_TRUSTED
tool: Firefox
form: MOZILLA_PKIX_ERROR_ISSUER_NO_LONGER_TRUSTED
form: MOZILLA_PKIX_ISSUER_NO_LONGER_TRUSTED
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: anchorDistrustedAfter anchorNotInProgram
note: Firefox compares the certificate's notBefore with the date in Mozilla's list of roots.

INSUFFICIENT_CERTIFICATE_TRANSPARENCY
tool: Firefox
form: MOZILLA_PKIX_ERROR_INSUFFICIENT_CERTIFICATE_TRANSPARENCY
form: MOZILLA_PKIX_INSUFFICIENT_CERTIFICATE_TRANSPARENCY
source: mozilla::pkix: pkixnss.h (mozilla/neqo, nss-rs: list of codes)
codes: transparencyNotMet anchorDistrustedAfter
note: Firefox also reports this if an SCT is later than the date on which Mozilla's list distrusts the root, regardless of notBefore.

CERT_COMMON_NAME_INVALID
tool: Chrome
form: ERR_CERT_COMMON_NAME_INVALID
form: net_error -200
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: hostMismatch subjectAlternativeNameMissing
note: Despite the name, Chrome hasn't read the common name since version 58. The certificate lacks an alternative name.

CERT_DATE_INVALID
tool: Chrome
form: ERR_CERT_DATE_INVALID
form: net_error -201
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateExpired certificateNotYetValid

CERT_AUTHORITY_INVALID
tool: Chrome
form: ERR_CERT_AUTHORITY_INVALID
form: net_error -202
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: untrustedRoot selfSignedLeaf unknownIssuer
note: Chrome fetches missing intermediates on most platforms, so the cause is more often a missing root than in other tools.

CERT_CONTAINS_ERRORS
tool: Chrome
form: ERR_CERT_CONTAINS_ERRORS
form: net_error -203
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateMalformed

CERT_NO_REVOCATION_MECHANISM
tool: Chrome
form: ERR_CERT_NO_REVOCATION_MECHANISM
form: net_error -204
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: revocationUnavailable

CERT_UNABLE_TO_CHECK_REVOCATION
tool: Chrome
form: ERR_CERT_UNABLE_TO_CHECK_REVOCATION
form: net_error -205
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: revocationUnavailable

CERT_REVOKED
tool: Chrome
form: ERR_CERT_REVOKED
form: net_error -206
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateRevoked

CERT_INVALID
tool: Chrome
form: ERR_CERT_INVALID
form: net_error -207
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateMalformed extendedKeyUsageNotAllowed criticalExtensionUnhandled notCertificateAuthority

CERT_WEAK_SIGNATURE_ALGORITHM
tool: Chrome
form: ERR_CERT_WEAK_SIGNATURE_ALGORITHM
form: net_error -208
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: signatureUsesSHA1 signatureUsesMD5

CERT_NON_UNIQUE_NAME
tool: Chrome
form: ERR_CERT_NON_UNIQUE_NAME
form: net_error -210
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: hostMismatch
note: The name is internal. Public CAs may not issue for such names.

CERT_WEAK_KEY
tool: Chrome
form: ERR_CERT_WEAK_KEY
form: net_error -211
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: rsaKeyTooSmall

CERT_NAME_CONSTRAINT_VIOLATION
tool: Chrome
form: ERR_CERT_NAME_CONSTRAINT_VIOLATION
form: net_error -212
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: nameNotPermitted nameExcluded

CERT_VALIDITY_TOO_LONG
tool: Chrome
form: ERR_CERT_VALIDITY_TOO_LONG
form: net_error -213
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: strictValidityPeriod validityTooLong
note: Public certificates may be valid for at most 398 days, and for less from 2026 on. `verify --strict` finds this problem.

CERTIFICATE_TRANSPARENCY_REQUIRED
tool: Chrome
form: ERR_CERTIFICATE_TRANSPARENCY_REQUIRED
form: net_error -214
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: transparencyNotMet systemRefused
note: Chrome only requires this of certificates from public CAs. If a certificate is a few minutes old, a slow clock can be the cause.

CERT_SYMANTEC_LEGACY
tool: Chrome
form: ERR_CERT_SYMANTEC_LEGACY
form: net_error -215
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: anchorDistrustedAfter untrustedRoot

CERT_KNOWN_INTERCEPTION_BLOCKED
tool: Chrome
form: ERR_CERT_KNOWN_INTERCEPTION_BLOCKED
form: net_error -217
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateDenied untrustedRoot

SSL_PINNED_KEY_NOT_IN_CERT_CHAIN
tool: Chrome
form: ERR_SSL_PINNED_KEY_NOT_IN_CERT_CHAIN
form: net_error -150
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: pinNotMatched

SSL_SERVER_CERT_BAD_FORMAT
tool: Chrome
form: ERR_SSL_SERVER_CERT_BAD_FORMAT
form: net_error -167
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: certificateMalformed

SSL_BAD_PEER_PUBLIC_KEY
tool: Chrome
form: ERR_SSL_BAD_PEER_PUBLIC_KEY
form: net_error -149
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: keyMalformed keyAlgorithmUnsupported

SSL_KEY_USAGE_INCOMPATIBLE
tool: Chrome
form: ERR_SSL_KEY_USAGE_INCOMPATIBLE
form: net_error -181
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: keyUsageNotForTLS

SSL_UNRECOGNIZED_NAME_ALERT
tool: Chrome
form: ERR_SSL_UNRECOGNIZED_NAME_ALERT
form: net_error -159
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionNameRefused presentedChainEmpty

SSL_OBSOLETE_CIPHER
tool: Chrome
form: ERR_SSL_OBSOLETE_CIPHER
form: net_error -172
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: handshakeUnproven tlsVersionOutdated

SSL_VERSION_OR_CIPHER_MISMATCH
tool: Chrome
form: ERR_SSL_VERSION_OR_CIPHER_MISMATCH
form: net_error -113
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: tlsVersionOutdated presentedChainEmpty

SSL_PROTOCOL_ERROR
tool: Chrome
form: ERR_SSL_PROTOCOL_ERROR
form: net_error -107
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionNotTLS connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
note: The server's answer wasn't TLS, or the server ended the handshake.

CONNECTION_RESET
tool: Chrome
form: ERR_CONNECTION_RESET
form: net_error -101
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionClosed

CONNECTION_FAILED
tool: Chrome
form: ERR_CONNECTION_FAILED
form: net_error -104
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionUnreachable

BAD_SSL_CLIENT_AUTH_CERT
tool: Chrome
form: ERR_BAD_SSL_CLIENT_AUTH_CERT
form: net_error -117
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionClientCertificateRequired

NSURLErrorSecureConnectionFailed
tool: Apple
form: NSURLErrorSecureConnectionFailed
form: -1200
form: secureConnectionFailed
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
form: kCFURLErrorSecureConnectionFailed
codes: untrustedRoot tlsVersionOutdated pinNotMatched connectionNotTLS
reason: elsewhere
note: App Transport Security uses this error for pins that don't match (NSPinnedDomains) and for old TLS. `_kCFStreamErrorCodeKey` names the reason.

NSURLErrorServerCertificateHasBadDate
tool: Apple
form: NSURLErrorServerCertificateHasBadDate
form: -1201
form: serverCertificateHasBadDate
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
form: kCFURLErrorServerCertificateHasBadDate
codes: certificateExpired

NSURLErrorServerCertificateUntrusted
tool: Apple
form: NSURLErrorServerCertificateUntrusted
form: -1202
form: serverCertificateUntrusted
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
form: kCFURLErrorServerCertificateUntrusted
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch certificateExpired
note: Apple's software uses this error for every certificate failure. `_kCFStreamErrorCodeKey` (-9813, -9814, -9843) names the reason.

NSURLErrorServerCertificateHasUnknownRoot
tool: Apple
form: NSURLErrorServerCertificateHasUnknownRoot
form: -1203
form: serverCertificateHasUnknownRoot
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
form: kCFURLErrorServerCertificateHasUnknownRoot
codes: unknownIssuer untrustedRoot

NSURLErrorServerCertificateNotYetValid
tool: Apple
form: NSURLErrorServerCertificateNotYetValid
form: -1204
form: serverCertificateNotYetValid
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
form: kCFURLErrorServerCertificateNotYetValid
codes: certificateNotYetValid

The certificate for this server is invalid. You might be connecting to a server that is pretending to be …
form: The certificate for this server is invalid. You might be connecting to a server that is pretending to be …
tool: Apple
source: CFNetwork: text of -1202 (public sources that quote it)
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch certificateExpired
note: The text is the same for every certificate failure.

A TLS error caused the secure connection to fail
form: A TLS error caused the secure connection to fail
tool: Apple
source: CFNetwork: text of -1200 (public reports)
form: An SSL error has occurred and a secure connection to the server cannot be made
codes: untrustedRoot tlsVersionOutdated pinNotMatched connectionNotTLS
reason: elsewhere
note: App Transport Security also uses this error for pins that don't match.

errSSLXCertChainInvalid
tool: Apple
form: errSSLXCertChainInvalid
form: -9807
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: untrustedRoot unknownIssuer selfSignedLeaf signatureInvalid

errSSLBadCert
tool: Apple
form: errSSLBadCert
form: -9808
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateMalformed unknownIssuer untrustedRoot

errSSLInternal
tool: Apple
form: errSSLInternal
form: -9810
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: systemEvaluationUnavailable

errSSLUnknownRootCert
tool: Apple
form: errSSLUnknownRootCert
form: -9812
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: untrustedRoot selfSignedLeaf

errSSLNoRootCert
tool: Apple
form: errSSLNoRootCert
form: -9813
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: unknownIssuer untrustedRoot

errSSLCertExpired
tool: Apple
form: errSSLCertExpired
form: -9814
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateExpired

errSSLCertNotYetValid
tool: Apple
form: errSSLCertNotYetValid
form: -9815
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateNotYetValid

errSSLHostNameMismatch
tool: Apple
form: errSSLHostNameMismatch
form: -9843
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: hostMismatch subjectAlternativeNameMissing

errSSLBadConfiguration
tool: Apple
form: errSSLBadConfiguration
form: -9848
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: systemAnchorsUnavailable

errSSLATSCertificateTrustViolation
tool: Apple
form: errSSLATSCertificateTrustViolation
form: -9886
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: pinNotMatched certificateNotPinned

errSSLFatalAlert
tool: Apple
form: errSSLFatalAlert
form: -9802
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: connectionHandshakeAlert pinNotMatched tlsVersionOutdated
note: Apple's software reports this for App Transport Security pins that don't match, and for handshakes that the server ends.

errSecNotTrusted
tool: Apple
form: errSecNotTrusted
form: -67843
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: untrustedRoot selfSignedLeaf unknownIssuer

errSecCreateChainFailed
tool: Apple
form: errSecCreateChainFailed
form: -25318
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: unknownIssuer signatureInvalid

errSecCertificateExpired
tool: Apple
form: errSecCertificateExpired
form: -67818
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateExpired certificateNotYetValid

errSecCertificateNotValidYet
tool: Apple
form: errSecCertificateNotValidYet
form: -67819
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateNotYetValid

errSecCertificateRevoked
tool: Apple
form: errSecCertificateRevoked
form: -67820
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateRevoked

errSecHostNameMismatch
tool: Apple
form: errSecHostNameMismatch
form: -67602
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: hostMismatch subjectAlternativeNameMissing

errSecUnknownCriticalExtensionFlag
tool: Apple
form: errSecUnknownCriticalExtensionFlag
form: -67603
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: criticalExtensionUnhandled

errSecNoBasicConstraints
tool: Apple
form: errSecNoBasicConstraints
form: -67604
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: basicConstraintsMissing certificateVersionNotAllowed

errSecNoBasicConstraintsCA
tool: Apple
form: errSecNoBasicConstraintsCA
form: -67605
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: notCertificateAuthority

errSecInvalidAuthorityKeyID
tool: Apple
form: errSecInvalidAuthorityKeyID
form: -67606
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: strictAuthorityKeyIdentifier

errSecInvalidSubjectKeyID
tool: Apple
form: errSecInvalidSubjectKeyID
form: -67607
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: strictSubjectKeyIdentifier

errSecInvalidKeyUsageForPolicy
tool: Apple
form: errSecInvalidKeyUsageForPolicy
form: -67608
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: keyUsageNotForTLS keyUsageLacksCertSign

errSecInvalidExtendedKeyUsage
tool: Apple
form: errSecInvalidExtendedKeyUsage
form: -67609
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: extendedKeyUsageNotAllowed

errSecPathLengthConstraintExceeded
tool: Apple
form: errSecPathLengthConstraintExceeded
form: -67611
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: pathLengthExceeded maximumIntermediatesExceeded

errSecInvalidRoot
tool: Apple
form: errSecInvalidRoot
form: -67612
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: authorityNotMatched untrustedRoot

errSecIncompleteCertRevocationCheck
tool: Apple
form: errSecIncompleteCertRevocationCheck
form: -67635
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: revocationUnavailable stapleMissing

errSecTrustSettingDeny
tool: Apple
form: errSecTrustSettingDeny
form: -67654
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: systemRefused hostDenied certificateDenied

errSecInvalidSubjectName
tool: Apple
form: errSecInvalidSubjectName
form: -67655
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: strictSubjectName attributeNotMatched

errSecInternalError
tool: Apple
form: errSecInternalError
form: -67671
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: systemEvaluationUnavailable

errSecInvalidName
tool: Apple
form: errSecInvalidName
form: -67689
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: nameNotPermitted nameExcluded

errSecUnsupportedKeySize
tool: Apple
form: errSecUnsupportedKeySize
form: -67735
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: rsaKeyTooSmall keyUsesUnsupportedCurve

errSecInvalidDigestAlgorithm
tool: Apple
form: errSecInvalidDigestAlgorithm
form: -67815
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: signatureUsesSHA1 signatureUsesMD5

errSecInvalidPolicyIdentifiers
tool: Apple
form: errSecInvalidPolicyIdentifiers
form: -67835
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: policyNotAcceptable extendedValidationMissing

errSecCertificateIsCA
tool: Apple
form: errSecCertificateIsCA
form: -67902
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: strictLeafIsAuthority

errSecCertificateValidityPeriodTooLong
tool: Apple
form: errSecCertificateValidityPeriodTooLong
form: -67901
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: validityTooLong strictValidityPeriod

errSecTrustNotAvailable
tool: Apple
form: errSecTrustNotAvailable
form: -25245
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: systemAnchorsUnavailable

errSecDecode
tool: Apple
form: errSecDecode
form: -26275
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateMalformed

certificate is not trusted
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: certificate is not trusted
codes: untrustedRoot unknownIssuer selfSignedLeaf

certificate is expired
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: certificate is expired
codes: certificateExpired certificateNotYetValid

certificate name does not match input
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: certificate name does not match input
codes: hostMismatch subjectAlternativeNameMissing

certificate is revoked
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: certificate is revoked
codes: certificateRevoked

certificate is not standards compliant
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: certificate is not standards compliant
codes: validityTooLong extendedKeyUsageNotAllowed systemRefused
note: Usually the validity is longer than Apple allows: 825 days, or 398 for public CAs.

Certificate Transparency validation required for this use
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: Certificate Transparency validation required for this use
codes: transparencyNotMet

exceeds maximum temporal validity period
tool: Apple
source: Security framework: SEC_TRUST_ERROR_SUBTYPE strings (Apple's published sources)
form: exceeds maximum temporal validity period
form: certificate is not trusted: exceeds maximum temporal validity period
codes: validityTooLong strictValidityPeriod
note: Apple allows 825 days, and 398 or fewer for public CAs since September 2020.

The user name or passphrase you entered is not correct
form: The user name or passphrase you entered is not correct
tool: Apple
source: Security framework: text of -25293 (public reports)
codes: keystorePassword
note: For a PKCS #12 file with the right password, macOS up to 14 doesn't read its new algorithms. Export it with `-legacy`.

MAC verification failed during PKCS12 import
form: MAC verification failed during PKCS12 import
tool: Apple
source: Security framework: text of -25264 (public reports)
codes: keystorePassword
note: For a PKCS #12 file with the right password, macOS up to 14 doesn't read its new algorithms. Export it with `-legacy`.

NSURLErrorTimedOut
tool: Apple
form: NSURLErrorTimedOut
form: kCFURLErrorTimedOut
form: -1001
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionTimedOut

NSURLErrorCannotFindHost
tool: Apple
form: NSURLErrorCannotFindHost
form: kCFURLErrorCannotFindHost
form: -1003
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameNotResolved

NSURLErrorCannotConnectToHost
tool: Apple
form: NSURLErrorCannotConnectToHost
form: kCFURLErrorCannotConnectToHost
form: -1004
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionUnreachable

NSURLErrorNetworkConnectionLost
tool: Apple
form: NSURLErrorNetworkConnectionLost
form: kCFURLErrorNetworkConnectionLost
form: -1005
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

NSURLErrorDNSLookupFailed
tool: Apple
form: NSURLErrorDNSLookupFailed
form: kCFURLErrorDNSLookupFailed
form: -1006
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameNotResolved

NSURLErrorHTTPTooManyRedirects
tool: Apple
form: NSURLErrorHTTPTooManyRedirects
form: kCFURLErrorHTTPTooManyRedirects
form: -1007
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: redirectLimitExceeded

NSURLErrorNotConnectedToInternet
tool: Apple
form: NSURLErrorNotConnectedToInternet
form: kCFURLErrorNotConnectedToInternet
form: -1009
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameServerFailed

NSURLErrorBadURL
tool: Apple
form: NSURLErrorBadURL
form: kCFURLErrorBadURL
form: -1000
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: requestMalformedURL

NSURLErrorUnsupportedURL
tool: Apple
form: NSURLErrorUnsupportedURL
form: kCFURLErrorUnsupportedURL
form: -1002
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: requestUnsupportedScheme

NSURLErrorRedirectToNonExistentLocation
tool: Apple
form: NSURLErrorRedirectToNonExistentLocation
form: kCFURLErrorRedirectToNonExistentLocation
form: -1010
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: redirectMalformed

NSURLErrorBadServerResponse
tool: Apple
form: NSURLErrorBadServerResponse
form: kCFURLErrorBadServerResponse
form: -1011
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: responseMalformed

NSURLErrorCannotParseResponse
tool: Apple
form: NSURLErrorCannotParseResponse
form: kCFURLErrorCannotParseResponse
form: -1017
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: responseMalformed connectionPlainHTTP

NSURLErrorUserCancelledAuthentication
tool: Apple
form: NSURLErrorUserCancelledAuthentication
form: kCFURLErrorUserCancelledAuthentication
form: -1012
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: requestCancelled pinNotMatched

NSURLErrorUserAuthenticationRequired
tool: Apple
form: NSURLErrorUserAuthenticationRequired
form: kCFURLErrorUserAuthenticationRequired
form: -1013
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClientCertificateRequired

NSURLErrorAppTransportSecurityRequiresSecureConnection
tool: Apple
form: NSURLErrorAppTransportSecurityRequiresSecureConnection
form: kCFURLErrorAppTransportSecurityRequiresSecureConnection
form: -1022
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: clearTextNotPermitted

NSURLErrorClientCertificateRejected
tool: Apple
form: NSURLErrorClientCertificateRejected
form: kCFURLErrorClientCertificateRejected
form: -1205
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClientCertificateRequired keychainAccess

NSURLErrorClientCertificateRequired
tool: Apple
form: NSURLErrorClientCertificateRequired
form: kCFURLErrorClientCertificateRequired
form: -1206
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClientCertificateRequired

NSURLErrorResourceUnavailable
tool: Apple
form: NSURLErrorResourceUnavailable
form: kCFURLErrorResourceUnavailable
form: -1008
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorZeroByteResource
tool: Apple
form: NSURLErrorZeroByteResource
form: kCFURLErrorZeroByteResource
form: -1014
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorCannotDecodeRawData
tool: Apple
form: NSURLErrorCannotDecodeRawData
form: kCFURLErrorCannotDecodeRawData
form: -1015
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorCannotDecodeContentData
tool: Apple
form: NSURLErrorCannotDecodeContentData
form: kCFURLErrorCannotDecodeContentData
form: -1016
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorInternationalRoamingOff
tool: Apple
form: NSURLErrorInternationalRoamingOff
form: kCFURLErrorInternationalRoamingOff
form: -1018
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionUnreachable

NSURLErrorCallIsActive
tool: Apple
form: NSURLErrorCallIsActive
form: kCFURLErrorCallIsActive
form: -1019
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionUnreachable

NSURLErrorDataNotAllowed
tool: Apple
form: NSURLErrorDataNotAllowed
form: kCFURLErrorDataNotAllowed
form: -1020
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionUnreachable

NSURLErrorRequestBodyStreamExhausted
tool: Apple
form: NSURLErrorRequestBodyStreamExhausted
form: kCFURLErrorRequestBodyStreamExhausted
form: -1021
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorDataLengthExceedsMaximum
tool: Apple
form: NSURLErrorDataLengthExceedsMaximum
form: kCFURLErrorDataLengthExceedsMaximum
form: -1103
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorFileDoesNotExist
tool: Apple
form: NSURLErrorFileDoesNotExist
form: kCFURLErrorFileDoesNotExist
form: -1100
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorFileIsDirectory
tool: Apple
form: NSURLErrorFileIsDirectory
form: kCFURLErrorFileIsDirectory
form: -1101
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorNoPermissionsToReadFile
tool: Apple
form: NSURLErrorNoPermissionsToReadFile
form: kCFURLErrorNoPermissionsToReadFile
form: -1102
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorCannotLoadFromNetwork
tool: Apple
form: NSURLErrorCannotLoadFromNetwork
form: kCFURLErrorCannotLoadFromNetwork
form: -2000
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

NSURLErrorCancelled
tool: Apple
form: NSURLErrorCancelled
form: kCFURLErrorCancelled
form: -999
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
form: kCFErrorDomainCFNetwork Code=-999
form: URLError.cancelled
codes: requestCancelled pinNotMatched
note: A delegate that refuses a challenge (cancelAuthenticationChallenge) causes this number, too. Libraries for pinning do that.

NSURLErrorUnknown
form: NSURLErrorUnknown
tool: Apple
form: kCFURLErrorUnknown
form: NSURLErrorDomain Code=-1
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

kCFErrorHTTPSProxyConnectionFailure
tool: Apple
form: kCFErrorHTTPSProxyConnectionFailure
form: kCFErrorDomainCFNetwork Code=310
form: kCFErrorDomainCFNetwork error 310
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyFailed

kCFErrorHTTPProxyConnectionFailure
tool: Apple
form: kCFErrorHTTPProxyConnectionFailure
form: kCFErrorDomainCFNetwork Code=306
form: kCFErrorDomainCFNetwork error 306
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyFailed

kCFErrorHTTPBadProxyCredentials
tool: Apple
form: kCFErrorHTTPBadProxyCredentials
form: kCFErrorDomainCFNetwork Code=307
form: kCFErrorDomainCFNetwork error 307
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyAuthorizationRequired

kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod
tool: Apple
form: kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod
form: kCFErrorDomainCFNetwork Code=311
form: kCFErrorDomainCFNetwork error 311
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyFailed

kCFErrorPACFileError
tool: Apple
form: kCFErrorPACFileError
form: kCFErrorDomainCFNetwork Code=308
form: kCFErrorDomainCFNetwork error 308
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyFailed

kCFErrorPACFileAuth
tool: Apple
form: kCFErrorPACFileAuth
form: kCFErrorDomainCFNetwork Code=309
form: kCFErrorDomainCFNetwork error 309
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionProxyAuthorizationRequired

kCFErrorHTTPConnectionLost
tool: Apple
form: kCFErrorHTTPConnectionLost
form: kCFErrorDomainCFNetwork Code=302
form: kCFErrorDomainCFNetwork error 302
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

kCFErrorHTTPParseFailure
tool: Apple
form: kCFErrorHTTPParseFailure
form: kCFErrorDomainCFNetwork Code=303
form: kCFErrorDomainCFNetwork error 303
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: responseMalformed

kCFErrorHTTPRedirectionLoopDetected
tool: Apple
form: kCFErrorHTTPRedirectionLoopDetected
form: kCFErrorDomainCFNetwork Code=304
form: kCFErrorDomainCFNetwork error 304
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: redirectCycle

kCFErrorHTTPBadURL
tool: Apple
form: kCFErrorHTTPBadURL
form: kCFErrorDomainCFNetwork Code=305
form: kCFErrorDomainCFNetwork error 305
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: requestMalformedURL

kCFErrorHTTPAuthenticationTypeUnsupported
tool: Apple
form: kCFErrorHTTPAuthenticationTypeUnsupported
form: kCFErrorDomainCFNetwork Code=300
form: kCFErrorDomainCFNetwork error 300
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

kCFErrorHTTPBadCredentials
tool: Apple
form: kCFErrorHTTPBadCredentials
form: kCFErrorDomainCFNetwork Code=301
form: kCFErrorDomainCFNetwork error 301
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

kCFHostErrorHostNotFound
tool: Apple
form: kCFHostErrorHostNotFound
form: kCFErrorDomainCFNetwork Code=1
form: kCFErrorDomainCFNetwork error 1
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameNotResolved

kCFHostErrorUnknown
tool: Apple
form: kCFHostErrorUnknown
form: kCFErrorDomainCFNetwork Code=2
form: kCFErrorDomainCFNetwork error 2
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameServerFailed

errSSLProtocol
tool: Apple
form: errSSLProtocol
form: -9800
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed connectionNotTLS

errSSLNegotiation
tool: Apple
form: errSSLNegotiation
form: -9801
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher tlsVersionOutdated

errSSLWouldBlock
tool: Apple
form: errSSLWouldBlock
form: -9803
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: notAFailure

errSSLSessionNotFound
tool: Apple
form: errSSLSessionNotFound
form: -9804
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSSLClosedGraceful
tool: Apple
form: errSSLClosedGraceful
form: -9805
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

errSSLClosedAbort
tool: Apple
form: errSSLClosedAbort
form: -9806
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

errSSLCrypto
tool: Apple
form: errSSLCrypto
form: -9809
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLModuleAttach
tool: Apple
form: errSSLModuleAttach
form: -9811
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSSLClosedNoNotify
tool: Apple
form: errSSLClosedNoNotify
form: -9816
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

errSSLBufferOverflow
tool: Apple
form: errSSLBufferOverflow
form: -9817
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSSLBadCipherSuite
tool: Apple
form: errSSLBadCipherSuite
form: -9818
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher

errSSLPeerUnexpectedMsg
tool: Apple
form: errSSLPeerUnexpectedMsg
form: -9819
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerBadRecordMac
tool: Apple
form: errSSLPeerBadRecordMac
form: -9820
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerDecryptionFail
tool: Apple
form: errSSLPeerDecryptionFail
form: -9821
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerRecordOverflow
tool: Apple
form: errSSLPeerRecordOverflow
form: -9822
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerDecompressFail
tool: Apple
form: errSSLPeerDecompressFail
form: -9823
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerHandshakeFail
tool: Apple
form: errSSLPeerHandshakeFail
form: -9824
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher tlsVersionOutdated connectionClientCertificateRequired

errSSLIllegalParam
tool: Apple
form: errSSLIllegalParam
form: -9830
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerAccessDenied
tool: Apple
form: errSSLPeerAccessDenied
form: -9832
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerDecodeError
tool: Apple
form: errSSLPeerDecodeError
form: -9833
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerDecryptError
tool: Apple
form: errSSLPeerDecryptError
form: -9834
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: handshakeSignatureInvalid

errSSLPeerExportRestriction
tool: Apple
form: errSSLPeerExportRestriction
form: -9835
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerProtocolVersion
tool: Apple
form: errSSLPeerProtocolVersion
form: -9836
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: tlsVersionOutdated

errSSLPeerInsufficientSecurity
tool: Apple
form: errSSLPeerInsufficientSecurity
form: -9837
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher

errSSLPeerInternalError
tool: Apple
form: errSSLPeerInternalError
form: -9838
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerUserCancelled
tool: Apple
form: errSSLPeerUserCancelled
form: -9839
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLPeerNoRenegotiation
tool: Apple
form: errSSLPeerNoRenegotiation
form: -9840
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLClientCertRequested
tool: Apple
form: errSSLClientCertRequested
form: -9842
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClientCertificateRequired notAFailure

errSSLConnectionRefused
tool: Apple
form: errSSLConnectionRefused
form: -9844
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionUnreachable

errSSLDecryptionFail
tool: Apple
form: errSSLDecryptionFail
form: -9845
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLBadRecordMac
tool: Apple
form: errSSLBadRecordMac
form: -9846
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLRecordOverflow
tool: Apple
form: errSSLRecordOverflow
form: -9847
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNotTLS connectionHandshakeFailed

errSSLUnexpectedRecord
tool: Apple
form: errSSLUnexpectedRecord
form: -9849
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLWeakPeerEphemeralDHKey
tool: Apple
form: errSSLWeakPeerEphemeralDHKey
form: -9850
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: weakKeyExchange

errSSLClientHelloReceived
tool: Apple
form: errSSLClientHelloReceived
form: -9851
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: notAFailure

errSSLTransportReset
tool: Apple
form: errSSLTransportReset
form: -9852
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClosed

errSSLNetworkTimeout
tool: Apple
form: errSSLNetworkTimeout
form: -9853
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionTimedOut

errSSLConfigurationFailed
tool: Apple
form: errSSLConfigurationFailed
form: -9854
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSSLUnsupportedExtension
tool: Apple
form: errSSLUnsupportedExtension
form: -9855
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLUnexpectedMessage
tool: Apple
form: errSSLUnexpectedMessage
form: -9856
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLDecompressFail
tool: Apple
form: errSSLDecompressFail
form: -9857
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLHandshakeFail
tool: Apple
form: errSSLHandshakeFail
form: -9858
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher connectionHandshakeFailed

errSSLDecodeError
tool: Apple
form: errSSLDecodeError
form: -9859
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLInappropriateFallback
tool: Apple
form: errSSLInappropriateFallback
form: -9860
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: tlsVersionOutdated

errSSLMissingExtension
tool: Apple
form: errSSLMissingExtension
form: -9861
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeFailed

errSSLBadCertificateStatusResponse
tool: Apple
form: errSSLBadCertificateStatusResponse
form: -9862
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: stapleMissing

errSSLCertificateRequired
tool: Apple
form: errSSLCertificateRequired
form: -9863
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionClientCertificateRequired

errSSLUnknownPSKIdentity
tool: Apple
form: errSSLUnknownPSKIdentity
form: -9864
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionHandshakeAlert

errSSLUnrecognizedName
tool: Apple
form: errSSLUnrecognizedName
form: -9865
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: connectionNameRefused

errSSLATSViolation
tool: Apple
form: errSSLATSViolation
form: -9880
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: clearTextNotPermitted tlsVersionOutdated

errSSLATSMinimumVersionViolation
tool: Apple
form: errSSLATSMinimumVersionViolation
form: -9881
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: tlsVersionOutdated

errSSLATSCiphersuiteViolation
tool: Apple
form: errSSLATSCiphersuiteViolation
form: -9882
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: noSharedCipher

errSSLATSMinimumKeySizeViolation
tool: Apple
form: errSSLATSMinimumKeySizeViolation
form: -9883
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: rsaKeyTooSmall

errSSLATSLeafCertificateHashAlgorithmViolation
tool: Apple
form: errSSLATSLeafCertificateHashAlgorithmViolation
form: -9884
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureUsesSHA1

errSSLATSCertificateHashAlgorithmViolation
tool: Apple
form: errSSLATSCertificateHashAlgorithmViolation
form: -9885
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureUsesSHA1

errSSLEarlyDataRejected
tool: Apple
form: errSSLEarlyDataRejected
form: -9890
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: notAFailure

errSecParam
tool: Apple
form: errSecParam
form: -50
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSecAllocate
tool: Apple
form: errSecAllocate
form: -108
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSecUserCanceled
tool: Apple
form: errSecUserCanceled
form: -128
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: requestCancelled

errSecInternalComponent
tool: Apple
form: errSecInternalComponent
form: -2070
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecMissingEntitlement
tool: Apple
form: errSecMissingEntitlement
form: -34018
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecNotAvailable
tool: Apple
form: errSecNotAvailable
form: -25291
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecReadOnly
tool: Apple
form: errSecReadOnly
form: -25292
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecAuthFailed
tool: Apple
form: errSecAuthFailed
form: -25293
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystorePassword keychainAccess

errSecNoSuchKeychain
tool: Apple
form: errSecNoSuchKeychain
form: -25294
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecInvalidKeychain
tool: Apple
form: errSecInvalidKeychain
form: -25295
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecDuplicateKeychain
tool: Apple
form: errSecDuplicateKeychain
form: -25296
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecDuplicateItem
tool: Apple
form: errSecDuplicateItem
form: -25299
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecItemNotFound
tool: Apple
form: errSecItemNotFound
form: -25300
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecNoDefaultKeychain
tool: Apple
form: errSecNoDefaultKeychain
form: -25307
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecInteractionNotAllowed
tool: Apple
form: errSecInteractionNotAllowed
form: -25308
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecKeySizeNotAllowed
tool: Apple
form: errSecKeySizeNotAllowed
form: -25311
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: rsaKeyTooSmall

errSecInteractionRequired
tool: Apple
form: errSecInteractionRequired
form: -25315
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecDataNotAvailable
tool: Apple
form: errSecDataNotAvailable
form: -25316
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecPolicyNotFound
tool: Apple
form: errSecPolicyNotFound
form: -25241
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSecInvalidTrustSetting
tool: Apple
form: errSecInvalidTrustSetting
form: -25242
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemRefused

errSecNoAccessForItem
tool: Apple
form: errSecNoAccessForItem
form: -25243
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecUnsupportedFormat
tool: Apple
form: errSecUnsupportedFormat
form: -25256
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystoreUnreadable

errSecUnknownFormat
tool: Apple
form: errSecUnknownFormat
form: -25257
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: certificateFileUnusable

errSecKeyIsSensitive
tool: Apple
form: errSecKeyIsSensitive
form: -25258
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keychainAccess

errSecMultiplePrivKeys
tool: Apple
form: errSecMultiplePrivKeys
form: -25259
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystoreUnreadable

errSecPassphraseRequired
tool: Apple
form: errSecPassphraseRequired
form: -25260
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystorePassword

errSecInvalidPasswordRef
tool: Apple
form: errSecInvalidPasswordRef
form: -25261
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystorePassword

errSecInvalidTrustSettings
tool: Apple
form: errSecInvalidTrustSettings
form: -25262
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemRefused

errSecNoTrustSettings
tool: Apple
form: errSecNoTrustSettings
form: -25263
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: untrustedRoot

errSecPkcs12VerifyFailure
tool: Apple
form: errSecPkcs12VerifyFailure
form: -25264
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: keystorePassword

errSecNotSigner
tool: Apple
form: errSecNotSigner
form: -26267
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureInvalid

errSecServiceNotAvailable
tool: Apple
form: errSecServiceNotAvailable
form: -67585
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemEvaluationUnavailable

errSecInvalidCRL
tool: Apple
form: errSecInvalidCRL
form: -67830
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLExpired
tool: Apple
form: errSecCRLExpired
form: -67613
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLNotValidYet
tool: Apple
form: errSecCRLNotValidYet
form: -67614
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLNotFound
tool: Apple
form: errSecCRLNotFound
form: -67615
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLServerDown
tool: Apple
form: errSecCRLServerDown
form: -67616
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecNetworkFailure
tool: Apple
form: errSecNetworkFailure
form: -67636
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPNotTrustedToAnchor
tool: Apple
form: errSecOCSPNotTrustedToAnchor
form: -67637
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPBadRequest
tool: Apple
form: errSecOCSPBadRequest
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPBadResponse
tool: Apple
form: errSecOCSPBadResponse
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPUnavailable
tool: Apple
form: errSecOCSPUnavailable
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPStatusUnrecognized
tool: Apple
form: errSecOCSPStatusUnrecognized
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPSignatureError
tool: Apple
form: errSecOCSPSignatureError
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPNoSigner
tool: Apple
form: errSecOCSPNoSigner
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPResponderTryLater
tool: Apple
form: errSecOCSPResponderTryLater
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecOCSPResponderUnauthorized
tool: Apple
form: errSecOCSPResponderUnauthorized
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLBadURI
tool: Apple
form: errSecCRLBadURI
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecCRLNotTrusted
tool: Apple
form: errSecCRLNotTrusted
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: revocationUnavailable

errSecUnknownCertExtension
tool: Apple
form: errSecUnknownCertExtension
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: criticalExtensionUnhandled

errSecSSLBadExtendedKeyUsage
tool: Apple
form: errSecSSLBadExtendedKeyUsage
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: extendedKeyUsageNotAllowed

errSecInvalidCertificateRef
tool: Apple
form: errSecInvalidCertificateRef
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSecInvalidCertificateGroup
tool: Apple
form: errSecInvalidCertificateGroup
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake

errSecCertificateCannotOperate
tool: Apple
form: errSecCertificateCannotOperate
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: unknownCause

errSecCertificateSuspended
tool: Apple
form: errSecCertificateSuspended
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: certificateRevoked

errSecCertificatePolicyNotAllowed
tool: Apple
form: errSecCertificatePolicyNotAllowed
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: policyNotAcceptable

errSecCertificateNameNotAllowed
tool: Apple
form: errSecCertificateNameNotAllowed
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: nameNotPermitted

errSecCertificateDuplicateExtension
tool: Apple
form: errSecCertificateDuplicateExtension
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: certificateMalformed

errSecMissingQualifiedCertStatement
tool: Apple
form: errSecMissingQualifiedCertStatement
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: policyNotAcceptable

errSecUnsupportedAddressType
tool: Apple
form: errSecUnsupportedAddressType
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: nameConstraintUndecidable

errSecTrustSettingsDenied
tool: Apple
form: errSecTrustSettingsDenied
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemRefused

errSecVerificationFailure
tool: Apple
form: errSecVerificationFailure
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureInvalid

errSecVerifyFailed
tool: Apple
form: errSecVerifyFailed
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureInvalid

errSecInvalidSignature
tool: Apple
form: errSecInvalidSignature
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: signatureInvalid

errSecPublicKeyInconsistent
tool: Apple
form: errSecPublicKeyInconsistent
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: privateKeyMismatch

errSecUnknownFormatError
tool: Apple
form: errSecUnknownFormatError
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: certificateFileUnusable

errSSLPeerAuthCompleted
tool: Apple
form: errSSLPeerAuthCompleted
form: -9841
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
form: errSSLServerAuthCompleted
form: errSSLClientAuthCompleted
codes: notAFailure
note: The handshake waits for the program to evaluate the peer (kSSLSessionOptionBreakOnServerAuth).

Invalid
tool: Apple
form: kSecTrustResultInvalid
form: SecTrustResultType.invalid
form: SecTrustResultType 0
form: SecTrustResultType(rawValue: 0)
form: SecTrustEvaluate result 0
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: programmingMistake
note: The program hasn't evaluated the trust yet.

Proceed
tool: Apple
form: kSecTrustResultProceed
form: SecTrustResultType.proceed
form: SecTrustResultType 1
form: SecTrustResultType(rawValue: 1)
form: SecTrustEvaluate result 1
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: notAFailure

Confirm
tool: Apple
form: kSecTrustResultConfirm
form: SecTrustResultType.confirm
form: SecTrustResultType 2
form: SecTrustResultType(rawValue: 2)
form: SecTrustEvaluate result 2
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemRefused

Deny
tool: Apple
form: kSecTrustResultDeny
form: SecTrustResultType.deny
form: SecTrustResultType 3
form: SecTrustResultType(rawValue: 3)
form: SecTrustEvaluate result 3
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemRefused certificateDenied
note: A user or administrator marked a certificate as never trusted in the keychain.

Unspecified
tool: Apple
form: kSecTrustResultUnspecified
form: SecTrustResultType.unspecified
form: SecTrustResultType 4
form: SecTrustResultType(rawValue: 4)
form: SecTrustEvaluate result 4
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: notAFailure
note: The chain is valid, and the user has no setting of their own for it. This is the usual result for trusted servers.

RecoverableTrustFailure
tool: Apple
form: kSecTrustResultRecoverableTrustFailure
form: SecTrustResultType.recoverableTrustFailure
form: SecTrustResultType 5
form: SecTrustResultType(rawValue: 5)
form: SecTrustEvaluate result 5
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: untrustedRoot hostMismatch certificateExpired unknownIssuer
note: SecTrustEvaluateWithError and SecTrustCopyProperties name the reason. Usual ones are an unknown root, another name and a date.

FatalTrustFailure
tool: Apple
form: kSecTrustResultFatalTrustFailure
form: SecTrustResultType.fatalTrustFailure
form: SecTrustResultType 6
form: SecTrustResultType(rawValue: 6)
form: SecTrustEvaluate result 6
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: certificateMalformed signatureInvalid certificateRevoked

OtherError
tool: Apple
form: kSecTrustResultOtherError
form: SecTrustResultType.otherError
form: SecTrustResultType 7
form: SecTrustResultType(rawValue: 7)
form: SecTrustEvaluate result 7
source: Apple: TN2232, NSURLError.h, CFNetworkErrors.h, SecureTransport.h, SecBase.h, SecTrust.h
codes: systemEvaluationUnavailable certificateRevoked

UnknownIssuer
tool: rustls
form: invalid peer certificate: UnknownIssuer
form: InvalidCertificate(UnknownIssuer)
form: invalid certificate: UnknownIssuer
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: Many programs that use rustls ship their own roots (webpki-roots) and ignore the machine's.

Expired
tool: rustls
form: invalid peer certificate: Expired
form: InvalidCertificate(Expired)
form: invalid certificate: Expired
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: certificateExpired

invalid peer certificate: certificate expired: verification time …
tool: rustls
source: rustls: src/error.rs (rustls/rustls; public reports)
form: invalid peer certificate: certificate expired: verification time …
codes: certificateExpired

NotValidYet
tool: rustls
form: invalid peer certificate: NotValidYet
form: InvalidCertificate(NotValidYet)
form: invalid certificate: NotValidYet
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: certificateNotYetValid

BadSignature
tool: rustls
form: invalid peer certificate: BadSignature
form: InvalidCertificate(BadSignature)
form: invalid certificate: BadSignature
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: signatureInvalid

BadEncoding
tool: rustls
form: invalid peer certificate: BadEncoding
form: InvalidCertificate(BadEncoding)
form: invalid certificate: BadEncoding
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: certificateMalformed

Revoked
tool: rustls
form: invalid peer certificate: Revoked
form: InvalidCertificate(Revoked)
form: invalid certificate: Revoked
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: certificateRevoked

NotValidForName
tool: rustls
form: invalid peer certificate: NotValidForName
form: InvalidCertificate(NotValidForName)
form: invalid certificate: NotValidForName
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: hostMismatch subjectAlternativeNameMissing

certificate not valid for name …
tool: rustls
source: rustls: src/error.rs (rustls/rustls; public reports)
form: certificate not valid for name …
codes: hostMismatch subjectAlternativeNameMissing

InvalidDNSNameError
form: InvalidDNSNameError
tool: webpki
source: webpki: src/name (public reports)
form: invalid dnsname
codes: hostMismatch
note: The program asked for an IP address, or for a string that isn't a host name, so rustls compared no certificate. Up to 0.20, rustls accepts only DNS names.

error parsing asn1 value: ParseError
tool: pyca
source: pyca/cryptography: rust-asn1 (public reports)
form: error parsing asn1 value: ParseError
codes: certificateMalformed strictEncoding
note: The last name in location is the malformed field.

error parsing asn1 value: ParseError … TbsCertificate::serial
tool: pyca
source: pyca/cryptography: rust-asn1 (public reports)
form: error parsing asn1 value: ParseError … TbsCertificate::serial
codes: strictSerialNumber certificateMalformed
note: The serial number is negative, zero, or too long.

UnhandledCriticalExtension
tool: rustls
form: invalid peer certificate: UnhandledCriticalExtension
form: InvalidCertificate(UnhandledCriticalExtension)
form: invalid certificate: UnhandledCriticalExtension
source: rustls: src/error.rs (rustls/rustls; public reports)
codes: criticalExtensionUnhandled

peer sent no certificates
tool: rustls
source: rustls: src/error.rs (rustls/rustls; public reports)
form: peer sent no certificates
codes: presentedChainEmpty

received corrupt message of type InvalidContentType
tool: rustls
source: rustls: src/error.rs (rustls/rustls; public reports)
form: received corrupt message of type InvalidContentType
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS.

peer is incompatible: ServerDoesNotSupportTls12Or13
tool: rustls
source: rustls: src/error.rs (rustls/rustls; public reports)
form: peer is incompatible: ServerDoesNotSupportTls12Or13
codes: tlsVersionOutdated

CaUsedAsEndEntity
tool: webpki
source: rustls-webpki: src/error.rs
form: CaUsedAsEndEntity
codes: strictLeafIsAuthority
note: The server's certificate says `CA:TRUE`, as `openssl req -x509` writes by default.

CertExpired
tool: webpki
source: rustls-webpki: src/error.rs
form: CertExpired
codes: certificateExpired

CertNotValidYet
tool: webpki
source: rustls-webpki: src/error.rs
form: CertNotValidYet
codes: certificateNotYetValid

CertNotValidForName
tool: webpki
source: rustls-webpki: src/error.rs
form: CertNotValidForName
codes: hostMismatch subjectAlternativeNameMissing

CertRevoked
tool: webpki
source: rustls-webpki: src/error.rs
form: CertRevoked
codes: certificateRevoked

EndEntityUsedAsCa
tool: webpki
source: rustls-webpki: src/error.rs
form: EndEntityUsedAsCa
codes: notCertificateAuthority basicConstraintsMissing

ExtensionValueInvalid
tool: webpki
source: rustls-webpki: src/error.rs
form: ExtensionValueInvalid
codes: certificateMalformed

InvalidSignatureForPublicKey
tool: webpki
source: rustls-webpki: src/error.rs
form: InvalidSignatureForPublicKey
codes: signatureInvalid

NameConstraintViolation
tool: webpki
source: rustls-webpki: src/error.rs
form: NameConstraintViolation
codes: nameNotPermitted nameExcluded

PathLenConstraintViolated
tool: webpki
source: rustls-webpki: src/error.rs
form: PathLenConstraintViolated
codes: pathLengthExceeded

RequiredEkuNotFound
tool: webpki
source: rustls-webpki: src/error.rs
form: RequiredEkuNotFound
codes: extendedKeyUsageNotAllowed

SignatureAlgorithmMismatch
tool: webpki
source: rustls-webpki: src/error.rs
form: SignatureAlgorithmMismatch
codes: signatureAlgorithmMismatch

UnsupportedCertVersion
tool: webpki
source: rustls-webpki: src/error.rs
form: UnsupportedCertVersion
codes: certificateVersionNotAllowed

UnsupportedCriticalExtension
tool: webpki
source: rustls-webpki: src/error.rs
form: UnsupportedCriticalExtension
codes: criticalExtensionUnhandled

UnsupportedSignatureAlgorithm
tool: webpki
source: rustls-webpki: src/error.rs
form: UnsupportedSignatureAlgorithm
codes: signatureAlgorithmUnsupported signatureUsesSHA1

UnsupportedSignatureAlgorithmForPublicKey
tool: webpki
source: rustls-webpki: src/error.rs
form: UnsupportedSignatureAlgorithmForPublicKey
codes: signatureAlgorithmUnsupported rsaKeyTooSmall

BadDerTime
tool: webpki
source: rustls-webpki: src/error.rs
form: BadDerTime
codes: certificateMalformed strictTimeEncoding

InvalidNetworkMaskConstraint
tool: webpki
source: rustls-webpki: src/error.rs
form: InvalidNetworkMaskConstraint
codes: nameConstraintUndecidable strictNameConstraints

CrlExpired
tool: webpki
source: rustls-webpki: src/error.rs
form: CrlExpired
codes: revocationUnavailable

The remote certificate is invalid according to the validation procedure
form: The remote certificate is invalid according to the validation procedure
tool: .NET
source: System.Net.Security: resources (public reports and tests)
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch certificateExpired
note: The names after the colon are the reasons. Pass them, too.

RemoteCertificateNameMismatch
tool: .NET
source: System.Net.Security.SslPolicyErrors (documentation)
form: RemoteCertificateNameMismatch
codes: hostMismatch subjectAlternativeNameMissing

RemoteCertificateChainErrors
tool: .NET
source: System.Net.Security.SslPolicyErrors (documentation)
form: RemoteCertificateChainErrors
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired

RemoteCertificateNameMismatch, RemoteCertificateChainErrors
tool: .NET
source: System.Net.Security.SslPolicyErrors (documentation)
form: RemoteCertificateNameMismatch, RemoteCertificateChainErrors
codes: hostMismatch unknownIssuer
note: Both the name and the chain are wrong. The usual cause is a server's default certificate.

RemoteCertificateNotAvailable
tool: .NET
source: System.Net.Security.SslPolicyErrors (documentation)
form: RemoteCertificateNotAvailable
codes: presentedChainEmpty

PartialChain
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: PartialChain
codes: unknownIssuer untrustedRoot
note: An intermediate is missing. On Linux, the root can also be missing: run `update-ca-certificates`.

UntrustedRoot
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: UntrustedRoot
codes: untrustedRoot selfSignedLeaf

NotTimeValid
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: NotTimeValid
codes: certificateExpired certificateNotYetValid

NotSignatureValid
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: NotSignatureValid
codes: signatureInvalid

NotValidForUsage
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: NotValidForUsage
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

RevocationStatusUnknown
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: RevocationStatusUnknown
codes: revocationUnavailable

OfflineRevocation
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: OfflineRevocation
codes: revocationUnavailable

InvalidBasicConstraints
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: InvalidBasicConstraints
codes: notCertificateAuthority pathLengthExceeded

InvalidNameConstraints
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: InvalidNameConstraints
codes: nameConstraintUndecidable strictNameConstraints

HasNotPermittedNameConstraint
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasNotPermittedNameConstraint
codes: nameNotPermitted

HasExcludedNameConstraint
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasExcludedNameConstraint
codes: nameExcluded

HasNotSupportedNameConstraint
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasNotSupportedNameConstraint
codes: nameConstraintUndecidable

HasNotDefinedNameConstraint
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasNotDefinedNameConstraint
codes: nameConstraintUndecidable nameNotPermitted

InvalidPolicyConstraints
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: InvalidPolicyConstraints
codes: policyNotAcceptable

NoIssuanceChainPolicy
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: NoIssuanceChainPolicy
codes: policyNotAcceptable

HasWeakSignature
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasWeakSignature
codes: signatureUsesSHA1 signatureUsesMD5

HasNotSupportedCriticalExtension
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: HasNotSupportedCriticalExtension
codes: criticalExtensionUnhandled

ExplicitDistrust
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: ExplicitDistrust
codes: untrustedRoot

InvalidExtension
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: InvalidExtension
codes: certificateMalformed criticalExtensionUnhandled

errors in the certificate chain: Revoked
tool: .NET
source: System.Security.Cryptography: X509ChainStatusFlags (reference source of .NET)
form: errors in the certificate chain: Revoked
form: X509ChainStatusFlags.Revoked
codes: certificateRevoked

The certificate chain was issued by an authority that is not trusted
tool: Windows
form: The certificate chain was issued by an authority that is not trusted
form: SEC_E_UNTRUSTED_ROOT
form: 0x80090325
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: untrustedRoot selfSignedLeaf unknownIssuer

The received certificate has expired
tool: Windows
form: The received certificate has expired
form: SEC_E_CERT_EXPIRED
form: 0x80090328
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: certificateExpired

The target principal name is incorrect
tool: Windows
form: The target principal name is incorrect
form: SEC_E_WRONG_PRINCIPAL
form: 0x80090322
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: hostMismatch subjectAlternativeNameMissing

The revocation function was unable to check revocation for the certificate
tool: Windows
form: The revocation function was unable to check revocation for the certificate
form: CRYPT_E_NO_REVOCATION_CHECK
form: 0x80092012
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: revocationUnavailable
note: The network blocks the CA's CRLs, or a private CA doesn't publish any.

The revocation function was unable to check revocation because the revocation server was offline
tool: Windows
form: The revocation function was unable to check revocation because the revocation server was offline
form: CRYPT_E_REVOCATION_OFFLINE
form: 0x80092013
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: revocationUnavailable

The certificate is revoked
tool: Windows
form: The certificate is revoked
form: CRYPT_E_REVOKED
form: 0x80092010
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: certificateRevoked

terminated in a root certificate which is not trusted by the trust provider
tool: Windows
form: terminated in a root certificate which is not trusted by the trust provider
form: CERT_E_UNTRUSTEDROOT
form: 0x800B0109
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: untrustedRoot selfSignedLeaf
note: Windows also prints this for installers, packages, and drivers from an untrusted signer.

A certificate chain could not be built to a trusted root authority
tool: Windows
form: A certificate chain could not be built to a trusted root authority
form: CERT_E_CHAINING
form: 0x800B010A
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: unknownIssuer untrustedRoot

A required certificate is not within its validity period when verifying against the current system clock
tool: Windows
form: A required certificate is not within its validity period when verifying against the current system clock
form: CERT_E_EXPIRED
form: 0x800B0101
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: certificateExpired certificateNotYetValid

The certificate's CN name does not match the passed value
tool: Windows
form: The certificate's CN name does not match the passed value
form: CERT_E_CN_NO_MATCH
form: 0x800B010F
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: hostMismatch subjectAlternativeNameMissing

A certificate was explicitly revoked by its issuer
tool: Windows
form: A certificate was explicitly revoked by its issuer
form: CERT_E_REVOKED
form: 0x800B010C
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: certificateRevoked

The revocation process could not continue
tool: Windows
form: The revocation process could not continue
form: CERT_E_REVOCATION_FAILURE
form: 0x800B010E
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: revocationUnavailable

The certificate is not valid for the requested usage
tool: Windows
form: The certificate is not valid for the requested usage
form: CERT_E_WRONG_USAGE
form: 0x800B0110
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

The signature of the certificate cannot be verified
tool: Windows
form: The signature of the certificate cannot be verified
form: TRUST_E_CERT_SIGNATURE
form: 0x80096004
source: Schannel: winerror.h (curl and SQL Server in public reports)
codes: signatureInvalid

IS_UNTRUSTED_ROOT
tool: Windows
form: CERT_TRUST_IS_UNTRUSTED_ROOT
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: untrustedRoot selfSignedLeaf

IS_PARTIAL_CHAIN
tool: Windows
form: CERT_TRUST_IS_PARTIAL_CHAIN
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: unknownIssuer untrustedRoot

IS_NOT_TIME_VALID
tool: Windows
form: CERT_TRUST_IS_NOT_TIME_VALID
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: certificateExpired certificateNotYetValid

IS_NOT_VALID_FOR_USAGE
tool: Windows
form: CERT_TRUST_IS_NOT_VALID_FOR_USAGE
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

IS_REVOKED
tool: Windows
form: CERT_TRUST_IS_REVOKED
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: certificateRevoked

REVOCATION_STATUS_UNKNOWN
tool: Windows
form: CERT_TRUST_REVOCATION_STATUS_UNKNOWN
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: revocationUnavailable
note: curl has `--ssl-revoke-best-effort`, and git has http.schannelCheckRevoke. Both skip the check without removing the cause.

IS_OFFLINE_REVOCATION
tool: Windows
form: CERT_TRUST_IS_OFFLINE_REVOCATION
source: CryptoAPI: CERT_TRUST_STATUS of wincrypt.h (curl, certutil in public reports)
codes: revocationUnavailable

OPENSSL_internal:CERTIFICATE_VERIFY_FAILED
tool: BoringSSL
source: BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc
form: OPENSSL_internal:CERTIFICATE_VERIFY_FAILED
form: error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired
reason: elsewhere
note: The error doesn't include BoringSSL's reason. `servertrust check HOST` names it. SwiftNIO SSL, Envoy, gRPC, and Bun check the name separately.

OPENSSL_internal:WRONG_VERSION_NUMBER
tool: BoringSSL
source: BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc
form: OPENSSL_internal:WRONG_VERSION_NUMBER
codes: connectionNotTLS presentedChainEmpty
note: The server didn't answer with TLS.

OPENSSL_internal:KEY_USAGE_BIT_INCORRECT
tool: BoringSSL
source: BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc
form: OPENSSL_internal:KEY_USAGE_BIT_INCORRECT
form: KEY_USAGE_BIT_INCORRECT
form: key usage bit incorrect
codes: keyUsageNotForTLS
note: BoringSSL compares the leaf's key usage with the negotiated suite: digitalSignature for TLS 1.3 and (EC)DHE, keyEncipherment for RSA.

NIOSSLExtraError.failedToValidateHostname
tool: SwiftNIO SSL
source: swift-nio-ssl: SSLErrors.swift
form: NIOSSLExtraError.failedToValidateHostname
form: Couldn't find … in certificate from peer
codes: hostMismatch subjectAlternativeNameMissing

NIOSSLExtraError.serverHostnameImpossibleToMatch
tool: SwiftNIO SSL
source: swift-nio-ssl: SSLErrors.swift
form: NIOSSLExtraError.serverHostnameImpossibleToMatch
codes: hostMismatch

BoringSSLError.unknownError
form: BoringSSLError.unknownError
tool: SwiftNIO SSL
source: swift-nio-ssl: SSLErrors.swift (public reports)
codes: presentedChainEmpty unknownIssuer untrustedRoot handshakeUnproven
note: The handshake ended, but BoringSSL's list of errors is empty. The program's verification callback may have refused the certificate, or the peer closed the connection.

EOF during handshake
tool: SwiftNIO SSL
source: swift-nio-ssl: SSLErrors.swift
form: EOF during handshake
codes: connectionClosed presentedChainEmpty
note: The server closed the connection. Check the server's log.

server certificate for … does not match host name …
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: server certificate for … does not match host name …
codes: hostMismatch

could not get server's host name from server certificate
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: could not get server's host name from server certificate
codes: subjectAlternativeNameMissing

root certificate file … does not exist
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: root certificate file … does not exist
codes: systemAnchorsUnavailable
note: `sslmode=verify-full` needs ~/.postgresql/root.crt or sslrootcert.

could not read root certificate file …
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: could not read root certificate file …
codes: systemAnchorsUnavailable

server does not support SSL, but SSL was required
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: server does not support SSL, but SSL was required
codes: connectionStartTLSDeclined

SSL error: certificate verify failed
tool: psql
source: libpq of PostgreSQL 15.18: strings of the library
form: SSL error: certificate verify failed
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired
note: libpq doesn't print the reason. `servertrust check HOST:5432 --starttls postgres` names it.

SSL_connect returned=1 errno=0 … certificate verify failed (unable to get local issuer certificate)
form: SSL_connect returned=1 errno=0 … certificate verify failed (unable to get local issuer certificate)
tool: Ruby
source: Ruby: ext/openssl/ossl_ssl.c (the reason is OpenSSL's; public reports)
codes: unknownIssuer untrustedRoot

SSL operation failed with code 1. OpenSSL Error messages: … certificate verify failed
tool: PHP
source: PHP: ext/openssl/xp_ssl.c (public reports)
form: SSL operation failed with code 1. OpenSSL Error messages: … certificate verify failed
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired

Peer certificate CN=… did not match expected CN=…
tool: PHP
source: PHP: ext/openssl/xp_ssl.c (public reports)
form: Peer certificate CN=… did not match expected CN=…
codes: hostMismatch

Certificate verification failed, e.g. CRL, CA or signature check failed
tool: Mbed TLS
form: X509 - Certificate verification failed, e.g. CRL, CA or signature check failed
form: -0x2700
source: Mbed TLS: x509.h, error.c (public reports)
form: -9984
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The flags of mbedtls_ssl_get_verify_result name the reason. A device that hasn't set its clock refuses every certificate.

The extension tag or value is invalid
tool: Mbed TLS
form: X509 - The extension tag or value is invalid
form: -0x2500
source: Mbed TLS: x509.h, error.c (public reports)
form: -0x2562
form: -9570
codes: certificateMalformed criticalExtensionUnhandled
note: The number is a sum of two errors: -0x2562 is -0x2500 plus ASN.1's unexpected tag (-0x0062).

The date tag or value is invalid
tool: Mbed TLS
form: X509 - The date tag or value is invalid
form: -0x2400
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed strictTimeEncoding

The serial tag or value is invalid
tool: Mbed TLS
form: X509 - The serial tag or value is invalid
form: -0x2280
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed strictSerialNumber

The name tag or value is invalid
tool: Mbed TLS
form: X509 - The name tag or value is invalid
form: -0x2380
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

The algorithm tag or value is invalid
tool: Mbed TLS
form: X509 - The algorithm tag or value is invalid
form: -0x2300
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

The signature tag or value is invalid
tool: Mbed TLS
form: X509 - The signature tag or value is invalid
form: -0x2480
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

The CRT/CRL/CSR version element is invalid
tool: Mbed TLS
form: X509 - The CRT/CRL/CSR version element is invalid
form: -0x2200
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

CRT/CRL/CSR has an unsupported version number
tool: Mbed TLS
form: X509 - CRT/CRL/CSR has an unsupported version number
form: -0x2580
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateVersionNotAllowed

The CRT/CRL/CSR format is invalid, e.g. different type expected
tool: Mbed TLS
form: X509 - The CRT/CRL/CSR format is invalid, e.g. different type expected
form: -0x2180
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

Format not recognized as DER or PEM
tool: Mbed TLS
form: X509 - Format not recognized as DER or PEM
form: -0x2780
source: Mbed TLS: x509.h, error.c (public reports)
codes: certificateMalformed

Signature algorithm (oid) is unsupported
tool: Mbed TLS
form: X509 - Signature algorithm (oid) is unsupported
form: -0x2600
source: Mbed TLS: x509.h, error.c (public reports)
codes: signatureAlgorithmUnsupported

Signature algorithms do not match
tool: Mbed TLS
form: X509 - Signature algorithms do not match
form: -0x2680
source: Mbed TLS: x509.h, error.c (public reports)
codes: signatureAlgorithmMismatch

The certificate validity has expired
tool: Mbed TLS
form: The certificate validity has expired
form: MBEDTLS_X509_BADCERT_EXPIRED
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: certificateExpired

The certificate validity starts in the future
tool: Mbed TLS
form: The certificate validity starts in the future
form: MBEDTLS_X509_BADCERT_FUTURE
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: certificateNotYetValid

The certificate has been revoked (is on a CRL)
tool: Mbed TLS
form: The certificate has been revoked (is on a CRL)
form: MBEDTLS_X509_BADCERT_REVOKED
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: certificateRevoked

The certificate Common Name (CN) does not match with the expected CN
tool: Mbed TLS
form: The certificate Common Name (CN) does not match with the expected CN
form: MBEDTLS_X509_BADCERT_CN_MISMATCH
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: hostMismatch subjectAlternativeNameMissing

The certificate is not correctly signed by the trusted CA
tool: Mbed TLS
form: The certificate is not correctly signed by the trusted CA
form: MBEDTLS_X509_BADCERT_NOT_TRUSTED
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: A missing CA, a missing intermediate, and a wrong signature all set this flag.

Usage does not match the keyUsage extension
tool: Mbed TLS
form: Usage does not match the keyUsage extension
form: MBEDTLS_X509_BADCERT_KEY_USAGE
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: keyUsageNotForTLS

Usage does not match the extendedKeyUsage extension
tool: Mbed TLS
form: Usage does not match the extendedKeyUsage extension
form: MBEDTLS_X509_BADCERT_EXT_KEY_USAGE
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: extendedKeyUsageNotAllowed

The certificate is signed with an unacceptable hash
tool: Mbed TLS
form: The certificate is signed with an unacceptable hash
form: MBEDTLS_X509_BADCERT_BAD_MD
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: signatureUsesSHA1 signatureUsesMD5

The certificate is signed with an unacceptable key
tool: Mbed TLS
form: The certificate is signed with an unacceptable key
form: MBEDTLS_X509_BADCERT_BAD_KEY
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: rsaKeyTooSmall keyUsesUnsupportedCurve

The CRL is expired
tool: Mbed TLS
form: The CRL is expired
form: MBEDTLS_X509_BADCRL_EXPIRED
source: Mbed TLS: x509.h, mbedtls_x509_crt_verify_info
codes: revocationUnavailable

ASN no signer error to confirm failure
tool: wolfSSL
form: ASN no signer error to confirm failure
form: ASN_NO_SIGNER_E
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: unknownIssuer untrustedRoot

ASN self-signed certificate error
tool: wolfSSL
form: ASN self-signed certificate error
form: ASN_SELF_SIGNED_E
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: selfSignedLeaf

ASN sig error, confirm failure
tool: wolfSSL
form: ASN sig error, confirm failure
form: ASN_SIG_CONFIRM_E
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: signatureInvalid

ASN date error, current date after
tool: wolfSSL
form: ASN date error, current date after
form: ASN_AFTER_DATE_E
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: certificateExpired

ASN date error, current date before
tool: wolfSSL
form: ASN date error, current date before
form: ASN_BEFORE_DATE_E
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: certificateNotYetValid

peer subject name mismatch
tool: wolfSSL
form: peer subject name mismatch
form: DOMAIN_NAME_MISMATCH
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: hostMismatch subjectAlternativeNameMissing

peer ip address mismatch
tool: wolfSSL
form: peer ip address mismatch
form: IPADDR_MISMATCH
source: wolfSSL: wolfcrypt/src/error.c, src/internal.c (public reports)
codes: hostMismatch subjectAlternativeNameMissing

Chain could not be linked to a trust anchor
tool: BearSSL
form: Chain could not be linked to a trust anchor
form: BR_ERR_X509_NOT_TRUSTED
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: unknownIssuer untrustedRoot selfSignedLeaf

Expected server name was not found in the chain
tool: BearSSL
form: Expected server name was not found in the chain
form: BR_ERR_X509_BAD_SERVER_NAME
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: hostMismatch subjectAlternativeNameMissing

Certificate is expired or not yet valid
tool: BearSSL
form: Certificate is expired or not yet valid
form: BR_ERR_X509_EXPIRED
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: certificateExpired certificateNotYetValid
note: A device that hasn't set its clock refuses every certificate.

Validation time is unknown
tool: BearSSL
form: Validation time is unknown
form: BR_ERR_X509_TIME_UNKNOWN
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: certificateExpired certificateNotYetValid
note: The device's clock isn't set, so BearSSL can't compare dates.

Issuer/Subject DN mismatch in the chain
tool: BearSSL
form: Issuer/Subject DN mismatch in the chain
form: BR_ERR_X509_DN_MISMATCH
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: unknownIssuer

Not a CA, or path length constraint violation
tool: BearSSL
form: Not a CA, or path length constraint violation
form: BR_ERR_X509_NOT_CA
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: notCertificateAuthority pathLengthExceeded

Key Usage extension prohibits intended usage
tool: BearSSL
form: Key Usage extension prohibits intended usage
form: BR_ERR_X509_FORBIDDEN_KEY_USAGE
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: keyUsageNotForTLS keyUsageLacksCertSign

Public key found in certificate is too small
tool: BearSSL
form: Public key found in certificate is too small
form: BR_ERR_X509_WEAK_PUBLIC_KEY
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: rsaKeyTooSmall

Unknown critical extension in certificate
tool: BearSSL
form: Unknown critical extension in certificate
form: BR_ERR_X509_CRITICAL_EXTENSION
source: BearSSL: bearssl_x509.h, strings of the ESP8266 core for Arduino, curl (public sources)
codes: criticalExtensionUnhandled

SSL Pin not found for …
form: SSL Pin not found for …
tool: TrustKit
source: TrustKit: ssl_pin_verifier.m
codes: pinNotMatched
note: The chain is valid, but the app pins none of its keys. The preceding lines list the keys.

TrustKit: Pin validation failed for …
form: TrustKit: Pin validation failed for …
tool: TrustKit
source: TrustKit: TSKPinningValidator.m (public reports)
codes: pinNotMatched unknownIssuer
note: TrustKit prints this for pins that don't match and for invalid chains. The preceding line names the reason.

TrustKit was initialized with less than 2 pins
form: TrustKit was initialized with less than 2 pins
tool: TrustKit
source: TrustKit: parse_configuration.m, TrustKit-Android: DomainPinningPolicy.java (public reports)
form: Less than two pins were supplied for domain …
codes: pinNotMatched
note: TrustKit requires a backup pin for the domain, and made no connection. `servertrust explain pinSetWithoutBackup` says how to create one.

TrustKit was initialized with an invalid Pin
form: TrustKit was initialized with an invalid Pin
tool: TrustKit
source: TrustKit: parse_configuration.m (public reports)
codes: pinNotMatched
note: A pin isn't base64 of 32 bytes, so TrustKit made no connection. `servertrust explain pinNotBase64` has more information.

Certificate validation failed for …
form: Certificate validation failed for …
tool: TrustKit
source: TrustKit-Android: PinningTrustManager.java (public reports)
codes: pinNotMatched unknownIssuer

No certificates were found or provided for evaluation
tool: Alamofire
form: No certificates were found or provided for evaluation
form: noCertificatesFound
source: Alamofire 5: AFError.swift
codes: certificateNotPinned
note: Alamofire compared nothing, because the app's bundle has no DER certificate. A `.cer` file with PEM text doesn't count. See `servertrust explain evaluatorCertificatesMissing`.

No public keys were found or provided for evaluation
tool: Alamofire
form: No public keys were found or provided for evaluation
form: noPublicKeysFound
source: Alamofire 5: AFError.swift
codes: pinNotMatched
note: Alamofire compared nothing, because the app's bundle has no DER certificate. See `servertrust explain evaluatorKeysMissing`.

A ServerTrustEvaluating value is required for host … but none was found
tool: Alamofire
form: A ServerTrustEvaluating value is required for host … but none was found
form: noRequiredEvaluator
source: Alamofire 5: AFError.swift
codes: hostNotListed

Certificate pinning failed for host …
tool: Alamofire
form: Certificate pinning failed for host …
form: certificatePinningFailed
source: Alamofire 5: AFError.swift
codes: certificateNotPinned

Public key pinning failed for host …
tool: Alamofire
form: Public key pinning failed for host …
form: publicKeyPinningFailed
source: Alamofire 5: AFError.swift
codes: pinNotMatched

Host validation failed for host …
tool: Alamofire
form: Host validation failed for host …
form: hostValidationFailed
source: Alamofire 5: AFError.swift
codes: hostMismatch

Revocation check failed for host …
tool: Alamofire
form: Revocation check failed for host …
form: revocationCheckFailed
source: Alamofire 5: AFError.swift
codes: certificateRevoked revocationUnavailable

Default evaluation failed for host …
tool: Alamofire
form: Default evaluation failed for host …
form: defaultEvaluationFailed
source: Alamofire 5: AFError.swift
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired

CONNECTION_NOT_SECURE
form: CONNECTION_NOT_SECURE
tool: Flutter
source: http_certificate_pinning (public reports)
form: Connection is not secure, Fingerprint doesn't match
form: CertificateNotVerifiedException
codes: certificateNotPinned unknownIssuer
note: The package compares the fingerprint of the server's certificate, which changes with every renewal. It also prints this for every other failure of the connection.

Failed to find a trusted cert that signed …
form: Failed to find a trusted cert that signed …
tool: OkHttp
source: OkHttp: BasicCertificateChainCleaner.kt
codes: unknownIssuer untrustedRoot
note: OkHttp builds the chain again to compare pins. The trust manager that the app passed to sslSocketFactory doesn't have the root.

TLS: peer cert untrusted or revoked (0x42)
tool: OpenLDAP
source: OpenLDAP: strings of the program (public reports)
form: TLS: peer cert untrusted or revoked (0x42)
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: 0x42 combines two GnuTLS flags: invalid (0x02) and unknown issuer (0x40).

TLS: peer cert untrusted or revoked
tool: OpenLDAP
source: OpenLDAP: strings of the program (public reports)
form: TLS: peer cert untrusted or revoked
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateRevoked

TLS: hostname does not match CN in peer certificate
tool: OpenLDAP
source: OpenLDAP: strings of the program (public reports)
form: TLS: hostname does not match CN in peer certificate
form: TLS: hostname does not match name in peer certificate
form: TLS: hostname does not match subjectAltName in peer certificate
codes: hostMismatch subjectAlternativeNameMissing

TLS: unable to get CN from peer certificate
tool: OpenLDAP
source: OpenLDAP: strings of the program (public reports)
form: TLS: unable to get CN from peer certificate
codes: subjectAlternativeNameMissing

certificate verification failed for … untrusted issuer
tool: Postfix
source: Postfix: strings of the program (public reports)
form: certificate verification failed for … untrusted issuer
codes: untrustedRoot unknownIssuer
note: With smtp_tls_security_level = may, Postfix still delivers the mail. Name the roots in smtp_tls_CAfile or smtp_tls_CApath.

Server certificate not trusted
tool: Postfix
source: Postfix: strings of the program (public reports)
form: Server certificate not trusted
form: Untrusted TLS connection established to …
codes: untrustedRoot unknownIssuer selfSignedLeaf
note: Without smtp_tls_CAfile or smtp_tls_CApath, Postfix has no roots and trusts no server.

Server certificate not verified
tool: Postfix
source: Postfix: strings of the program (public reports)
form: Server certificate not verified
codes: hostMismatch unknownIssuer untrustedRoot selfSignedLeaf

VERIFY X509NAME ERROR
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: VERIFY X509NAME ERROR
codes: attributeNotMatched hostMismatch
note: verify-x509-name compares the subject or the common name, not the alternative names. The line contains both values.

VERIFY KU ERROR
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: VERIFY KU ERROR
codes: keyUsageNotForTLS

VERIFY EKU ERROR
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: VERIFY EKU ERROR
codes: extendedKeyUsageNotAllowed

VERIFY nsCertType ERROR
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: VERIFY nsCertType ERROR
codes: extendedKeyUsageNotAllowed

upstream SSL certificate does not match …
tool: nginx
source: nginx: strings of the program (public reports)
form: upstream SSL certificate does not match …
codes: hostMismatch subjectAlternativeNameMissing
note: nginx compares the name in proxy_ssl_name. The default is the host of proxy_pass.

Layer6 invalid response, info: SSL handshake failure
tool: HAProxy
source: HAProxy: strings of the program (public reports)
form: Layer6 invalid response, info: SSL handshake failure
form: Layer6 invalid response
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch presentedChainEmpty
note: HAProxy's health check failed in the handshake, and HAProxy doesn't print why. Compare ca-file, verifyhost, and check-sni with the server's certificate.

Failed to validate the SSL certificate for …
tool: Ansible
source: Ansible: strings of the program (public reports)
form: Failed to validate the SSL certificate for …
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The reason comes last, after "The exception msg was". Pass it, too.

The server certificate does not match the host name
tool: MongoDB
source: MongoDB: strings of the program (public reports)
form: The server certificate does not match the host name
codes: hostMismatch subjectAlternativeNameMissing

hostname verification failed
tool: Perl
source: Perl: strings of the program (public reports)
form: hostname verification failed
codes: hostMismatch subjectAlternativeNameMissing

host name verification failed
tool: Mosquitto
source: Mosquitto: strings of the program (public reports)
form: host name verification failed
codes: hostMismatch subjectAlternativeNameMissing

A TLS error occurred
tool: Mosquitto
source: Mosquitto: strings of the program (public reports)
form: A TLS error occurred
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch certificateExpired
note: With -d, mosquitto_sub and mosquitto_pub print the reason in the lines before it.

Server authenticity is not verified since certificate path validation is not enabled
tool: Erlang
source: Erlang: strings of the program (public reports)
form: Server authenticity is not verified since certificate path validation is not enabled
form: Authenticity is not established by certificate path validation
codes: systemAnchorsUnavailable
note: This is a warning that the program verifies nothing. Give ssl the options {verify, verify_peer} and {cacerts, public_key:cacerts_get()}.

failed to load system certificates
tool: Erlang
source: Erlang: strings of the program (public reports)
form: failed to load system certificates
codes: systemAnchorsUnavailable

Not trusted: no issuer was found
tool: lftp
source: lftp: strings of the program (public reports)
form: Not trusted: no issuer was found
codes: unknownIssuer untrustedRoot selfSignedLeaf

OCSP must-staple extension is no longer available
tool: ACME
source: ACME: strings of the program (public reports)
form: OCSP must-staple extension is no longer available
codes: stapleMissing tlsFeatureMissing
note: The CA refused the order and issued no certificate. Remove must-staple from the request and from the ACME client's settings.

hostname_check_failed
tool: Erlang
form: bad_cert,hostname_check_failed
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: hostMismatch subjectAlternativeNameMissing

invalid_ext_key_usage
tool: Erlang
form: bad_cert,invalid_ext_key_usage
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: extendedKeyUsageNotAllowed

invalid_key_usage
tool: Erlang
form: bad_cert,invalid_key_usage
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: keyUsageNotForTLS keyUsageLacksCertSign

cert_expired
tool: Erlang
form: bad_cert,cert_expired
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: certificateExpired certificateNotYetValid

selfsigned_peer
tool: Erlang
form: bad_cert,selfsigned_peer
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: selfSignedLeaf

unknown_ca
tool: Erlang
form: bad_cert,unknown_ca
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: unknownIssuer untrustedRoot

invalid_issuer
tool: Erlang
form: bad_cert,invalid_issuer
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: unknownIssuer

invalid_signature
tool: Erlang
form: bad_cert,invalid_signature
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: signatureInvalid

max_path_length_reached
tool: Erlang
form: bad_cert,max_path_length_reached
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: pathLengthExceeded maximumIntermediatesExceeded

missing_basic_constraint
tool: Erlang
form: bad_cert,missing_basic_constraint
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: basicConstraintsMissing notCertificateAuthority

name_not_permitted
tool: Erlang
form: bad_cert,name_not_permitted
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: nameNotPermitted nameExcluded

unknown_critical_extension
tool: Erlang
form: bad_cert,unknown_critical_extension
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: criticalExtensionUnhandled

revoked
tool: Erlang
form: bad_cert,revoked
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: certificateRevoked

revocation_status_undetermined
tool: Erlang
form: bad_cert,revocation_status_undetermined
source: Erlang/OTP: public_key, ssl_handshake.erl (public reports)
codes: revocationUnavailable

CertificateIssuerMismatch
tool: Zig
form: error.CertificateIssuerMismatch
form: CertificateIssuerMismatch
source: Zig: std.crypto.Certificate (public reports)
codes: unknownIssuer

CertificateIssuerNotFound
tool: Zig
form: error.CertificateIssuerNotFound
form: CertificateIssuerNotFound
source: Zig: std.crypto.Certificate (public reports)
codes: unknownIssuer untrustedRoot selfSignedLeaf

CertificateHostMismatch
tool: Zig
form: error.CertificateHostMismatch
form: CertificateHostMismatch
source: Zig: std.crypto.Certificate (public reports)
codes: hostMismatch subjectAlternativeNameMissing

CertificateSignatureInvalid
tool: Zig
form: error.CertificateSignatureInvalid
form: CertificateSignatureInvalid
source: Zig: std.crypto.Certificate (public reports)
codes: signatureInvalid

The host name did not match any of the valid hosts for this certificate
tool: Qt
form: The host name did not match any of the valid hosts for this certificate
form: QSslError::HostNameMismatch
source: Qt: qsslerror.cpp (public reports)
codes: hostMismatch

The issuer certificate could not be found
tool: Qt
form: The issuer certificate could not be found
form: QSslError::UnableToGetIssuerCertificate
source: Qt: qsslerror.cpp (public reports)
codes: unknownIssuer untrustedRoot

The issuer certificate of a locally looked up certificate could not be found
tool: Qt
form: The issuer certificate of a locally looked up certificate could not be found
form: QSslError::UnableToGetLocalIssuerCertificate
source: Qt: qsslerror.cpp (public reports)
codes: unknownIssuer untrustedRoot

No certificates could be verified
tool: Qt
form: No certificates could be verified
form: QSslError::UnableToVerifyFirstCertificate
source: Qt: qsslerror.cpp (public reports)
codes: unknownIssuer

The certificate is self-signed, and untrusted
tool: Qt
form: The certificate is self-signed, and untrusted
form: QSslError::SelfSignedCertificate
source: Qt: qsslerror.cpp (public reports)
codes: selfSignedLeaf

The root certificate of the certificate chain is self-signed, and untrusted
tool: Qt
form: The root certificate of the certificate chain is self-signed, and untrusted
form: QSslError::SelfSignedCertificateInChain
source: Qt: qsslerror.cpp (public reports)
codes: untrustedRoot

The root CA certificate is not trusted for this purpose
tool: Qt
form: The root CA certificate is not trusted for this purpose
form: QSslError::CertificateUntrusted
source: Qt: qsslerror.cpp (public reports)
codes: untrustedRoot

The root CA certificate is marked to reject the specified purpose
tool: Qt
form: The root CA certificate is marked to reject the specified purpose
form: QSslError::CertificateRejected
source: Qt: qsslerror.cpp (public reports)
codes: untrustedRoot

One of the CA certificates is invalid
tool: Qt
form: One of the CA certificates is invalid
form: QSslError::InvalidCaCertificate
source: Qt: qsslerror.cpp (public reports)
codes: notCertificateAuthority

The basicConstraints path length parameter has been exceeded
tool: Qt
form: The basicConstraints path length parameter has been exceeded
form: QSslError::PathLengthExceeded
source: Qt: qsslerror.cpp (public reports)
codes: pathLengthExceeded

The supplied certificate is unsuitable for this purpose
tool: Qt
form: The supplied certificate is unsuitable for this purpose
form: QSslError::InvalidPurpose
source: Qt: qsslerror.cpp (public reports)
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

The signature of the certificate is invalid
tool: Qt
form: The signature of the certificate is invalid
form: QSslError::CertificateSignatureFailed
source: Qt: qsslerror.cpp (public reports)
codes: signatureInvalid

The peer did not present any certificate
tool: Qt
form: The peer did not present any certificate
form: QSslError::NoPeerCertificate
source: Qt: qsslerror.cpp (public reports)
codes: presentedChainEmpty

The peer certificate is blacklisted
tool: Qt
form: The peer certificate is blacklisted
form: QSslError::CertificateBlacklisted
source: Qt: qsslerror.cpp (public reports)
codes: certificateDenied

key values mismatch
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: key values mismatch
form: x509 certificate routines … key values mismatch
form: X509_check_private_key:key values mismatch
codes: privateKeyMismatch

ssl_stapling ignored, no OCSP responder URL in the certificate
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: ssl_stapling ignored, no OCSP responder URL in the certificate
form: "ssl_stapling" ignored, no OCSP responder URL
codes: stapleUnsupported
note: The warning is harmless.

ssl_stapling ignored, issuer certificate not found
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: ssl_stapling ignored, issuer certificate not found
form: "ssl_stapling" ignored, issuer certificate not found for certificate
codes: unknownIssuer
note: nginx needs the intermediate to staple. Put it into the file of `ssl_certificate`, or into `ssl_trusted_certificate`.

cannot load certificate …
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: cannot load certificate …
form: PEM_read_bio_X509_AUX() failed
form: SSL_CTX_use_certificate … failed
form: BIO_new_file() failed
codes: certificateFileUnusable

cannot load certificate key …
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: cannot load certificate key …
form: PEM_read_bio_PrivateKey() failed
codes: privateKeyUnusable

no "ssl_certificate" is defined for the "listen … ssl" directive
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: no "ssl_certificate" is defined for the "listen … ssl" directive
form: no "ssl_certificate" is defined
codes: certificateFileUnusable

400 No required SSL certificate was sent
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: 400 No required SSL certificate was sent
form: No required SSL certificate was sent
form: client sent no required SSL certificate
codes: connectionClientCertificateRequired

400 The SSL certificate error
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: 400 The SSL certificate error
form: The SSL certificate error
form: client SSL certificate verify error
codes: unknownIssuer untrustedRoot certificateExpired
note: nginx refuses the client's certificate. Its log names OpenSSL's reason, and `ssl_client_certificate` the CAs.

The plain HTTP request was sent to HTTPS port
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: The plain HTTP request was sent to HTTPS port
form: 400 The plain HTTP request was sent to HTTPS port
form: client sent plain HTTP request to HTTPS port while reading client request headers
form: Client sent an HTTP request to an HTTPS server
form: You're speaking plain HTTP to an SSL-enabled server port
codes: connectionPlainHTTP
note: The other way round: the client speaks HTTP to a port with TLS. Use `https:`.

upstream SSL certificate verify error: …
tool: nginx
source: nginx: ngx_event_openssl.c, ngx_http_ssl_module.c (public reports)
form: upstream SSL certificate verify error: …
codes: unknownIssuer untrustedRoot hostMismatch
note: nginx refuses the upstream server. The number is OpenSSL's. Name the CA in `proxy_ssl_trusted_certificate`.
reason: elsewhere

No Private Key found in …
tool: HAProxy
source: HAProxy: ssl_ckch.c, ssl_sock.c (public reports)
form: No Private Key found in …
form: unable to load SSL private key from PEM file
form: unable to load private key from file
codes: privateKeyUnusable

unable to load SSL certificate from PEM file
tool: HAProxy
source: HAProxy: ssl_ckch.c, ssl_sock.c (public reports)
form: unable to load SSL certificate from PEM file
form: unable to load certificate from file
form: unable to load certificate chain from file
form: unable to stat SSL certificate from file
form: no SSL certificate specified for bind
codes: certificateFileUnusable privateKeyUnusable

inconsistencies between private key and certificate loaded from PEM file
tool: HAProxy
source: HAProxy: ssl_ckch.c, ssl_sock.c (public reports)
form: inconsistencies between private key and certificate loaded from PEM file
form: inconsistencies between private key and certificate
codes: privateKeyMismatch

SSL client CA chain cannot be verified
tool: HAProxy
source: HAProxy: ssl_ckch.c, ssl_sock.c (public reports)
form: SSL client CA chain cannot be verified
codes: unknownIssuer untrustedRoot

AH02565: Certificate and private key … do not match
tool: Apache
source: Apache: strings of the program (public reports)
form: AH02565: Certificate and private key … do not match
form: AH02565
form: Certificate and private key … from … and … do not match
form: SSL Library Error: … x509 certificate routines:X509_check_private_key:key values mismatch
codes: privateKeyMismatch

AH02572: Failed to configure at least one certificate and key
tool: Apache
source: Apache: strings of the program (public reports)
form: AH02572: Failed to configure at least one certificate and key
form: AH02572
form: AH02561
form: AH02562
form: AH02577
form: SSLCertificateFile: file … does not exist or is empty
codes: certificateFileUnusable privateKeyUnusable

AH01909: server certificate does NOT include an ID which matches the server name
tool: Apache
source: Apache: strings of the program (public reports)
form: AH01909: server certificate does NOT include an ID which matches the server name
form: AH01909
form: server certificate does NOT include an ID which matches the server name
codes: hostMismatch
note: Apache only warns. Its ServerName differs from the certificate's names.

AH01906: server certificate is a CA certificate (BasicConstraints: CA == TRUE !?)
tool: Apache
source: Apache: strings of the program (public reports)
form: AH01906: server certificate is a CA certificate (BasicConstraints: CA == TRUE !?)
form: AH01906
form: server certificate is a CA certificate
codes: strictLeafIsAuthority

AH02218: ssl_stapling_init_cert: no OCSP URI in certificate
tool: Apache
source: Apache: strings of the program (public reports)
form: AH02218: ssl_stapling_init_cert: no OCSP URI in certificate
form: AH02218
form: no OCSP URI in certificate
form: AH02604
codes: stapleUnsupported

AH02039: Certificate Verification: Error
tool: Apache
source: Apache: strings of the program (public reports)
form: AH02039: Certificate Verification: Error
form: AH02039
form: Certificate Verification: Error
codes: unknownIssuer untrustedRoot certificateExpired
note: Apache refuses the client's or the proxied server's certificate. The number in parentheses is OpenSSL's.
reason: elsewhere

SSL context is not usable without certificate and private key
tool: MySQL
source: MySQL: strings of the program (public reports)
form: SSL context is not usable without certificate and private key
form: Failed at SSL configuration
form: SSL connection has been requested but no certificate and key
codes: certificateFileUnusable privateKeyUnusable

Failed to set up SSL because of the following SSL library error
tool: MySQL
source: MySQL: strings of the program (public reports)
form: Failed to set up SSL because of the following SSL library error
form: Unable to get private key
form: Unable to get certificate
form: SSL error: Unable to get private key from
form: SSL error: Unable to get certificate from
codes: privateKeyUnusable certificateFileUnusable privateKeyMismatch

could not load server certificate file …
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: could not load server certificate file …
form: could not load certificate file
form: certificate file … does not exist
codes: certificateFileUnusable

private key file … has group or world access
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: private key file … has group or world access
form: could not load private key file …
form: private key file … must be owned by the database user or root
codes: privateKeyUnusable

certificate present, but not private key file …
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: certificate present, but not private key file …
codes: privateKeyUnusable

certificate does not match private key file …
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: certificate does not match private key file …
form: check of private key failed
codes: privateKeyMismatch

connection requires a valid client certificate
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: connection requires a valid client certificate
form: certificate authentication failed for user
codes: connectionClientCertificateRequired

The server does not support SSL connections
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: The server does not support SSL connections
form: The server does not support SSL
form: SSL connection error: SSL is required but the server doesn't support it
form: SSL is required, but the server does not support it
codes: connectionStartTLSDeclined

received invalid response to SSL negotiation
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: received invalid response to SSL negotiation
codes: connectionNotTLS

Unknown ca certificate … Peer cert verify error
tool: MariaDB
source: MariaDB: strings of the program (public reports)
form: Unknown ca certificate … Peer cert verify error
form: TLS/SSL error: Validation of SSL server certificate failed
form: Validation of SSL server certificate failed
codes: unknownIssuer hostMismatch untrustedRoot selfSignedLeaf

Cannot start SSL: …
tool: Dovecot
source: Dovecot: strings of the program (public reports)
form: Cannot start SSL: …
form: Can't load SSL certificate (ssl_cert setting)
form: Can't load ssl_cert
form: ssl_server_cert_file
codes: certificateFileUnusable

Can't load private key
tool: Dovecot
source: Dovecot: strings of the program (public reports)
form: Can't load private key
form: Can't load SSL private key
form: Couldn't parse private SSL key
form: Can't load ssl_key
form: The key isn't for the certificate
codes: privateKeyUnusable privateKeyMismatch

cannot get RSA certificate from file …
tool: Postfix
source: Postfix: strings of the program (public reports)
form: cannot get RSA certificate from file …
form: cannot get RSA private key from file
form: cannot get certificate from file
form: cannot load Certification Authority data
form: TLS library problem: error:02001002
codes: certificateFileUnusable privateKeyUnusable

Cannot start TLS: handshake failure
tool: Postfix
source: Postfix: strings of the program (public reports)
form: Cannot start TLS: handshake failure
form: TLS is required, but was not offered by host
form: TLS is required, but our TLS engine is unavailable
codes: connectionStartTLSDeclined noSharedCipher

SSL handshake failed
tool: Kafka
source: Kafka: strings of the program (public reports)
form: SSL handshake failed
form: SslAuthenticationException: SSL handshake failed
form: Failed authentication with … (SSL handshake failed)
form: SSL handshake failed: Disconnected
codes: unknownIssuer hostMismatch untrustedRoot connectionClientCertificateRequired connectionNotTLS
note: The line "Caused by" below it names the reason. Pass it, too.
reason: elsewhere

Invalid receive (size = 369295616 larger than 104857600)
tool: Kafka
source: Kafka: strings of the program (public reports)
form: Invalid receive (size = 369295616 larger than 104857600)
form: Invalid receive (size = … larger than
form: Unexpected Kafka request of type METADATA during SASL handshake
codes: connectionNotTLS
note: One side speaks TLS and the other doesn't. The size is the beginning of a TLS record. Compare `security.protocol` with the listener.

Problem setting TLS options: File not found
tool: Mosquitto
source: Mosquitto: strings of the program (public reports)
form: Problem setting TLS options: File not found
form: Unable to load server certificate
form: Unable to load CA certificates
form: Error: Problem setting TLS options
codes: certificateFileUnusable privateKeyUnusable

Unable to load server key file
tool: Mosquitto
source: Mosquitto: strings of the program (public reports)
form: Unable to load server key file
form: Server certificate/key are inconsistent
codes: privateKeyUnusable privateKeyMismatch

VERIFY ERROR: depth=…
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: VERIFY ERROR: depth=…
form: VERIFY ERROR
codes: unknownIssuer untrustedRoot certificateExpired
note: The reason follows after "error=". It is OpenSSL's.
reason: elsewhere

Cannot load inline certificate file
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: Cannot load inline certificate file
form: Cannot load certificate file
form: Cannot load CA certificate file
codes: certificateFileUnusable
reason: elsewhere

Cannot load private key file
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: Cannot load private key file
form: Cannot load inline private key
form: Private key does not match the certificate
codes: privateKeyUnusable privateKeyMismatch

TLS key negotiation failed to occur within 60 seconds
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: TLS key negotiation failed to occur within 60 seconds
form: TLS Error: TLS key negotiation failed to occur
codes: connectionTimedOut connectionUnreachable
note: The packets don't arrive, or the other side refused the certificate and stays silent. Its log names the reason.

TLS Error: TLS handshake failed
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: TLS Error: TLS handshake failed
codes: unknownIssuer certificateExpired connectionTimedOut
note: The reason is in the lines before it.
reason: elsewhere

TLS Error: cannot locate HMAC in incoming packet
tool: OpenVPN
source: OpenVPN: strings of the program (public reports)
form: TLS Error: cannot locate HMAC in incoming packet
form: Authenticate/Decrypt packet error: packet HMAC authentication failed
codes: connectionHandshakeFailed
note: tls-auth or tls-crypt differs between client and server. Certificates aren't involved yet.

no trusted … public key found for …
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: no trusted … public key found for …
form: no trusted RSA public key found for
form: no trusted ECDSA public key found for
codes: unknownIssuer untrustedRoot hostMismatch
note: Either the CA isn't in x509ca, or the certificate's names don't contain the peer's identity (remote.id).

no issuer certificate found for …
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: no issuer certificate found for …
codes: unknownIssuer untrustedRoot

no private key found for …
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: no private key found for …
codes: privateKeyUnusable

constraint check failed: identity … required
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: constraint check failed: identity … required
form: constraint check failed: identity
codes: hostMismatch

subject certificate invalid (valid from … to …)
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: subject certificate invalid (valid from … to …)
form: subject certificate invalid
codes: certificateExpired certificateNotYetValid

IKE authentication credentials are unacceptable
tool: Windows
source: Windows: strings of the program (public reports)
form: IKE authentication credentials are unacceptable
form: error 13801
codes: hostMismatch unknownIssuer extendedKeyUsageNotAllowed
note: Error 13801: the server's certificate lacks the name, the purpose serverAuth or a root in the machine's store.

unspecified
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=0
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: unknownIssuer certificateExpired hostMismatch

untrusted
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=1
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: unknownIssuer untrustedRoot selfSignedLeaf
note: `ca_cert` of the network doesn't contain the RADIUS server's root.

revoked
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=2
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: certificateRevoked

not yet valid
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=3
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: certificateNotYetValid

expired
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=4
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: certificateExpired

subject mismatch
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=5
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: attributeNotMatched hostMismatch

altsubject mismatch
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=6
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: hostMismatch

bad certificate
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=7
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: certificateMalformed

server chain probe
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=8
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
codes: notAFailure

domain suffix mismatch
tool: wpa_supplicant
form: EAP-TLS-CERT-ERROR reason=9
source: wpa_supplicant: tls_openssl.c, enum tls_fail_reason
form: Domain suffix mismatch
form: Domain mismatch
codes: hostMismatch

badCSR
tool: ACME
form: acme:error:badCSR
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: acme: badCSR
codes: acmeRequestRefused

CSR contains IP address in Common Name
tool: ACME
source: Let's Encrypt, certbot, lego, acme.sh (public reports)
form: CSR contains IP address in Common Name
form: CSR contains one or more identifiers that
form: Error finalizing order :: CSR
codes: acmeRequestRefused
note: Leave the common name empty and list the address as an alternative name.

ClientAuth certificates are being deprecated
tool: ACME
source: Let's Encrypt, certbot, lego, acme.sh (public reports)
form: ClientAuth certificates are being deprecated
form: ClientAuth certificates are being deprecated by …
form: clientAuth EKU is not allowed
codes: acmeClientAuthEnded

badPublicKey
tool: ACME
form: acme:error:badPublicKey
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: Error creating new cert :: key
codes: acmeRequestRefused rsaKeyTooSmall

badSignatureAlgorithm
tool: ACME
form: acme:error:badSignatureAlgorithm
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
codes: acmeRequestRefused signatureUsesSHA1

rejectedIdentifier
tool: ACME
form: acme:error:rejectedIdentifier
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: The ACME server refuses to issue a certificate for this domain name
form: policy forbids issuing for name
codes: acmeRequestRefused

unsupportedIdentifier
tool: ACME
form: acme:error:unsupportedIdentifier
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
codes: acmeRequestRefused

invalidProfile
tool: ACME
form: acme:error:invalidProfile
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
codes: acmeRequestRefused

alreadyReplaced
tool: ACME
form: acme:error:alreadyReplaced
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
codes: acmeRequestRefused

badNonce
tool: ACME
form: acme:error:badNonce
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: JWS has an invalid anti-replay nonce
codes: acmeRequestRefused
note: Usually harmless: the client repeats the request with a new nonce. If it persists, a proxy caches responses.

orderNotReady
tool: ACME
form: acme:error:orderNotReady
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: Order's status ("pending") is not acceptable for finalization
codes: acmeChallengeFailed

unauthorized
tool: ACME
form: acme:error:unauthorized
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:unauthorized
form: Invalid response from … /.well-known/acme-challenge/
form: Incorrect TXT record
form: The key authorization file from the server did not match this challenge
form: During secondary validation
codes: acmeChallengeFailed acmeAccount

connection
tool: ACME
form: acme:error:connection
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:connection
form: Timeout during connect (likely firewall problem)
form: Error getting validation data
form: Fetching http … /.well-known/acme-challenge/
form: Challenge did not pass for
codes: acmeChallengeFailed

dns
tool: ACME
form: acme:error:dns
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:dns
form: DNS problem: NXDOMAIN looking up
form: DNS problem: SERVFAIL looking up
form: DNS problem: query timed out looking up
form: no valid A records found for
form: No TXT record found at _acme-challenge
codes: acmeChallengeFailed

tls
tool: ACME
form: acme:error:tls
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:tls
form: Cannot negotiate ALPN protocol "acme-tls/1" for tls-alpn-01 challenge
form: Incorrect validation certificate for tls-alpn-01 challenge
codes: acmeChallengeFailed

incorrectResponse
tool: ACME
form: acme:error:incorrectResponse
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
codes: acmeChallengeFailed

Some challenges have failed
tool: ACME
source: Let's Encrypt, certbot, lego, acme.sh (public reports)
form: Some challenges have failed
form: Challenge failed for domain …
form: CA marked some of the authorizations as invalid
form: Verify error detail:
form: one or more domains had a problem
form: Certbot failed to authenticate some domains
form: The Certificate Authority failed to verify
form: acme: authorization error for
form: The client lacks sufficient authorization
codes: acmeChallengeFailed

caa
tool: ACME
form: acme:error:caa
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:caa
form: CAA record for … prevents issuance
form: DNS problem: … looking up CAA for
form: Error finalizing order :: Rechecking CAA
form: While processing CAA for
codes: acmeAuthorizationRecord

rateLimited
tool: ACME
form: acme:error:rateLimited
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:rateLimited
form: too many failed authorizations
form: too many certificates … already issued
form: too many certificates already issued for
form: too many new orders recently
form: too many registrations for this IP
form: There were too many requests of a given type
form: Service busy; retry later
codes: acmeRateLimited

accountDoesNotExist
tool: ACME
form: acme:error:accountDoesNotExist
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: No registration exists matching provided key
form: Account creation on ACMEv1 is disabled
form: ACMEv1 is deprecated
form: Validation of external account binding failed
codes: acmeAccount

externalAccountRequired
tool: ACME
form: acme:error:externalAccountRequired
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: External account binding required
form: eabCredentials
codes: acmeAccount

userActionRequired
tool: ACME
form: acme:error:userActionRequired
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: Must agree to terms of service
codes: acmeAccount

invalidContact
tool: ACME
form: acme:error:invalidContact
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: invalid contact domain
form: unsupportedContact
codes: acmeAccount

serverInternal
tool: ACME
form: acme:error:serverInternal
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: urn:acme:error:serverInternal
codes: acmeRateLimited
note: The CA has a problem of its own. See its status page, and try again later.

Keystore was tampered with, or password was incorrect
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Keystore was tampered with, or password was incorrect
form: keystore password was incorrect
form: Given final block not properly padded
form: failed to decrypt safe contents entry
form: toDerInputStream rejects tag type
codes: keystorePassword keystoreUnreadable

Cannot recover key
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Cannot recover key
form: UnrecoverableKeyException: Cannot recover key
form: Get Key failed
codes: keystorePassword
note: The key's password differs from the store's. In Tomcat, set certificateKeyPassword.

Invalid keystore format
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Invalid keystore format
form: Unrecognized keystore format
form: DerInputStream.getLength(): lengthTag=109, too big
form: Integrity check failed: java.security.NoSuchAlgorithmException: Algorithm HmacPBESHA256 not available
form: Algorithm HmacPBESHA256 not available
codes: keystoreUnreadable

Failed to establish chain from reply
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Failed to establish chain from reply
form: Certificate reply and certificate in keystore are identical
form: Certificate reply does not contain public key for
codes: keystoreEntryMissing
note: keytool doesn't find the CA of the certificate in the store. Import root and intermediate first.

Public keys in reply and keystore don't match
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Public keys in reply and keystore don't match
form: the public key of CA reply does not match the public key of the key entry
codes: privateKeyMismatch keystoreEntryMissing

Alias name … does not identify a key entry
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Alias name … does not identify a key entry
form: Alias <…> does not exist
form: Alias does not exist
form: No key entry found for alias
form: Could not find key entry
codes: keystoreEntryMissing

Input not an X.509 certificate
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Input not an X.509 certificate
form: Could not parse certificate: java.io.IOException: Empty input
form: signed fields invalid
form: Illegal header: -----BEGIN
form: No certificate data found
codes: certificateFileUnusable

Certificate not imported, alias … already exists
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Certificate not imported, alias … already exists
codes: keystoreEntryMissing
note: Delete the old entry (`keytool -delete -alias NAME`), or use another alias.

TLS Server certificate issued after … and anchored by a distrusted legacy … root CA
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: TLS Server certificate issued after … and anchored by a distrusted legacy … root CA
form: anchored by a distrusted legacy
form: TLS Server certificate issued after
form: untrusted root CA: certificate issued after
codes: anchorDistrustedAfter
note: Java follows the root programs: certificates of Symantec, Entrust, Camerfirma and others from after this date aren't trusted.

No appropriate protocol (protocol is disabled or cipher suites are inappropriate)
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: No appropriate protocol (protocol is disabled or cipher suites are inappropriate)
form: No appropriate protocol
codes: tlsVersionOutdated noSharedCipher
note: `jdk.tls.disabledAlgorithms` in java.security turns TLS 1.0 and 1.1 off. The server or the client's setting needs TLS 1.2.

no cipher suites in common
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: no cipher suites in common
form: SSLHandshakeException: no cipher suites in common
codes: noSharedCipher privateKeyUnusable
note: The usual cause is a server whose key store has no private key for the certificate.

SSLHandshakeException
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: SSLHandshakeException
form: java.lang.Exception: SSL handshake
codes: unknownIssuer hostMismatch certificateExpired noSharedCipher
note: The text after it, or the line "Caused by", names the reason. Pass it, too.
reason: elsewhere

Response is unreliable: its validity interval is out-of-date
tool: Java
source: OpenJDK: keytool, java.security (public reports)
form: Response is unreliable: its validity interval is out-of-date
codes: revocationUnavailable
note: The OCSP response is too old, or the device's clock is wrong.

Certificate transparency failed
tool: appmattus
source: appmattus: strings of the program (public reports)
form: Certificate transparency failed
form: Too few trusted SCTs, required … found …
form: No trusted log server found for SCT
form: Failure: No certificates … transparency
codes: transparencyNotMet transparencyLogListMissing
note: appmattus/certificatetransparency compares with its own list of logs. An old list lacks the logs of new certificates.

Unable to load log servers with log-list.json
tool: appmattus
source: appmattus: strings of the program (public reports)
form: Unable to load log servers with log-list.json
form: Unable to load log servers
form: log-list.json failed to load
codes: transparencyLogListMissing
note: The app couldn't fetch the list of logs. Update the library, because the list's address changed.

CLEARTEXT communication to … not permitted by network security policy
tool: Android
source: Android: strings of the program (public reports)
form: CLEARTEXT communication to … not permitted by network security policy
form: Cleartext HTTP traffic to … not permitted
form: CLEARTEXT communication not permitted
form: net::ERR_CLEARTEXT_NOT_PERMITTED
form: The resource could not be loaded because the App Transport Security policy requires the use of a secure connection
form: App Transport Security has blocked a cleartext HTTP
codes: clearTextNotPermitted

Unacceptable certificate
tool: Android
source: Android: strings of the program (public reports)
form: Unacceptable certificate
codes: unknownIssuer untrustedRoot hostMismatch

Network request failed
tool: React Native
source: React Native: strings of the program (public reports)
form: Network request failed
form: TypeError: Network request failed
codes: unknownIssuer clearTextNotPermitted connectionUnreachable certificateExpired
note: The text hides the reason. Android's log (`adb logcat`) or Xcode's console has it.
reason: elsewhere

CN_MISMATCH
tool: Unity
form: UNITYTLS_X509VERIFY_FLAG_CN_MISMATCH
source: Unity: UnityTls (documentation, public reports)
codes: hostMismatch subjectAlternativeNameMissing

EXPIRED
tool: Unity
form: UNITYTLS_X509VERIFY_FLAG_EXPIRED
source: Unity: UnityTls (documentation, public reports)
codes: certificateExpired certificateNotYetValid

NOT_TRUSTED
tool: Unity
form: UNITYTLS_X509VERIFY_FLAG_NOT_TRUSTED
source: Unity: UnityTls (documentation, public reports)
codes: unknownIssuer untrustedRoot selfSignedLeaf

REVOKED
tool: Unity
form: UNITYTLS_X509VERIFY_FLAG_REVOKED
source: Unity: UnityTls (documentation, public reports)
codes: certificateRevoked

FATAL_ERROR
tool: Unity
form: UNITYTLS_X509VERIFY_FLAG_FATAL_ERROR
source: Unity: UnityTls (documentation, public reports)
codes: certificateMalformed

Cert verify failed
tool: Unity
source: Unity: strings of the program (public reports)
form: Cert verify failed
form: Curl error 60: Cert verify failed
form: Curl error 51: Cert verify failed
form: SSL CA certificate error
form: Unable to complete SSL connection
form: Curl error 35: Cert handshake failed
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
reason: elsewhere

The remote computer could not be authenticated due to problems with its security certificate
tool: Remote Desktop
source: Remote Desktop: text for people (public reports)
form: The remote computer could not be authenticated due to problems with its security certificate
form: The identity of the remote computer cannot be verified
form: The certificate is not from a trusted certifying authority
form: A revocation check could not be performed for the certificate
form: The certificate couldn't be verified back to a root certificate
codes: untrustedRoot selfSignedLeaf hostMismatch
note: Windows makes a self-signed certificate for Remote Desktop. Issue one with your CA (template RemoteDesktopComputer).

The server name on the certificate is incorrect
tool: Remote Desktop
source: Remote Desktop: text for people (public reports)
form: The server name on the certificate is incorrect
form: The name in the certificate is different from the name of the remote computer
codes: hostMismatch

An authentication error has occurred … CredSSP encryption oracle remediation
tool: Remote Desktop
source: Remote Desktop: text for people (public reports)
form: An authentication error has occurred … CredSSP encryption oracle remediation
form: CredSSP encryption oracle remediation
codes: unknownCause
note: One of the machines lacks the update of 2018 for CredSSP. Certificates aren't the cause.

The name on the security certificate is invalid or does not match the name of the site
tool: Outlook
source: Outlook: text for people (public reports)
form: The name on the security certificate is invalid or does not match the name of the site
form: The name of the security certificate is invalid or does not match the name of the site
form: The target principal name is incorrect
codes: hostMismatch
note: Outlook compares with the autodiscover and mail names. Exchange announces internal names until you change its virtual directories.

The security certificate was issued by a company you have not chosen to trust
tool: Outlook
source: Outlook: text for people (public reports)
form: The security certificate was issued by a company you have not chosen to trust
form: The security certificate is from a trusted certifying authority
form: The server you are connected to is using a security certificate that cannot be verified
form: There is a problem with the proxy server's security certificate
codes: untrustedRoot unknownIssuer selfSignedLeaf

The security certificate has expired or is not yet valid
tool: Outlook
source: Outlook: text for people (public reports)
form: The security certificate has expired or is not yet valid
form: security certificate date is
codes: certificateExpired certificateNotYetValid

Your connection is not private
tool: Chrome
source: Chrome: text for people (public reports)
form: Your connection is not private
form: Your connection isn't private
form: Attackers might be trying to steal your information from
form: This Connection Is Not Private
form: This website may be impersonating
form: This site isn't secure
form: Safari can't verify the identity of the website
form: Your connection to this site is not secure
form: This server could not prove that it is
codes: unknownIssuer hostMismatch certificateExpired untrustedRoot
note: The code below the text, such as NET::ERR_CERT_DATE_INVALID, names the reason.
reason: elsewhere

This server could not prove that it is …; its security certificate is from …
tool: Chrome
source: Chrome: text for people (public reports)
form: This server could not prove that it is …; its security certificate is from …
form: its security certificate is from
codes: hostMismatch

its security certificate is not trusted by your computer's operating system
tool: Chrome
source: Chrome: text for people (public reports)
form: its security certificate is not trusted by your computer's operating system
form: its security certificate is not trusted by your device's operating system
form: the server presented a certificate … not trusted
codes: untrustedRoot unknownIssuer selfSignedLeaf

its security certificate expired
tool: Chrome
source: Chrome: text for people (public reports)
form: its security certificate expired
form: its security certificate expired … ago
form: its security certificate expired yesterday
form: Your clock is behind
form: Your clock is ahead
codes: certificateExpired certificateNotYetValid

its security certificate does not specify Subject Alternative Names
tool: Chrome
source: Chrome: text for people (public reports)
form: its security certificate does not specify Subject Alternative Names
codes: subjectAlternativeNameMissing

You cannot visit … right now because the website uses HSTS
tool: Chrome
source: Chrome: text for people (public reports)
form: You cannot visit … right now because the website uses HSTS
form: because the website uses HSTS
form: has a security policy called HTTP Strict Transport Security (HSTS)
codes: unknownIssuer hostMismatch certificateExpired untrustedRoot
note: HSTS only removes the button to continue. The code on the page names the reason.
reason: elsewhere

This site can't provide a secure connection
tool: Chrome
source: Chrome: text for people (public reports)
form: This site can't provide a secure connection
form: sent an invalid response
form: uses an unsupported protocol
form: The client and server don't support a common SSL protocol version or cipher suite
codes: connectionNotTLS tlsVersionOutdated noSharedCipher
reason: elsewhere

Warning: Potential Security Risk Ahead
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: Warning: Potential Security Risk Ahead
form: Did Not Connect: Potential Security Issue
form: Secure Connection Failed
form: Your connection is not secure
form: Software is Preventing Firefox From Safely Connecting to This Site
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
note: The code below "Advanced", such as SEC_ERROR_UNKNOWN_ISSUER, names the reason.
reason: elsewhere

The certificate is only valid for the following names
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: The certificate is only valid for the following names
form: The certificate is only valid for
form: uses an invalid security certificate. The certificate is not valid for the name
form: The certificate is not valid for the name
codes: hostMismatch

The certificate is not trusted because it is self-signed
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: The certificate is not trusted because it is self-signed
codes: selfSignedLeaf

The certificate is not trusted because the issuer certificate is unknown
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: The certificate is not trusted because the issuer certificate is unknown
form: The server might not be sending the appropriate intermediate certificates
form: An additional root certificate may need to be imported
codes: unknownIssuer untrustedRoot

The certificate expired on …
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: The certificate expired on …
form: The certificate will not be valid until
codes: certificateExpired certificateNotYetValid

SEC_ERROR_REUSED_ISSUER_AND_SERIAL
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: SEC_ERROR_REUSED_ISSUER_AND_SERIAL
form: You are attempting to import a cert with the same issuer/serial as an existing cert, but that is not the same cert
form: You have received an invalid certificate … the same serial number as another certificate
codes: strictSerialNumber
note: Two different certificates have this issuer and serial number. Usually a device or CA was set up again. Issue a new one with another number, and delete the old from the profile's certificates.

SSL_CLIENT_AUTH_CERT_NEEDED
tool: Chrome
form: ERR_SSL_CLIENT_AUTH_CERT_NEEDED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: net_error -110
form: BAD_SSL_CLIENT_AUTH_CERT
form: ERR_BAD_SSL_CLIENT_AUTH_CERT
form: ERR_SSL_CLIENT_AUTH_PRIVATE_KEY_ACCESS_DENIED
form: ERR_SSL_CLIENT_AUTH_CERT_NO_PRIVATE_KEY
form: ERR_SSL_CLIENT_AUTH_SIGNATURE_FAILED
form: ERR_SSL_CLIENT_AUTH_NO_COMMON_ALGORITHMS
codes: connectionClientCertificateRequired

SSL_SERVER_CERT_CHANGED
tool: Chrome
form: ERR_SSL_SERVER_CERT_CHANGED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: connectionHandshakeFailed

SSL_WEAK_SERVER_EPHEMERAL_DH_KEY
tool: Chrome
form: ERR_SSL_WEAK_SERVER_EPHEMERAL_DH_KEY
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_SSL_WEAK_EPHEMERAL_DH_KEY
codes: weakKeyExchange

SSL_DECRYPT_ERROR_ALERT
tool: Chrome
form: ERR_SSL_DECRYPT_ERROR_ALERT
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_SSL_HANDSHAKE_NOT_COMPLETED
form: ERR_SSL_BAD_RECORD_MAC_ALERT
form: ERR_SSL_DECOMPRESSION_FAILURE_ALERT
form: ERR_EARLY_DATA_REJECTED
form: ERR_ECH_NOT_NEGOTIATED
form: ERR_ECH_FALLBACK_CERTIFICATE_INVALID
codes: connectionHandshakeFailed connectionHandshakeAlert

CONNECTION_CLOSED
tool: Chrome
form: ERR_CONNECTION_CLOSED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: net_error -100
form: ERR_CONNECTION_RESET
form: ERR_CONNECTION_ABORTED
form: ERR_EMPTY_RESPONSE
form: ERR_SOCKET_NOT_CONNECTED
codes: connectionClosed

CONNECTION_REFUSED
tool: Chrome
form: ERR_CONNECTION_REFUSED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: net_error -102
form: ERR_ADDRESS_UNREACHABLE
form: ERR_CONNECTION_FAILED
form: ERR_INTERNET_DISCONNECTED
codes: connectionUnreachable

CONNECTION_TIMED_OUT
tool: Chrome
form: ERR_CONNECTION_TIMED_OUT
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: net_error -118
form: ERR_TIMED_OUT
codes: connectionTimedOut

NAME_NOT_RESOLVED
tool: Chrome
form: ERR_NAME_NOT_RESOLVED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: net_error -105
codes: connectionNameNotResolved

TUNNEL_CONNECTION_FAILED
tool: Chrome
form: ERR_TUNNEL_CONNECTION_FAILED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_PROXY_CONNECTION_FAILED
form: ERR_PROXY_CERTIFICATE_INVALID
codes: connectionProxyFailed

CERT_SELF_SIGNED_LOCAL_NETWORK
tool: Chrome
form: ERR_CERT_SELF_SIGNED_LOCAL_NETWORK
source: Chromium: net/base/net_error_list.h (chromium/chromium)
codes: selfSignedLeaf untrustedRoot

SSL_UNSUPPORTED_AUTH_TYPE
tool: Chrome
form: ERR_SSL_UNSUPPORTED_AUTH_TYPE
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_SSL_NO_RENEGOTIATION
codes: noSharedCipher

CERT_DATABASE_CHANGED
tool: Chrome
form: ERR_CERT_DATABASE_CHANGED
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_IMPORT_CA_CERT_FAILED
form: ERR_IMPORT_SERVER_CERT_FAILED
form: ERR_PKCS12_IMPORT_FAILED
form: ERR_PKCS12_IMPORT_BAD_PASSWORD
form: ERR_PKCS12_IMPORT_INVALID_MAC
form: ERR_PKCS12_IMPORT_UNSUPPORTED
codes: keystorePassword keystoreUnreadable

CERT_END
tool: Chrome
form: ERR_CERT_END
source: Chromium: net/base/net_error_list.h (chromium/chromium)
form: ERR_CERT_NOT_IN_DNS
form: ERR_CERT_UNABLE_TO_CHECK
codes: unknownCause

Error 525: SSL handshake failed
tool: Cloudflare
source: Cloudflare: strings of the program (public reports)
form: Error 525: SSL handshake failed
form: HTTP error 525
form: Error 525
form: 525 SSL handshake failed
form: 525: SSL handshake failed
codes: originHandshakeFailed

Error 526: Invalid SSL certificate
tool: Cloudflare
source: Cloudflare: strings of the program (public reports)
form: Error 526: Invalid SSL certificate
form: HTTP error 526
form: Error 526
form: 526 invalid SSL certificate
form: 526: Invalid SSL certificate
codes: originCertificateInvalid

Error 495: SSL Certificate Error
tool: nginx
source: nginx: strings of the program (public reports)
form: Error 495: SSL Certificate Error
form: 495 SSL Certificate Error
form: 496 SSL Certificate Required
form: 497 HTTP Request Sent to HTTPS Port
codes: connectionClientCertificateRequired connectionPlainHTTP

ClientTLSNegotiationErrorCount
tool: AWS
source: AWS: strings of the program (public reports)
form: ClientTLSNegotiationErrorCount
form: Client TLS negotiation error
form: SSL negotiation error
form: 502 Bad Gateway … Target SSL handshake
codes: noSharedCipher tlsVersionOutdated
note: The client and the load balancer's security policy share no version or suite.

The certificate … doesn't have a fully-qualified domain name
tool: AWS
source: AWS: strings of the program (public reports)
form: The certificate … doesn't have a fully-qualified domain name
form: The certificate must have a fully-qualified domain name, a supported signature, and a supported key size
codes: subjectAlternativeNameMissing rsaKeyTooSmall
note: The load balancer refuses the import. It needs a name, RSA 2,048 or P-256, and SHA-256.

Could not validate the certificate with the certificate chain
tool: AWS
source: AWS: strings of the program (public reports)
form: Could not validate the certificate with the certificate chain
form: The certificate body is not valid
form: The certificate chain … not valid
form: Unable to validate certificate chain
codes: unknownIssuer certificateMalformed
note: ACM wants the leaf alone as the body, and the intermediates in order as the chain, without the leaf.

The private key doesn't match the certificate
tool: AWS
source: AWS: strings of the program (public reports)
form: The private key doesn't match the certificate
form: The private key is not supported
form: The provided certificate and private key do not match
form: Private key does not match certificate
form: private key does not match
form: certificate and private key do not match
form: certificate and key do not match
form: key and certificate do not match
codes: privateKeyMismatch

A fatal error occurred while creating a TLS client credential
tool: Windows
form: A fatal error occurred while creating a TLS client credential
form: The internal error state is 10013
source: Schannel: winerror.h (public reports)
form: A fatal error occurred while creating an SSL client credential
form: A fatal error occurred when attempting to access the TLS server credential private key
form: A fatal error occurred when attempting to access the SSL server credential private key
codes: schannelCredentials

A specified logon session does not exist
tool: IIS
source: IIS: strings of the program (public reports)
form: A specified logon session does not exist
form: A specified logon session does not exist. It may already have been terminated
codes: privateKeyUnusable
note: IIS can't bind the certificate, because its private key is missing. Import the PFX with the key into the machine's store.

SEC_E_ILLEGAL_MESSAGE
tool: Windows
form: SEC_E_ILLEGAL_MESSAGE
form: 0x80090326
source: Schannel: winerror.h (public reports)
form: The message received was unexpected or badly formatted
codes: connectionHandshakeAlert noSharedCipher tlsVersionOutdated connectionNotTLS
note: Windows prints this for most alerts: a server that wants another version or suite, or refuses the client's certificate.

SEC_E_ALGORITHM_MISMATCH
tool: Windows
form: SEC_E_ALGORITHM_MISMATCH
form: 0x80090331
source: Schannel: winerror.h (public reports)
form: The client and server cannot communicate, because they do not possess a common algorithm
codes: noSharedCipher tlsVersionOutdated

SEC_E_INVALID_TOKEN
tool: Windows
form: SEC_E_INVALID_TOKEN
form: 0x80090308
source: Schannel: winerror.h (public reports)
form: The token supplied to the function is invalid
codes: connectionNotTLS connectionPlainHTTP

SEC_E_CERT_UNKNOWN
tool: Windows
form: SEC_E_CERT_UNKNOWN
form: 0x80090327
source: Schannel: winerror.h (public reports)
form: An unknown error occurred while processing the certificate
codes: certificateMalformed unknownIssuer

SEC_E_NO_CREDENTIALS
tool: Windows
form: SEC_E_NO_CREDENTIALS
form: 0x8009030E
source: Schannel: winerror.h (public reports)
form: No credentials are available in the security package
codes: privateKeyUnusable connectionClientCertificateRequired

SEC_E_INTERNAL_ERROR
tool: Windows
form: SEC_E_INTERNAL_ERROR
form: 0x80090304
source: Schannel: winerror.h (public reports)
form: The Local Security Authority cannot be contacted
codes: schannelCredentials

SEC_E_UNSUPPORTED_FUNCTION
tool: Windows
form: SEC_E_UNSUPPORTED_FUNCTION
form: 0x80090302
source: Schannel: winerror.h (public reports)
form: The function requested is not supported
codes: tlsVersionOutdated noSharedCipher

SEC_E_DECRYPT_FAILURE
tool: Windows
form: SEC_E_DECRYPT_FAILURE
form: 0x80090330
source: Schannel: winerror.h (public reports)
form: The specified data could not be decrypted
codes: connectionHandshakeFailed

SEC_E_INCOMPLETE_CREDENTIALS
tool: Windows
form: SEC_E_INCOMPLETE_CREDENTIALS
form: 0x80090320
source: Schannel: winerror.h (public reports)
form: The credentials supplied were not complete, and could not be verified
codes: connectionClientCertificateRequired

SEC_I_INCOMPLETE_CREDENTIALS
tool: Windows
form: SEC_I_INCOMPLETE_CREDENTIALS
form: 0x00090320
source: Schannel: winerror.h (public reports)
codes: connectionClientCertificateRequired

CERT_E_CRITICAL
tool: Windows
form: CERT_E_CRITICAL
form: 0x800B0105
source: Schannel: winerror.h (public reports)
codes: criticalExtensionUnhandled

CERT_E_PURPOSE
tool: Windows
form: CERT_E_PURPOSE
form: 0x800B0106
source: Schannel: winerror.h (public reports)
codes: extendedKeyUsageNotAllowed

CERT_E_MALFORMED
tool: Windows
form: CERT_E_MALFORMED
form: 0x800B0108
source: Schannel: winerror.h (public reports)
codes: certificateMalformed

CERT_E_PATHLENCONST
tool: Windows
form: CERT_E_PATHLENCONST
form: 0x800B0104
source: Schannel: winerror.h (public reports)
codes: pathLengthExceeded

CERT_E_ROLE
tool: Windows
form: CERT_E_ROLE
form: 0x800B0103
source: Schannel: winerror.h (public reports)
codes: notCertificateAuthority

CERT_E_VALIDITYPERIODNESTING
tool: Windows
form: CERT_E_VALIDITYPERIODNESTING
form: 0x800B0102
source: Schannel: winerror.h (public reports)
codes: certificateExpired

CERT_E_INVALID_NAME
tool: Windows
form: CERT_E_INVALID_NAME
form: 0x800B0114
source: Schannel: winerror.h (public reports)
codes: nameNotPermitted

CERT_E_INVALID_POLICY
tool: Windows
form: CERT_E_INVALID_POLICY
form: 0x800B0113
source: Schannel: winerror.h (public reports)
codes: policyNotAcceptable

CERT_E_ISSUERCHAINING
tool: Windows
form: CERT_E_ISSUERCHAINING
form: 0x800B0107
source: Schannel: winerror.h (public reports)
codes: unknownIssuer

TRUST_E_BASIC_CONSTRAINTS
tool: Windows
form: TRUST_E_BASIC_CONSTRAINTS
form: 0x80096019
source: Schannel: winerror.h (public reports)
form: A certificate's basic constraint extension has not been observed
codes: notCertificateAuthority basicConstraintsMissing

TRUST_E_EXPLICIT_DISTRUST
tool: Windows
form: TRUST_E_EXPLICIT_DISTRUST
form: 0x800B0111
source: Schannel: winerror.h (public reports)
form: The certificate was explicitly marked as untrusted by the user
codes: systemRefused certificateDenied

CRYPT_E_NOT_FOUND
tool: Windows
form: CRYPT_E_NOT_FOUND
form: 0x80092004
source: Schannel: winerror.h (public reports)
form: Cannot find object or property
codes: privateKeyUnusable certificateFileUnusable

CRYPT_E_ASN1_BADTAG
tool: Windows
form: CRYPT_E_ASN1_BADTAG
form: 0x8009310B
source: Schannel: winerror.h (public reports)
form: ASN1 bad tag value met
codes: certificateFileUnusable certificateMalformed
note: The file isn't the expected object. For a pending request in IIS, it can also mean that the request was deleted.

NTE_BAD_KEYSET
tool: Windows
form: NTE_BAD_KEYSET
form: 0x80090016
source: Schannel: winerror.h (public reports)
form: Keyset does not exist
codes: privateKeyUnusable

ERROR_INVALID_PASSWORD
tool: Windows
form: ERROR_INVALID_PASSWORD
form: 0x80070056
source: Schannel: winerror.h (public reports)
form: The specified network password is not correct
form: The password you entered is incorrect
form: The PFX password is incorrect
codes: keystorePassword
note: Windows before 2019 also prints this for a PFX with AES-256. Export it with `-legacy`.

ERROR_INTERNET_INVALID_CA
tool: Windows
form: ERROR_INTERNET_INVALID_CA
form: error 12045
source: Schannel: winerror.h (public reports)
form: ERROR_WINHTTP_SECURE_INVALID_CA
codes: untrustedRoot unknownIssuer

ERROR_INTERNET_SEC_CERT_DATE_INVALID
tool: Windows
form: ERROR_INTERNET_SEC_CERT_DATE_INVALID
form: error 12037
source: Schannel: winerror.h (public reports)
form: ERROR_WINHTTP_SECURE_CERT_DATE_INVALID
codes: certificateExpired certificateNotYetValid

ERROR_INTERNET_SEC_CERT_CN_INVALID
tool: Windows
form: ERROR_INTERNET_SEC_CERT_CN_INVALID
form: error 12038
source: Schannel: winerror.h (public reports)
form: ERROR_WINHTTP_SECURE_CERT_CN_INVALID
codes: hostMismatch

ERROR_WINHTTP_SECURE_FAILURE
tool: Windows
form: ERROR_WINHTTP_SECURE_FAILURE
form: error 12175
source: Schannel: winerror.h (public reports)
form: ERROR_INTERNET_DECODING_FAILED
form: A security error occurred
codes: unknownIssuer tlsVersionOutdated hostMismatch certificateExpired
reason: elsewhere

The underlying connection was closed: Could not establish trust relationship for the SSL/TLS secure channel
tool: .NET
source: .NET: strings of the program (public reports)
form: The underlying connection was closed: Could not establish trust relationship for the SSL/TLS secure channel
form: Could not establish trust relationship for the SSL/TLS secure channel
form: The SSL connection could not be established, see inner exception
form: Authentication failed, see inner exception
form: AuthenticationException
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
note: The inner exception names the reason. Pass it, too.
reason: elsewhere

The request was aborted: Could not create SSL/TLS secure channel
tool: .NET
source: .NET: strings of the program (public reports)
form: The request was aborted: Could not create SSL/TLS secure channel
form: Could not create SSL/TLS secure channel
form: Cannot determine the frame size or a corrupted frame was received
form: An unexpected error occurred on a send
codes: tlsVersionOutdated noSharedCipher connectionNotTLS
note: .NET Framework up to 4.6 speaks TLS 1.0 unless the program or the registry (SchUseStrongCrypto) turns on 1.2.

The server mode SSL must use a certificate with the associated private key
tool: .NET
source: .NET: strings of the program (public reports)
form: The server mode SSL must use a certificate with the associated private key
form: The certificate does not have an associated private key
form: Certificate doesn't have a private key
codes: privateKeyUnusable

The ASP.NET Core developer certificate is not trusted
tool: .NET
source: .NET: strings of the program (public reports)
form: The ASP.NET Core developer certificate is not trusted
form: The ASP.NET Core developer certificate … not trusted
form: Unable to configure HTTPS endpoint. No server certificate was specified
codes: untrustedRoot certificateFileUnusable
note: Run `dotnet dev-certs https --trust`. In production, configure a certificate for Kestrel.

Cannot find the requested object
tool: .NET
source: .NET: strings of the program (public reports)
form: Cannot find the requested object
form: ASN1 corrupted data
form: The key contents do not contain a PEM, the content is malformed, or the key does not match the certificate
codes: certificateFileUnusable privateKeyMismatch

mac verify failure
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: mac verify failure
form: Mac verify error: invalid password?
form: PKCS12 routines … mac verify failure
form: invalid PFX password
form: Invalid password or PKCS12 data
codes: keystorePassword

MAC is absent
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: MAC is absent
form: Warning: MAC is absent!
form: PKCS12 routines … mac absent
codes: keystoreUnreadable
note: The file has no integrity check. OpenSSL reads it, but Windows, Java and Apple's systems may refuse it.

inner_evp_generic_fetch:unsupported
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: inner_evp_generic_fetch:unsupported
form: digital envelope routines:inner_evp_generic_fetch:unsupported
form: digital envelope routines::unsupported
form: ERR_OSSL_EVP_UNSUPPORTED
form: Algorithm (RC2-40-CBC
codes: keystoreUnreadable
note: OpenSSL 3 has the old algorithm (RC2, MD4) only in its legacy provider. For Node's builds (webpack 4), it is about hashes, not certificates.

pkcs12: unknown digest algorithm
tool: Go
source: Go: strings of the program (public reports)
form: pkcs12: unknown digest algorithm
form: pkcs12: expected exactly two safe bags in the PFX PDU
form: pkcs12: decryption password incorrect
form: pkcs12: algorithm not implemented
codes: keystoreUnreadable keystorePassword
note: golang.org/x/crypto/pkcs12 reads only old files with one key and one certificate. Use software.sslmate.com/src/go-pkcs12.

no start line
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: no start line
form: PEM routines … no start line
form: PEM_read_bio:no start line
form: Expecting: TRUSTED CERTIFICATE
form: Expecting: ANY PRIVATE KEY
form: unable to load certificate
form: Could not read certificate from
form: Could not find certificate from
codes: certificateFileUnusable

unable to load Private Key
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: unable to load Private Key
form: Could not read private key from
form: Could not find private key from
form: PEM routines … bad decrypt
form: bad password read
form: problems getting password
form: Error reading private key
codes: privateKeyUnusable

no shared cipher
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: no shared cipher
codes: noSharedCipher privateKeyUnusable
note: The server prints this. Often it has no certificate for the client's suites: a missing key, or only ECDSA for an old client.

excessive message size
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: excessive message size
codes: handshakeTooLarge

construct_ca_names:internal error
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: construct_ca_names:internal error
form: tls_construct_certificate_request:internal error
form: construct_ca_names
codes: handshakeTooLarge
note: The server's list of client CAs exceeds 64 KB.

unsafe legacy renegotiation disabled
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: unsafe legacy renegotiation disabled
codes: legacyRenegotiation

http request
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: http request
form: SSL routines … http request
form: https proxy request
codes: connectionPlainHTTP

peer did not return a certificate
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: peer did not return a certificate
codes: connectionClientCertificateRequired

MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE
form: -0x7780
form: -30592
form: SSL - A fatal alert message was received from our peer
codes: connectionHandshakeAlert noSharedCipher connectionClientCertificateRequired
note: The server ended the handshake with an alert. The log of Mbed TLS has its number before this line.

-0x7200
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: -0x7200
form: SSL - An invalid SSL record was received
codes: connectionNotTLS

-0x7280
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: -0x7280
form: SSL - The connection indicated an EOF
form: -0x0050
form: NET - Connection was reset by peer
codes: connectionClosed

-0x7680
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: -0x7680
form: SSL - No CA Chain is set, but required to operate
form: No server verification option set in esp_tls_cfg_t structure
codes: systemAnchorsUnavailable

-0x7F00
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: -0x7F00
form: SSL - Memory allocation failed
form: esp-aes: Failed to allocate memory
codes: unknownCause
note: The device has too little free memory for the handshake. Certificates aren't the cause, but a shorter chain needs less.

bad certificates/private key
tool: rustls
source: rustls: strings of the program (public reports)
form: bad certificates/private key
form: InconsistentKeys
form: KeyMismatch
form: General("invalid private key")
form: failed to parse private key as RSA, ECDSA, or EdDSA
codes: privateKeyUnusable privateKeyMismatch

NoCertificatesPresented
tool: rustls
source: rustls: strings of the program (public reports)
form: NoCertificatesPresented
form: received fatal alert: CertificateRequired
codes: connectionClientCertificateRequired

received fatal alert: HandshakeFailure
tool: rustls
source: rustls: strings of the program (public reports)
form: received fatal alert: HandshakeFailure
form: AlertReceived(HandshakeFailure)
form: NoCipherSuitesInCommon
form: NoKxGroupsInCommon
form: NoSignatureSchemesInCommon
codes: noSharedCipher tlsVersionOutdated

peer closed connection without sending TLS close_notify
tool: rustls
source: rustls: strings of the program (public reports)
form: peer closed connection without sending TLS close_notify
form: tls handshake eof
codes: connectionClosed

closed the connection before completing the HTTP/2 connection preface
tool: gRPC
source: gRPC: strings of the program (public reports)
form: closed the connection before completing the HTTP/2 connection preface
form: The server accepted the TCP connection but closed the connection before completing the HTTP/2 connection preface
codes: connectionClosed connectionNotTLS connectionClientCertificateRequired
note: The server expects TLS and the client speaks plain text, or the other way round, or the server wants a client certificate.

error reading server preface
tool: gRPC
source: gRPC: strings of the program (public reports)
form: error reading server preface
form: connection error: desc = "error reading server preface
form: Handshake read failed
form: Handshake failed with fatal error SSL_ERROR_SSL
form: failed to connect to all addresses; last error: UNKNOWN: … Ssl handshake failed
form: Ssl handshake failed
codes: connectionNotTLS unknownIssuer connectionClientCertificateRequired hostMismatch
reason: elsewhere

No match found for server name
tool: gRPC
source: gRPC: strings of the program (public reports)
form: No match found for server name
form: Hostname Verification Check failed
form: Peer name … is not in peer certificate
codes: hostMismatch

transport: authentication handshake failed
tool: gRPC
source: gRPC: strings of the program (public reports)
form: transport: authentication handshake failed
codes: unknownIssuer connectionNotTLS hostMismatch
reason: elsewhere

credentials require transport level security
tool: gRPC
source: gRPC: strings of the program (public reports)
form: credentials require transport level security
form: the credentials require transport level security
codes: clearTextNotPermitted

verify cert failed: cert hash and spki
tool: Envoy
source: Envoy: strings of the program (public reports)
form: verify cert failed: cert hash and spki
form: cert hash and spki
codes: pinNotMatched certificateNotPinned
note: Neither verify_certificate_hash nor verify_certificate_spki of the validation context matches.

verify cert failed: X509_verify_cert
tool: Envoy
source: Envoy: strings of the program (public reports)
form: verify cert failed: X509_verify_cert
form: X509_verify_cert: certificate verification error at depth
form: certificate verification error at depth …
codes: unknownIssuer untrustedRoot certificateExpired
reason: elsewhere

verify cert failed: verify SAN list
tool: Envoy
source: Envoy: strings of the program (public reports)
form: verify cert failed: verify SAN list
form: verify SAN list
form: verify cert failed: SAN matcher
codes: hostMismatch

upstream connect error or disconnect/reset before headers … TLS error
tool: Envoy
source: Envoy: strings of the program (public reports)
form: upstream connect error or disconnect/reset before headers … TLS error
form: TLS_error:
form: transport failure reason: TLS error
codes: unknownIssuer connectionNotTLS hostMismatch connectionClientCertificateRequired
reason: elsewhere

PEER_DID_NOT_RETURN_A_CERTIFICATE
tool: Envoy
source: Envoy: strings of the program (public reports)
form: PEER_DID_NOT_RETURN_A_CERTIFICATE
codes: connectionClientCertificateRequired

This server's certificate chain is incomplete
tool: SSL Labs
source: SSL Labs: strings of the program (public reports)
form: This server's certificate chain is incomplete
form: Chain issues: Incomplete
form: Chain issues … Incomplete
form: Extra download
form: certificate chain is incomplete
form: incomplete certificate chain
form: intermediate certificate is missing
form: missing intermediate certificate
codes: unknownIssuer
note: The server doesn't send its intermediate. Browsers fetch it, other clients don't.

Certificate name mismatch
tool: SSL Labs
source: SSL Labs: strings of the program (public reports)
form: Certificate name mismatch
form: Alternative names … MISMATCH
codes: hostMismatch

Chain issues: Contains anchor
tool: SSL Labs
source: SSL Labs: strings of the program (public reports)
form: Chain issues: Contains anchor
form: Contains anchor
codes: notAFailure
note: The server sends its root, too. That wastes bytes but harms nobody.

SSL: no alternative certificate subject name matches target ipv4 address …
tool: curl
source: curl: strings of the program (public reports)
form: SSL: no alternative certificate subject name matches target ipv4 address …
form: SSL: no alternative certificate subject name matches target ipv6 address …
form: no alternative certificate subject name matches target ipv4 address
codes: hostMismatch
note: The connection goes to an IP address. Connect by name (`--resolve NAME:443:ADDRESS`), or have the certificate reissued with the address.

SSL certificate OpenSSL verify result: …
tool: curl
source: curl: strings of the program (public reports)
form: SSL certificate OpenSSL verify result: …
form: schannel: CertGetCertificateChain trust error
form: SSL certificate verification failed
codes: unknownIssuer untrustedRoot certificateExpired
reason: elsewhere

could not load PEM client certificate
tool: curl
source: curl: strings of the program (public reports)
form: could not load PEM client certificate
form: curl: (58)
form: CURLE_SSL_CERTPROBLEM
form: unable to set private key file
form: could not load PEM client certificate from
form: unable to use client certificate (no key found or wrong pass phrase?)
form: could not parse PKCS12 file, check password
codes: privateKeyUnusable keystorePassword certificateFileUnusable

curl: (59)
tool: curl
source: curl: strings of the program (public reports)
form: curl: (59)
form: CURLE_SSL_CIPHER
form: failed setting cipher list
codes: noSharedCipher

curl: (52)
tool: curl
source: curl: strings of the program (public reports)
form: curl: (52)
form: Empty reply from server
form: curl: (56)
form: Recv failure: Connection reset by peer
form: OpenSSL SSL_read: … errno 104
form: LibreSSL SSL_connect: SSL_ERROR_SYSCALL
codes: connectionClosed connectionNotTLS

error setting certificate file
tool: curl
source: curl: strings of the program (public reports)
form: error setting certificate file
form: error setting certificate verify locations
form: error adding trust anchors from file
form: error setting certificate path
codes: systemAnchorsUnavailable
note: curl can't read its file of roots. Install the package ca-certificates, or correct `--cacert`, CURL_CA_BUNDLE or the git setting http.sslCAInfo.

SSL certificate problem: …
tool: git
source: git: strings of the program (public reports)
form: SSL certificate problem: …
form: fatal: unable to access … SSL certificate problem
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired
reason: elsewhere

The following packages cannot be authenticated
tool: apt
source: apt: strings of the program (public reports)
form: The following packages cannot be authenticated
form: Certificate verification failed: The certificate is NOT trusted
form: No system certificates available. Try installing ca-certificates
form: Release file … is not valid yet
codes: systemAnchorsUnavailable unknownIssuer untrustedRoot
note: In a fresh image, install ca-certificates first, over a mirror without TLS.
reason: elsewhere

trusted-host
tool: pip
source: pip: strings of the program (public reports)
form: trusted-host
form: There was a problem confirming the ssl certificate
form: Could not fetch URL … There was a problem confirming the ssl certificate
codes: unknownIssuer untrustedRoot systemAnchorsUnavailable
reason: elsewhere

CondaSSLError
tool: conda
source: conda: strings of the program (public reports)
form: CondaSSLError
form: Encountered an SSL error. Most likely a certificate verification issue
form: CondaHTTPError: HTTP 000 CONNECTION FAILED
codes: unknownIssuer untrustedRoot systemAnchorsUnavailable
note: Behind a company's proxy, name its root: `conda config --set ssl_verify FILE`.

The SSL certificate … could not be verified
tool: Composer
source: Composer: strings of the program (public reports)
form: The SSL certificate … could not be verified
form: failed to open stream: operation failed
form: Failed to enable crypto
form: Unable to use a proxy: Certificate
codes: unknownIssuer untrustedRoot systemAnchorsUnavailable
reason: elsewhere

openssl.cafile
tool: PHP
source: PHP: strings of the program (public reports)
form: openssl.cafile
form: Unable to find the wrapper "https"
form: failed loading cafile stream
form: Unable to set local cert chain file
codes: systemAnchorsUnavailable certificateFileUnusable

Could not GET … PKIX path
tool: Gradle
source: Gradle: strings of the program (public reports)
form: Could not GET … PKIX path
form: Could not resolve all dependencies … PKIX
form: Could not transfer artifact
form: The server may not support the client's requested TLS protocol versions
codes: unknownIssuer untrustedRoot tlsVersionOutdated
reason: elsewhere

Error installing provider
tool: Terraform
source: Terraform: strings of the program (public reports)
form: Error installing provider
form: Failed to query available provider packages
form: Could not retrieve the list of available versions for provider
form: Error: Failed to install provider
codes: unknownIssuer untrustedRoot connectionUnreachable
reason: elsewhere

failed calling webhook
tool: Kubernetes
source: Kubernetes: strings of the program (public reports)
form: failed calling webhook
form: Internal error occurred: failed calling webhook
codes: unknownIssuer hostMismatch certificateExpired
note: The API server doesn't trust the webhook. Compare its caBundle with the CA of the webhook's secret.
reason: elsewhere

Unable to connect to the server: x509
tool: Kubernetes
source: Kubernetes: strings of the program (public reports)
form: Unable to connect to the server: x509
form: Unable to connect to the server: tls
form: You must be logged in to the server (Unauthorized)
codes: unknownIssuer certificateExpired connectionClientCertificateRequired
note: The cluster's CA in the kubeconfig is old, or the client's certificate expired: `kubeadm certs check-expiration`.
reason: elsewhere

Error response from daemon: Get … x509
tool: Docker
source: Docker: strings of the program (public reports)
form: Error response from daemon: Get … x509
form: failed to do request: Head … x509
codes: unknownIssuer untrustedRoot
note: Put the registry's CA into `/etc/docker/certs.d/HOST:PORT/ca.crt`, or into the machine's store, and restart Docker.
reason: elsewhere

unencrypted connections are not allowed
tool: Zabbix
source: Zabbix: strings of the program (public reports)
form: unencrypted connections are not allowed
form: connection of type "unencrypted" is not allowed
form: connection of type "TLS with certificate" is not allowed
form: failed to accept an incoming connection: from … unencrypted connections are not allowed
codes: connectionNotTLS
note: One side speaks TLS and the other doesn't. Compare TLSConnect on one side with TLSAccept on the other.

invalid peer certificate … issuer does not match
tool: Zabbix
source: Zabbix: strings of the program (public reports)
form: invalid peer certificate … issuer does not match
form: certificate issuer does not match for
form: certificate subject does not match for
codes: authorityNotMatched attributeNotMatched

TLS handshake set result code to … peer did not return a certificate
tool: Zabbix
source: Zabbix: strings of the program (public reports)
form: TLS handshake set result code to … peer did not return a certificate
codes: connectionClientCertificateRequired

certificate does not validate
tool: LDAP
source: LDAP: strings of the program (public reports)
form: certificate does not validate
form: TLS certificate verification: Error
form: TLS certificate verification: … depth: … err:
form: TLS: can't connect: …
form: Can't contact LDAP server … TLS error
form: ldap_start_tls: Connect error (-11)
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
note: The reason follows. Name the CA in TLS_CACERT of ldap.conf.
reason: elsewhere

main: TLS init def ctx failed: -1
tool: OpenLDAP
source: OpenLDAP: strings of the program (public reports)
form: main: TLS init def ctx failed: -1
form: TLS init def ctx failed
codes: privateKeyUnusable certificateFileUnusable privateKeyMismatch

The certificate for this server was signed by an unknown certifying authority
tool: Apple
source: Apple: strings of the program (public reports)
form: The certificate for this server was signed by an unknown certifying authority
form: Mail can't verify the identity of the server
form: Cannot Verify Server Identity
form: The identity of … cannot be verified by
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
note: The button for details shows the certificate and its reason.

TLS: unable to get issuer certificate
tool: SIP
source: SIP: strings of the program (public reports)
form: TLS: unable to get issuer certificate
form: TLS handshake failed … SIP
form: SSL_ERROR_SSL (Handshake): Level: 0
form: Peer certificate could not be verified
form: TLSv1 verification failed
codes: unknownIssuer untrustedRoot
reason: elsewhere

The issuer certificate of a locally looked up certificate could not be found
tool: Qt
source: Qt: strings of the program (public reports)
form: The issuer certificate of a locally looked up certificate could not be found
form: No certificates could be verified … Qt
codes: unknownIssuer untrustedRoot

QSslSocket: cannot resolve SSL_…
tool: Qt
source: Qt: strings of the program (public reports)
form: QSslSocket: cannot resolve SSL_…
form: QSslSocket: cannot resolve
form: TLS initialization failed
form: No functional TLS backend was found
form: qt.network.ssl: QSslSocket::connectToHostEncrypted: TLS initialization failed
codes: programmingMistake
note: Qt doesn't find a TLS library that it can use. Ship OpenSSL 3 or the backend plugin with the program.

cacert.pem
tool: MATLAB
source: MATLAB: strings of the program (public reports)
form: cacert.pem
form: Could not establish a secure connection. The reason is
codes: unknownIssuer systemAnchorsUnavailable certificateExpired
reason: elsewhere

SSL certificate problem … R
tool: R
source: R: strings of the program (public reports)
form: SSL certificate problem … R
form: Peer certificate cannot be authenticated with given CA certificates
form: SSL peer certificate or SSH remote key was not OK
form: cannot open URL … SSL
codes: unknownIssuer untrustedRoot certificateExpired
reason: elsewhere

hostname, the certificate and … don't match
tool: Ruby
source: Ruby: strings of the program (public reports)
form: hostname, the certificate and … don't match
form: does not match the server certificate
form: hostname … does not match the server certificate
form: hostname does not match the server certificate
codes: hostMismatch

NIOSSLError.handshakeFailed
tool: SwiftNIO SSL
source: SwiftNIO SSL: strings of the program (public reports)
form: NIOSSLError.handshakeFailed
form: handshakeFailed(NIOSSL.BoringSSLError
form: NIOSSLError.uncleanShutdown
codes: unknownIssuer connectionHandshakeAlert connectionNotTLS
reason: elsewhere

NIOSSLError.failedToLoadCertificate
tool: SwiftNIO SSL
source: SwiftNIO SSL: strings of the program (public reports)
form: NIOSSLError.failedToLoadCertificate
form: failedToLoadCertificate
codes: certificateFileUnusable

NIOSSLError.failedToLoadPrivateKey
tool: SwiftNIO SSL
source: SwiftNIO SSL: strings of the program (public reports)
form: NIOSSLError.failedToLoadPrivateKey
form: failedToLoadPrivateKey
codes: privateKeyUnusable

bad_cert,…
tool: Erlang
source: Erlang: strings of the program (public reports)
form: bad_cert,…
form: TLS client: In state
form: TLS server: In state
codes: unknownIssuer hostMismatch certificateExpired
reason: elsewhere

HandshakeException: Handshake error in client
tool: Dart
source: Dart: strings of the program (public reports)
form: HandshakeException: Handshake error in client
form: HandshakeException: Connection terminated during handshake
form: TlsException: Failure trusting builtin roots
form: HandshakeException
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
reason: elsewhere

ERR_TLS_CERT_ALTNAME_INVALID
tool: Bun
source: Bun: strings of the program (public reports)
form: ERR_TLS_CERT_ALTNAME_INVALID
form: UNKNOWN_CERTIFICATE_VERIFICATION_ERROR
form: unknown certificate verification error
codes: unknownIssuer hostMismatch
reason: elsewhere

EPROTO
tool: Node.js
source: Node.js: strings of the program (public reports)
form: EPROTO
form: write EPROTO
form: Client network socket disconnected before secure TLS connection was established
codes: connectionNotTLS connectionClosed noSharedCipher
note: The OpenSSL error in the same line names the reason.
reason: elsewhere

PEM lib
tool: Python
source: Python: strings of the program (public reports)
form: PEM lib
form: [SSL] PEM lib
codes: certificateFileUnusable privateKeyMismatch privateKeyUnusable

no such file
tool: OpenSSL
source: OpenSSL: strings of the program (public reports)
form: no such file
form: BIO routines … no such file
form: system library … No such file or directory
form: system library … Permission denied
codes: certificateFileUnusable privateKeyUnusable

Safari can't establish a secure connection to the server
tool: Safari
source: Safari: text for people (public reports)
form: Safari can't establish a secure connection to the server
form: Safari can't open the page because … secure connection
codes: noSharedCipher tlsVersionOutdated connectionNotTLS connectionClosed
reason: elsewhere

PR_CONNECT_RESET_ERROR
tool: Firefox
source: Firefox: text for people (certError.ftl, public reports)
form: PR_CONNECT_RESET_ERROR
form: The connection to the server was reset while the page was loading
codes: connectionClosed

Unable to find acceptable protocols
tool: OkHttp
source: OkHttp: strings of the program (public reports)
form: Unable to find acceptable protocols
codes: tlsVersionOutdated clearTextNotPermitted

no pg_hba.conf entry for host … no encryption
tool: PostgreSQL
source: PostgreSQL: strings of the program (public reports)
form: no pg_hba.conf entry for host … no encryption
form: no pg_hba.conf entry for host … SSL off
codes: connectionNotTLS
note: The server only allows connections with TLS from this address. Use `sslmode=verify-full`.

malformed
tool: ACME
form: acme:error:malformed
source: RFC 8555 § 6.7, RFC 9444, Let's Encrypt (public reports)
form: Error parsing certificate request
codes: acmeRequestRefused acmeAccount

AUTHENTICATION_FAILED
tool: strongSwan
source: strongSwan: strings of the program (public reports)
form: AUTHENTICATION_FAILED
form: received AUTHENTICATION_FAILED notify error
codes: unknownIssuer hostMismatch certificateExpired
note: The other side refuses the certificate or its identity. Its log names the reason.
reason: elsewhere

SSL_accept error from … lost connection
tool: Postfix
source: Postfix: strings of the program (public reports)
form: SSL_accept error from … lost connection
form: SSL_accept error from
form: SSL_connect error to
codes: connectionClosed noSharedCipher
reason: elsewhere

gnutls_handshake() failed
tool: GnuTLS
source: GnuTLS: strings of the program (public reports)
form: gnutls_handshake() failed
form: gnutls_handshake() failed: Handshake failed
form: gnutls_handshake() failed: An unexpected TLS packet was received
codes: noSharedCipher connectionNotTLS connectionHandshakeAlert
reason: elsewhere

SSL_connect: Connection reset by peer
tool: curl
source: curl: strings of the program (public reports)
form: SSL_connect: Connection reset by peer
codes: connectionClosed connectionNotTLS

certificate not valid yet: verification time …
tool: rustls
source: rustls: strings of the program (public reports)
form: certificate not valid yet: verification time …
codes: certificateNotYetValid

invalid peer certificate: UnsupportedSignatureAlgorithm
tool: rustls
source: rustls: strings of the program (public reports)
form: invalid peer certificate: UnsupportedSignatureAlgorithm
form: UnsupportedSignatureAlgorithmContext
form: UnsupportedSignatureAlgorithmForPublicKeyContext
codes: signatureAlgorithmUnsupported signatureUsesSHA1

MBEDTLS_ERR_PK_KEY_INVALID_FORMAT
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: MBEDTLS_ERR_PK_KEY_INVALID_FORMAT
form: -0x3D00
form: -0x3D80
form: -0x3C80
form: PK - Invalid key tag or value
form: PK - Unsupported key version
form: PK - Key algorithm is unsupported
codes: privateKeyUnusable

MBEDTLS_ERR_PK_PASSWORD_MISMATCH
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: MBEDTLS_ERR_PK_PASSWORD_MISMATCH
form: -0x3B80
form: -0x3C00
form: PK - Given private key password does not allow for correct decryption
form: PK - Private key password can't be empty
codes: privateKeyUnusable keystorePassword

MBEDTLS_ERR_PK_FILE_IO_ERROR
tool: Mbed TLS
source: Mbed TLS: strings of the program (public reports)
form: MBEDTLS_ERR_PK_FILE_IO_ERROR
form: -0x3E00
form: -0x2900
form: X509 - Read/write of file failed
form: PK - Read/write of file failed
codes: certificateFileUnusable privateKeyUnusable

certificate … not issued by a trusted
tool: Several tools
source: wording of many programs
form: certificate … not issued by a trusted
form: certificate … is not trusted
form: certificate … was not trusted
form: certificate … untrusted
form: untrusted server certificate
form: signed by an unknown
form: unknown certificate authority
form: unknown CA
form: issuer … is unknown
form: certificate … cannot be verified
form: certificate … could not be verified
form: unable to verify … certificate
form: could not verify … certificate
form: failed to verify … certificate
form: cannot verify … certificate
form: failed to validate … certificate
form: certificate validation failed
form: certificate verification failed
form: certificate verify failed
form: certificate verification error
form: certificate validation error
form: SSL verification failed
form: bad SSL certificate
form: invalid SSL certificate
form: SSL certificate is invalid
form: SSL certificate is not valid
form: server certificate is invalid
form: server certificate validation failed
form: problem with the SSL certificate
form: problem with this website's security certificate
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: These words don't name the reason. Usually the issuer isn't known: an intermediate that the server doesn't send, or a private root.
reason: elsewhere

certificate … has expired
tool: Several tools
source: wording of many programs
form: certificate … has expired
form: certificate is expired
form: certificate … is expired
form: expired certificate
form: certificate … expired on
form: certificate … expired at
form: certificate … is out of date
codes: certificateExpired
reason: elsewhere

certificate … not yet valid
tool: Several tools
source: wording of many programs
form: certificate … not yet valid
form: certificate … is not valid until
form: certificate … in the future
codes: certificateNotYetValid
reason: elsewhere

certificate … does not match … host
tool: Several tools
source: wording of many programs
form: certificate … does not match … host
form: certificate … doesn't match … host
form: certificate … doesn't match … name
form: certificate … does not match … name
form: certificate … mismatch … host
form: hostname … does not match … certificate
form: host name … does not match … certificate
form: certificate name mismatch
form: certificate … not valid for … host
form: certificate … not valid for … name
form: certificate … issued for a different
form: certificate … different website's address
form: common name … does not match
form: hostname mismatch
codes: hostMismatch
reason: elsewhere

certificate … has been revoked
tool: Several tools
source: wording of many programs
form: certificate … has been revoked
form: certificate … is revoked
form: certificate … was revoked
form: revoked certificate
codes: certificateRevoked
reason: elsewhere

self-signed certificate
tool: Several tools
source: wording of many programs
form: self-signed certificate
form: self signed certificate
form: certificate … is self-signed
form: certificate … is self signed
codes: selfSignedLeaf untrustedRoot
reason: elsewhere

private key … does not match … certificate
tool: Several tools
source: wording of many programs
form: private key … does not match … certificate
form: private key … doesn't match … certificate
form: certificate … does not match … private key
form: certificate … doesn't match … private key
form: private key mismatch
form: certificate and key don't match
form: key does not match certificate
form: certificate does not match key
form: keys do not match
codes: privateKeyMismatch
reason: elsewhere

unable to load … private key
tool: Several tools
source: wording of many programs
form: unable to load … private key
form: could not load … private key
form: cannot load … private key
form: failed to load … private key
form: failed to read … private key
form: failed to parse … private key
form: unable to read … private key
form: cannot read … private key
form: invalid private key
form: private key … not found
form: private key … missing
codes: privateKeyUnusable
reason: elsewhere

unable to load … certificate
tool: Several tools
source: wording of many programs
form: unable to load … certificate
form: could not load … certificate
form: cannot load … certificate
form: failed to load … certificate
form: failed to read … certificate
form: failed to parse … certificate
form: unable to read … certificate
form: could not read … certificate
form: cannot read … certificate
form: certificate … not found
form: certificate file … does not exist
form: no certificate found
codes: certificateFileUnusable systemAnchorsUnavailable
reason: elsewhere

client certificate … required
tool: Several tools
source: wording of many programs
form: client certificate … required
form: requires … client certificate
form: no client certificate
form: missing client certificate
form: client certificate … not provided
form: client did not present a certificate
form: did not provide a certificate
codes: connectionClientCertificateRequired
reason: elsewhere

unsupported TLS version
tool: Several tools
source: wording of many programs
form: unsupported TLS version
form: unsupported SSL version
form: TLS version … not supported
form: SSL version … not supported
form: TLS 1.0 … disabled
form: protocol version … not supported
codes: tlsVersionOutdated
reason: elsewhere

pin … does not match
tool: Several tools
source: wording of many programs
form: pin … does not match
form: pin … mismatch
form: pinning … failed
form: fingerprint … does not match
form: fingerprint … mismatch
codes: pinNotMatched certificateNotPinned
reason: elsewhere

unable to check revocation
tool: Several tools
source: wording of many programs
form: unable to check revocation
form: revocation … could not be checked
form: revocation … unavailable
form: OCSP … failed
form: OCSP … unavailable
form: unable to fetch … CRL
form: failed to fetch … CRL
form: CRL … expired
form: CRL … out of date
codes: revocationUnavailable
reason: elsewhere

Cannot check peer: missing selected ALPN property
tool: gRPC
source: gRPC: strings of the program (public reports)
form: Cannot check peer: missing selected ALPN property
codes: protocolNotNegotiated
note: The server or a proxy in front of it doesn't speak HTTP/2 there.

SSL connection error: error:00000000:lib(0)
tool: MySQL
source: MySQL: strings of the program (public reports)
form: SSL connection error: error:00000000:lib(0)
codes: connectionHandshakeFailed tlsVersionOutdated
note: The handshake ended without a reason from the TLS library. The server may lack TLS or a common version.

An unexpected error occurred on a receive
tool: .NET
source: .NET: strings of the program (public reports)
form: An unexpected error occurred on a receive
codes: connectionClosed tlsVersionOutdated

cannot get ACME client
tool: ACME
source: Let's Encrypt, certbot, lego, acme.sh (public reports)
form: cannot get ACME client
form: ACME challenge not specified
codes: acmeRequestRefused
note: Choose a challenge in the resolver's configuration: HTTP, TLS or DNS.

could not get certificate from issuer
tool: ACME
source: Let's Encrypt, certbot, lego, acme.sh (public reports)
form: could not get certificate from issuer
codes: acmeRequestRefused
note: The rest of the line has the issuer's reason. `HTTP 0` means that the issuer's server didn't answer.

Unable to decode the provided data
tool: macOS
source: macOS: strings of the program (public reports)
form: Unable to decode the provided data
codes: keystoreUnreadable

pubkey_os_cacerts:get/0
tool: Erlang
source: Erlang: strings of the program (public reports)
form: pubkey_os_cacerts:get/0
form: {error,enoent} in function pubkey_os_cacerts
form: no_cacerts_found
codes: systemAnchorsUnavailable

BIO_do_handshake failed
tool: FreeRDP
source: FreeRDP: strings of the program (public reports)
form: BIO_do_handshake failed
codes: connectionHandshakeFailed tlsVersionOutdated

missing TLSPSKFile configuration parameter
tool: Zabbix
source: Zabbix: strings of the program (public reports)
form: missing TLSPSKFile configuration parameter
form: missing TLSPSKIdentity configuration parameter
form: missing TLSCAFile configuration parameter
codes: certificateFileUnusable
note: The configuration turns on TLS, but doesn't name the file that it needs.

bad_certificate
tool: TLS alert
form: alert bad certificate
form: bad_certificate
form: SSLV3_ALERT_BAD_CERTIFICATE
form: tls: bad certificate
form: received fatal alert: BadCertificate
form: description: BadCertificate
form: Fatal - bad certificate
form: Fatal error: bad certificate
form: description: bad certificate
form: SSL alert number 42
form: TLS protocol defined fatal alert code is 42
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerBadCert
form: -9825
form: SSL_ERROR_BAD_CERT_ALERT
codes: unknownIssuer untrustedRoot hostMismatch certificateMalformed

unsupported_certificate
tool: TLS alert
form: alert unsupported certificate
form: unsupported_certificate
form: SSLV3_ALERT_UNSUPPORTED_CERTIFICATE
form: tls: unsupported certificate
form: received fatal alert: UnsupportedCertificate
form: description: UnsupportedCertificate
form: Fatal - unsupported certificate
form: Fatal error: unsupported certificate
form: description: unsupported certificate
form: SSL alert number 43
form: TLS protocol defined fatal alert code is 43
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerUnsupportedCert
form: -9826
form: SSL_ERROR_UNSUPPORTED_CERT_ALERT
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported

certificate_revoked
tool: TLS alert
form: alert certificate revoked
form: certificate_revoked
form: SSLV3_ALERT_CERTIFICATE_REVOKED
form: tls: revoked certificate
form: received fatal alert: CertificateRevoked
form: description: CertificateRevoked
form: Fatal - certificate revoked
form: Fatal error: certificate revoked
form: description: certificate revoked
form: SSL alert number 44
form: TLS protocol defined fatal alert code is 44
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerCertRevoked
form: -9827
form: SSL_ERROR_REVOKED_CERT_ALERT
codes: certificateRevoked

certificate_expired
tool: TLS alert
form: alert certificate expired
form: certificate_expired
form: SSLV3_ALERT_CERTIFICATE_EXPIRED
form: tls: expired certificate
form: received fatal alert: CertificateExpired
form: description: CertificateExpired
form: Fatal - certificate expired
form: Fatal error: certificate expired
form: description: certificate expired
form: SSL alert number 45
form: TLS protocol defined fatal alert code is 45
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerCertExpired
form: -9828
form: SSL_ERROR_EXPIRED_CERT_ALERT
codes: certificateExpired certificateNotYetValid

certificate_unknown
tool: TLS alert
form: alert certificate unknown
form: certificate_unknown
form: SSLV3_ALERT_CERTIFICATE_UNKNOWN
form: tls: unknown certificate
form: received fatal alert: CertificateUnknown
form: description: CertificateUnknown
form: Fatal - certificate unknown
form: Fatal error: certificate unknown
form: description: certificate unknown
form: SSL alert number 46
form: TLS protocol defined fatal alert code is 46
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerCertUnknown
form: -9829
form: SSL_ERROR_CERTIFICATE_UNKNOWN_ALERT
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired

unknown_ca
tool: TLS alert
form: alert unknown ca
form: unknown_ca
form: TLSV1_ALERT_UNKNOWN_CA
form: tls: unknown certificate authority
form: received fatal alert: UnknownCA
form: description: UnknownCA
form: Fatal - unknown ca
form: Fatal error: unknown ca
form: description: unknown ca
form: SSL alert number 48
form: TLS protocol defined fatal alert code is 48
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
form: errSSLPeerUnknownCA
form: -9831
form: SSL_ERROR_UNKNOWN_CA_ALERT
codes: unknownIssuer untrustedRoot selfSignedLeaf

decrypt_error
tool: TLS alert
form: alert decrypt error
form: decrypt_error
form: TLSV1_ALERT_DECRYPT_ERROR
form: tls: error decrypting message
form: received fatal alert: DecryptError
form: description: DecryptError
form: Fatal - decrypt error
form: Fatal error: decrypt error
form: description: decrypt error
form: SSL alert number 51
form: TLS protocol defined fatal alert code is 51
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
codes: handshakeSignatureInvalid signatureInvalid

certificate_required
tool: TLS alert
form: alert certificate required
form: certificate_required
form: TLSV1_ALERT_CERTIFICATE_REQUIRED
form: tls: certificate required
form: received fatal alert: CertificateRequired
form: description: CertificateRequired
form: Fatal - certificate required
form: Fatal error: certificate required
form: description: certificate required
form: SSL alert number 116
form: TLS protocol defined fatal alert code is 116
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The server sends this alert if the client presents no certificate. The server's own certificate isn't the problem.
form: TLSV13_ALERT_CERTIFICATE_REQUIRED
form: SSL_ERROR_RX_CERTIFICATE_REQUIRED_ALERT
codes: connectionClientCertificateRequired

unexpected_message
tool: TLS alert
form: alert unexpected message
form: fatal alert: unexpected_message
form: unexpected_message(10)
form: ALERT_UNEXPECTED_MESSAGE
form: tls: unexpected message
form: received fatal alert: UnexpectedMessage
form: description: UnexpectedMessage
form: AlertReceived(UnexpectedMessage)
form: Fatal - unexpected message
form: Fatal error: unexpected message
form: fatal:unexpected message
form: description: unexpected message
form: SSL alert number 10
form: TLS protocol defined fatal alert code is 10
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed connectionNotTLS

bad_record_mac
tool: TLS alert
form: alert bad record mac
form: fatal alert: bad_record_mac
form: bad_record_mac(20)
form: ALERT_BAD_RECORD_MAC
form: tls: bad record MAC
form: received fatal alert: BadRecordMac
form: description: BadRecordMac
form: AlertReceived(BadRecordMac)
form: Fatal - bad record mac
form: Fatal error: bad record mac
form: fatal:bad record mac
form: description: bad record mac
form: SSL alert number 20
form: TLS protocol defined fatal alert code is 20
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed
note: A broken network device or library changed a record. Certificates aren't involved.

record_overflow
tool: TLS alert
form: alert record overflow
form: fatal alert: record_overflow
form: record_overflow(22)
form: ALERT_RECORD_OVERFLOW
form: tls: record overflow
form: received fatal alert: RecordOverflow
form: description: RecordOverflow
form: AlertReceived(RecordOverflow)
form: Fatal - record overflow
form: Fatal error: record overflow
form: fatal:record overflow
form: description: record overflow
form: SSL alert number 22
form: TLS protocol defined fatal alert code is 22
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionNotTLS connectionHandshakeFailed

handshake_failure
tool: TLS alert
form: alert handshake failure
form: fatal alert: handshake_failure
form: handshake_failure(40)
form: ALERT_HANDSHAKE_FAILURE
form: tls: handshake failure
form: received fatal alert: HandshakeFailure
form: description: HandshakeFailure
form: AlertReceived(HandshakeFailure)
form: Fatal - handshake failure
form: Fatal error: handshake failure
form: fatal:handshake failure
form: description: handshake failure
form: SSL alert number 40
form: TLS protocol defined fatal alert code is 40
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: noSharedCipher connectionHandshakeAlert tlsVersionOutdated presentedChainEmpty
note: The server ended the handshake: no common cipher suite or version, no certificate for this name, or it requires a client certificate.

illegal_parameter
tool: TLS alert
form: alert illegal parameter
form: fatal alert: illegal_parameter
form: illegal_parameter(47)
form: ALERT_ILLEGAL_PARAMETER
form: tls: illegal parameter
form: received fatal alert: IllegalParameter
form: description: IllegalParameter
form: AlertReceived(IllegalParameter)
form: Fatal - illegal parameter
form: Fatal error: illegal parameter
form: fatal:illegal parameter
form: description: illegal parameter
form: SSL alert number 47
form: TLS protocol defined fatal alert code is 47
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed

access_denied
tool: TLS alert
form: alert access denied
form: fatal alert: access_denied
form: access_denied(49)
form: ALERT_ACCESS_DENIED
form: tls: access denied
form: received fatal alert: AccessDenied
form: description: AccessDenied
form: AlertReceived(AccessDenied)
form: Fatal - access denied
form: Fatal error: access denied
form: fatal:access denied
form: description: access denied
form: SSL alert number 49
form: TLS protocol defined fatal alert code is 49
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionClientCertificateRequired connectionHandshakeAlert
note: The server knows the client's certificate and doesn't permit it.

decode_error
tool: TLS alert
form: alert decode error
form: fatal alert: decode_error
form: decode_error(50)
form: ALERT_DECODE_ERROR
form: tls: error decoding message
form: received fatal alert: DecodeError
form: description: DecodeError
form: AlertReceived(DecodeError)
form: Fatal - decode error
form: Fatal error: decode error
form: fatal:decode error
form: description: decode error
form: SSL alert number 50
form: TLS protocol defined fatal alert code is 50
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed handshakeTooLarge

protocol_version
tool: TLS alert
form: alert protocol version
form: fatal alert: protocol_version
form: protocol_version(70)
form: ALERT_PROTOCOL_VERSION
form: tls: protocol version not supported
form: received fatal alert: ProtocolVersion
form: description: ProtocolVersion
form: AlertReceived(ProtocolVersion)
form: Fatal - protocol version
form: Fatal error: protocol version
form: fatal:protocol version
form: description: protocol version
form: SSL alert number 70
form: TLS protocol defined fatal alert code is 70
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: tlsVersionOutdated

insufficient_security
tool: TLS alert
form: alert insufficient security
form: fatal alert: insufficient_security
form: insufficient_security(71)
form: ALERT_INSUFFICIENT_SECURITY
form: tls: insufficient security level
form: received fatal alert: InsufficientSecurity
form: description: InsufficientSecurity
form: AlertReceived(InsufficientSecurity)
form: Fatal - insufficient security
form: Fatal error: insufficient security
form: fatal:insufficient security
form: description: insufficient security
form: SSL alert number 71
form: TLS protocol defined fatal alert code is 71
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: noSharedCipher

internal_error
tool: TLS alert
form: alert internal error
form: fatal alert: internal_error
form: internal_error(80)
form: ALERT_INTERNAL_ERROR
form: tls: internal error
form: received fatal alert: InternalError
form: description: InternalError
form: AlertReceived(InternalError)
form: Fatal - internal error
form: Fatal error: internal error
form: fatal:internal error
form: description: internal error
form: SSL alert number 80
form: TLS protocol defined fatal alert code is 80
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeAlert connectionNameRefused
note: The server's log has the reason. Usual ones are no certificate for this name, a hardware key that doesn't answer, or a list of client CAs over 64 KB.

inappropriate_fallback
tool: TLS alert
form: alert inappropriate fallback
form: fatal alert: inappropriate_fallback
form: inappropriate_fallback(86)
form: ALERT_INAPPROPRIATE_FALLBACK
form: tls: inappropriate fallback
form: received fatal alert: InappropriateFallback
form: description: InappropriateFallback
form: AlertReceived(InappropriateFallback)
form: Fatal - inappropriate fallback
form: Fatal error: inappropriate fallback
form: fatal:inappropriate fallback
form: description: inappropriate fallback
form: SSL alert number 86
form: TLS protocol defined fatal alert code is 86
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: tlsVersionOutdated

user_canceled
tool: TLS alert
form: alert user canceled
form: fatal alert: user_canceled
form: user_canceled(90)
form: ALERT_USER_CANCELED
form: tls: user canceled
form: received fatal alert: UserCanceled
form: description: UserCanceled
form: AlertReceived(UserCanceled)
form: Fatal - user canceled
form: Fatal error: user canceled
form: fatal:user canceled
form: description: user canceled
form: SSL alert number 90
form: TLS protocol defined fatal alert code is 90
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeAlert

no_renegotiation
tool: TLS alert
form: alert no renegotiation
form: fatal alert: no_renegotiation
form: no_renegotiation(100)
form: ALERT_NO_RENEGOTIATION
form: tls: no renegotiation
form: received fatal alert: NoRenegotiation
form: description: NoRenegotiation
form: AlertReceived(NoRenegotiation)
form: Fatal - no renegotiation
form: Fatal error: no renegotiation
form: fatal:no renegotiation
form: description: no renegotiation
form: SSL alert number 100
form: TLS protocol defined fatal alert code is 100
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: legacyRenegotiation

missing_extension
tool: TLS alert
form: alert missing extension
form: fatal alert: missing_extension
form: missing_extension(109)
form: ALERT_MISSING_EXTENSION
form: tls: missing extension
form: received fatal alert: MissingExtension
form: description: MissingExtension
form: AlertReceived(MissingExtension)
form: Fatal - missing extension
form: Fatal error: missing extension
form: fatal:missing extension
form: description: missing extension
form: SSL alert number 109
form: TLS protocol defined fatal alert code is 109
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed

unsupported_extension
tool: TLS alert
form: alert unsupported extension
form: fatal alert: unsupported_extension
form: unsupported_extension(110)
form: ALERT_UNSUPPORTED_EXTENSION
form: tls: unsupported extension
form: received fatal alert: UnsupportedExtension
form: description: UnsupportedExtension
form: AlertReceived(UnsupportedExtension)
form: Fatal - unsupported extension
form: Fatal error: unsupported extension
form: fatal:unsupported extension
form: description: unsupported extension
form: SSL alert number 110
form: TLS protocol defined fatal alert code is 110
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeFailed

unrecognized_name
tool: TLS alert
form: alert unrecognized name
form: fatal alert: unrecognized_name
form: unrecognized_name(112)
form: ALERT_UNRECOGNIZED_NAME
form: tls: unrecognized name
form: received fatal alert: UnrecognizedName
form: description: UnrecognizedName
form: AlertReceived(UnrecognizedName)
form: Fatal - unrecognized name
form: Fatal error: unrecognized name
form: fatal:unrecognized name
form: description: unrecognized name
form: SSL alert number 112
form: TLS protocol defined fatal alert code is 112
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionNameRefused

bad_certificate_status_response
tool: TLS alert
form: alert bad certificate status response
form: fatal alert: bad_certificate_status_response
form: bad_certificate_status_response(113)
form: ALERT_BAD_CERTIFICATE_STATUS_RESPONSE
form: tls: bad certificate status response
form: received fatal alert: BadCertificateStatusResponse
form: description: BadCertificateStatusResponse
form: AlertReceived(BadCertificateStatusResponse)
form: Fatal - bad certificate status response
form: Fatal error: bad certificate status response
form: fatal:bad certificate status response
form: description: bad certificate status response
form: SSL alert number 113
form: TLS protocol defined fatal alert code is 113
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: stapleMissing revocationUnavailable

unknown_psk_identity
tool: TLS alert
form: alert unknown psk identity
form: fatal alert: unknown_psk_identity
form: unknown_psk_identity(115)
form: ALERT_UNKNOWN_PSK_IDENTITY
form: tls: unknown PSK identity
form: received fatal alert: UnknownPskIdentity
form: description: UnknownPskIdentity
form: AlertReceived(UnknownPskIdentity)
form: Fatal - unknown psk identity
form: Fatal error: unknown psk identity
form: fatal:unknown psk identity
form: description: unknown psk identity
form: SSL alert number 115
form: TLS protocol defined fatal alert code is 115
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: connectionHandshakeAlert

no_application_protocol
tool: TLS alert
form: alert no application protocol
form: fatal alert: no_application_protocol
form: no_application_protocol(120)
form: ALERT_NO_APPLICATION_PROTOCOL
form: tls: no application protocol
form: received fatal alert: NoApplicationProtocol
form: description: NoApplicationProtocol
form: AlertReceived(NoApplicationProtocol)
form: Fatal - no application protocol
form: Fatal error: no application protocol
form: fatal:no application protocol
form: description: no application protocol
form: SSL alert number 120
form: TLS protocol defined fatal alert code is 120
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Bouncy Castle, Schannel
reason: elsewhere
codes: protocolNotNegotiated
note: Client and server share no protocol in ALPN, such as h2. Certificates aren't involved.

"""#

    /// The names and texts of other tools' errors, from their sources.
    static let names = #"""
OpenSSL: certificateExpired
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateExpired
after: routines
names: read timeout expired; status expired

OpenSSL: certificateExpired certificateNotYetValid
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateExpired certificateNotYetValid
after: routines
names: sslv3 alert certificate expired

OpenSSL: certificateFileUnusable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateFileUnusable
after: routines
names: bad base64 decode; bad end line; no start line

OpenSSL: certificateFileUnusable systemAnchorsUnavailable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateFileUnusable systemAnchorsUnavailable
after: routines
names: no certificate found

OpenSSL: certificateMalformed
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateMalformed
after: routines
names: asn1 parse error; asn1 sig parse error; bad algorithm name; bad extension; bad fixed header decrypt; bad object header; bn to asn1 integer error; ca dn length mismatch; cert length mismatch; compressed length too long; dane tlsa bad certificate; dane tlsa bad certificate usage; data length too long; encrypted length too long; explicit length mismatch; ext length mismatch; first octet invalid; header too long; illegal empty extension; illegal implicit tag; illegal nested tagging; illegal tagged any; inconsistent header; integer too large for long; invalid certificate; invalid certificate or alg; invalid configuration name; invalid empty name; invalid extension string; invalid field name; invalid header; invalid name; invalid null cmd name; invalid object encoding; invalid provider functions; invalid srp username; last octet invalid; length too long; length too short; mstring wrong tag; name too long; nested asn1 string; not xof or invalid length; pem name too short; pkey application asn1 method already registered; pvk data too short; pvk too short; record length mismatch; sequence length mismatch; srtp protection profile list too long; ssl session id context too long; ssl session id too long; string too long; string too short; the asn1 object identifier is not known for this md; tlsv1 bad certificate hash value; too long; user too long; wrong tag

OpenSSL: certificateMalformed strictTimeEncoding
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateMalformed strictTimeEncoding
after: routines
names: bad key update; error in nextupdate field; error in thisupdate field; illegal time value; invalid key update type; time not ascii format

OpenSSL: certificateNotYetValid
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateNotYetValid
after: routines
names: status not yet valid

OpenSSL: certificateRevoked
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: certificateRevoked
after: routines
names: no revoked time; sslv3 alert certificate revoked

OpenSSL: connectionClientCertificateRequired
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionClientCertificateRequired
after: routines
names: no certificate assigned; no certificate or crl found; no certificate set; no certificates in chain; no certificates returned; peer did not return a certificate; sslv3 alert no certificate; tlsv13 alert certificate required

OpenSSL: connectionClosed presentedChainEmpty
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionClosed presentedChainEmpty
after: routines
names: unexpected eof while reading

OpenSSL: connectionHandshakeAlert
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionHandshakeAlert
after: routines
names: tlsv1 alert internal error

OpenSSL: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
after: routines
names: sslv3 alert handshake failure

OpenSSL: connectionHandshakeFailed
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionHandshakeFailed
after: routines
names: bad handshake length; bad handshake state; bad hello request; bad key share; bad length; bad record type; bad srp parameters; base64 decode error; decode error; illegal scrypt parameters; invalid ccs message; invalid length; invalid message length; invalid oaep parameters; invalid pss parameters; invalid scrypt parameters; issuer decode error; length mismatch; missing parameters; missing psk kex modes extension; missing sigalgs extension; missing supported groups extension; no suitable key share; sslv3 alert bad record mac; sslv3 alert illegal parameter; sslv3 alert unexpected message; tlsv1 alert decode error; tlsv1 alert record overflow; tlsv13 alert missing extension; unexpected ccs message; unexpected dek iv; unexpected end of early data; unexpected eoc; unexpected message; unexpected record; unsolicited extension

OpenSSL: connectionNameRefused
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionNameRefused
after: routines
names: inconsistent early data sni; ssl3 ext invalid servername; ssl3 ext invalid servername type

OpenSSL: connectionNameRefused presentedChainEmpty
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionNameRefused presentedChainEmpty
after: routines
names: tlsv1 unrecognized name

OpenSSL: connectionNotTLS
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionNotTLS
after: routines
names: wrong ssl version

OpenSSL: connectionNotTLS presentedChainEmpty
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionNotTLS presentedChainEmpty
after: routines
names: packet length too long; wrong version number

OpenSSL: connectionPlainHTTP
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: connectionPlainHTTP
after: routines
names: http request; https proxy request

OpenSSL: evaluatorRefused
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: evaluatorRefused
after: routines
names: callback failed; ssl session id callback failed

OpenSSL: extendedKeyUsageNotAllowed
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: extendedKeyUsageNotAllowed
after: routines
names: unknown certificate type; unknown purpose id; wrong certificate type

OpenSSL: extendedKeyUsageNotAllowed keyUsageNotForTLS
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS
after: routines
names: invalid purpose

OpenSSL: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
after: routines
names: sslv3 alert unsupported certificate

OpenSSL: handshakeSignatureInvalid signatureInvalid
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: handshakeSignatureInvalid signatureInvalid
after: routines
names: decrypt error; tlsv1 alert decrypt error

OpenSSL: handshakeTooLarge
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: handshakeTooLarge
after: routines
names: excessive message size

OpenSSL: handshakeUnproven signatureAlgorithmUnsupported rsaKeyTooSmall
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: handshakeUnproven signatureAlgorithmUnsupported rsaKeyTooSmall
after: routines
names: no shared signature algorithms; no suitable signature algorithm

OpenSSL: keyAlgorithmUnsupported
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: keyAlgorithmUnsupported
after: routines
names: encryption not supported for this key type; operation not supported for this keytype; signing not supported for this key type; unknown algorithm type; unknown key exchange type; unknown key type; unknown pkey type; unknown public key type; unsupported algorithm; unsupported compression algorithm; unsupported key components; unsupported key derivation function; unsupported key type; unsupported keylength; unsupported mask algorithm; unsupported public key type

OpenSSL: keyMalformed
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: keyMalformed
after: routines
names: bad key length; dane tlsa bad public key; invalid key; invalid key length; invalid keypair; invalid multi prime key; invalid ticket keys length; key prime num invalid; log conf invalid key; log key invalid; public key decode error; wrong public key type

OpenSSL: keyUsageNotForTLS keyUsageLacksCertSign
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: routines
names: empty key usage

OpenSSL: keystorePassword
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: keystorePassword
after: routines
names: bad decrypt; decryption failed or bad record mac; error verifying pkcs12 mac; mac absent; mac verify failure; pkcs12 cipherfinal error

OpenSSL: keystoreUnreadable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: keystoreUnreadable
after: routines
names: invalid null pkcs12 pointer; unknown pbe algorithm; unsupported pkcs12 mode

OpenSSL: legacyRenegotiation
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: legacyRenegotiation
after: routines
names: no renegotiation; renegotiate ext too long; renegotiation encoding err; renegotiation mismatch; scsv received when renegotiating; tlsv1 alert no renegotiation; unsafe legacy renegotiation disabled

OpenSSL: noSharedCipher
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: noSharedCipher
after: routines
names: bad ecc cert; insufficient security; library has no ciphers; no ciphers available; no ciphers specified; no shared groups; no suitable digest algorithm; no suitable groups; ssl handshake failure; ssl library has no ciphers; tlsv1 alert insufficient security; unsupported cipher; unsupported cipher type; unsupported elliptic curve

OpenSSL: noSharedCipher privateKeyUnusable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: noSharedCipher privateKeyUnusable
after: routines
names: no shared cipher

OpenSSL: pathLengthExceeded
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: pathLengthExceeded
after: routines
names: negative pathlen; path too long; policy path length; policy path length already defined

OpenSSL: policyNotAcceptable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: policyNotAcceptable
after: routines
names: incorrect policy syntax tag; invalid policy identifier; invalid proxy policy setting; no policy identifier; no proxy cert policy language defined; policy language already defined; policy when proxy language requires no policy

OpenSSL: privateKeyMismatch
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: privateKeyMismatch
after: routines
names: key values mismatch; private key does not match certificate; private key mismatch

OpenSSL: privateKeyUnusable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: privateKeyUnusable
after: routines
names: bad password read; error converting private key; expecting private key blob; missing private key; no private key assigned; not a private key; private key decode error; private key encode error; problems getting password; unsupported private key algorithm

OpenSSL: protocolNotNegotiated
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: protocolNotNegotiated
after: routines
names: no application protocol; tlsv1 alert no application protocol

OpenSSL: revocationUnavailable
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: revocationUnavailable
after: routines
names: crl already delta; crl verify failure; missing ocspsigning usage; newer crl not newer; no crl found; no crl number; not a crl; ocsp callback failure

OpenSSL: rsaKeyTooLarge
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: rsaKeyTooLarge
after: routines
names: modulus too large

OpenSSL: rsaKeyTooSmall
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: rsaKeyTooSmall
after: routines
names: ca key too small; data too large for key size; data too small for key size; ee key too small; key size too small; keyblob too short; unsupported key size

OpenSSL: signatureAlgorithmUnsupported
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: signatureAlgorithmUnsupported
after: routines
names: digest and key type not supported; invalid digest; invalid digest length; invalid x931 digest; unknown digest; unknown digest algorithm; unknown digest type; unknown mask digest; unknown message digest; unknown message digest algorithm; unknown signature algorithm; unsupported signature type; wrong signature length; wrong signature size; wrong signature type

OpenSSL: signatureInvalid
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: signatureInvalid
after: routines
names: bad signature; block type is not 01; block type is not 02; invalid padding; invalid padding mode; padding check failed; signature failure

OpenSSL: signatureUsesSHA1 signatureUsesMD5
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: signatureUsesSHA1 signatureUsesMD5
after: routines
names: ca md too weak

OpenSSL: stapleMissing
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: stapleMissing
after: routines
names: tlsv1 bad certificate status response

OpenSSL: tlsVersionOutdated
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: tlsVersionOutdated
after: routines
names: bad protocol version number; inappropriate fallback; no protocols available; sct unsupported version; ssl3 ext invalid max fragment length; ssl3 session id too long; tlsv1 alert inappropriate fallback; tlsv1 alert protocol version; unable to load ssl3 md5 routines; unable to load ssl3 sha1 routines; unknown protocol; unsupported protocol; unsupported ssl version; unsupported version; version too low

OpenSSL: tlsVersionOutdated handshakeUnproven
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: tlsVersionOutdated handshakeUnproven
after: routines
names: legacy sigalg disallowed or unsupported

OpenSSL: transparencyNotMet
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: transparencyNotMet
after: routines
names: no valid scts; sct future timestamp; sct invalid; sct invalid signature; sct list invalid; sct log id mismatch; sct not set; sct verification failed

OpenSSL: unknownIssuer untrustedRoot
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownIssuer untrustedRoot
after: routines
names: no issuer certificate; no issuer details; root ca not trusted; signer certificate not found; unable to get certs public key; unable to get issuer details; unable to get issuer keyid

OpenSSL: unknownIssuer untrustedRoot hostMismatch certificateExpired
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
after: routines
names: sslv3 alert certificate unknown

OpenSSL: unknownIssuer untrustedRoot hostMismatch certificateMalformed
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownIssuer untrustedRoot hostMismatch certificateMalformed
after: routines
names: sslv3 alert bad certificate

OpenSSL: unknownIssuer untrustedRoot selfSignedLeaf
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownIssuer untrustedRoot selfSignedLeaf
after: routines
names: tlsv1 alert unknown ca

OpenSSL: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: routines
names: certificate verification failed; certificate verify failed

OpenSSL: weakKeyExchange
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: weakKeyExchange
after: routines
names: bad dh value; dh key too small

OpenSSL: unknownCause
tool: OpenSSL
source: OpenSSL 3.0.19: include/openssl/*err.h
codes: unknownCause
after: routines
note: This is OpenSSL's reason "{reason}". Its cause isn't known here.
names: adding object; aes key setup failed; akid mismatch; algorithm mismatch; ambiguous content type; app data in handshake; application data after close notify; aria key setup failed; at least tls 1 2 needed in suiteb mode; attempt to reuse session in different context; aux error; bad change cipher spec; bad cipher; bad data; bad data returned by callback; bad decompression; bad digest length; bad e value; bad early data; bad ecpoint; bad hrr version; bad ip address; bad iv chars; bad legacy version; bad magic number; bad object; bad packet; bad packet length; bad pad byte count; bad psk; bad psk identity; bad rsa encrypt; bad selector; bad srp a length; bad srtp mki value; bad srtp protection profile list; bad ssl filetype; bad template; bad value; bad version number; bad write retry; bad x509 filetype; binder does not verify; bio not set; bio write failure; block cipher pad is wrong; bmpstring is wrong length; bn dec2bn error; bn lib; boolean is wrong length; buffer too small; cache constants failed; camellia key setup failed; cannot change cipher; cannot get group name; cannot get parameters; cannot set parameters; cant check dh key; cant pack structure; ccs received early; cert already in hash table; cert cb error; certificate verify error; cipher code wrong length; cipher has no object identifier; cipher is null; cipher not gcm mode; cipher not initialized; cipher parameter error; ciphersuite digest has changed; clienthello tlsext; command not supported; compression disabled; compression failure; compression id not within private range; compression library error; conflicting algorithm name; connection type not set; content and data present; content type not data; context not dane enabled; context not initialised; cookie gen callback failure; cookie mismatch; copy error; copy parameters failed; could not decode object; ctrl error; ctrl not implemented; ctrl operation not implemented; custom ext handler already installed; d e not congruent to 1; dane already enabled; dane cannot override mtype full; dane not enabled; dane tlsa bad data length; dane tlsa bad digest length; dane tlsa bad matching type; dane tlsa bad selector; dane tlsa null data; data between ccs and finished; data greater than mod len; data is wrong; data not multiple of block length; data too large; data too large for modulus; data too small; decoder not found; decryption failed; default query parse error; depth exceeded; dh public value length is wrong; different key types; different parameters; digest check failed; digest does not match; digest err; digest failure; digest name err; digest not allowed; digest size err; digest too big for rsa key; dirname error; distpoint already set; dmp1 not congruent to d; dmq1 not congruent to d; dtls message too big; duplicate attribute; duplicate compression id; duplicate zone id; ecc cert not for signing; ecdh required for suiteb mode; empty srtp protection profile list; encode error; encrypt error; encryption ctrl failure; error adding recipient; error converting zone; error creating extension; error getting md by nid; error getting time; error in extension; error in received cipher list; error loading section; error setting cipher; error setting cipher params; error setting encrypted data type; error setting tlsa base domain; error using siginf set; exceeds max fragment size; expected a section name; expecting a dh key; expecting a dsa key; expecting a ec key; expecting a ecx key; expecting a poly1305 key; expecting a siphash key; expecting an hmac key; expecting an integer; expecting an object; expecting an rsa key; expecting dss key blob; expecting public key blob; expecting rsa key blob; explicit tag not constructed; extension exists; extension name error; extension not found; extension not received; extension setting not supported; extension value error; extra data in message; failed to init async; field missing; final error; fingerprint size does not match digest; first num too large; fragmented client hello; generate error; get raw key failed; got a fin before a ccs; idp mismatch; illegal bitstring format; illegal boolean; illegal characters; illegal format; illegal hex; illegal integer; illegal negative value; illegal null; illegal null value; illegal object; illegal optional any; illegal options on item template; illegal or unsupported padding mode; illegal padding; illegal point compression; illegal suiteb digest; illegal zero content; inaccessible domain parameters; inaccessible key; inconsistent compression; inconsistent early data alpn; inconsistent extms; initialization error; input not initialized; integer not ascii format; invalid alert; invalid asnumber; invalid asrange; invalid attributes; invalid bit string bits left; invalid bmpstring length; invalid boolean string; invalid command; invalid compression algorithm; invalid config; invalid context; invalid ct validation type; invalid custom length; invalid digit; invalid directory; invalid distpoint; invalid inheritance; invalid ipaddress; invalid iv length; invalid label; invalid log id length; invalid max early data; invalid mgf1 md; invalid mime type; invalid modifier; invalid modulus; invalid multiple rdns; invalid null algorithm; invalid null argument; invalid null pointer; invalid null value; invalid number; invalid numbers; invalid object identifier; invalid operation; invalid option; invalid pss saltlen; invalid request; invalid safi; invalid salt length; invalid scheme; invalid secret length; invalid section; invalid seed length; invalid separator; invalid sequence number; invalid serverinfo data; invalid session id; invalid signed data type; invalid status response; invalid strength; invalid string table value; invalid syntax; invalid trailer; invalid trust; invalid type; invalid universalstring length; invalid utf8string; invalid value; iqmp not inverse of q; is not a; issuer mismatch; iv gen error; key gen error; key setup failed; key type mismatch; keyblob header parse error; keymgmt export failure; library bug; list error; loader incomplete; loading cert dir; loading defaults; loading started; locking not supported; log conf invalid; log conf missing description; log conf missing key; mac generation error; mac setup error; mac string set error; memory limit exceeded; message digest is null; method not supported; mgf1 digest not allowed; mime no content type; mime parse error; mime sig parse error; missing dek iv; missing dsa signing cert; missing ecdsa signing cert; missing eoc; missing fatal; missing get params; missing rsa certificate; missing rsa encrypting cert; missing rsa signing cert; missing second number; missing signing cert; missing srp param; missing tmp dh key; missing tmp ecdh key; missing value; mixed handshake and non handshake data; mp coefficient not inverse of r; mp exponent not congruent to d; mp r not prime; mstring not universal; n does not equal p q; n does not equal product of primes; need organization and numbers; nested too deep; nextupdate before thisupdate; no cert set for us to verify; no change following hrr; no cipher match; no cipher set; no client cert method; no compression specified; no config database; no content; no content type; no cookie callback set; no default digest; no digest set; no gost certificate sent by peer; no import function; no key set; no keymgmt available; no keymgmt present; no loaders found; no matching choice type; no matching digest type found; no method specified; no multipart body failure; no multipart boundary; no operation set; no pem extensions; no public exponent; no public key; no recipient matches certificate; no required digest; no response data; no sig content type; no signatures on data; no signer key; no signers; no srtp profiles; no subject details; no verify cookie callback; non hex characters; not a certificate; not a name; not a public key; not able to copy ctx; not ascii format; not basic response; not dek info; not encrypted; not enough data; not on record boundary; not parameters; not proc type; not replacing certificate; not server; null before block missing; null is wrong length; null mac pkey ctx; null ssl ctx; null ssl method passed; oaep decoding error; object not ascii format; odd number of chars; old session cipher not returned; old session compression algorithm not returned; only oneshot supported; operation not defined; operation not initialized; operation not supported on this type; othername error; output would overflow; overflow error; p not prime; pairwise test failure; parameter too large; parse error; parse tlsext; partially overlapping; passphrase callback error; path must be absolute; pbkdf2 error; pem name bad prefix; pipeline failure; pkcs decoding error; pkcs7 add signature error; pkcs7 add signer error; pkcs7 datasign; post handshake auth encoding err; protocol is shutdown; psk identity not found; psk no client cb; psk no server cb; pss saltlen too small; pub exponent out of range; public key encode error; public key not rsa; q not prime; randomness source strength insufficient; read bio not set; read key; record too small; request not signed; request pending; request sent; required cipher missing; required compression algorithm missing; response contains no revocation data; rsa operations not supported; search only supported for directories; second number too large; section not found; sequence not constructed; sequence or set needs config; serverhello tlsext; session id context uninitialized; set default property failure; setting xof failed; short header; short line; should retry; shutdown while in init; sig invalid mime type; signature algorithms error; signature for non signing certificate; signing ctrl failure; slen check failed; slen recovery failed; smime text error; srp a calc; srtp could not allocate profiles; srtp unknown protection profile; ssl command section empty; ssl command section not found; ssl ctx has no default ssl version; ssl negative length; ssl section empty; ssl section not found; ssl session id conflict; ssl session id has bad length; ssl session version mismatch; sslv3 alert decompression failure; sslv3 rollback attack; status too old; still in init; streaming not supported; tls illegal exporter label; tls invalid ecpointformat list; tlsv1 alert access denied; tlsv1 alert decryption failed; tlsv1 alert export restriction; tlsv1 alert unknown psk identity; tlsv1 alert user cancelled; tlsv1 certificate unobtainable; tlsv1 unsupported extension; too large; too many key updates; too many records; too many warn alerts; too much early data; too small; type not constructed; type not primitive; ui process interrupted or cancelled; unable to enable locking; unable to find certificate; unable to find ecdh parameters; unable to find mem bio; unable to find message digest; unable to find parameters in chain; unable to find public key parameters; unable to get maximum request size; unable to get random strength; unable to lock context; unable to set callbacks; universalstring is wrong length; unknown alert type; unknown bit string argument; unknown cipher; unknown cipher returned; unknown cipher type; unknown cmd name; unknown command; unknown extension; unknown extension name; unknown format; unknown nid; unknown object type; unknown operation; unknown option; unknown padding type; unknown sigid algs; unknown ssl version; unknown state; unknown tag; unknown trust id; unrecognized signature nid; unregistered scheme; unsupported any defined by type; unsupported content type; unsupported encryption; unsupported encryption type; unsupported entry type; unsupported label source; unsupported mask parameter; unsupported number of rounds; unsupported operation; unsupported option; unsupported prf; unsupported requestorname type; unsupported salt type; unsupported search type; unsupported status type; unsupported type; update error; uri authority unsupported; use srtp not negotiated; value missing; version too high; wrap mode not allowed; wrong cipher returned; wrong content type; wrong curve; wrong final block length; wrong integer type; wrong lookup type; wrong pkcs7 type; wrong type; x509 lib; x509 verification setup problems; xts data unit is too large; xts duplicated keys

BoringSSL: anchorDistrustedAfter
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: anchorDistrustedAfter
after: routines
names: Distrusted by trust store

BoringSSL: certificateExpired
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: certificateExpired
after: routines
names: certificate has expired; Time is after notAfter

BoringSSL: certificateMalformed
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: certificateMalformed
after: routines
names: asn1 length mismatch; bad encoding; bad get asn1 object call; ca dn too long; d2i ecpkparameters failure; dh p too long; duplicate extension; expecting an asn1 sequence; invalid certificate property list; Invalid certificate verification context; invalid ech public name; invalid null name; invalid or inconsistent certificate extension; invalid outer extension; missing asn1 eos; nested asn1 error; tlsv1 alert bad certificate hash value; trailing data in extension

BoringSSL: certificateMalformed strictTimeEncoding
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: certificateMalformed strictTimeEncoding
after: routines
names: format error in certificate's notAfter field; format error in certificate's notBefore field; invalid time format

BoringSSL: certificateNotYetValid
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: certificateNotYetValid
after: routines
names: certificate is not yet valid

BoringSSL: certificateRevoked
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: certificateRevoked
after: routines
names: Certificate is revoked; certificate revoked

BoringSSL: connectionClientCertificateRequired
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: connectionClientCertificateRequired
after: routines
names: no certificates included; tlsv1 alert certificate required

BoringSSL: connectionHandshakeAlert
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: connectionHandshakeAlert
after: routines
names: internal error; quic internal error

BoringSSL: connectionHandshakeFailed
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: connectionHandshakeFailed
after: routines
names: bad handshake record; bad rsa parameters; duplicate key share; invalid client hello inner; invalid message; invalid outer record type; invalid parameter; invalid parameters; missing extension; missing key share; unexpected compatibility mode; unexpected extension; unexpected extension on early data; unexpected operator in group

BoringSSL: connectionNameRefused
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: connectionNameRefused
after: routines
names: tlsv1 alert unrecognized name

BoringSSL: criticalExtensionUnhandled
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: criticalExtensionUnhandled
after: routines
names: Unconsumed critical extension; unhandled critical extension; Unsupported extension feature

BoringSSL: depthBudgetExceeded maximumIntermediatesExceeded
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: depthBudgetExceeded maximumIntermediatesExceeded
after: routines
names: certificate chain too long

BoringSSL: evaluatorRefused
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: evaluatorRefused
after: routines
names: application verification failure

BoringSSL: extendedKeyUsageNotAllowed
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: extendedKeyUsageNotAllowed
after: routines
names: Certificate does not have extended key usage; invalid cert types list; peer error unsupported certificate type; The extended key usage does not contain only the rcsMlsClient key purpose; The extended key usage does not include client auth; The extended key usage does not include client auth but instead includes anyExtendedKeyUsage; The extended key usage does not include client auth or server auth; The extended key usage does not include server auth; The extended key usage does not include server auth but instead includes anyExtendedKeyUsage; The extended key usage includes code signing which is not permitted for this use; The extended key usage includes time stamping which is not permitted for this use

BoringSSL: extendedKeyUsageNotAllowed keyUsageNotForTLS
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS
after: routines
names: unsupported certificate purpose

BoringSSL: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
after: routines
names: unsupported certificate

BoringSSL: handshakeTooLarge
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: handshakeTooLarge
after: routines
names: excess handshake data

BoringSSL: handshakeUnproven signatureAlgorithmUnsupported rsaKeyTooSmall
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: handshakeUnproven signatureAlgorithmUnsupported rsaKeyTooSmall
after: routines
names: no common signature algorithms

BoringSSL: hostMismatch
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: hostMismatch
after: routines
names: Hostname mismatch

BoringSSL: hostMismatch subjectAlternativeNameMissing
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: hostMismatch subjectAlternativeNameMissing
after: routines
names: IP address mismatch

BoringSSL: keyAlgorithmUnsupported
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyAlgorithmUnsupported
after: routines
names: unknown algorithm; unknown cert compression alg; unknown cipher algorithm

BoringSSL: keyMalformed
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyMalformed
after: routines
names: invalid encoding; invalid group order; invalid keybits; invalid peer key; invalid raw public key; point is not on curve

BoringSSL: keyMalformed keyAlgorithmUnsupported
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyMalformed keyAlgorithmUnsupported
after: routines
names: unable to decode issuer public key

BoringSSL: keyUsageLacksCertSign
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyUsageLacksCertSign
after: routines
names: key usage does not include certificate signing

BoringSSL: keyUsageNotForTLS
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyUsageNotForTLS
after: routines
names: key usage bit incorrect; key usage does not include digital signature

BoringSSL: keyUsageNotForTLS keyUsageLacksCertSign
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: routines
names: KeyUsage must have only the digitalSignature bit set for rcsMlsClient auth

BoringSSL: keystoreEntryMissing
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keystoreEntryMissing
after: routines
names: output aliases input

BoringSSL: keystorePassword
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keystorePassword
after: routines
names: incorrect password

BoringSSL: keystoreUnreadable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: keystoreUnreadable
after: routines
names: bad pkcs12 data; bad pkcs12 version; multiple private keys in pkcs12; pkcs12 public key integrity not supported; pkcs12 too deeply nested

BoringSSL: legacyRenegotiation
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: legacyRenegotiation
after: routines
names: renegotiation ems mismatch

BoringSSL: nameConstraintUndecidable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameConstraintUndecidable
after: routines
names: unsupported name constraint type

BoringSSL: nameConstraintUndecidable strictAlternativeName
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameConstraintUndecidable strictAlternativeName
after: routines
names: unsupported or invalid name syntax

BoringSSL: nameConstraintUndecidable strictNameConstraints
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameConstraintUndecidable strictNameConstraints
after: routines
names: name constraints minimum and maximum not supported; unsupported or invalid name constraint syntax

BoringSSL: nameExcluded
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameExcluded
after: routines
names: excluded subtree violation

BoringSSL: nameNotPermitted
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameNotPermitted
after: routines
names: permitted subtree violation

BoringSSL: nameNotPermitted nameExcluded
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: nameNotPermitted nameExcluded
after: routines
names: Issuer has name constraints but leaf has no SANs; Not permitted by name constraints; Too many name constraints checks

BoringSSL: noSharedCipher
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: noSharedCipher
after: routines
names: cipher mismatch on early data; handshake failure on client hello; no ciphers passed; no shared group; no supported versions enabled

BoringSSL: notCertificateAuthority basicConstraintsMissing
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: notCertificateAuthority basicConstraintsMissing
after: routines
names: Basic Constraints indicates not a CA; Certificate has Basic Constraints indicating it is a CA when it should not be a CA; Does not have Basic Constraints; invalid CA certificate

BoringSSL: pathLengthExceeded
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: pathLengthExceeded
after: routines
names: max_path_length reached; path length constraint exceeded; proxy path length constraint exceeded

BoringSSL: policyNotAcceptable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: policyNotAcceptable
after: routines
names: invalid policy extension; no explicit policy; No valid policy; PolicyMappings must not map anyPolicy

BoringSSL: policyNotAcceptable policyMappingOfAnyPolicy
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: policyNotAcceptable policyMappingOfAnyPolicy
after: routines
names: invalid or inconsistent certificate policy extension

BoringSSL: privateKeyMismatch
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: privateKeyMismatch
after: routines
names: certificate and private key mismatch; ech server config and private key mismatch

BoringSSL: privateKeyUnusable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: privateKeyUnusable
after: routines
names: cannot have both privkey and method; invalid private key; private key operation failed; private key was not seed

BoringSSL: protocolNotNegotiated
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: protocolNotNegotiated
after: routines
names: invalid alpn protocol; invalid alpn protocol list

BoringSSL: revocationUnavailable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: revocationUnavailable
after: routines
names: CRL has expired; CRL is not yet valid; CRL path validation error; CRL signature failure; delta crl without crl number; Different CRL scope; format error in CRL's lastUpdate field; format error in CRL's nextUpdate field; key usage does not include CRL signing; no crls included; ocsp cb error; The extended key usage includes OCSP signing which is not permitted for this use; Unable to check revocation; unable to decrypt CRL's signature; unable to get certificate CRL; unable to get CRL issuer certificate; unhandled critical CRL extension

BoringSSL: selfSignedLeaf untrustedRoot
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: selfSignedLeaf untrustedRoot
after: routines
names: self signed certificate

BoringSSL: signatureAlgorithmMismatch
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: signatureAlgorithmMismatch
after: routines
names: signature algorithm mismatch

BoringSSL: signatureAlgorithmUnsupported
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: signatureAlgorithmUnsupported
after: routines
names: invalid digest type; invalid signature; invalid signature algorithm; unknown hash

BoringSSL: signatureInvalid
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: signatureInvalid
after: routines
names: certificate signature failure; channel id signature invalid; unable to decrypt certificate's signature

BoringSSL: stapleMissing
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: stapleMissing
after: routines
names: tlsv1 alert bad certificate status response

BoringSSL: strictLeafIsAuthority
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: strictLeafIsAuthority
after: routines
names: invalid non-CA certificate (has CA markings)

BoringSSL: tlsVersionOutdated
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: tlsVersionOutdated
after: routines
names: unsupported proc type version; unsupported protocol for custom key

BoringSSL: transparencyNotMet
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: transparencyNotMet
after: routines
names: invalid sct list

BoringSSL: unknownIssuer
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownIssuer
after: routines
names: subject issuer mismatch; unable to verify the first certificate

BoringSSL: unknownIssuer hostMismatch
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownIssuer hostMismatch
after: routines
names: unknown certificate verification error

BoringSSL: unknownIssuer signatureInvalid
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownIssuer signatureInvalid
after: routines
names: authority and issuer serial number mismatch; authority and subject key identifier mismatch

BoringSSL: unknownIssuer systemAnchorsUnavailable
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownIssuer systemAnchorsUnavailable
after: routines
names: Issuer certificate lookup error

BoringSSL: unknownIssuer untrustedRoot
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownIssuer untrustedRoot
after: routines
names: Certificate is not a trust anchor; invalid trust anchor list; no matching issuer; No matching issuer found; unable to get issuer certificate; unable to get local issuer certificate

BoringSSL: untrustedRoot
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: untrustedRoot
after: routines
names: certificate not trusted; certificate rejected; self signed certificate in certificate chain

BoringSSL: unknownCause
tool: BoringSSL
source: BoringSSL a0689af29e8e: crypto/err, crypto/x509, pki
codes: unknownCause
after: routines
note: This is BoringSSL's reason "{reason}". Its cause isn't known here.
names: alpn mismatch on early data; alps mismatch on early data; ambiguous friendly name; application data on shutdown; bad alert; bad dh p length; bad iteration count; bad pkcs7 version; bad version; bignum out of range; bn not initialized; cannot find free function; cannot parse leaf cert; cannot recover multi prime key; cert decompression failed; Certificate lacks a revocation mechanism; Certificate.signatureAlgorithm != TBSCertificate.signature; Certificate.signatureAlgorithm is encoded differently than TBSCertificate.signature; Chain is empty; channel id not p256; cipher or hash unavailable; clienthello parse failed; connection rejected; coordinates out of range; could not parse hints; Couldn't parse SubjectPublicKeyInfo; crt params already given; crt values incorrect; crypt error; custom extension error; d out of range; data len not equal to mod len; Deadline exceeded; Depth limit exceeded; downgrade detected; duplicate group; duplicate signature algorithm; early data not in use; ec group new by name failure; ech rejected; ech server config unsupported extension; ech server would have no retry configs; Email address mismatch; empty hello retry request; empty psk; empty public key; ems state inconsistent; error adding extension; error parsing extension; expecting a boolean; expecting a time; fragment mismatch; got next proto without extension; group mismatch; group2pkparameters failure; handshake not complete; i2d ecpkparameters failure; illegal hex digit; incompatible objects; inconsistent client hello; inconsistent ech negotiation; inconsistent set of crt values; invalid alps codepoint; invalid bit string padding; invalid bmpstring; invalid buffer size; invalid characters; invalid ciphertext length; invalid cofactor; invalid compressed point; invalid compression bit; invalid compression list; invalid delegated credential; invalid ech config list; invalid field; invalid field for version; invalid form; invalid integer; invalid mtc ca; invalid mtc proof; invalid psk for connection; invalid scalar; invalid spake2plusv1 value; invalid ssl session; invalid universalstring; invalid version; Iteration limit exceeded; keyCertSign bit is not set; keygen failure; keys not set; missing key; missing mac; missing public key; mixed special operator with groups; mtu too small; must have at least two primes; n not equal p q; negotiated alps without alpn; negotiated both npn and alpn; negotiated tb without ems or ri; nested group; no data; no groups specified; no mdc2 support; no nid for curve; no parameters set; no supported psk mode; non named curve; not initialized; not pkcs7 signed data; odd number of digits; old session prf hash mismatch; old session version not returned; only one of p q given; out of memory; output buffer too small; pake exhausted; peer pake mismatch; pkparameters2group failure; point at infinity; pre shared key must be last; proxy certificates not allowed, please set the appropriate flag; psk identity binder count mismatch; public key validation failed; quic transport parameters misconfigured; record too large; resumed ems session without ems extension; resumed non ems session with ems extension; RFC 3779 resource not subset of parent's resources; second serverhello version mismatch; server cert changed; server echoed invalid session id; session may not be created; signature algorithms extension sent by server; slot full; sslv3 alert close notify; subject does not match issuer; tag value too high; ticket encryption failed; Time is before notBefore; tls peer did not respond with certificate list; tls rsa encrypted value length is wrong; tls13 downgrade; tlsv1 alert certificate unobtainable; tlsv1 alert ech required; tlsv1 alert unsupported extension; too many empty fragments; too many iterations; too many warning alerts; too much read early data; too much skipped early data; Unacceptable public key; Unacceptable signature algorithm; uncompressed cert too large; undefined generator; unknown group; unknown order; unsupported credential list; unsupported ech server config; unsupported options; unusable ech config list; VerifySignedData failed; wrong curve parameters; wrong encryption level received; wrong message type; wrong order; wrong version on early data

Firefox: certificateExpired
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: certificateExpired
after: nss
names: SEC_ERROR_EXPIRED_CERTIFICATE | -8181 | Peer's Certificate has expired; SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE | -8162 | The certificate issuer's certificate has expired. Check your system date and time; SEC_ERROR_EXPIRED_PASSWORD | -8020 | The password expired; SSL_ERROR_DC_EXPIRED | -12103 | SSL received a delegated credential that expired; SSL_ERROR_DC_INAPPROPRIATE_VALIDITY_PERIOD | -12102 | SSL received a delegated credential with excessive TTL

Firefox: certificateExpired certificateNotYetValid
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: certificateExpired certificateNotYetValid
after: nss
names: SSL_ERROR_EXPIRED_CERT_ALERT | -12269 | SSL peer rejected your certificate as expired

Firefox: certificateMalformed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: certificateMalformed
after: nss
names: SEC_ERROR_BAD_DER | -8183 | security library: improperly formatted DER-encoded message; SEC_ERROR_BAD_INFO_ACCESS_LOCATION | -8027 | Bad information access location in cert extension; SEC_ERROR_BAD_INFO_ACCESS_METHOD | -8022 | Unknown information access method in certificate extension; SEC_ERROR_BAD_NICKNAME | -8089 | Certificate nickname already in use; SEC_ERROR_BAD_TEMPLATE | -8056 | Could not decode ASN.1 data. Specified template was invalid; SEC_ERROR_DUPLICATE_CERT | -8170 | Certificate already exists in your database; SEC_ERROR_DUPLICATE_CERT_NAME | -8169 | Downloaded certificate's name duplicates one already in your database; SEC_ERROR_EXTENSION_VALUE_INVALID | -8158 | Certificate extension value is invalid; SEC_ERROR_EXTRA_INPUT | -8052 | DER-encoded message contained extra unused data; SEC_ERROR_FAILED_TO_ENCODE_DATA | -8028 | Failed to encode data with ASN1 encoder; SEC_ERROR_JS_INVALID_DLL | -8085 | Invalid module path/filename; SEC_ERROR_JS_INVALID_MODULE_NAME | -8086 | Invalid module name; SSL_ERROR_BAD_CERT_HASH_VALUE_ALERT | -12180 | SSL peer reported bad certificate hash value; SSL_ERROR_BAD_CERTIFICATE | -12284 | Unable to communicate securely with peer: peers's certificate was rejected; SSL_ERROR_NEXT_PROTOCOL_DATA_INVALID | -12172 | SSL received invalid ALPN extension data; SSL_ERROR_RX_MALFORMED_ALERT | -12250 | SSL received a malformed Alert record; SSL_ERROR_RX_MALFORMED_APPLICATION_DATA | -12248 | SSL received a malformed Application Data record; SSL_ERROR_RX_MALFORMED_CERT_REQUEST | -12256 | SSL received a malformed Certificate Request handshake message; SSL_ERROR_RX_MALFORMED_CERT_VERIFY | -12254 | SSL received a malformed Certificate Verify handshake message; SSL_ERROR_RX_MALFORMED_CERTIFICATE | -12258 | SSL received a malformed Certificate handshake message; SSL_ERROR_RX_MALFORMED_CHANGE_CIPHER | -12251 | SSL received a malformed Change Cipher Spec record; SSL_ERROR_RX_MALFORMED_CLIENT_HELLO | -12260 | SSL received a malformed Client Hello handshake message; SSL_ERROR_RX_MALFORMED_DTLS_ACK | -12114 | SSL received a malformed DTLS ACK; SSL_ERROR_RX_MALFORMED_EARLY_DATA | -12140 | SSL received an invalid EarlyData extension; SSL_ERROR_RX_MALFORMED_ENCRYPTED_EXTENSIONS | -12142 | SSL received a malformed Encrypted Extensions handshake message; SSL_ERROR_RX_MALFORMED_END_OF_EARLY_DATA | -12125 | SSL received a malformed End of Early Data message; SSL_ERROR_RX_MALFORMED_FINISHED | -12252 | SSL received a malformed Finished handshake message; SSL_ERROR_RX_MALFORMED_HANDSHAKE | -12249 | SSL received a malformed Handshake record; SSL_ERROR_RX_MALFORMED_HELLO_DONE | -12255 | SSL received a malformed Server Hello Done handshake message; SSL_ERROR_RX_MALFORMED_HELLO_REQUEST | -12261 | SSL received a malformed Hello Request handshake message; SSL_ERROR_RX_MALFORMED_HELLO_RETRY_REQUEST | -12133 | SSL received a malformed Hello Retry Request handshake message; SSL_ERROR_RX_MALFORMED_HELLO_VERIFY_REQUEST | -12166 | SSL received a malformed Hello Verify Request handshake message; SSL_ERROR_RX_MALFORMED_NEW_SESSION_TICKET | -12178 | SSL received a malformed New Session Ticket handshake message; SSL_ERROR_RX_MALFORMED_SERVER_HELLO | -12259 | SSL received a malformed Server Hello handshake message

Firefox: certificateMalformed strictTimeEncoding
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: certificateMalformed strictTimeEncoding
after: nss
names: SEC_ERROR_INVALID_TIME | -8184 | Improperly formatted time string; SSL_ERROR_RX_MALFORMED_KEY_UPDATE | -12118 | SSL received a malformed key update message

Firefox: certificateRevoked
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: certificateRevoked
after: nss
names: SEC_ERROR_REVOKED_CERTIFICATE | -8180 | Peer's Certificate has been revoked; SEC_ERROR_REVOKED_CERTIFICATE_CRL | -8047 | Certificate is revoked in issuer's certificate revocation list; SEC_ERROR_REVOKED_CERTIFICATE_OCSP | -8046 | Issuer's OCSP responder reports certificate is revoked; SEC_ERROR_REVOKED_KEY | -8131 | The key for this site's certificate has been revoked; SSL_ERROR_REVOKED_CERT_ALERT | -12270 | SSL peer rejected your certificate as revoked

Firefox: connectionClientCertificateRequired
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionClientCertificateRequired
after: nss
names: SSL_ERROR_NO_CERTIFICATE | -12285 | Unable to find the certificate or key necessary for authentication; SSL_ERROR_NO_TRUSTED_SSL_CLIENT_CA | -12199 | No certificate authority is trusted for SSL client authentication; SSL_ERROR_RX_CERTIFICATE_REQUIRED_ALERT | -12107 | SSL received a certificate_required alert

Firefox: connectionClosed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionClosed
after: nss
names: SEC_ERROR_MESSAGE_SEND_ABORTED | -8103 | Message not sent; SSL_ERROR_APPLICATION_ABORT | -12123 | SSL handshake aborted by the application; SSL_ERROR_CLOSE_NOTIFY_ALERT | -12230 | SSL peer has closed this connection

Firefox: connectionHandshakeAlert
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionHandshakeAlert
after: nss
names: SEC_ERROR_LIBPKIX_INTERNAL | -8026 | Libpkix internal error occurred during cert validation; SSL_ERROR_INTERNAL_ERROR_ALERT | -12188 | Peer reports it experienced an internal error; SSL_ERROR_MISSING_EXTENSION_ALERT | -12145 | SSL received a missing_extension alert; SSL_ERROR_RX_UNEXPECTED_ALERT | -12236 | SSL received an unexpected Alert record; SSL_ERROR_RX_UNKNOWN_ALERT | -12231 | SSL received an alert record with an unknown alert description

Firefox: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionHandshakeAlert presentedChainEmpty tlsVersionOutdated
after: nss
names: SSL_ERROR_HANDSHAKE_FAILURE_ALERT | -12227 | SSL peer was unable to negotiate an acceptable set of security parameters

Firefox: connectionHandshakeFailed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionHandshakeFailed
after: nss
names: SEC_ERROR_UNEXPECTED_COMPRESSED_CERTIFICATE | -8008 | Received unexpected compressed certificate; SSL_ERROR_BAD_2ND_CLIENT_HELLO | -12132 | SSL received a second Client Hello message without a usable key share; SSL_ERROR_BAD_BLOCK_PADDING | -12264 | SSL received a record with bad block padding; SSL_ERROR_BAD_HANDSHAKE_HASH_VALUE | -12201 | Received incorrect handshakes hash values from peer; SSL_ERROR_BAD_MAC_ALERT | -12272 | SSL peer reports incorrect Message Authentication Code; SSL_ERROR_BAD_MAC_READ | -12273 | SSL received a record with an incorrect Message Authentication Code; SSL_ERROR_DC_CERT_VERIFY_ALG_MISMATCH | -12106 | SSL received a delegated credential with unexpected certificate verification algorithm; SSL_ERROR_DECODE_ERROR_ALERT | -12193 | Peer could not decode an SSL handshake message; SSL_ERROR_DH_KEY_TOO_LONG | -12113 | SSL received a DH key share that's too long (>8192 bit); SSL_ERROR_HANDSHAKE_UNEXPECTED_ALERT | -12229 | SSL peer was not expecting a handshake message it received; SSL_ERROR_ILLEGAL_PARAMETER_ALERT | -12226 | SSL peer rejected a handshake message for unacceptable content; SSL_ERROR_MISSING_COOKIE_EXTENSION | -12120 | A second ClientHello was received without a cookie extension; SSL_ERROR_MISSING_KEY_SHARE | -12149 | SSL expected a Key Share extension; SSL_ERROR_MISSING_POST_HANDSHAKE_AUTH_EXTENSION | -12108 | SSL cannot send a CertificateRequest because the client doesn't support post-handshake authentication; SSL_ERROR_MISSING_PSK_KEY_EXCHANGE_MODES | -12129 | SSL expected a PSK key exchange modes extension; SSL_ERROR_MISSING_SIGNATURE_ALGORITHMS_EXTENSION | -12131 | SSL expected a signature algorithms extension; SSL_ERROR_MISSING_SUPPORTED_GROUPS | -12136 | SSL expected a supported groups extension; SSL_ERROR_RECORD_OVERFLOW_ALERT | -12196 | Peer received an SSL record that was longer than is permitted; SSL_ERROR_RX_MALFORMED_DHE_KEY_SHARE | -12147 | SSL received a malformed DHE key share handshake extension; SSL_ERROR_RX_MALFORMED_ECDHE_KEY_SHARE | -12148 | SSL received a malformed ECDHE key share handshake extension; SSL_ERROR_RX_MALFORMED_HYBRID_KEY_SHARE | SSL received a malformed hybrid key share handshake extension; SSL_ERROR_RX_MALFORMED_KEY_SHARE | -12150 | SSL received a malformed Key Share extension; SSL_ERROR_RX_UNEXPECTED_APPLICATION_DATA | -12234 | SSL received an unexpected Application Data record; SSL_ERROR_RX_UNEXPECTED_CERT_REQUEST | -12242 | SSL received an unexpected Certificate Request handshake message; SSL_ERROR_RX_UNEXPECTED_CERT_VERIFY | -12240 | SSL received an unexpected Certificate Verify handshake message; SSL_ERROR_RX_UNEXPECTED_CERTIFICATE | -12244 | SSL received an unexpected Certificate handshake message; SSL_ERROR_RX_UNEXPECTED_CHANGE_CIPHER | -12237 | SSL received an unexpected Change Cipher Spec record; SSL_ERROR_RX_UNEXPECTED_CLIENT_HELLO | -12246 | SSL received an unexpected Client Hello handshake message; SSL_ERROR_RX_UNEXPECTED_CLIENT_KEY_EXCH | -12239 | SSL received an unexpected Client Key Exchange handshake message; SSL_ERROR_RX_UNEXPECTED_ENCRYPTED_EXTENSIONS | -12146 | SSL received an unexpected Encrypted Extensions handshake message; SSL_ERROR_RX_UNEXPECTED_END_OF_EARLY_DATA | -12126 | SSL received an unexpected End of Early Data message; SSL_ERROR_RX_UNEXPECTED_EXTENSION | -12137 | SSL received an unexpected extension; SSL_ERROR_RX_UNEXPECTED_FINISHED | -12238 | SSL received an unexpected Finished handshake message; SSL_ERROR_RX_UNEXPECTED_HANDSHAKE | -12235 | SSL received an unexpected Handshake record; SSL_ERROR_RX_UNEXPECTED_HELLO_DONE | -12241 | SSL received an unexpected Server Hello Done handshake message; SSL_ERROR_RX_UNEXPECTED_HELLO_REQUEST | -12247 | SSL received an unexpected Hello Request handshake message; SSL_ERROR_RX_UNEXPECTED_HELLO_RETRY_REQUEST | -12134 | SSL received an unexpected Hello Retry Request handshake message; SSL_ERROR_RX_UNEXPECTED_HELLO_VERIFY_REQUEST | -12165 | SSL received an unexpected Hello Verify Request handshake message; SSL_ERROR_RX_UNEXPECTED_KEY_UPDATE | -12119 | SSL received an unexpected key update message; SSL_ERROR_RX_UNEXPECTED_NEW_SESSION_TICKET | -12179 | SSL received an unexpected New Session Ticket handshake message; SSL_ERROR_RX_UNEXPECTED_RECORD_TYPE | -12109 | SSL received an unexpected record type; SSL_ERROR_RX_UNEXPECTED_SERVER_HELLO | -12245 | SSL received an unexpected Server Hello handshake message; SSL_ERROR_RX_UNEXPECTED_SERVER_KEY_EXCH | -12243 | SSL received an unexpected Server Key Exchange handshake message; SSL_ERROR_RX_UNEXPECTED_UNCOMPRESSED_RECORD | -12174 | SSL received an unexpected uncompressed record; SSL_ERROR_UNEXPECTED_EXTENDED_MASTER_SECRET | -12151 | The peer tried to resume with an unexpected extended_master_secret extension

Firefox: connectionNameRefused
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionNameRefused
after: nss
names: SSL_ERROR_MISSING_ESNI_EXTENSION | -12110 | SSL did not receive an ESNI extension; SSL_ERROR_RX_MALFORMED_ESNI_EXTENSION | -12111 | SSL received a malformed ESNI extension; SSL_ERROR_RX_MALFORMED_ESNI_KEYS | -12112 | SSL received a malformed ESNI keys structure

Firefox: connectionNameRefused presentedChainEmpty
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionNameRefused presentedChainEmpty
after: nss
names: SSL_ERROR_UNRECOGNIZED_NAME_ALERT | -12182 | SSL peer has no certificate for the requested DNS name

Firefox: connectionNotTLS
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionNotTLS
after: nss
names: SSL_ERROR_TX_RECORD_TOO_LONG | -12262 | SSL attempted to send a record that exceeded the maximum permissible length

Firefox: connectionPlainHTTP
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionPlainHTTP
after: nss
names: SSL_ERROR_RX_UNKNOWN_RECORD_TYPE | -12233 | SSL received a record with an unknown content type

Firefox: connectionPlainHTTP presentedChainEmpty
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: connectionPlainHTTP presentedChainEmpty
after: nss
names: SSL_ERROR_RX_RECORD_TOO_LONG | -12263 | SSL received a record that exceeded the maximum permissible length

Firefox: criticalExtensionUnhandled
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: criticalExtensionUnhandled
after: nss
names: SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION | -8151 | Certificate contains unknown critical extension

Firefox: extendedKeyUsageNotAllowed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: extendedKeyUsageNotAllowed
after: nss
names: SEC_ERROR_INADEQUATE_CERT_TYPE | -8101 | Certificate type not approved for application; SSL_ERROR_UNSUPPORTED_CERTIFICATE_TYPE | -12280 | Unsupported certificate type

Firefox: extendedKeyUsageNotAllowed keyUsageNotForTLS
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS
after: nss
names: SEC_ERROR_CERT_USAGES_INVALID | -8154 | Certificate usages field is invalid

Firefox: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS keyAlgorithmUnsupported
after: nss
names: SSL_ERROR_UNSUPPORTED_CERT_ALERT | -12225 | SSL peer does not support certificates of the type it received

Firefox: hostMismatch subjectAlternativeNameMissing
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: hostMismatch subjectAlternativeNameMissing
after: nss
names: SSL_ERROR_BAD_CERT_DOMAIN | -12276 | Unable to communicate securely with peer: requested domain name does not match the server's certificate

Firefox: keyAlgorithmUnsupported
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keyAlgorithmUnsupported
after: nss
names: SEC_ERROR_CERTIFICATE_COMPRESSION_ALGORITHM_NOT_SUPPORTED | -8009 | The certificate was encoded using an unsupported certificate compression algorithm; SEC_ERROR_LEGACY_DATABASE | -8015 | The certificate/key database is in an old, unsupported format; SEC_ERROR_UNSUPPORTED_KEYALG | -8144 | Unsupported or unknown key algorithm

Firefox: keyMalformed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keyMalformed
after: nss
names: SEC_ERROR_BAD_KEY | -8178 | Peer's public key is invalid; SEC_ERROR_INVALID_KEY | -8152 | The key does not support the requested operation; SSL_ERROR_MALFORMED_PSK_KEY_EXCHANGE_MODES | -12130 | SSL received a malformed PSK key exchange modes extension; SSL_ERROR_RX_MALFORMED_CLIENT_KEY_EXCH | -12253 | SSL received a malformed Client Key Exchange handshake message; SSL_ERROR_RX_MALFORMED_PRE_SHARED_KEY | -12141 | SSL received an invalid PreSharedKey extension; SSL_ERROR_RX_MALFORMED_SERVER_KEY_EXCH | -12257 | SSL received a malformed Server Key Exchange handshake message

Firefox: keyUsageLacksCertSign keyUsageNotForTLS
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keyUsageLacksCertSign keyUsageNotForTLS
after: nss
names: SEC_ERROR_INADEQUATE_KEY_USAGE | -8102 | Certificate key usage inadequate for attempted operation

Firefox: keyUsageNotForTLS keyUsageLacksCertSign
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: nss
names: SSL_ERROR_DC_INVALID_KEY_USAGE | -12104 | SSL received a delegated credential from a certificate with invalid key usage

Firefox: keyUsesUnsupportedCurve
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keyUsesUnsupportedCurve
after: nss
names: SEC_ERROR_UNSUPPORTED_ELLIPTIC_CURVE | -8051

Firefox: keystorePassword
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keystorePassword
after: nss
names: SEC_ERROR_BAD_PASSWORD | -8177 | The security password entered is incorrect; SEC_ERROR_PKCS12_INVALID_MAC | -8113 | Unable to import. Invalid MAC. Incorrect password or corrupt file; SEC_ERROR_PKCS12_PRIVACY_PASSWORD_INCORRECT | -8107 | Unable to import. Incorrect privacy password; SEC_ERROR_PKCS12_UNSUPPORTED_MAC_ALGORITHM | -8112 | Unable to import. MAC algorithm not supported; SEC_ERROR_PKCS12_UNSUPPORTED_TRANSPORT_MODE | -8111 | Unable to import. Only password integrity and privacy modes supported

Firefox: keystoreUnreadable
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: keystoreUnreadable
after: nss
names: SEC_ERROR_PKCS12_CERT_COLLISION | -8106 | Unable to import. Same nickname already exists in database; SEC_ERROR_PKCS12_CORRUPT_PFX_STRUCTURE | -8110 | Unable to import. File structure is corrupt; SEC_ERROR_PKCS12_DECODING_PFX | -8114 | Unable to import. Decoding error. File not valid; SEC_ERROR_PKCS12_DUPLICATE_DATA | -8104 | Not imported, already in database; SEC_ERROR_PKCS12_IMPORTING_CERT_CHAIN | -8098 | Unable to import. Error attempting to import certificate chain; SEC_ERROR_PKCS12_KEY_DATABASE_NOT_INITIALIZED | -8093 | Unable to export. Key database corrupt or deleted; SEC_ERROR_PKCS12_UNABLE_TO_EXPORT_KEY | -8096 | Unable to export. Private Key could not be located and exported; SEC_ERROR_PKCS12_UNABLE_TO_IMPORT_KEY | -8099 | Unable to import. Error attempting to import private key; SEC_ERROR_PKCS12_UNABLE_TO_LOCATE_OBJECT_BY_NAME | -8097 | Unable to export. Unable to locate certificate or key by nickname; SEC_ERROR_PKCS12_UNABLE_TO_READ | -8094 | Unable to import. Unable to read the import file; SEC_ERROR_PKCS12_UNABLE_TO_WRITE | -8095 | Unable to export. Unable to write the export file; SEC_ERROR_PKCS12_UNSUPPORTED_PBE_ALGORITHM | -8109 | Unable to import. Encryption algorithm not supported; SEC_ERROR_PKCS12_UNSUPPORTED_VERSION | -8108 | Unable to import. File version not supported

Firefox: legacyRenegotiation
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: legacyRenegotiation
after: nss
names: SSL_ERROR_NO_RENEGOTIATION_ALERT | -12186 | Peer does not permit renegotiation of SSL security parameters; SSL_ERROR_RENEGOTIATION_NOT_ALLOWED | -12176 | Renegotiation is not allowed on this SSL socket

Firefox: nameNotPermitted nameExcluded
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: nameNotPermitted nameExcluded
after: nss
names: SEC_ERROR_CERT_NOT_IN_NAME_SPACE | -8080

Firefox: noSharedCipher
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: noSharedCipher
after: nss
names: SEC_ERROR_UNSUPPORTED_EC_POINT_FORM | -8050 | Unsupported elliptic curve point form; SSL_ERROR_ECH_RETRY_WITHOUT_ECH | -12099 | TLS ECH was rejected, but verification succeeded and no compatible retry_configs were found; SSL_ERROR_INSUFFICIENT_SECURITY_ALERT | -12189 | Server requires ciphers more secure than those supported by client; SSL_ERROR_NO_CIPHERS_SUPPORTED | -12265 | No cipher suites are present and enabled in this program; SSL_ERROR_NO_COMPRESSION_OVERLAP | -12203 | Cannot communicate securely with peer: no common compression algorithm(s); SSL_ERROR_NO_SUPPORTED_SIGNATURE_ALGORITHM | -12154 | No supported TLS signature algorithm was configured

Firefox: notCertificateAuthority basicConstraintsMissing
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: notCertificateAuthority basicConstraintsMissing
after: nss
names: SEC_ERROR_CA_CERT_INVALID | -8156 | Issuer certificate is invalid

Firefox: pathLengthExceeded
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: pathLengthExceeded
after: nss
names: SEC_ERROR_PATH_LEN_CONSTRAINT_INVALID | -8155 | Certificate path length constraint is invalid

Firefox: policyNotAcceptable
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: policyNotAcceptable
after: nss
names: SEC_ERROR_INVALID_POLICY_MAPPING | -8033 | Policy mapping contains anypolicy; SEC_ERROR_POLICY_LOCKED | -8012 | Could not change the policy because the policy is now locked; SEC_ERROR_POLICY_VALIDATION_FAILED | -8032 | Cert chain fails policy validation

Firefox: privateKeyUnusable
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: privateKeyUnusable
after: nss
names: SEC_ERROR_KEYGEN_FAIL | -8092 | Unable to generate public/private key pair; SEC_ERROR_NO_KEY | -8166 | The private key for this certificate cannot be found in key database; SSL_ERROR_WRONG_CERTIFICATE | -12277 | Client authentication failed: private key in key database does not match public key in certificate database

Firefox: protocolNotNegotiated
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: protocolNotNegotiated
after: nss
names: SSL_ERROR_MISSING_ALPN_EXTENSION | -12138 | SSL didn't receive an expected ALPN extension; SSL_ERROR_NEXT_PROTOCOL_NO_PROTOCOL | -12158 | The server supports no protocols that the client advertises in the ALPN extension

Firefox: revocationUnavailable
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: revocationUnavailable
after: nss
names: SEC_ERROR_BAD_CRL_DP_URL | -8017 | Invalid or unsupported URL in CRL distribution point name; SEC_ERROR_CRL_ALREADY_EXISTS | -8039 | CRL already exists; SEC_ERROR_CRL_BAD_SIGNATURE | -8160 | The CRL for the certificate's issuer has an invalid signature; SEC_ERROR_CRL_EXPIRED | -8161; SEC_ERROR_CRL_IMPORT_FAILED | -8021 | Error attempting to import a CRL; SEC_ERROR_CRL_INVALID | -8159 | New CRL has an invalid format; SEC_ERROR_CRL_INVALID_VERSION | -8045 | Issuer's Certificate Revocation List has an unknown version number; SEC_ERROR_CRL_NOT_FOUND | -8055 | No matching CRL was found; SEC_ERROR_CRL_NOT_YET_VALID | -8078 | The certificate revocation list for this certificate is not yet valid; SEC_ERROR_CRL_UNKNOWN_CRITICAL_EXTENSION | -8043 | Issuer's V2 Certificate Revocation List has an unknown critical extension; SEC_ERROR_CRL_V1_CRITICAL_EXTENSION | -8044 | Issuer's V1 Certificate Revocation List has a critical extension; SEC_ERROR_KRL_BAD_SIGNATURE | -8132 | The KRL for this site's certificate has an invalid signature; SEC_ERROR_KRL_EXPIRED | -8133 | The KRL for this site's certificate has expired; SEC_ERROR_KRL_INVALID | -8130 | New KRL has an invalid format; SEC_ERROR_KRL_NOT_YET_VALID | -8079 | The key revocation list for this certificate is not yet valid; SEC_ERROR_NO_KRL | -8134 | No KRL for this site's certificate has been found; SEC_ERROR_OCSP_BAD_HTTP_RESPONSE | -8073 | The OCSP server returned unexpected/invalid HTTP data; SEC_ERROR_OCSP_BAD_SIGNATURE | -8035 | OCSP response has an invalid signature; SEC_ERROR_OCSP_FUTURE_RESPONSE | -8061 | The OCSP response is not yet valid (contains a date in the future); SEC_ERROR_OCSP_INVALID_SIGNING_CERT | -8048 | Invalid OCSP signing certificate in OCSP response; SEC_ERROR_OCSP_MALFORMED_REQUEST | -8072 | The OCSP server found the request to be corrupted or improperly formed; SEC_ERROR_OCSP_MALFORMED_RESPONSE | -8063 | The response from the OCSP server was corrupted or improperly formed; SEC_ERROR_OCSP_NO_DEFAULT_RESPONDER | -8064 | You must set the OCSP default responder before performing this operation; SEC_ERROR_OCSP_NOT_ENABLED | -8065 | You must enable OCSP before performing this operation; SEC_ERROR_OCSP_REQUEST_NEEDS_SIG | -8069 | The OCSP server requires a signature on this request; SEC_ERROR_OCSP_RESPONDER_CERT_INVALID | -8036 | Configured OCSP responder's certificate is invalid; SEC_ERROR_OCSP_SERVER_ERROR | -8071 | The OCSP server experienced an internal error; SEC_ERROR_OCSP_TRY_SERVER_LATER | -8070 | The OCSP server suggests trying again later; SEC_ERROR_OCSP_UNAUTHORIZED_REQUEST | -8068 | The OCSP server has refused this request as unauthorized; SEC_ERROR_OCSP_UNAUTHORIZED_RESPONSE | -8062; SEC_ERROR_OCSP_UNKNOWN_CERT | -8066 | The OCSP server has no status for the certificate; SEC_ERROR_OCSP_UNKNOWN_RESPONSE_STATUS | -8067 | The OCSP server returned an unrecognizable status; SEC_ERROR_OCSP_UNKNOWN_RESPONSE_TYPE | -8074 | The OCSP response cannot be fully decoded; SEC_ERROR_OLD_CRL | -8150 | New CRL is not later than the current one; SEC_ERROR_OLD_KRL | -8082 | New KRL is not later than the current one; SSL_ERROR_BAD_CERT_STATUS_RESPONSE_ALERT | -12181 | SSL peer was unable to get an OCSP response for its certificate

Firefox: revocationUnavailable stapleMissing
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: revocationUnavailable stapleMissing
after: nss
names: SEC_ERROR_OCSP_OLD_RESPONSE | -8060 | The OCSP response contains out-of-date information

Firefox: rsaKeyTooSmall
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: rsaKeyTooSmall
after: nss
names: SEC_ERROR_DECRYPTION_DISALLOWED | -8143 | Cannot decrypt: encrypted using a disallowed algorithm or key size; SSL_ERROR_PUB_KEY_SIZE_LIMIT_EXCEEDED | -12210 | SSL Server attempted to use domestic-grade public key with export cipher suite; SSL_ERROR_WEAK_SERVER_CERT_KEY | -12156 | The server certificate included a public key that was too weak

Firefox: signatureAlgorithmMismatch
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: signatureAlgorithmMismatch
after: nss
names: SEC_ERROR_PKCS7_KEYALG_MISMATCH | -8146 | Cannot decrypt: key encryption algorithm does not match your certificate

Firefox: signatureAlgorithmUnsupported
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: signatureAlgorithmUnsupported
after: nss
names: SSL_ERROR_DC_BAD_SIGNATURE | -12105 | SSL received a delegated credential with an invalid signature; SSL_ERROR_UNSUPPORTED_HASH_ALGORITHM | -12162 | Unsupported hash algorithm used by TLS peer; SSL_ERROR_UNSUPPORTED_SIGNATURE_ALGORITHM | -12153 | The peer used an unsupported combination of signature and hash algorithm

Firefox: signatureInvalid
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: signatureInvalid
after: nss
names: SEC_ERROR_BAD_SIGNATURE | -8182 | Peer's certificate has an invalid signature; SEC_ERROR_PKCS7_BAD_SIGNATURE | -8145; SSL_ERROR_DECRYPT_ERROR_ALERT | -12192 | Peer reports failure of signature verification or key exchange; SSL_ERROR_INCORRECT_SIGNATURE_ALGORITHM | -12160 | Incorrect signature algorithm specified in a digitally-signed element

Firefox: signatureUsesSHA1 signatureUsesMD5
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: signatureUsesSHA1 signatureUsesMD5
after: nss
names: SEC_ERROR_CERT_SIGNATURE_ALGORITHM_DISABLED | -8016 | The certificate was signed using a signature algorithm that is disabled because it is not secure; SEC_ERROR_SIGNATURE_ALGORITHM_DISABLED | -8011; SSL_ERROR_MD5_DIGEST_FAILURE | -12215 | MD5 digest function failed; SSL_ERROR_SHA_DIGEST_FAILURE | -12214 | SHA-1 digest function failed

Firefox: stapleMissing
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: stapleMissing
after: nss
names: SEC_ERROR_CERT_BAD_ACCESS_LOCATION | -8075 | The location for the certificate status server has invalid format; SSL_ERROR_RX_UNEXPECTED_CERT_STATUS | -12163 | SSL received an unexpected Certificate Status handshake message

Firefox: strictSerialNumber
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: strictSerialNumber
after: nss
names: SEC_ERROR_REUSED_ISSUER_AND_SERIAL | -8054

Firefox: tlsVersionOutdated
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: tlsVersionOutdated
after: nss
names: SSL_ERROR_CIPHER_DISALLOWED_FOR_VERSION | -12167 | SSL peer selected a cipher suite disallowed for the selected protocol version; SSL_ERROR_FEATURE_NOT_SUPPORTED_FOR_SSL2 | -12171 | SSL feature not supported for SSL 2.0 connections; SSL_ERROR_FEATURE_NOT_SUPPORTED_FOR_VERSION | -12164 | SSL feature not supported for the protocol version; SSL_ERROR_INAPPROPRIATE_FALLBACK_ALERT | -12157; SSL_ERROR_NEXT_PROTOCOL_NO_CALLBACK | -12159 | The next protocol negotiation extension was enabled, but the callback was cleared prior to being needed; SSL_ERROR_PROTOCOL_VERSION_ALERT | -12190 | Peer reports incompatible or unsupported protocol version; SSL_ERROR_SSL2_DISABLED | -12274 | Peer only supports SSL version 2, which is locally disabled; SSL_ERROR_SSL_DISABLED | -12268 | Cannot connect: SSL is disabled; SSL_ERROR_UNSUPPORTED_VERSION | -12279 | Peer using unsupported version of security protocol

Firefox: tlsVersionOutdated presentedChainEmpty handshakeUnproven
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: tlsVersionOutdated presentedChainEmpty handshakeUnproven
after: nss
names: SSL_ERROR_NO_CYPHER_OVERLAP | -12286 | Cannot communicate securely with peer: no common encryption algorithm(s)

Firefox: unknownIssuer untrustedRoot
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownIssuer untrustedRoot
after: nss
names: SEC_ERROR_UNKNOWN_ISSUER | -8179 | Peer's Certificate issuer is not recognized

Firefox: unknownIssuer untrustedRoot hostMismatch certificateExpired
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownIssuer untrustedRoot hostMismatch certificateExpired
after: nss
names: SSL_ERROR_CERTIFICATE_UNKNOWN_ALERT | -12224 | SSL peer had some unspecified issue with the certificate it received

Firefox: unknownIssuer untrustedRoot hostMismatch certificateMalformed
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownIssuer untrustedRoot hostMismatch certificateMalformed
after: nss
names: SSL_ERROR_BAD_CERT_ALERT | -12271 | SSL peer cannot verify your certificate

Firefox: unknownIssuer untrustedRoot selfSignedLeaf
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownIssuer untrustedRoot selfSignedLeaf
after: nss
names: SSL_ERROR_UNKNOWN_CA_ALERT | -12195 | Peer does not recognize and trust the CA that issued your certificate

Firefox: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: nss
names: SSL_ERROR_ECH_FAILED | -12098 | TLS ECH was rejected and verification failed

Firefox: untrustedRoot
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: untrustedRoot
after: nss
names: SEC_ERROR_UNTRUSTED_ISSUER | -8172 | Peer's certificate issuer has been marked as not trusted by the user

Firefox: untrustedRoot selfSignedLeaf
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: untrustedRoot selfSignedLeaf
after: nss
names: SEC_ERROR_UNTRUSTED_CERT | -8171 | Peer's certificate has been marked as not trusted by the user

Firefox: weakKeyExchange
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: weakKeyExchange
after: nss
names: SSL_ERROR_WEAK_SERVER_EPHEMERAL_DH_KEY | -12173 | SSL received a weak ephemeral Diffie-Hellman key in Server Key Exchange handshake message

Firefox: unknownCause
tool: Firefox
source: NSS 9d75dfde2: SECerrs.h, SSLerrs.h, pkixnss.h
codes: unknownCause
after: nss
note: This is Firefox's error "{reason}". Its cause isn't known here.
names: MOZILLA_PKIX_ERROR_NO_RFC822NAME_MATCH; SEC_ERROR_ADDING_CERT | -8168 | Error adding certificate to database; SEC_ERROR_ALGORITHM_MISMATCH | -8010; SEC_ERROR_APPLICATION_CALLBACK_ERROR | -8014 | The certificate was rejected by extra checks in the application; SEC_ERROR_BAD_DATA | -8190 | security library: received bad data; SEC_ERROR_BAD_DATABASE | -8174 | security library: bad database; SEC_ERROR_BAD_EXPORT_ALGORITHM | -8117 | Required algorithm is not allowed; SEC_ERROR_BAD_HTTP_RESPONSE | -8030 | Server returned bad HTTP response; SEC_ERROR_BAD_LDAP_RESPONSE | -8029 | Server returned bad LDAP response; SEC_ERROR_BAGGAGE_NOT_CREATED | -8121 | error while creating baggage object; SEC_ERROR_BUSY | -8053 | NSS could not shutdown. Objects are still in use; SEC_ERROR_CANNOT_MOVE_SENSITIVE_KEY | -8087 | A sensitive key cannot be moved to the slot where it is needed; SEC_ERROR_CERT_ADDR_MISMATCH | -8100 | Address in signing certificate does not match address in message headers; SEC_ERROR_CERT_NICKNAME_COLLISION | -8124 | A certificate with the same nickname already exists; SEC_ERROR_CERT_NO_RESPONSE | -8163 | Cert Library: No Response; SEC_ERROR_CERT_NOT_VALID | -8164 | This certificate is not valid; SEC_ERROR_CERT_VALID | -8165 | This certificate is valid; SEC_ERROR_CKL_CONFLICT | -8081 | New CKL has different issuer than current CKL. Delete current CKL; SEC_ERROR_DIGEST_NOT_FOUND | -8059 | The CMS or PKCS #7 Digest was not found in signed message; SEC_ERROR_EXPORTING_CERTIFICATES | -8116 | Error attempting to export certificates; SEC_ERROR_EXTENSION_NOT_FOUND | -8157 | Certificate extension not found; SEC_ERROR_FILING_KEY | -8167 | Error refiling the key for this certificate; SEC_ERROR_IMPORTING_CERTIFICATES | -8115 | Error attempting to import certificates; SEC_ERROR_INCOMPATIBLE_PKCS11 | -8041 | PKCS #11 driver violates the spec in an incompatible way; SEC_ERROR_INPUT_LEN | -8188 | security library has experienced an input length error; SEC_ERROR_INVALID_ALGORITHM | -8186 | security library: invalid algorithm; SEC_ERROR_INVALID_ARGS | -8187 | security library: invalid arguments; SEC_ERROR_INVALID_AVA | -8185 | security library: invalid AVA; SEC_ERROR_INVALID_PASSWORD | -8091 | Password entered is invalid. Please pick a different one; SEC_ERROR_INVALID_STATE | -8013 | The attempted operation is invalid for the current state; SEC_ERROR_IO | -8192 | An I/O error occurred during security authorization; SEC_ERROR_JS_ADD_MOD_FAILURE | -8084 | Unable to add module; SEC_ERROR_JS_DEL_MOD_FAILURE | -8083 | Unable to delete module; SEC_ERROR_KEY_NICKNAME_COLLISION | -8123 | A key with the same nickname already exists; SEC_ERROR_LIBRARY_FAILURE | -8191 | security library failure; SEC_ERROR_LOCKED_PASSWORD | -8019 | The password is locked; SEC_ERROR_MODULE_STUCK | -8057 | PKCS #11 module could not be removed because it is still in use; SEC_ERROR_NEED_RANDOM | -8129 | security library: need random data; SEC_ERROR_NO_EMAIL_CERT | -8149 | Not encrypted or signed: you do not yet have an email certificate; SEC_ERROR_NO_EVENT | -8040 | No new slot event is available at this time; SEC_ERROR_NO_MEMORY | -8173 | security library: memory allocation failure; SEC_ERROR_NO_MODULE | -8128 | security library: no security module can perform the requested operation; SEC_ERROR_NO_NODELOCK | -8175 | security library: no nodelock; SEC_ERROR_NO_RECIPIENT_CERTS_QUERY | -8148 | Not encrypted: you do not have certificates for each of the recipients; SEC_ERROR_NO_SLOT_SELECTED | -8125 | No slot or token was selected; SEC_ERROR_NO_TOKEN | -8127 | The security card or token does not exist, needs to be initialized, or has been removed; SEC_ERROR_NOT_A_RECIPIENT | -8147; SEC_ERROR_NOT_FORTEZZA_ISSUER | -8088 | Peer FORTEZZA chain has a non-FORTEZZA Certificate; SEC_ERROR_NOT_INITIALIZED | -8038 | NSS is not initialized; SEC_ERROR_OUT_OF_SEARCH_LIMITS | -8034 | Cert validation search is out of search limits; SEC_ERROR_OUTPUT_LEN | -8189 | security library: output length error; SEC_ERROR_PKCS11_DEVICE_ERROR | -8023; SEC_ERROR_PKCS11_FUNCTION_FAILED | -8024; SEC_ERROR_PKCS11_GENERAL_ERROR | -8025 | A PKCS #11 module returned CKR_GENERAL_ERROR, indicating that an unrecoverable error has occurred; SEC_ERROR_READ_ONLY | -8126 | security library: read-only database; SEC_ERROR_RETRY_OLD_PASSWORD | -8090 | Old password entered incorrectly. Please try again; SEC_ERROR_RETRY_PASSWORD | -8176 | New password entered incorrectly. Please try again; SEC_ERROR_SAFE_NOT_CREATED | -8122 | error while creating safe object; SEC_ERROR_TOKEN_NOT_LOGGED_IN | -8037 | The operation failed because the PKCS#11 token is not logged in; SEC_ERROR_UNKNOWN_AIA_LOCATION_TYPE | -8031 | Unknown location type in cert AIA extension; SEC_ERROR_UNKNOWN_CERT | -8077 | The requested certificate could not be found; SEC_ERROR_UNKNOWN_OBJECT_TYPE | -8042 | Unknown object type specified; SEC_ERROR_UNKNOWN_PKCS11_ERROR | -8018 | Unknown PKCS #11 error; SEC_ERROR_UNKNOWN_SIGNER | -8076 | The signer's certificate could not be found; SEC_ERROR_UNRECOGNIZED_OID | -8049 | Unrecognized Object Identifier; SEC_ERROR_UNSUPPORTED_MESSAGE_TYPE | -8058 | The CMS or PKCS #7 Message type is unsupported; SEC_ERROR_USER_CANCELLED | -8105 | The user pressed cancel; SEC_INTERNAL_ONLY | -8153 | **Internal ONLY module**; SSL_ERROR_ACCESS_DENIED_ALERT | -12194 | Peer received a valid certificate, but access was denied; SSL_ERROR_APP_CALLBACK_ERROR | -12122 | An application callback produced an invalid response; SSL_ERROR_BAD_CLIENT | -12282 | The server has encountered bad data from the client; SSL_ERROR_BAD_RESUMPTION_TOKEN_ERROR | -12115 | SSL received an invalid resumption token; SSL_ERROR_BAD_SERVER | -12281 | The client has encountered bad data from the server; SSL_ERROR_CERT_KEA_MISMATCH | -12200 | The certificate provided cannot be used with the selected authentication type; SSL_ERROR_CERTIFICATE_UNOBTAINABLE_ALERT | -12183 | SSL peer could not obtain your certificate from the supplied URL; SSL_ERROR_CLIENT_KEY_EXCHANGE_FAILURE | -12219 | Unspecified failure while processing SSL Client Key Exchange handshake; SSL_ERROR_DECOMPRESSION_FAILURE | -12177 | SSL received a compressed record that could not be decompressed; SSL_ERROR_DECOMPRESSION_FAILURE_ALERT | -12228 | SSL peer was unable to successfully decompress an SSL record it received; SSL_ERROR_DECRYPTION_FAILED_ALERT | -12197 | Peer was unable to decrypt an SSL record it received; SSL_ERROR_DECRYPTION_FAILURE | -12217 | Bulk data decryption algorithm failed in selected cipher suite; SSL_ERROR_DIGEST_FAILURE | -12161 | Digest function failed; SSL_ERROR_DOWNGRADE_WITH_EARLY_DATA | -12128 | SSL got a pre-TLS 1.3 version even though we sent early data; SSL_ERROR_ECH_REQUIRED_ALERT | -12097 | SSL peer reported ECH required; SSL_ERROR_ECH_RETRY_WITH_ECH | -12100 | TLS ECH was rejected, but verification succeeded and compatible retry_configs are available; SSL_ERROR_ENCRYPTION_FAILURE | -12218 | Bulk data encryption algorithm failed in selected cipher suite; SSL_ERROR_EXPORT_ONLY_SERVER | -12288 | Unable to communicate securely. Peer does not support high-grade encryption; SSL_ERROR_EXPORT_RESTRICTION_ALERT | -12191 | Peer reports negotiation not in compliance with export regulations; SSL_ERROR_EXTENSION_DISALLOWED_FOR_VERSION | -12143 | SSL received an extension that is not permitted for this version; SSL_ERROR_EXTRACT_PUBLIC_KEY_FAILURE | -12221 | SSL was unable to extract the public key from the peer's certificate; SSL_ERROR_FEATURE_DISABLED | -12101 | The requested feature is disabled; SSL_ERROR_FEATURE_NOT_SUPPORTED_FOR_CLIENTS | -12169 | SSL feature not supported for clients; SSL_ERROR_FEATURE_NOT_SUPPORTED_FOR_SERVERS | -12170 | SSL feature not supported for servers; SSL_ERROR_FORTEZZA_PQG | -12267 | Cannot connect: SSL peer is in another FORTEZZA domain; SSL_ERROR_GENERATE_RANDOM_FAILURE | -12223 | SSL experienced a failure of its random number generator; SSL_ERROR_HANDSHAKE_FAILED | -12116 | SSL handshake has already failed. No more operations possible; SSL_ERROR_HANDSHAKE_NOT_COMPLETED | -12202 | Cannot perform the operation until the handshake is complete; SSL_ERROR_INIT_CIPHER_SUITE_FAILURE | -12208 | Failed to initialize the selected cipher suite; SSL_ERROR_INVALID_VERSION_RANGE | -12168 | SSL version range is not valid; SSL_ERROR_IV_PARAM_FAILURE | -12209 | PKCS11 code failed to translate an IV into a param; SSL_ERROR_KEY_EXCHANGE_FAILURE | -12144 | SSL had an error performing key exchange; SSL_ERROR_MAC_COMPUTATION_FAILURE | -12213 | MAC computation failed; SSL_ERROR_MISSING_EXTENDED_MASTER_SECRET | -12152; SSL_ERROR_NO_SERVER_KEY_FOR_ALG | -12206 | Server has no key for the attempted key exchange algorithm; SSL_ERROR_NO_TIMERS_ERROR | -12121 | No timers are currently running; SSL_ERROR_POST_WARNING | -12275 | Unrecognized SSL error code; SSL_ERROR_RX_SHORT_DTLS_READ | -12155 | Not enough room in buffer for DTLS record; SSL_ERROR_RX_UNKNOWN_HANDSHAKE | -12232 | SSL received a handshake message with an unknown message type; SSL_ERROR_SERVER_CACHE_NOT_CONFIGURED | -12185 | SSL server cache not configured and not disabled for this socket; SSL_ERROR_SERVER_KEY_EXCHANGE_FAILURE | -12220 | Unspecified failure while processing SSL Server Key Exchange handshake; SSL_ERROR_SESSION_KEY_GEN_FAILURE | -12207 | Client failed to generate session keys for SSL session; SSL_ERROR_SESSION_NOT_FOUND | -12198 | Client's SSL session ID not found in server's session cache; SSL_ERROR_SIGN_HASHES_FAILURE | -12222 | Unable to digitally sign data required to verify your certificate; SSL_ERROR_SOCKET_WRITE_FAILURE | -12216 | Attempt to write encrypted data to underlying socket failed; SSL_ERROR_SYM_KEY_CONTEXT_FAILURE | -12212 | Failure to create Symmetric Key context; SSL_ERROR_SYM_KEY_UNWRAP_FAILURE | -12211 | Failure to unwrap the Symmetric key in Client Key Exchange message; SSL_ERROR_TOKEN_INSERTION_REMOVAL | -12205 | PKCS#11 token was inserted or removed while operation was in progress; SSL_ERROR_TOKEN_SLOT_NOT_FOUND | -12204 | No PKCS#11 token could be found to do a required operation; SSL_ERROR_TOO_MANY_KEY_UPDATES | -12117 | SSL attempted too many key updates; SSL_ERROR_TOO_MANY_RECORDS | -12135 | SSL sent or received too many records with the same symmetric key; SSL_ERROR_TOO_MUCH_EARLY_DATA | -12127 | SSL received more early data than permitted; SSL_ERROR_UNKNOWN_CIPHER_SUITE | -12266 | An unknown SSL cipher suite has been requested; SSL_ERROR_UNSAFE_NEGOTIATION | -12175 | Peer attempted old style (potentially vulnerable) handshake; SSL_ERROR_UNSUPPORTED_EXPERIMENTAL_API | -12124 | An experimental API was called, but not supported; SSL_ERROR_UNSUPPORTED_EXTENSION_ALERT | -12184 | SSL peer does not support requested TLS hello extension; SSL_ERROR_US_ONLY_SERVER | -12287 | Unable to communicate securely. Peer requires high-grade encryption which is not supported; SSL_ERROR_USER_CANCELED_ALERT | -12187 | Peer user canceled handshake; XP_JAVA_CERT_NOT_EXISTS_ERROR | -8118 | This principal doesn't have a certificate; XP_JAVA_DELETE_PRIVILEGE_ERROR | -8119 | Couldn't delete the privilege; XP_JAVA_REMOVE_PRINCIPAL_ERROR | -8120 | Couldn't remove the principal; XP_SEC_FORTEZZA_BAD_CARD | -8142; XP_SEC_FORTEZZA_BAD_PIN | -8136 | Invalid Pin; XP_SEC_FORTEZZA_MORE_INFO | -8139 | Please select a personality to get more info on; XP_SEC_FORTEZZA_NO_CARD | -8141 | No Fortezza cards Found; XP_SEC_FORTEZZA_NO_MORE_INFO | -8137 | No more information on that Personality; XP_SEC_FORTEZZA_NONE_SELECTED | -8140 | No Fortezza card selected; XP_SEC_FORTEZZA_PERSON_ERROR | -8135 | Couldn't initialize Fortezza personalities; XP_SEC_FORTEZZA_PERSON_NOT_FOUND | -8138 | Personality not found

Go: certificateMalformed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: certificateMalformed
after: x509 tls
names: tls: failed to parse certificate from server; tls: failed to parse client certificate; tls: internal error: pskBinders length mismatch; tls: invalid or missing PSK binders; tls: invalid PSK binder; x509: certificate contains duplicate extensions; x509: certificate request contains duplicate requested extensions; x509: malformed algorithm identifier; x509: malformed certificate; x509: malformed DEK-Info header; x509: malformed extension; x509: malformed extension critical field; x509: malformed extension OID field; x509: malformed extension value field; x509: malformed extensions; x509: malformed issuer; x509: malformed issuerUniqueID; x509: malformed OID; x509: malformed parameters; x509: malformed signature; x509: malformed signature algorithm identifier; x509: malformed spki; x509: malformed subjectUniqueID; x509: malformed tbs certificate; x509: malformed validity; x509: malformed version; x509: missing ASN.1 contents; x509: SAN dNSName is malformed; x509: SAN rfc822Name is malformed; x509: SAN uniformResourceIdentifier is malformed; x509: trailing data after ASN.1 of public-key; x509: trailing data after X.509 Subject

Go: certificateMalformed strictTimeEncoding
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: certificateMalformed strictTimeEncoding
after: x509 tls
names: tls: received a session ticket with invalid lifetime; x509: malformed GeneralizedTime; x509: malformed UTCTime; x509: unsupported time format

Go: connectionClosed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: connectionClosed
after: x509 tls
names: tls: failed to send closeNotify alert (but connection was closed anyway)

Go: connectionHandshakeAlert
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: connectionHandshakeAlert
after: x509 tls
names: tls: internal error: attempted to read record with pending application data; tls: internal error: failed to clone hash; tls: internal error: failed to update binders; tls: internal error: handshake returned an error but is marked successful; tls: internal error: handshake should have had a result; tls: internal error: session ticket keys unavailable; tls: internal error: TLS 1.3 reached in FIPS mode; tls: internal error: wrong nonce length; x509: internal error: cannot parse constraint; x509: internal error: cannot parse domain; x509: internal error: empty chain when appending CA cert; x509: internal error: IP SAN; x509: internal error: supported public key does not implement Equal; x509: internal error: system verifier returned an empty chain; x509: internal error: URI SAN; x509: macOS certificate verification internal error

Go: connectionHandshakeFailed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: connectionHandshakeFailed
after: x509 tls
names: tls: client illegally modified second ClientHello; tls: client sent invalid key share in second ClientHello; tls: client sent unexpected early data; tls: HKDF-Expand-Label invocation failed unexpectedly; tls: invalid client key share; tls: invalid server key share; tls: malformed key_share extension; tls: missing ServerKeyExchange message; tls: received malformed key_share extension; tls: received unexpected CertificateStatus message; tls: received unexpected handshake message of type; tls: server did not send a key share; tls: server selected an invalid version after a HelloRetryRequest; tls: server sent an unnecessary HelloRetryRequest key_share; tls: unexpected ServerKeyExchange; x509: Ed25519 key encoded with illegal parameters; x509: invalid DSA parameters; x509: invalid ECDSA parameters

Go: connectionNameRefused
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: connectionNameRefused
after: x509 tls
names: tls: either ServerName or InsecureSkipVerify must be specified in the tls.Config

Go: connectionTimedOut
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: connectionTimedOut
after: x509 tls
names: tls: DialWithDialer timed out

Go: extendedKeyUsageNotAllowed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: extendedKeyUsageNotAllowed
after: x509 tls
names: x509: invalid extended key usages; x509: unknown extended key usage

Go: hostMismatch
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: hostMismatch
after: x509 tls
names: tls: VerifyHostname called on TLS server connection; x509: invalid subject alternative name; x509: invalid subject alternative names

Go: keyAlgorithmUnsupported
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: keyAlgorithmUnsupported
after: x509 tls
names: tls: client certificate contains an unsupported public key of type; tls: Ed25519 public keys are not supported before TLS 1.2; tls: internal error: unsupported key (; tls: server's certificate contains an unsupported type of public key; tls: unknown public key algorithm; tls: unsupported certificate curve (; tls: unsupported certificate key (; tls: unsupported decryption key type (; tls: unsupported public key; tls: unsupported signing key type (; x509: unknown curve while marshaling to PKCS#8; x509: unknown elliptic curve; x509: unknown key type while marshaling PKCS#8; x509: unknown public key algorithm; x509: unsupported public key type

Go: keyMalformed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: keyMalformed
after: x509 tls
names: tls: invalid ClientKeyExchange message; tls: invalid ServerKeyExchange message; x509: invalid authority key identifier; x509: invalid DSA public key; x509: invalid elliptic curve public key; x509: invalid RSA public key; x509: invalid subject key identifier; x509: malformed public key algorithm identifier; x509: malformed subjectPublicKey

Go: keyUsageNotForTLS keyUsageLacksCertSign
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: x509 tls
names: x509: invalid key usage; x509: issuer must have the crlSign key usage bit set

Go: legacyRenegotiation
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: legacyRenegotiation
after: x509 tls
names: tls: incorrect renegotiation extension contents; tls: initial handshake had non-empty renegotiation extension; tls: internal error: unexpected renegotiation; tls: server selected TLS 1.3 in a renegotiation; tls: server's identity changed during renegotiation; tls: unknown Renegotiation value

Go: nameNotPermitted nameExcluded
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: nameNotPermitted nameExcluded
after: x509 tls
names: x509: failed to parse dnsName constraint; x509: failed to parse rfc822Name constraint; x509: invalid NameConstraints extension

Go: noSharedCipher
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: noSharedCipher
after: x509 tls
names: tls: CurvePreferences includes unsupported curve; tls: internal error: unsupported curve; tls: no supported elliptic curves offered; tls: no supported versions satisfy MinVersion and MaxVersion; tls: server selected unsupported curve

Go: notCertificateAuthority basicConstraintsMissing
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: notCertificateAuthority basicConstraintsMissing
after: x509 tls
names: x509: invalid basic constraints a; x509: invalid basic constraints b; x509: invalid basic constraints c

Go: pathLengthExceeded
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: pathLengthExceeded
after: x509 tls
names: x509: only CAs are allowed to specify MaxPathLen

Go: policyNotAcceptable
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: policyNotAcceptable
after: x509 tls
names: x509: invalid certificate policies

Go: privateKeyUnusable
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: privateKeyUnusable
after: x509 tls
names: tls: certificate private key (; tls: certificate private key does not implement crypto.Decrypter; tls: certificate private key of type; tls: client certificate private key of type; tls: failed to parse private key; tls: found a certificate rather than a key in the PEM for the private key; tls: found unknown private key type in PKCS#8 wrapping; tls: unsupported certificate: private key is; tls: unsupported certificate: private key is *ed25519.PrivateKey, expected ed25519.PrivateKey; x509: certificate private key does not implement crypto.Signer; x509: failed to marshal EC private key while building PKCS#8; x509: failed to marshal private key; x509: failed to parse EC private key; x509: failed to parse EC private key embedded in PKCS#8; x509: failed to parse private key (use ParseECPrivateKey instead for this key format); x509: failed to parse private key (use ParsePKCS1PrivateKey instead for this key format); x509: failed to parse private key (use ParsePKCS8PrivateKey instead for this key format); x509: failed to parse RSA private key embedded in PKCS#8; x509: invalid Ed25519 private key; x509: invalid Ed25519 private key length; x509: invalid Ed25519 private key parameters; x509: invalid elliptic curve private key value; x509: invalid private key length; x509: PKCS#8 wrapping contained private key with unknown algorithm; x509: private key contains zero or negative prime; x509: private key contains zero or negative value; x509: requested SignatureAlgorithm does not match private key type; x509: unknown EC private key version; x509: unsupported private key version

Go: protocolNotNegotiated
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: protocolNotNegotiated
after: x509 tls
names: tls: server selected unadvertised ALPN protocol

Go: revocationUnavailable
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: revocationUnavailable
after: x509 tls
names: x509: CRL number exceeds 20 octets; x509: invalid CRL distribution point; x509: invalid CRL distribution points; x509: malformed crl; x509: malformed crl number; x509: malformed tbs crl; x509: trailing data after CRL

Go: rsaKeyTooSmall
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: rsaKeyTooSmall
after: x509 tls
names: tls: certificate RSA key size too small for supported signature algorithms; x509: wrong Ed25519 public key size

Go: signatureAlgorithmUnsupported
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: signatureAlgorithmUnsupported
after: x509 tls
names: crypto/rsa: unsupported hash function; tls: certificate used with invalid signature algorithm; tls: client certificate used with invalid signature algorithm; tls: invalid client finished hash; tls: invalid server finished hash; tls: invalid signature by the client certificate; tls: invalid signature by the server certificate; x509: unknown SignatureAlgorithm

Go: signatureInvalid
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: signatureInvalid
after: x509 tls
names: x509: invalid padding; x509: signature over certificate returned by signer is invalid

Go: signatureUsesSHA1 signatureUsesMD5
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: signatureUsesSHA1 signatureUsesMD5
after: x509 tls
names: x509: signing with MD5 is not supported

Go: strictSerialNumber certificateMalformed
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: strictSerialNumber certificateMalformed
after: x509 tls
names: x509: failed to serialise extensions attribute; x509: malformed serial number; x509: no SerialNumber given; x509: serial number must be positive

Go: tlsVersionOutdated
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: tlsVersionOutdated
after: x509 tls
names: tls: client offered only unsupported versions; tls: client requested unsupported application protocols (; tls: server selected unsupported protocol version; x509: unsupported crl version

Go: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: x509 tls
names: tls: failed to verify client certificate

Go: unknownCause
tool: Go
source: Go 1.19.8: crypto/x509, crypto/tls
codes: unknownCause
after: x509 tls
note: This is Go's error "{reason}". Its cause isn't known here.
names: tls: alert(; tls: certificate cannot be used with the selected cipher suite; tls: client does not support uncompressed connections; tls: client indicated early data in second ClientHello; tls: client used the legacy version field to negotiate TLS 1.3; tls: client using inappropriate protocol fallback; tls: client's Finished message is incorrect; tls: CloseWrite called before handshake complete; tls: downgrade attempt detected, possibly due to a MitM attack or a broken middlebox; tls: failed to create cipher while encrypting ticket; tls: failed to find any PEM data in key input; tls: failed to sign ECDHE parameters; tls: failed to sign handshake; tls: failed to write to key log; tls: handshake did not verify certificate chain; tls: handshake has not yet been performed; tls: handshake hash for a client certificate requested after discarding the handshake buffer; tls: handshake message of length; tls: invalid NextProtos value; tls: keys must have at least one key; tls: neither Certificates, GetCertificate, nor GetConfigForClient set in Config; tls: NextProtos values too large; tls: no cipher suite supported by both client and server; tls: no ECDHE curve supported by both client and server; tls: peer doesn't support any of the certificate's signature algorithms; tls: peer doesn't support the certificate custom signature algorithms; tls: protocol is shutdown; tls: received empty certificates message; tls: received new session ticket from a client; tls: server advertised unrequested ALPN extension; tls: server certificate contains incorrect key type for selected ciphersuite; tls: server changed cipher suite after a HelloRetryRequest; tls: server chose an unconfigured cipher suite; tls: server did not echo the legacy session ID; tls: server resumed a session with a different cipher suite; tls: server resumed a session with a different version; tls: server selected an invalid PSK; tls: server selected an invalid PSK and cipher suite pair; tls: server selected TLS 1.3 using the legacy version field; tls: server selected unsupported compression format; tls: server selected unsupported group; tls: server sent a cookie in a normal ServerHello; tls: server sent a ServerHello extension forbidden in TLS 1.3; tls: server sent an incorrect legacy version; tls: server sent an unnecessary HelloRetryRequest message; tls: server sent two HelloRetryRequest messages; tls: server's Finished message was incorrect; tls: short read from Rand; tls: TLS 1.3 client supports illegal compression methods; tls: too many ignored records; tls: too many non-advancing records; tls: unable to generate random session ticket key; x509: cannot generate IV; x509: cannot parse dnsName; x509: cannot parse IP address of length; x509: cannot parse rfc822Name; x509: cannot parse URI; x509: cannot sign with hash function requested; x509: cannot validate certificate for; x509: certificate is valid for; x509: decryption password incorrect; x509: ECDSA verification failure; x509: Ed25519 verification failure; x509: encrypted PEM data is not a multiple of the block size; x509: failed to marshal curve OID; x509: failed to parse public key (use ParsePKCS1PublicKey instead for this key format); x509: failed to parse public key (use ParsePKIXPublicKey instead for this key format); x509: failed to parse URI constraint; x509: failed to unmarshal elliptic curve point; x509: failed to unmarshal raw CSR Attributes; x509: incorrect IV size; x509: invalid authority info access; x509: invalid constraint value; x509: invalid RDNSequence; x509: invalid RDNSequence: invalid attribute; x509: invalid RDNSequence: invalid attribute type; x509: invalid RDNSequence: invalid attribute value; x509: invalid RSA modulus; x509: invalid RSA public exponent; x509: invalid simple chain; x509: invalid version; x509: IP constraint contained invalid mask; x509: IP constraint contained value of length; x509: issuer can not be nil; x509: issuer certificate doesn't contain a subject key identifier; x509: no DEK-Info header in block; x509: only RSA, ECDSA and Ed25519 keys supported; x509: provided PrivateKey doesn't match parent's PublicKey; x509: public key contains large public exponent; x509: public key contains zero or negative value; x509: RSA public exponent is not a positive number; x509: signature algorithm specifies an; x509: template can not be nil; x509: template contains nil Number field; x509: template.ThisUpdate is after template.NextUpdate; x509: unknown encryption mode; x509: unknown error; x509: zero or negative DSA parameter

Java: certificateExpired
tool: Java
source: OpenJDK 25.0.3: java.base
codes: certificateExpired
after: exception
names: Responder's certificate not within the validity period

Java: certificateMalformed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: certificateMalformed
after: exception
names: Bad ASN.1 encoding in SingleResponse; Bad encoding in X509 Certificate; Duplicate Certificate; Duplicate forward certificate in X509CertificatePair; Duplicate reverse certificate in X509CertificatePair; Duplicated server name of type; Failed to parse client certificates; Failed to parse server certificates; Illegal server name, type=(; Incorrect CertificateRequest message: no sufficient data; Incorrect extensions: no length field; Incorrect PSK binder value; Invalid application_layer_protocol_negotiation extension: empty application protocol name; Invalid Certificate message: empty cert_data; Invalid Certificate message: incorrect list length (length=; Invalid CertificateRequest handshake message: no sufficient data; Invalid CertificateRequest handshake message: no sufficient extensions data; Invalid CertificateRequest message: no sufficient data; Invalid CertificateVerify message: no sufficient data; Invalid cookie extension: insufficient data; Invalid ec_point_formats extension data: peer does not support uncompressed points; Invalid ec_point_formats extension: insufficient data; Invalid EncryptedExtensions handshake message: no sufficient data; Invalid EncryptedExtensions server_name extension; Invalid extended_master_secret extension data: not empty; Invalid issuer or trusted responder certificate; Invalid length for AlgorithmIdentifier; Invalid length for Attribute; Invalid length for CertBag; Invalid length for EncryptedContentInfo; Invalid length for MacData; Invalid length for SecretBag; Invalid max_fragment_length extension data; Invalid Netscape CertType extension for code signing CA certificate; Invalid Netscape CertType extension for SSL CA certificate; Invalid ResponderId content; Invalid server_name extension: incomplete data; Invalid server_name extension: insufficient data; Invalid ServerHello server_name extension; Invalid ServerHello server_name extension: not empty; Invalid supported_groups extension: incomplete data; Invalid supported_groups extension: insufficient data; Invalid supported_groups extension: unknown extra data; Invalid supported_versions extension: incomplete data; Invalid supported_versions extension: insufficient data; Invalid supported_versions extension: unknown extra data; length is too large; Malformed or unexpected ChangeCipherSpec message; PSK extension has incorrect number of binders

Java: certificateMalformed strictTimeEncoding
tool: Java
source: OpenJDK 25.0.3: java.base
codes: certificateMalformed strictTimeEncoding
after: exception
names: Invalid KeyUpdate message value

Java: connectionClientCertificateRequired
tool: Java
source: OpenJDK 25.0.3: java.base
codes: connectionClientCertificateRequired
after: exception
names: Invalid certificate_authorities extension: no certificate authorities

Java: connectionClosed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: connectionClosed
after: exception
names: Cannot kickstart, the connection is broken or closed; Closed transport, general or untracked problem; Connection has closed; Connection or inbound has closed; Connection or outbound has been closed; Connection or outbound has closed; params must be instanceof URICertStoreParameters; Remote host terminated the connection; Socket has been closed or broken; Socket is closed

Java: connectionHandshakeFailed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: connectionHandshakeFailed
after: exception
names: Bad input record size, TLSCiphertext.length =; bad record; bad record MAC; Illegal handshake message; Illegal HelloRetryRequest selected group; Insufficient space in the buffer, may be cause by an unexpected end of handshake data; Invalid Alert message: no sufficient data; Invalid ClientHello message; Invalid handshake message: insufficient data; Invalid handshake message: insufficient handshake body; Invalid HelloVerifyRequest: no sufficient data; Invalid key_share extension: empty key_exchange; Invalid key_share extension: improper data (length=; Invalid key_share extension: incorrect list length (length=; Invalid key_share extension: insufficient data (length=; Invalid key_share extension: unknown extra data; Invalid NewSessionTicket message: extra data; Invalid NewSessionTicket message: insufficient data; Invalid NewSessionTicket message: insufficient ticket data; key share entry of; KeyUpdate has an unexpected length of; Missing ChangeCipherSpec message; Missing Extended Master Secret extension on session resumption; No key_share extension to work with the supported_groups extension; No supported_groups extension to work with the key_share extension; Not negotiated key shares; Record overflow, fragment length (; Server sent an unexpected extended_master_secret extension on session resumption; Server sent unexpected pre_shared_key extension; Unable to retrieve ClientHello key_share extension during HRR processing; Unexpected BasicOCSPResponse value; Unexpected ByteBuffer position; Unexpected Certificate handshake message; Unexpected Certificate Verify handshake message; Unexpected CertificateRequest handshake message; Unexpected CertificateVerify handshake message; Unexpected ChangeCipherSpec message; Unexpected ClientKeyExchange handshake message; Unexpected content; Unexpected ec_point_formats extension in ServerHello; Unexpected EncryptedExtensions server_name extension; Unexpected error; Unexpected exception; Unexpected Finished handshake message; Unexpected handshake message; Unexpected HelloRetryRequest for; Unexpected HelloRetryRequest selected group; Unexpected key_share extension in HelloRetryRequest; Unexpected key_share extension in ServerHello; Unexpected max_fragment_length extension in ServerHello; Unexpected named group type; Unexpected number of plaintext bytes; Unexpected operation for record; Unexpected post-handshake message; Unexpected rethrowing; Unexpected ServerHello server_name extension; Unexpected ServerKeyExchange handshake message; Unexpected unnegotiated post-handshake message; Unsupported key_share extension in HelloRetryRequest; Unsupported key_share extension in ServerHello

Java: connectionNameRefused
tool: Java
source: OpenJDK 25.0.3: java.base
codes: connectionNameRefused
after: exception
names: Unknown named group ID; Unknown named group in server cert for ECDH client key exchange; Unknown named parameters in server cert for ECDH client key exchange; Unrecognized server name indication

Java: connectionTimedOut
tool: Java
source: OpenJDK 25.0.3: java.base
codes: connectionTimedOut
after: exception
names: SO_LINGER timeout, close_notify message cannot be sent

Java: criticalExtensionUnhandled
tool: Java
source: OpenJDK 25.0.3: java.base
codes: criticalExtensionUnhandled
after: exception
names: Certificate contains unknown critical extensions

Java: extendedKeyUsageNotAllowed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: extendedKeyUsageNotAllowed
after: exception
names: Certificate does not contain an extended key usage extension required for a TSA server; Extended key usage does not permit use for code signing; Extended key usage does not permit use for TSA server; Netscape cert type does not permit use for code signing; Netscape cert type does not permit use for SSL client; Netscape cert type does not permit use for SSL server

Java: handshakeTooLarge
tool: Java
source: OpenJDK 25.0.3: java.base
codes: handshakeTooLarge
after: exception
names: The size of the handshake message (

Java: hostMismatch
tool: Java
source: OpenJDK 25.0.3: java.base
codes: hostMismatch
after: exception
names: Empty HostName in server_name extension; Illegal server name, type=host_name(

Java: keyAlgorithmUnsupported
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keyAlgorithmUnsupported
after: exception
names: Endpoint Identification Algorithm HTTPS is not supported on the server side; Not supported key derivation; Not supported key exchange type; Unknown identification algorithm; Unknown MacAlg; Unsupported EC server cert for ECDH key exchange; Unsupported EC server cert for ECDHE client key exchange; Unsupported EC/XDH server cert for ECDH client key exchange; Unsupported ECCurveType

Java: keyMalformed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keyMalformed
after: exception
names: Cannot decode ECDH PublicKey; Invalid DH ClientKeyExchange message: unknown extra data; Invalid DH ServerKeyExchange: invalid parameters; Invalid DH ServerKeyExchange: unknown extra data; Invalid encoding of X509CertificatePair; invalid key format; invalid key or spec in AEAD mode; invalid key or spec in GCM mode; Invalid system property jdk.tls.ephemeralDHKeySize

Java: keyUsageNotForTLS keyUsageLacksCertSign
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: exception
names: incorrect KeyUsage extension; incorrect KeyUsage extension bits; KeyUsage does not allow digital signatures or non repudiation; KeyUsage does not allow key agreement; Wrong key usage: expected keyCertSign

Java: keystoreEntryMissing
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keystoreEntryMissing
after: exception
names: Error processing keystore property: keystoreURI="; Error setting key entry for '; Error setting protected key entry for '; if keyStoreType is; Parameters must be instance of KeyStoreBuilderParameters; the keystore parameter must be non-null; This keystore must be loaded using a DomainLoadStoreParameter; This keystore must be stored using a DomainLoadStoreParameter; Unrecognized keystore entry

Java: keystorePassword
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keystorePassword
after: exception
names: Error processing keystore property: keystorePasswordEnv="; Integrity check failed; ProtectionParameter must be a KeyStore.PasswordProtection

Java: keystoreUnreadable
tool: Java
source: OpenJDK 25.0.3: java.base
codes: keystoreUnreadable
after: exception
names: Failed PKCS12 integrity checking; Invalid keystore.pkcs12; Invalid PBE algorithm parameters; keystore.pkcs12; PBE algorithm '; PKCS12 keystore not in version 3 format; public key protected PKCS12 not supported; unsupported PKCS12 bag value type; unsupported PKCS12 cert value type; unsupported PKCS12 secret value type

Java: legacyRenegotiation
tool: Java
source: OpenJDK 25.0.3: java.base
codes: legacyRenegotiation
after: exception
names: Client initiated renegotiation is not allowed; Failed to negotiate the use of secure renegotiation; Inconsistent secure renegotiation indication; insecure renegotiation is not allowed; Invalid renegotiation_info extension data: incorrect verify data in ClientHello; Invalid renegotiation_info extension data: insufficient data; Invalid renegotiation_info extension data: not empty; Invalid renegotiation_info in ServerHello: invalid renegotiated_connection length (; Invalid renegotiation_info in ServerHello: not empty renegotiated_connection; Invalid renegotiation_info in ServerHello: unmatched client_verify_data value; Invalid renegotiation_info in ServerHello: unmatched server_verify_data value; Missing renegotiation_info and SCSV detected in ClientHello; Received unexpected renegotiation handshake message; server certificate change is restricted during renegotiation; The renegotiation_info is present in a insecure renegotiation; Unsafe renegotiation is not allowed

Java: noSharedCipher
tool: Java
source: OpenJDK 25.0.3: java.base
codes: noSharedCipher
after: exception
names: no cipher suites in common for hello retry request; No common named group; No supported CertificateVerify signature algorithm for; No supported signature algorithm; No supported signature algorithm for; No supported_groups or signature_algorithms extension when pre_shared_key extension is not present; Unsupported CipherSuite

Java: notCertificateAuthority basicConstraintsMissing
tool: Java
source: OpenJDK 25.0.3: java.base
codes: notCertificateAuthority basicConstraintsMissing
after: exception
names: basic constraints less than -2; cert is NOT a CA cert

Java: pathLengthExceeded
tool: Java
source: OpenJDK 25.0.3: java.base
codes: pathLengthExceeded
after: exception
names: the maximum path length parameter can not be less than -1; Violated path length constraints

Java: policyNotAcceptable
tool: Java
source: OpenJDK 25.0.3: java.base
codes: policyNotAcceptable
after: exception
names: critical policy qualifiers present in certificate; encountered a subjectDomainPolicy of ANY_POLICY; encountered an issuerDomainPolicy of ANY_POLICY; Invalid encoding for PolicyQualifierInfo; non String in certPolicySet; non-null policy tree required and policy tree is null; PolicyNode is immutable

Java: privateKeyUnusable
tool: Java
source: OpenJDK 25.0.3: java.base
codes: privateKeyUnusable
after: exception
names: Encrypt Private Key failed; Not RSA private key for client key exchange; Private key is not encoded as PKCS#8; Private key is not stored as PKCS#8 EncryptedPrivateKeyInfo; Private key must not be null; Private key not stored as PKCS #8 EncryptedPrivateKeyInfo

Java: revocationUnavailable
tool: Java
source: OpenJDK 25.0.3: java.base
codes: revocationUnavailable
after: exception
names: Bad encoding in certs element of OCSP response: expected ASN.1 context specific tag 0; Bad encoding in OCSP response: expected ASN.1 SEQUENCE tag; Bad encoding in responseBytes element of OCSP response: expected ASN.1 context specific tag 0; Bad encoding in responseBytes element of OCSP response: expected ASN.1 SEQUENCE tag; Bad encoding in tbsResponseData element of OCSP response: expected ASN.1 SEQUENCE tag; Bad encoding in version element of OCSP response: bad format; Cannot find the responder's certificate (set using the OCSP security properties); cannot parse ocsp.responderCertIssuerName property; cannot parse ocsp.responderCertSubjectName property; cannot parse ocsp.responderURL property; Error verifying OCSP Response's signature; Failed to create the default nonce in OCSP extensions; Invalid OCSP status request: incomplete data; Invalid OCSP status request: insufficient data; Invalid OCSP status request: invalid extension; Invalid OCSP status request: invalid responder ID; Invalid OCSP status response: insufficient data; Invalid status_request extension in ServerHello message: the extension data must be empty; Invalid status_request extension: insufficient data; Invalid status_request_v2 extension in ServerHello: the extension data must be empty; Invalid status_request_v2 extension: insufficient data; Invalid status_request_v2 extension: insufficient data (request_length=; OCSP response does not include a response for a certificate supplied in the OCSP request; OCSP response error; Responder's certificate is not authorized to sign OCSP responses; Responder's certificate not valid for signing OCSP responses; Unable to verify OCSP Response's signature; Unexpected status_request extension in ServerHello; Unexpected status_request_v2 extension in ServerHello; Unknown OCSPResponse status; Unrecognized critical extension(s) in revoked CRL entry; Unsupported OCSP critical extension; Unsupported OCSP response type

Java: rsaKeyTooLarge
tool: Java
source: OpenJDK 25.0.3: java.base
codes: rsaKeyTooLarge
after: exception
names: Encoded XDH key too large; key PBE iteration count too large

Java: rsaKeyTooSmall
tool: Java
source: OpenJDK 25.0.3: java.base
codes: rsaKeyTooSmall
after: exception
names: Invalid application_layer_protocol_negotiation: insufficient data (length=; Invalid Certificate message: insufficient certificate entries data (length=; Invalid Certificate message: insufficient data (length=; Invalid certificate_authorities extension: insufficient data; Invalid DH ClientKeyExchange message: insufficient data; Invalid pre_shared_key extension: insufficient binder entry (length=; Invalid pre_shared_key extension: insufficient binders (length=; Invalid pre_shared_key extension: insufficient binders data (length=; Invalid pre_shared_key extension: insufficient data (length=; Invalid pre_shared_key extension: insufficient identities (length=; Invalid pre_shared_key extension: insufficient identity (length=; Invalid pre_shared_key extension: insufficient selected_identity (length=; Invalid psk_key_exchange_modes extension: insufficient data; Invalid RSA ClientKeyExchange message: insufficient data; Unsupported customized DH key size

Java: signatureAlgorithmUnsupported
tool: Java
source: OpenJDK 25.0.3: java.base
codes: signatureAlgorithmUnsupported
after: exception
names: Invalid CertificateRequest handshake message: incomplete signature algorithms; Invalid CertificateVerify message: invalid signature; Invalid CertificateVerify signature; Invalid ECDH ServerKeyExchange signature; Invalid length for DigestInfo; Invalid signature of RSA ServerKeyExchange message; Invalid signature on DH ServerKeyExchange message; Invalid signature_algorithms: incomplete data; Invalid signature_algorithms: insufficient data; Invalid signature_algorithms: unknown extra data; Unexpected unsupported hash algorithm; Unsupported signature algorithm

Java: signatureInvalid
tool: Java
source: OpenJDK 25.0.3: java.base
codes: signatureInvalid
after: exception
names: Cannot produce CertificateVerify signature; Cannot verify CertificateVerify signature; Cannot verify DH ServerKeyExchange signature; Cannot verify ECDH ServerKeyExchange signature; Invalid Padding length; Signature does not match

Java: signatureUsesSHA1 signatureUsesMD5
tool: Java
source: OpenJDK 25.0.3: java.base
codes: signatureUsesSHA1 signatureUsesMD5
after: exception
names: Algorithm constraints check failed on; DH ServerKeyExchange does not comply to algorithm constraints; DHPublicKey does not comply to algorithm constraints; ECPublicKey does not comply to algorithm constraints; Hash algorithm MD5 is not available; Hash algorithm MD5 or SHA is not available; RSA ServerKeyExchange does not comply to algorithm constraints; target certificate constraints check failed

Java: stapleMissing
tool: Java
source: OpenJDK 25.0.3: java.base
codes: stapleMissing
after: exception
names: certificate_status_req_list length must be positive (received length; Failed to parse certificate status response; Invalid certificate status

Java: strictSerialNumber certificateMalformed
tool: Java
source: OpenJDK 25.0.3: java.base
codes: strictSerialNumber certificateMalformed
after: exception
names: cannot parse ocsp.responderCertSerialNumber property; Must specify both ocsp.responderCertIssuerName and ocsp.responderCertSerialNumber properties; X509CertPaths are not directly deserializable

Java: systemAnchorsUnavailable
tool: Java
source: OpenJDK 25.0.3: java.base
codes: systemAnchorsUnavailable
after: exception
names: problem accessing trust store; the trustAnchors parameters must be non-null

Java: tlsVersionOutdated
tool: Java
source: OpenJDK 25.0.3: java.base
codes: tlsVersionOutdated
after: exception
names: A potential protocol version downgrade attack; No expected master key derivation for protocol; No matching application layer protocol values; Server resumed with wrong protocol version; SSLv2Hello is not enabled; The client supported protocol versions; The server selected protocol version; Unsupported protocol version

Java: unknownIssuer untrustedRoot
tool: Java
source: OpenJDK 25.0.3: java.base
codes: unknownIssuer untrustedRoot
after: exception
names: Cannot generate fingerprint for trust anchor of TLS server certificate; name constraints in trust anchor not supported; untrusted certificate entries are not password-protected

Java: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: Java
source: OpenJDK 25.0.3: java.base
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: exception
names: Password verification failed

Java: unknownCause
tool: Java
source: OpenJDK 25.0.3: java.base
codes: unknownCause
after: exception
note: This is Java's message "{reason}". Its cause isn't known here.
names: Algorithm missing; all elements of list must be of type java.security.cert.CertStore; all elements of set must be of type java.lang.String; all elements of set must be of type java.security.cert.TrustAnchor; Already connected; Application protocol name (; Application protocol name cannot be empty; argument can not be null; arguments can not be null; at least one of certificate pair must be non-null; buffer length; calculateMac failed; Cannot change mode after SSL traffic has started; Cannot create NULL SSL write Cipher; Cannot create NULL SSLCipher; Cannot decode named group; Cannot decode RSA premaster secret; Cannot deriveData for; Cannot deriveKey for; Cannot generate fingerprint for intermediate CA of TLS server certificate; Cannot generate RSA premaster secret; Cannot handle non-Inet socket addresses; Cannot overwrite own certificate; Cannot store non-PrivateKeys; cert PBE iteration count too large; Certificate chain is not valid; certpath is null and index != -1; certPath must be non-null; Cipher buffering error in JCE provider; Cipher error in AEAD mode "; Cipher error in AEAD mode in JCE provider; CipherSuites cannot be null; ciphertext sanity check failed; Client requested protocol; Client sent PSK but not PSK modes, or the PSK extension is not the last extension; Client/Server mode has not yet been set; Client/Server mode not yet set; ClientKeyExchange for; cloneNames encountered IOException; closing inbound before receiving peer's close_notify; Collection is null; Collection must not be null; compression type not supported; context length outside range; Could not derive PSK; Could not determine unique target subject; Could not encode certificate (; Could not extract encoding from SecretKey; Could not generate DH keypair; Could not generate DH keypair of; Could not generate DHPublicKey; Could not generate ECDH keypair; Could not generate ECPublicKey; Could not generate Exporter/PRF; Could not generate premaster secret; Could not generate RSAPublicKey; Could not generate secret; Could not generate XDH keypair; Could not obtain encoded key and MessageDigest cannot digest key; Couldn't generate Exporter/HKDF; Couldn't kickstart handshaking; Credentials decoding: Not ECDHE named group; Credentials decoding: Not FFDHE named group; Credentials decoding: Not XDH named group; Default SSLContext is initialized automatically; destination buffer[; Digest does not support implUpdate(SecretKey); DTLS not supported with SSLServerSocket; DTLS not supported with SSLSocket; Empty client certificate chain; Encapsulated parameters must be PKIXBuilderParameters; End user tried to act as a CA; Epoch numbers apply to DTLS protocols only; Error deleting entry for '; Error locating domain configuration data for; Error locating JCE provider; Error locating key; Error parsing certificate message:no sufficient data; Error parsing HelloRequest message: not empty; Error parsing ServerHelloDone message: not empty; Error setting certificate entry for '; expected an Integer; Expecting a handshake fragment, but received; Exporter master secret not captured; Exporters not supported in; Exporters require extended master secrets; Extended Master Secret extension is required; Fail to begin handshake; Fail to unwrap network record; Fail to wrap application data; Failed to construct message hash; Failed to encrypt safe contents entry; Failed to generate verify_data; Failed to produce client Certificate message; Failed to produce server Certificate message; Failed to sign dhe parameters; Failed to sign ecdhe parameters; Failed to sign ephemeral RSA parameters; Failure to derive application secrets; Failure to derive read secrets; Failure to derive write secrets; Field length overflow, the field length (; forward checking not supported; getInstance(PKIXBuilderParameters) can only be used with PKIX validator; getPBEAlgorithmParameters failed; getSecretKey failed; Handshake fragments must not be zero length; handshake message is not available; Handshake message is overflow, type =; Handshake packets must not be zero-length; Hash algorithm; Hash algorithm SHA is not available; Hash does not support copying; hasRemaining() must be positive; Illegal cipher suite (; Illegal packet size; Improper X509TrustManager implementation; inappropriate CertPath type specified, must be X.509 or X509; Inappropriate finished message: need; inappropriate params, must be an instance of PKIXBuilderParameters; inappropriate params, must be an instance of PKIXParameters; Incorrect inner plaintext: no content type; index out of bound of the destination buffers; index out of bound of the source buffers; index out of range; initialization failed; Input key is not appropriate type for inheriting parameters; Input key is not of a appropriate type for inheriting parameters; Input record too big: max =; input stream is null; Insufficient buffer remaining for AEAD cipher fragment (; Insufficient explicit sequence number bytes; Insufficient extensions data; Insufficient Point data; Internal MAC error; Invalid application_layer_protocol_negotiation: incorrect list length (length=; Invalid null field(s); Invalid PRF output, format must be RAW. Format received; Invalid session ID length (; Invalid supported_versions: insufficient data; Invalid TLS padding data; Invalid XDH group; IOException encoding PkiPath data; IOException parsing PKCS7 data; IOException parsing PkiPath data; java.security.cert.Certificate; java.security.cert.CertPath; key is not encoded as EncryptedPrivateKeyInfo; Key parameters missing; Key parameters missing from public key; Key protection algorithm not found; keyAlg is empty; KeyManagerFactoryImpl is not initialized; label length outside range; Length exceeded limits; length must be positive; Length of nonce must be at least 1 byte and can be up to 32 bytes; List is not all X509Certificates; listener is null; listener not registered; MAC iteration count too large; MessageDigest algorithm; MessageDigest algorithm SHA-256 is not available; MessageDigest does no support clone operation; Missing cipher algorithm; Missing or improper named group; Missing public point for named group; name list size not 2; name not byte array or String; name not String or byte array; name type not 0-8; neither an RSA or a DSA key; neither an RSA or a EC key; New session creation is disabled; No algorithm name specified; No appropriate cipher suite; No available authentication scheme; No available signature_algorithms extension for client certificate authentication; No cryptographic primitive specified; No DHE credentials negotiated for client key exchange; No DHE credentials negotiated for server key exchange; No ECDHE credentials negotiated for client key exchange; No ECDHE credentials negotiated for server key exchange; No expected DHE possessions for client key exchange; No expected EC server cert for ECDH client key exchange; No expected ECDHE possessions for client key exchange; No expected X.509 certificate for server authentication; No handshake session; No HelloRetryRequest producer; No initialized SSLSocketFactory; no key derivation; No key exchange for named group; no listeners; No MacAlg used in DTLS 1.3; No MacAlg used in TLS 1.3; No mandatory signature_algorithms extension in the received CertificateRequest handshake message; No mandatory signature_algorithms extension in the received ClientHello handshake message; No more handshake message allowed in a ClientHello flight; No more message expected before HelloVerifyRequest is processed; No more message expected before ServerHello is processed; No negotiable cipher suite; No new session is allowed and no existing session can be resumed; No parameters accepted; No PSK available. Unable to resume; No RSA certificate negotiated for server key exchange; No RSA credentials negotiated for client key exchange; No RSA credentials negotiated for server key exchange; No RSA possessions negotiated for client key exchange; No server certificate for ECDH client key exchange; No ServerKeyExchange handshake message can be produced; No signature algorithms specified for CertificateRequest handshake message; No sufficient DHE key agreement parameters negotiated; No sufficient ECDH key agreement parameters negotiated; No sufficient ECDHE key agreement parameters negotiated; No sufficient ECDHE/XDH key agreement parameters negotiated; no sufficient room in the destination buffers; No sufficient RSA key agreement parameters negotiated; No sufficient XDHE key agreement parameters negotiated; No support for deriveData; No X.509 certificate for server authentication; No X.509 possession can be used for ephemeral RSA ServerKeyExchange; No X509 credentials negotiated for CertificateVerify; No X509TrustManager implementation available; non-null password required to create PrivateKeyEntry; non-null password required to create SecretKeyEntry; Nonces don't match; Not EC/XDH server certificate for ECDH client key exchange; Not expected call to handshake hash digest; Not expected instance of transcript hash; Not resumption, and no new session is allowed; Not RSA public key for client key exchange; Not supported; Not supported yet; Not yet supported extension absence processing; Not yet supported extension loading; Not yet supported extension processing; Not yet supported extension producing; Null MacAlg; null or zero-length authentication type; null or zero-length certificate chain; Only 16-bit context lengths supported; Only one PKIXRevocationChecker can be specified; Only X.509 certificates are supported - rejecting class; Padding length (; Parameters must be CertPathTrustManagerParameters; parameters must be CollectionCertStoreParameters; Parameters not supported; password can't be null; Password must not be null; Post-handshake not supported in; pre_shared_key extension is not last; pre_shared_key key extension is offered without a psk_key_exchange_modes extension; PRF failed; problem unwrapping net record; problem wrapping app data; Protocols cannot be null; Public key must not be null; Random nonces not captured; readApplicationRecord; readHandshakeRecord; reason can't be null; Received close_notify during handshake; received handshake warning; Receiving application data before handshake complete; requested entry requires a password; Required extensions are unavailable; Selected identity index is not in correct range; sequence number overflow; Sequence tag missing for X509CertificatePair; Server chose; Server returned wrong cipher suite for session; Server selected improper ciphersuite; Server sent the extended_master_secret extension improperly; ServerKeyExchange for; Session has no PSK; session id cannot be null; SessionTicket buffer too large; SessionTicket buffer too small; size cannot be negative; Socket input is already shutdown; Socket is not connected; Socket output is already shutdown; source buffer[; source or destination buffer is null; SSL peer shut down incorrectly; SSL V2.0 servers are not supported; SSLContext is not initialized; subject and issuer names in forward and reverse certificates do not match; subjectPublicKey must be non-null; SunX509 TrustManagerFactory does not use ManagerFactoryParameters; SunX509KeyManager does not use ManagerFactoryParameters; System property jdk.tls.namedGroups(; the algName parameter must be non-null; the caName parameter must be a non-empty String; the caName parameter must be non-null; The certificate chain length (; The ClientHello.legacy_version field is not TLS 1.2; The configured application protocols (; the digest parameter must be non-null; the digest parameter must not be empty; The distinguished names of the peer's certificate authorities could not be parsed; the existing socket cannot be null; The Finished message cannot be verified; The HelloRetryRequest.legacy_version is not TLS 1.2; The maximum fragment length response is not requested; the pubKey parameter must be non-null; the requested maximum fragment length is other than the allowed values; The ServerHello.legacy_version field is not TLS 1.2; the source buffer is null; The specified CipherSuites array contains invalid null or empty string elements; the target buffer is null; the targetCertConstraints parameter must be an X509CertSelector; the trustedCert parameter must be non-null; This method is ineffective, since sending urgent data is not supported by SSLSockets; This method is not supported by SSLSockets; TicketAgeAdd not part of RFC 5077; TicketNonce not part of RFC 5077; TLS 1.2 or prior version does not support the server cipher suite; TLS 1.3 does not require archived; Too many ConcurrentModificationExceptions; TrustAnchor and issuerCert cannot be null; trustAnchor must be non-null; TrustAnchor must be specified as certificate; TrustAnchor with subject "; trusted certificate entries are not password-protected; TrustManagerFactoryImpl is not initialized; Two message sequence numbers are used for the same handshake message (; unable to clone hash state; Unable to create CertId; Unable to find SingleResponse for SN; Unable to generate key with inherited parameters; Unable to get DHPublicKeySpec; unable to parse byte array names of type; unable to parse String names of type; Underlying socket is not connected; Underlying socket should already be connected; Unhandled exception; Unknown authType; Unknown content type; unknown handshake producers; Unknown handshake type size, Handshake.msg_type =; Unknown validator type; Unknown variant; Unrecognized algorithm; unrecognized cookie; Unrecognized record version; Unrecognized revocation parameter option; Unrecognized SSL message, plaintext connection?; unsupported encoding; unsupported encrypted content type; Unsupported handshake consumer; Unsupported handshake message; Unsupported handshake producer; Unsupported HelloRetryRequest selected group; Unsupported named group; Unsupported post-handshake message; unsupported protection parameter; Unsupported singleResponse item, tag =; Unsupported SSL v2.0 ClientHello; Used by AEAD algorithms only; Value of; Write problems

Node.js: connectionHandshakeFailed
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: connectionHandshakeFailed
after: code
names: ERR_CRYPTO_SCRYPT_INVALID_PARAMETER

Node.js: connectionNameRefused
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: connectionNameRefused
after: code
names: ERR_TLS_SNI_FROM_SERVER

Node.js: connectionTimedOut
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: connectionTimedOut
after: code
names: ERR_TLS_HANDSHAKE_TIMEOUT

Node.js: keyMalformed
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: keyMalformed
after: code
names: ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY; ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE

Node.js: legacyRenegotiation
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: legacyRenegotiation
after: code
names: ERR_TLS_RENEGOTIATION_DISABLED

Node.js: signatureAlgorithmUnsupported
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: signatureAlgorithmUnsupported
after: code
names: ERR_CRYPTO_INVALID_DIGEST

Node.js: tlsVersionOutdated
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: tlsVersionOutdated
after: code
names: ERR_TLS_INVALID_PROTOCOL_VERSION; ERR_TLS_PROTOCOL_VERSION_CONFLICT

Node.js: unknownCause
tool: Node.js
source: Node.js 20.20.2: lib/internal/errors.js
codes: unknownCause
after: code
note: This is Node.js's error "{reason}". Its cause isn't known here.
names: ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED; ERR_CRYPTO_ECDH_INVALID_FORMAT; ERR_CRYPTO_ENGINE_UNKNOWN; ERR_CRYPTO_FIPS_FORCED; ERR_CRYPTO_FIPS_UNAVAILABLE; ERR_CRYPTO_HASH_FINALIZED; ERR_CRYPTO_HASH_UPDATE_FAILED; ERR_CRYPTO_INCOMPATIBLE_KEY; ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS; ERR_CRYPTO_INVALID_JWK; ERR_CRYPTO_INVALID_STATE; ERR_CRYPTO_PBKDF2_ERROR; ERR_CRYPTO_SCRYPT_NOT_SUPPORTED; ERR_CRYPTO_SIGN_KEY_REQUIRED; ERR_TLS_ALPN_CALLBACK_INVALID_RESULT; ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS; ERR_TLS_DH_PARAM_SIZE; ERR_TLS_INVALID_CONTEXT; ERR_TLS_INVALID_STATE; ERR_TLS_REQUIRED_SERVER_NAME; ERR_TLS_SESSION_ATTACK

GnuTLS: certificateExpired
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: certificateExpired
after: gnutls
names: GNUTLS_E_EXPIRED | The session or certificate has expired; GNUTLS_E_PKCS11_PIN_EXPIRED | PKCS #11 PIN expired

GnuTLS: certificateFileUnusable
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: certificateFileUnusable
after: gnutls
names: GNUTLS_E_BASE64_DECODING_ERROR | Base64 decoding error; GNUTLS_E_BASE64_UNEXPECTED_HEADER_ERROR | Base64 unexpected header error

GnuTLS: certificateMalformed
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: certificateMalformed
after: gnutls
names: GNUTLS_E_ASN1_DER_ERROR | ASN1 parser: Error in DER parsing; GNUTLS_E_ASN1_DER_OVERFLOW | ASN1 parser: Overflow in DER parsing; GNUTLS_E_ASN1_ELEMENT_NOT_FOUND | ASN1 parser: Element was not found; GNUTLS_E_ASN1_EMBEDDED_NULL_IN_STRING | The provided string has an embedded null; GNUTLS_E_ASN1_GENERIC_ERROR | ASN1 parser: Generic parsing error; GNUTLS_E_ASN1_IDENTIFIER_NOT_FOUND | ASN1 parser: Identifier was not found; GNUTLS_E_ASN1_SYNTAX_ERROR | ASN1 parser: Syntax error; GNUTLS_E_ASN1_TAG_ERROR | ASN1 parser: Error in TAG; GNUTLS_E_ASN1_TAG_IMPLICIT | ASN1 parser: error in implicit tag; GNUTLS_E_ASN1_TYPE_ANY_ERROR | ASN1 parser: Error in type 'ANY'; GNUTLS_E_ASN1_VALUE_NOT_FOUND | ASN1 parser: Value was not found; GNUTLS_E_ASN1_VALUE_NOT_VALID | ASN1 parser: Value is not valid; GNUTLS_E_ILLEGAL_SRP_USERNAME | The SRP username supplied is illegal; GNUTLS_E_INCOMPATIBLE_LIBTASN1_LIBRARY | The tasn1 library version is too old; GNUTLS_E_RECEIVED_ILLEGAL_EXTENSION | An illegal TLS extension was received; GNUTLS_E_RECORD_OVERFLOW | A TLS record packet with invalid length was received; GNUTLS_E_SHORT_MEMORY_BUFFER | The given memory buffer is too short to hold parameters; GNUTLS_E_UNEXPECTED_EXTENSIONS_LENGTH | Invalid TLS extensions length field; GNUTLS_E_X509_DUPLICATE_EXTENSION | Duplicate extension in X.509 certificate

GnuTLS: certificateMalformed strictTimeEncoding
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: certificateMalformed strictTimeEncoding
after: gnutls
names: GNUTLS_E_ASN1_TIME_ERROR | The DER time encoding is invalid

GnuTLS: certificateRevoked
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: certificateRevoked
after: gnutls
names: GNUTLS_E_OPENPGP_UID_REVOKED | The OpenPGP User ID is revoked

GnuTLS: connectionClientCertificateRequired
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionClientCertificateRequired
after: gnutls
names: GNUTLS_E_CERTIFICATE_REQUIRED | Certificate is required; GNUTLS_E_NO_CERTIFICATE_STATUS | There is no certificate status (OCSP)

GnuTLS: connectionClosed
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionClosed
after: gnutls
names: GNUTLS_E_PREMATURE_TERMINATION | The TLS connection was non-properly terminated; GNUTLS_E_PUSH_ERROR | Error in the push function; GNUTLS_E_SESSION_EOF | Peer has terminated the connection

GnuTLS: connectionHandshakeAlert
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionHandshakeAlert
after: gnutls
names: GNUTLS_E_FATAL_ALERT_RECEIVED | A TLS fatal alert has been received; GNUTLS_E_INTERNAL_ERROR | GnuTLS internal error; GNUTLS_E_MEMORY_ERROR | Internal error in memory allocation; GNUTLS_E_WARNING_ALERT_RECEIVED | A TLS warning alert has been received

GnuTLS: connectionHandshakeFailed
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionHandshakeFailed
after: gnutls
names: GNUTLS_E_ILLEGAL_PARAMETER | An illegal parameter was found; GNUTLS_E_MISSING_EXTENSION | An required TLS extension was received; GNUTLS_E_NO_COMMON_KEY_SHARE | No common key share with peer; GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER | An illegal parameter has been received; GNUTLS_E_UNEXPECTED_HANDSHAKE_PACKET | An unexpected TLS handshake packet was received

GnuTLS: connectionNameRefused
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionNameRefused
after: gnutls
names: GNUTLS_E_RECEIVED_DISALLOWED_NAME | A disallowed SNI server name has been received

GnuTLS: connectionNotTLS
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionNotTLS
after: gnutls
names: GNUTLS_E_UNEXPECTED_PACKET_LENGTH | Error decoding the received TLS packet

GnuTLS: connectionTimedOut
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: connectionTimedOut
after: gnutls
names: GNUTLS_E_TIMEDOUT | The operation timed out

GnuTLS: criticalExtensionUnhandled
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: criticalExtensionUnhandled
after: gnutls
names: GNUTLS_E_X509_UNSUPPORTED_CRITICAL_EXTENSION | Unsupported critical extension in X.509 certificate

GnuTLS: extendedKeyUsageNotAllowed
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: extendedKeyUsageNotAllowed
after: gnutls
names: GNUTLS_E_UNSUPPORTED_CERTIFICATE_TYPE | The certificate type is not supported

GnuTLS: handshakeTooLarge
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: handshakeTooLarge
after: gnutls
names: GNUTLS_E_HANDSHAKE_TOO_LARGE | The handshake data size is too large; GNUTLS_E_TOO_MANY_HANDSHAKE_PACKETS | Too many handshake packets have been received

GnuTLS: hostMismatch
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: hostMismatch
after: gnutls
names: GNUTLS_E_UNRECOGNIZED_NAME | The SNI host name not recognised; GNUTLS_E_X509_UNKNOWN_SAN | Unknown Subject Alternative name in X.509 certificate

GnuTLS: keyAlgorithmUnsupported
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: keyAlgorithmUnsupported
after: gnutls
names: GNUTLS_E_UNKNOWN_PK_ALGORITHM | An unknown public key algorithm was encountered; GNUTLS_E_UNSUPPORTED_ENCRYPTION_ALGORITHM | The encryption algorithm is not supported

GnuTLS: keyMalformed
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: keyMalformed
after: gnutls
names: GNUTLS_E_PK_INVALID_PUBKEY | The public key is invalid; GNUTLS_E_PK_INVALID_PUBKEY_PARAMS | The public key parameters are invalid

GnuTLS: keyUsageNotForTLS keyUsageLacksCertSign
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: keyUsageNotForTLS keyUsageLacksCertSign
after: gnutls
names: GNUTLS_E_KEY_USAGE_VIOLATION | Key usage violation in certificate has been detected

GnuTLS: keyUsesUnsupportedCurve
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: keyUsesUnsupportedCurve
after: gnutls
names: GNUTLS_E_ECC_UNSUPPORTED_CURVE | The curve is unsupported

GnuTLS: legacyRenegotiation
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: legacyRenegotiation
after: gnutls
names: GNUTLS_E_SAFE_RENEGOTIATION_FAILED | Safe renegotiation failed; GNUTLS_E_UNSAFE_RENEGOTIATION_DENIED | Unsafe renegotiation denied

GnuTLS: nameNotPermitted nameExcluded
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: nameNotPermitted nameExcluded
after: gnutls
names: GNUTLS_E_MALFORMED_CIDR | CIDR name constraint is malformed in size or structure

GnuTLS: noSharedCipher
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: noSharedCipher
after: gnutls
names: GNUTLS_E_ECC_NO_SUPPORTED_CURVES | No supported ECC curves were found; GNUTLS_E_INSUFFICIENT_SECURITY | One of the involved algorithms has insufficient security level; GNUTLS_E_NO_CIPHER_SUITES | No supported cipher suites have been found; GNUTLS_E_NO_COMPRESSION_ALGORITHMS | No supported compression algorithms have been found; GNUTLS_E_UNKNOWN_CIPHER_SUITE | Could not negotiate a supported cipher suite; GNUTLS_E_UNKNOWN_COMPRESSION_ALGORITHM | Could not negotiate a supported compression method

GnuTLS: privateKeyMismatch
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: privateKeyMismatch
after: gnutls
names: GNUTLS_E_CERTIFICATE_KEY_MISMATCH | The certificate and the given key do not match

GnuTLS: privateKeyUnusable
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: privateKeyUnusable
after: gnutls
names: GNUTLS_E_PK_INVALID_PRIVKEY | The private key is invalid; GNUTLS_E_PRIVKEY_VERIFICATION_ERROR | Error in the private key verification; GNUTLS_E_SRP_PWD_ERROR | Error in password/key file; GNUTLS_E_SRP_PWD_PARSING_ERROR | Parsing error in password/key file

GnuTLS: protocolNotNegotiated
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: protocolNotNegotiated
after: gnutls
names: GNUTLS_E_NO_APPLICATION_PROTOCOL | No common application protocol could be negotiated

GnuTLS: revocationUnavailable
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: revocationUnavailable
after: gnutls
names: GNUTLS_E_CRL_VERIFICATION_ERROR | Error in the CRL verification; GNUTLS_E_OCSP_MISMATCH_WITH_CERTS | The OCSP response provided doesn't match the available certificates; GNUTLS_E_OCSP_RESPONSE_ERROR | The OCSP response is invalid

GnuTLS: signatureAlgorithmUnsupported
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: signatureAlgorithmUnsupported
after: gnutls
names: GNUTLS_E_UNKNOWN_HASH_ALGORITHM | The hash algorithm is unknown; GNUTLS_E_UNSUPPORTED_SIGNATURE_ALGORITHM | The signature algorithm is not supported

GnuTLS: signatureUsesSHA1 signatureUsesMD5
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: signatureUsesSHA1 signatureUsesMD5
after: gnutls
names: GNUTLS_E_INSUFFICIENT_CREDENTIALS | Insufficient credentials for that request

GnuTLS: systemAnchorsUnavailable
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: systemAnchorsUnavailable
after: gnutls
names: GNUTLS_E_FILE_ERROR | Error while reading file

GnuTLS: tlsVersionOutdated
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: tlsVersionOutdated
after: gnutls
names: GNUTLS_E_INAPPROPRIATE_FALLBACK | A connection with inappropriate fallback was attempted; GNUTLS_E_UNKNOWN_ALGORITHM | The specified algorithm or protocol is unknown; GNUTLS_E_UNSUPPORTED_VERSION_PACKET | A packet with illegal or unsupported version was received

GnuTLS: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: gnutls
names: GNUTLS_E_CERTIFICATE_ERROR | Error in the certificate; GNUTLS_E_MAC_VERIFY_FAILED | The Message Authentication Code verification failed

GnuTLS: unknownCause
tool: GnuTLS
source: GnuTLS f8971291b: lib/errors.c
codes: unknownCause
after: gnutls
note: This is GnuTLS's error "{reason}". Its cause isn't known here.
names: GNUTLS_E_AGAIN | Resource temporarily unavailable, try again; GNUTLS_E_AUTH_ERROR | Could not authenticate peer; GNUTLS_E_BAD_COOKIE | The cookie was bad; GNUTLS_E_BASE64_ENCODING_ERROR | Base64 encoding error; GNUTLS_E_CHANNEL_BINDING_NOT_AVAILABLE | Channel binding data not available; GNUTLS_E_COMPRESSION_FAILED | Compression of the TLS record packet has failed; GNUTLS_E_CONSTRAINT_ERROR | Some constraint limits were reached; GNUTLS_E_CRYPTO_ALREADY_REGISTERED | There is already a crypto algorithm with lower priority; GNUTLS_E_CRYPTO_INIT_FAILED | The initialization of crypto backend has failed; GNUTLS_E_CRYPTODEV_DEVICE_ERROR | Error opening /dev/crypto; GNUTLS_E_CRYPTODEV_IOCTL_ERROR | Error interfacing with /dev/crypto; GNUTLS_E_DB_ENTRY_EXISTS | The Database entry already exists; GNUTLS_E_DB_ERROR | Error in Database backend; GNUTLS_E_DECOMPRESSION_FAILED | Decompression of the TLS record packet has failed; GNUTLS_E_DECRYPTION_FAILED | Decryption has failed; GNUTLS_E_DH_PRIME_UNACCEPTABLE | The Diffie-Hellman prime sent by the server is not acceptable (not long enough); GNUTLS_E_EARLY_DATA_REJECTED | The early data were rejected; GNUTLS_E_ENCRYPTION_FAILED | Encryption has failed; GNUTLS_E_ERROR_IN_FINISHED_PACKET | An error was encountered at the TLS Finished packet calculation; GNUTLS_E_GOT_APPLICATION_DATA | TLS Application data were received, while expecting handshake data; GNUTLS_E_HANDSHAKE_DURING_FALSE_START | Attempted handshake during false start; GNUTLS_E_HASH_FAILED | Hashing has failed; GNUTLS_E_HEARTBEAT_PING_RECEIVED | A heartbeat ping message was received; GNUTLS_E_HEARTBEAT_PONG_RECEIVED | A heartbeat pong message was received; GNUTLS_E_IA_VERIFY_FAILED | Verifying TLS/IA phase checksum failed; GNUTLS_E_IDNA_ERROR | There was an issue converting to or from UTF8; GNUTLS_E_INCOMPAT_DSA_KEY_WITH_TLS_PROTOCOL | The given DSA key is incompatible with the selected TLS protocol; GNUTLS_E_INCOMPATIBLE_GCRYPT_LIBRARY | The crypto library version is too old; GNUTLS_E_INCOMPATIBLE_SIG_WITH_KEY | The signature is incompatible with the public key; GNUTLS_E_INTERRUPTED | Function was interrupted; GNUTLS_E_INVALID_PASSWORD | The given password contains invalid characters; GNUTLS_E_INVALID_PASSWORD_STRING; GNUTLS_E_INVALID_REQUEST | The request is invalid; GNUTLS_E_INVALID_SESSION | The specified session has been invalidated for some reason; GNUTLS_E_INVALID_UTF8_EMAIL | The given email string contains non-ASCII characters before '@'; GNUTLS_E_INVALID_UTF8_STRING | The given string contains invalid UTF-8 characters; GNUTLS_E_KEY_IMPORT_FAILED | Failed to import the key into store; GNUTLS_E_LARGE_PACKET | The transmitted packet is too large (EMSGSIZE); GNUTLS_E_LIB_IN_ERROR_STATE | An error has been detected in the library and cannot continue operations; GNUTLS_E_LOCKING_ERROR | Thread locking error; GNUTLS_E_MPI_PRINT_FAILED | Could not export a large integer; GNUTLS_E_MPI_SCAN_FAILED | The scanning of a large integer has failed; GNUTLS_E_NO_EMBEDDED_DATA | There are no embedded data in the structure; GNUTLS_E_NO_PRIORITIES_WERE_SET | No or insufficient priorities were set; GNUTLS_E_NO_SELF_TEST | There is no self test for this algorithm; GNUTLS_E_NO_TEMPORARY_DH_PARAMS | No temporary DH parameters were found; GNUTLS_E_NO_TEMPORARY_RSA_PARAMS | No temporary RSA parameters were found; GNUTLS_E_NOT_YET_ACTIVATED | The certificate is not yet activated; GNUTLS_E_OPENPGP_FINGERPRINT_UNSUPPORTED | The OpenPGP fingerprint is not supported; GNUTLS_E_OPENPGP_GETKEY_FAILED | Could not get OpenPGP key; GNUTLS_E_OPENPGP_KEYRING_ERROR | Error loading the keyring; GNUTLS_E_OPENPGP_PREFERRED_KEY_ERROR | The OpenPGP key has not a preferred key set; GNUTLS_E_OPENPGP_SUBKEY_ERROR | Could not find OpenPGP subkey; GNUTLS_E_PARSING_ERROR | Error in parsing; GNUTLS_E_PK_DECRYPTION_FAILED | Public key decryption has failed; GNUTLS_E_PK_ENCRYPTION_FAILED | Public key encryption has failed; GNUTLS_E_PK_GENERATION_ERROR | Error in public key generation; GNUTLS_E_PK_NO_VALIDATION_PARAMS | There are no validation parameters present; GNUTLS_E_PK_SIGN_FAILED | Public key signing has failed; GNUTLS_E_PKCS11_ATTRIBUTE_ERROR | PKCS #11 error in attribute; GNUTLS_E_PKCS11_DATA_ERROR | PKCS #11 error in data; GNUTLS_E_PKCS11_DEVICE_ERROR | PKCS #11 error in device; GNUTLS_E_PKCS11_ERROR | PKCS #11 error; GNUTLS_E_PKCS11_KEY_ERROR | PKCS #11 error in key; GNUTLS_E_PKCS11_LOAD_ERROR | PKCS #11 initialization error; GNUTLS_E_PKCS11_PIN_ERROR | Error in provided PIN; GNUTLS_E_PKCS11_PIN_LOCKED | PKCS #11 PIN locked; GNUTLS_E_PKCS11_REQUESTED_OBJECT_NOT_AVAILBLE | The requested PKCS #11 object is not available; GNUTLS_E_PKCS11_SESSION_ERROR | PKCS #11 error in session; GNUTLS_E_PKCS11_SIGNATURE_ERROR | PKCS #11 error in signature; GNUTLS_E_PKCS11_SLOT_ERROR | PKCS #11 error in slot; GNUTLS_E_PKCS11_TOKEN_ERROR | PKCS #11 error in token; GNUTLS_E_PKCS11_UNSUPPORTED_FEATURE_ERROR | PKCS #11 unsupported feature; GNUTLS_E_PKCS11_USER_ERROR | PKCS #11 user error; GNUTLS_E_PKCS1_WRONG_PAD | Wrong padding in PKCS1 packet; GNUTLS_E_PULL_ERROR | Error in the pull function; GNUTLS_E_RANDOM_DEVICE_ERROR | Error in the system's randomness device; GNUTLS_E_RANDOM_FAILED | Failed to acquire random data; GNUTLS_E_REAUTH_REQUEST | Re-authentication was requested by the peer; GNUTLS_E_RECORD_LIMIT_REACHED | The upper limit of record packet sequence numbers has been reached. Wow; GNUTLS_E_REHANDSHAKE | Rehandshake was requested by the peer; GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE | The requested data were not available; GNUTLS_E_SELF_TEST_ERROR | Error while performing self checks; GNUTLS_E_SESSION_USER_ID_CHANGED | Peer's certificate or username has changed during a rehandshake; GNUTLS_E_SOCKETS_INIT_ERROR | Error in sockets initialization; GNUTLS_E_SUCCESS; GNUTLS_E_TOO_MANY_EMPTY_PACKETS | Too many empty record packets have been received; GNUTLS_E_TOO_MANY_MATCHES | More than a single object matches the criteria; GNUTLS_E_TPM_ERROR | TPM error; GNUTLS_E_TPM_KEY_NOT_FOUND | TPM key was not found in persistent storage; GNUTLS_E_TPM_KEY_PASSWORD_ERROR | Error in provided password for key to be loaded in TPM; GNUTLS_E_TPM_NO_LIB | The TPM library (trousers) cannot be found; GNUTLS_E_TPM_SESSION_ERROR | Cannot initialize a session with the TPM; GNUTLS_E_TPM_SRK_PASSWORD_ERROR | Error in provided SRK password for TPM; GNUTLS_E_TPM_UNINITIALIZED | TPM is not initialized; GNUTLS_E_UNAVAILABLE_DURING_HANDSHAKE | Cannot perform this action while handshake is in progress; GNUTLS_E_UNIMPLEMENTED_FEATURE | An unimplemented or disabled feature has been requested; GNUTLS_E_UNKNOWN_CIPHER_TYPE | The cipher type is unsupported; GNUTLS_E_UNKNOWN_PKCS_BAG_TYPE | The PKCS structure's bag type is unknown; GNUTLS_E_UNKNOWN_PKCS_CONTENT_TYPE | The PKCS structure's content type is unknown; GNUTLS_E_UNKNOWN_SRP_USERNAME | The username supplied is unknown; GNUTLS_E_UNWANTED_ALGORITHM | An algorithm that is not enabled was negotiated; GNUTLS_E_USER_ERROR | The operation was cancelled due to user error; GNUTLS_E_X509_UNSUPPORTED_ATTRIBUTE | The certificate has unsupported attributes; GNUTLS_E_X509_UNSUPPORTED_EXTENSION | Unsupported extension in X.509 certificate; GNUTLS_E_X509_UNSUPPORTED_OID | The OID is not supported

Mbed TLS: certificateExpired
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateExpired
after: mbedtls
names: MBEDTLS_ERR_SSL_SESSION_TICKET_EXPIRED | -0x6D80

Mbed TLS: certificateFileUnusable privateKeyUnusable
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateFileUnusable privateKeyUnusable
after: mbedtls
names: MBEDTLS_ERR_X509_FILE_IO_ERROR | -0x2900

Mbed TLS: certificateMalformed
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateMalformed
after: mbedtls
names: MBEDTLS_ERR_SSL_BAD_CERTIFICATE | -0x7A00; MBEDTLS_ERR_X509_CERT_UNKNOWN_FORMAT | -0x2780; MBEDTLS_ERR_X509_INVALID_ALG | -0x2300; MBEDTLS_ERR_X509_INVALID_FORMAT | -0x2180; MBEDTLS_ERR_X509_INVALID_NAME | -0x2380; MBEDTLS_ERR_X509_INVALID_SIGNATURE | -0x2480; MBEDTLS_ERR_X509_INVALID_VERSION | -0x2200

Mbed TLS: certificateMalformed criticalExtensionUnhandled
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateMalformed criticalExtensionUnhandled
after: mbedtls
names: MBEDTLS_ERR_X509_INVALID_EXTENSIONS | -0x2500

Mbed TLS: certificateMalformed strictSerialNumber
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateMalformed strictSerialNumber
after: mbedtls
names: MBEDTLS_ERR_X509_INVALID_SERIAL | -0x2280

Mbed TLS: certificateMalformed strictTimeEncoding
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateMalformed strictTimeEncoding
after: mbedtls
names: MBEDTLS_ERR_PKCS7_CERT_DATE_INVALID | -0x5880; MBEDTLS_ERR_X509_INVALID_DATE | -0x2400

Mbed TLS: certificateVersionNotAllowed
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: certificateVersionNotAllowed
after: mbedtls
names: MBEDTLS_ERR_X509_UNKNOWN_VERSION | -0x2580

Mbed TLS: connectionClosed
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionClosed
after: mbedtls
names: MBEDTLS_ERR_NET_CONN_RESET | -0x0050; MBEDTLS_ERR_SSL_CONN_EOF | -0x7280; MBEDTLS_ERR_SSL_WAITING_SERVER_HELLO_RENEGO | -0x6B00

Mbed TLS: connectionHandshakeAlert
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionHandshakeAlert
after: mbedtls
names: MBEDTLS_ERR_SSL_INTERNAL_ERROR | -0x6C00

Mbed TLS: connectionHandshakeFailed
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionHandshakeFailed
after: mbedtls
names: MBEDTLS_ERR_SSL_DECODE_ERROR | -0x7300; MBEDTLS_ERR_SSL_ILLEGAL_PARAMETER | -0x6600; MBEDTLS_ERR_SSL_UNEXPECTED_CID | -0x6000; MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE | -0x7700; MBEDTLS_ERR_SSL_UNEXPECTED_RECORD | -0x6700

Mbed TLS: connectionNameRefused
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionNameRefused
after: mbedtls
names: MBEDTLS_ERR_SSL_UNRECOGNIZED_NAME | -0x7800

Mbed TLS: connectionNotTLS
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionNotTLS
after: mbedtls
names: MBEDTLS_ERR_SSL_INVALID_RECORD | -0x7200

Mbed TLS: connectionTimedOut
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: connectionTimedOut
after: mbedtls
names: MBEDTLS_ERR_SSL_TIMEOUT | -0x6800

Mbed TLS: hostMismatch
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: hostMismatch
after: mbedtls
names: MBEDTLS_ERR_SSL_CERTIFICATE_VERIFICATION_WITHOUT_HOSTNAME | -0x5D80

Mbed TLS: noSharedCipher
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: noSharedCipher
after: mbedtls
names: MBEDTLS_ERR_SSL_HANDSHAKE_FAILURE | -0x6E00

Mbed TLS: privateKeyUnusable
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: privateKeyUnusable
after: mbedtls
names: MBEDTLS_ERR_SSL_PRIVATE_KEY_REQUIRED | -0x7600

Mbed TLS: protocolNotNegotiated
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: protocolNotNegotiated
after: mbedtls
names: MBEDTLS_ERR_SSL_NO_APPLICATION_PROTOCOL | -0x7580

Mbed TLS: signatureAlgorithmMismatch
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: signatureAlgorithmMismatch
after: mbedtls
names: MBEDTLS_ERR_X509_SIG_MISMATCH | -0x2680

Mbed TLS: signatureAlgorithmUnsupported
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: signatureAlgorithmUnsupported
after: mbedtls
names: MBEDTLS_ERR_PKCS7_INVALID_SIGNATURE | -0x5600; MBEDTLS_ERR_X509_UNKNOWN_SIG_ALG | -0x2600

Mbed TLS: systemAnchorsUnavailable
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: systemAnchorsUnavailable
after: mbedtls
names: MBEDTLS_ERR_SSL_CA_CHAIN_REQUIRED | -0x7680; MBEDTLS_ERR_SSL_CANNOT_READ_EARLY_DATA | -0x7B80

Mbed TLS: tlsVersionOutdated
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: tlsVersionOutdated
after: mbedtls
names: MBEDTLS_ERR_SSL_BAD_PROTOCOL_VERSION | -0x6E80

Mbed TLS: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
after: mbedtls
names: MBEDTLS_ERR_X509_CERT_VERIFY_FAILED | -0x2700

Mbed TLS: unknownCause
tool: Mbed TLS
source: Mbed TLS 0333486837: include/mbedtls
codes: unknownCause
after: mbedtls
note: This is Mbed TLS's error "{reason}". Its cause isn't known here.
names: MBEDTLS_ERR_NET_ACCEPT_FAILED | -0x004A; MBEDTLS_ERR_NET_BAD_INPUT_DATA | -0x0049; MBEDTLS_ERR_NET_BIND_FAILED | -0x0046; MBEDTLS_ERR_NET_CONNECT_FAILED | -0x0044; MBEDTLS_ERR_NET_INVALID_CONTEXT | -0x0045; MBEDTLS_ERR_NET_LISTEN_FAILED | -0x0048; MBEDTLS_ERR_NET_POLL_FAILED | -0x0047; MBEDTLS_ERR_NET_RECV_FAILED | -0x004C; MBEDTLS_ERR_NET_SEND_FAILED | -0x004E; MBEDTLS_ERR_NET_SOCKET_FAILED | -0x0042; MBEDTLS_ERR_NET_UNKNOWN_HOST | -0x0052; MBEDTLS_ERR_PKCS7_FEATURE_UNAVAILABLE | -0x5380; MBEDTLS_ERR_PKCS7_INVALID_ALG | -0x5500; MBEDTLS_ERR_PKCS7_INVALID_CERT | -0x5580; MBEDTLS_ERR_PKCS7_INVALID_CONTENT_INFO | -0x5480; MBEDTLS_ERR_PKCS7_INVALID_FORMAT | -0x5300; MBEDTLS_ERR_PKCS7_INVALID_SIGNER_INFO | -0x5680; MBEDTLS_ERR_PKCS7_INVALID_VERSION | -0x5400; MBEDTLS_ERR_SSL_ASYNC_IN_PROGRESS | -0x6500; MBEDTLS_ERR_SSL_BAD_CONFIG | -0x5E80; MBEDTLS_ERR_SSL_CACHE_ENTRY_NOT_FOUND | -0x7E80; MBEDTLS_ERR_SSL_CANNOT_WRITE_EARLY_DATA | -0x7C80; MBEDTLS_ERR_SSL_CLIENT_RECONNECT | -0x6780; MBEDTLS_ERR_SSL_CONTINUE_PROCESSING | -0x6580; MBEDTLS_ERR_SSL_COUNTER_WRAPPING | -0x6B80; MBEDTLS_ERR_SSL_CRYPTO_IN_PROGRESS | -0x7000; MBEDTLS_ERR_SSL_EARLY_MESSAGE | -0x6480; MBEDTLS_ERR_SSL_FEATURE_UNAVAILABLE | -0x7080; MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED | -0x6A80; MBEDTLS_ERR_SSL_HW_ACCEL_FAILED | -0x7F80; MBEDTLS_ERR_SSL_HW_ACCEL_FALLTHROUGH | -0x6F80; MBEDTLS_ERR_SSL_INVALID_MAC | -0x7180; MBEDTLS_ERR_SSL_NO_CLIENT_CERTIFICATE | -0x7480; MBEDTLS_ERR_SSL_NO_RNG | -0x7400; MBEDTLS_ERR_SSL_NON_FATAL | -0x6680; MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY | -0x7880; MBEDTLS_ERR_SSL_PK_TYPE_MISMATCH | -0x6D00; MBEDTLS_ERR_SSL_RECEIVED_EARLY_DATA | -0x7C00; MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET | -0x7B00; MBEDTLS_ERR_SSL_UNKNOWN_IDENTITY | -0x6C80; MBEDTLS_ERR_SSL_UNSUPPORTED_EXTENSION | -0x7500; MBEDTLS_ERR_SSL_VERSION_MISMATCH | -0x5F00; MBEDTLS_ERR_SSL_WANT_READ | -0x6900; MBEDTLS_ERR_SSL_WANT_WRITE | -0x6880; MBEDTLS_ERR_X509_BAD_INPUT_DATA | -0x2800; MBEDTLS_ERR_X509_FATAL_ERROR | -0x3000; MBEDTLS_ERR_X509_FEATURE_UNAVAILABLE | -0x2080; MBEDTLS_ERR_X509_UNKNOWN_OID | -0x2100

curl: connectionClosed
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: connectionClosed
after: curl
names: CURLE_ABORTED_BY_CALLBACK | curl: (42)

curl: connectionNameNotResolved
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: connectionNameNotResolved
after: curl
names: CURLE_COULDNT_RESOLVE_HOST | curl: (6); CURLE_COULDNT_RESOLVE_PROXY | curl: (5)

curl: connectionProxyFailed
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: connectionProxyFailed
after: curl
names: CURLE_PROXY | curl: (97)

curl: connectionTimedOut
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: connectionTimedOut
after: curl
names: CURLE_OPERATION_TIMEDOUT | curl: (28)

curl: connectionUnreachable
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: connectionUnreachable
after: curl
names: CURLE_COULDNT_CONNECT | curl: (7)

curl: revocationUnavailable
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: revocationUnavailable
after: curl
names: CURLE_SSL_CRL_BADFILE | curl: (82)

curl: unknownCause
tool: curl
source: curl 5c61e16869: include/curl/curl.h
codes: unknownCause
after: curl
note: This is curl's error "{reason}". Its cause isn't known here.
names: CURLE_ECH_REQUIRED | curl: (101); CURLE_FTP_CANT_GET_HOST | curl: (15); CURLE_HTTP2 | curl: (16); CURLE_HTTP2_STREAM | curl: (92); CURLE_LDAP_CANNOT_BIND | curl: (38); CURLE_NO_CONNECTION_AVAILABLE | curl: (89); CURLE_QUIC_CONNECT_ERROR | curl: (96); CURLE_RECURSIVE_API_CALL | curl: (93); CURLE_SSL_CLIENTCERT | curl: (98); CURLE_SSL_ENGINE_INITFAILED | curl: (66); CURLE_SSL_ENGINE_NOTFOUND | curl: (53); CURLE_SSL_ENGINE_SETFAILED | curl: (54); CURLE_SSL_SHUTDOWN_FAILED | curl: (80); CURLE_USE_SSL_FAILED | curl: (64)

rustls: certificateExpired
tool: rustls
source: rustls 6868ee84d: src/error
codes: certificateExpired
after: incompatible misbehaved certificate message
names: ExpiredContext; ExpiredRevocationList; ExpiredRevocationListContext

rustls: certificateMalformed
tool: rustls
source: rustls 6868ee84d: src/error
codes: certificateMalformed
after: incompatible misbehaved certificate message
names: BadCertChainExtensions; DuplicateClientHelloExtensions; DuplicateEncryptedExtensions; DuplicateExtension; DuplicateHelloRetryRequestExtensions; DuplicateNewSessionTicketExtensions; DuplicateServerHelloExtensions; IllegalHelloRetryRequestWithUnofferedNamedGroup; IncorrectBinder; IncorrectCertificateTypeExtension; InvalidCertificate; InvalidCertificateStatusType; OfferedDuplicateCertificateCompressions

rustls: certificateMalformed strictTimeEncoding
tool: rustls
source: rustls 6868ee84d: src/error
codes: certificateMalformed strictTimeEncoding
after: incompatible misbehaved certificate message
names: InvalidKeyUpdate

rustls: connectionHandshakeFailed
tool: rustls
source: rustls 6868ee84d: src/error
codes: connectionHandshakeFailed
after: incompatible misbehaved certificate message
names: IllegalHelloRetryRequestWithEmptyCookie; IllegalHelloRetryRequestWithInvalidEch; IllegalHelloRetryRequestWithNoChanges; IllegalHelloRetryRequestWithOfferedGroup; IllegalHelloRetryRequestWithUnofferedCipherSuite; IllegalHelloRetryRequestWithWrongSessionId; InvalidEncryptedClientHello; InvalidKeyShare; InvalidMessage; KeyShareExtensionRequired; MissingBinderInPskExtension; MissingKeyShare; MissingPskModesExtension; MissingQuicTransportParameters; OfferedDuplicateKeyShares; PeerMisbehaved; UnexpectedCleartextExtension; UnexpectedMessage; UnsolicitedCertExtension; UnsolicitedCertificateTypeExtension; UnsolicitedEchExtension; UnsolicitedEncryptedExtension; UnsolicitedServerHelloExtension; WrongGroupForKeyShare

rustls: connectionNameRefused
tool: rustls
source: rustls 6868ee84d: src/error
codes: connectionNameRefused
after: incompatible misbehaved certificate message
names: DuplicateServerNameTypes; InvalidServerName; NoServerNameProvided; ServerNameDifferedOnRetry

rustls: criticalExtensionUnhandled
tool: rustls
source: rustls 6868ee84d: src/error
codes: criticalExtensionUnhandled
after: incompatible misbehaved certificate message
names: UnhandledCriticalExtension

rustls: extendedKeyUsageNotAllowed
tool: rustls
source: rustls 6868ee84d: src/error
codes: extendedKeyUsageNotAllowed
after: incompatible misbehaved certificate message
names: InvalidPurpose; InvalidPurposeContext

rustls: hostMismatch
tool: rustls
source: rustls 6868ee84d: src/error
codes: hostMismatch
after: incompatible misbehaved certificate message
names: ServerNameMustContainOneHostName

rustls: keyAlgorithmUnsupported
tool: rustls
source: rustls 6868ee84d: src/error
codes: keyAlgorithmUnsupported
after: incompatible misbehaved certificate message
names: UnsupportedCurveType; UnsupportedKeyExchangeAlgorithm

rustls: legacyRenegotiation
tool: rustls
source: rustls 6868ee84d: src/error
codes: legacyRenegotiation
after: incompatible misbehaved certificate message
names: TooManyRenegotiationRequests

rustls: revocationUnavailable
tool: rustls
source: rustls 6868ee84d: src/error
codes: revocationUnavailable
after: incompatible misbehaved certificate message
names: InvalidCrlNumber; InvalidOcspResponse

rustls: strictSerialNumber certificateMalformed
tool: rustls
source: rustls 6868ee84d: src/error
codes: strictSerialNumber certificateMalformed
after: incompatible misbehaved certificate message
names: InvalidRevokedCertSerialNumber

rustls: tlsVersionOutdated
tool: rustls
source: rustls 6868ee84d: src/error
codes: tlsVersionOutdated
after: incompatible misbehaved certificate message
names: IllegalHelloRetryRequestWithUnsupportedVersion; NoApplicationProtocol; OfferedEarlyDataWithOldProtocolVersion; SelectedUnofferedApplicationProtocol; ServerDoesNotSupportTls12Or13; UnknownProtocolVersion; UnsupportedCrlVersion

rustls: unknownCause
tool: rustls
source: rustls 6868ee84d: src/error
codes: unknownCause
after: incompatible misbehaved certificate message
note: This is rustls's error "{reason}". Its cause isn't known here.
names: ApplicationVerificationFailure; AttemptedDowngradeToTls12WhenTls13IsSupported; BadMaxFragmentSize; CertificatePayloadTooLarge; DisallowedEncryptedExtension; EarlyDataAttemptedInSecondClientHello; EarlyDataExtensionWithoutResumption; EarlyDataOfferedWithVariedCipherSuite; EcPointsExtensionRequired; EmptyTicketValue; ExtendedMainSecretExtensionRequired; FailedToGetCurrentTime; FailedToGetRandomBytes; HandshakeHashVariedAfterRetry; HandshakeNotComplete; HandshakePayloadTooLarge; IllegalAlertLevel; IllegalEmptyList; IllegalMiddleboxChangeCipherSpec; IllegalTls13ContentType; IllegalTlsInnerPlaintext; IllegalWarningAlert; InappropriateHandshakeMessage; InappropriateMessage; IncorrectFinished; InvalidCertCompression; InvalidCertRequest; InvalidCertRevocationList; InvalidConfigList; InvalidContentType; InvalidDhParams; InvalidEmptyPayload; InvalidMaxEarlyDataSize; IssuerInvalidForCrl; KeyEpochWithPendingFragment; KeyUpdateReceivedInQuicConnection; MessageInterleavedWithHandshakeMessage; MessageTooLarge; MessageTooShort; MisplacedExtension; MissingKeyExchange; MultipleRawKeys; NamedGroupsExtensionRequired; NoCertificateRequestSignatureSchemesInCommon; NoCompatibleConfig; NoEcPointFormatsInCommon; NoSignatureSchemes; NoSuitableCertificate; NotValidForName; NotValidForNameContext; NotValidYetContext; NullCompressionRequired; OfferedEmptyApplicationProtocol; OfferedIncorrectCompressions; PeerIncompatible; PeerSentOversizedRecord; PreSharedKeyIsNotFinalExtension; PskExtensionMustBeLast; PskExtensionWithMismatchedIdsAndBinders; RefusedToFollowHelloRetryRequest; RejectedEarlyDataInterleavedWithHandshakeMessage; ResumptionAttemptedWithVariedEms; ResumptionOfferedWithIncompatibleCipherSuite; ResumptionOfferedWithVariedCipherSuite; ResumptionOfferedWithVariedEms; SelectedDifferentCipherSuiteAfterRetry; SelectedInvalidPsk; SelectedTls12UsingTls13VersionExtension; SelectedUnofferedCertCompression; SelectedUnofferedCipherSuite; SelectedUnofferedCompression; SelectedUnofferedKxGroup; SelectedUnofferedPsk; ServerEchoedCompatibilitySessionId; ServerHelloMustOfferUncompressedEcPoints; ServerSentHelloRetryRequestWithUnknownExtension; ServerTlsVersionIsDisabledByOurConfig; SignatureAlgorithmsExtensionRequired; SignedHandshakeWithUnadvertisedSigScheme; SignedKxWithWrongAlgorithm; SupportedVersionsExtensionRequired; Tls12NotOffered; Tls12NotOfferedOrEnabled; Tls13RequiredForQuic; TooManyConsecutiveHandshakeMessagesAfterHandshake; TooManyEmptyFragments; TooManyWarningAlertsReceived; TooMuchEarlyDataReceived; UncompressedEcPointsRequired; UnknownCertificateExtension; UnknownCertificateType; UnknownHelloRetryRequestExtension; UnknownRevocationStatus; UnsolicitedSctList; UnsupportedCompression; UnsupportedDeltaCrl; UnsupportedIndirectCrl; UnsupportedNameType; UnsupportedRevocationReason

"""#

    /// The checks of reports.
    static let checks = #"""
presented
title: The peer sent readable certificates
codes: presentedChainEmpty certificateMalformed

rule
title: The program's rule for this host
codes: hostNotListed hostDenied

handshake
title: The handshake proves possession of the private key
codes: handshakeSignatureInvalid handshakeUnproven tlsVersionOutdated

anchor
title: The path ends in a trust anchor
codes: unknownIssuer issuerUnreadable untrustedRoot selfSignedLeaf systemAnchorsUnavailable systemRefused systemEvaluationUnavailable anchorDistrustedAfter anchorNameNotPermitted anchorPurposeNotPermitted anchorNotInProgram

signatures
title: Each certificate is signed by the next
codes: signatureInvalid

algorithms
title: Keys and algorithms are strong and known
codes: signatureAlgorithmMismatch signatureUsesMD5 signatureUsesSHA1 signatureUsesDSA signatureAlgorithmUnsupported signatureParametersUnsupported keyUsesExplicitCurve keyUsesUnsupportedCurve keyUsesDSA rsaKeyTooSmall rsaKeyTooLarge keyMalformed keyAlgorithmUnsupported

validity
title: The verify date is within every certificate's validity period
codes: certificateExpired certificateNotYetValid

authority
title: Every issuer is a certificate authority
codes: notCertificateAuthority basicConstraintsMissing keyUsageLacksCertSign certificateVersionNotAllowed issuerNameEmpty

length
title: The path isn't longer than its CAs allow
codes: pathLengthExceeded maximumIntermediatesExceeded

purpose
title: The certificate may be used for this purpose
codes: extendedKeyUsageNotAllowed keyUsageNotForTLS

identity
title: The certificate is valid for this name
codes: subjectAlternativeNameMissing hostMismatch

constraints
title: The CAs may certify the names
codes: nameExcluded nameNotPermitted nameConstraintUndecidable

policies
title: The path meets the policy requirements of its certificates
codes: policyMappingOfAnyPolicy policyNotAcceptable

extensions
title: Every critical extension is understood
codes: criticalExtensionUnhandled tlsFeatureMissing

strict
title: The path meets the strict rules

revocation
title: No certificate has been revoked
codes: certificateRevoked revocationUnavailable

staple
title: The server sent the OCSP response that the certificate requires
codes: stapleMissing

pins
title: A pinned key or certificate is in the path
codes: pinNotMatched pinsExpired certificateNotPinned

authorities
title: A required CA is in the path
codes: authorityNotMatched

attributes
title: The certificate has the required attributes
codes: attributeNotMatched extendedValidationMissing validityTooLong

deniedCertificates
title: No certificate or key is on a deny list
codes: certificateDenied

custom
title: The program's own checks
codes: evaluatorRefused

budget
title: The path search stayed within its budget

transparency
title: The certificate was published in Certificate Transparency logs
codes: transparencyNotMet transparencyLogListMissing

"""#

    /// The snippets in guides.
    static let snippets = #"""
exception
line: // The user has read the failures and accepts exactly these,
line: // for this certificate at this host, for a week.
line: let agreed = try trust.evaluate().exceptions(
line:     expires: now.advanced(by: .days(7)))
line: try store.add(agreed)
line: trust.setExceptions(agreed)

private-anchors
line: // For this host, the path has to end in our root.
line: // Other hosts keep the system's anchors.
line: let manager = try ServerTrustManager(evaluators: [
line:     "build.corp.example": PinnedCertificatesTrustEvaluator(
line:         certificates: [ourRoot], acceptSelfSigned: true),
line:     "*.example.com": DefaultTrustEvaluator(),
line: ])

pinned-leaf
line: // Accepts exactly this certificate at this host, under its
line: // name, and ignores its other failures.
line: let manager = try ServerTrustManager(evaluators: [
line:     "printer.corp.example": PinnedCertificatesTrustEvaluator(
line:         certificates: [printer], performDefaultValidation: false)
line: ])

pinned-leaf-under-any-name
line: // Accepts exactly this certificate at this address, under any
line: // name.
line: let manager = try ServerTrustManager(evaluators: [
line:     "192.0.2.7": PinnedCertificatesTrustEvaluator(
line:         certificates: [device], performDefaultValidation: false,
line:         validateHost: false)
line: ])

expected-name
line: // The connection goes to the address, but the certificate has
line: // to be valid for the server's name.
line: let manager = try ServerTrustManager(evaluators: [
line:     "192.0.2.7": DefaultTrustEvaluator(
line:         expecting: Hostname("api.example.com"))
line: ])

missing-intermediate
line: // Only a candidate for the path. The root still has to be
line: // trusted.
line: trust.intermediates = [issuingCA]

verify-date
line: // For a device whose clock isn't set yet: the date comes from
line: // an authenticated source.
line: trust.verifyDate = .at(authenticatedTime)

plain-profile
line: // RFC 5280 without the public web's rules, only for
line: // servers of this private CA.
line: trust.policy.profile = .rfc5280
line: trust.anchors = .only([ourRoot])

purpose
line: // A peer with a client certificate from our own CA.
line: trust.policy.purpose = .clientAuth
line: trust.anchors = .only([ourRoot])

certificate-policies
line: // The new issuing CA's policy is also acceptable.
line: trust.policy.certificatePolicies.acceptable = [
line:     oldPolicy, newPolicy,
line: ]

longer-paths
line: // One more intermediate than before.
line: trust.policy.maximumIntermediates = 2

not-strict
line: // The strict rules are for CAs. Without them, the engine
line: // validates the path as browsers do.
line: trust.policy.isStrict = false

pins-with-backup
line: // The key in service, and a backup key that no server has.
line: let manager = try ServerTrustManager(evaluators: [
line:     "api.example.com": SPKIPinsTrustEvaluator(
line:         SPKIPinSet(pins: [pinInService], backup: [pinInReserve]))
line: ])

renewed-certificate
line: // Pin both certificates until the server has the new one.
line: let manager = try ServerTrustManager(evaluators: [
line:     "api.example.com": PinnedCertificatesTrustEvaluator(
line:         certificates: [current, renewed])
line: ])

two-authorities
line: // The current CA, and the CA that the server moves to.
line: let manager = try ServerTrustManager(evaluators: [
line:     "api.example.com": CertificateAuthorityTrustEvaluator(
line:         authorities: [currentCA, nextCA])
line: ])

attributes
line: // Fewer requirements for one host. The CA and organization
line: // still have to match.
line: let manager = try ServerTrustManager(evaluators: [
line:     "partner.example.com": CompositeTrustEvaluator(evaluators: [
line:         CertificateAuthorityTrustEvaluator(
line:             authorities: [partnerCA]),
line:         AttributeTrustEvaluator([.organization("Partner, Inc.")]),
line:     ])
line: ])

host-rule
line: // A rule for one more host. Others are still refused.
line: let manager = try ServerTrustManager(evaluators: [
line:     "api.example.com": DefaultTrustEvaluator(),
line:     "files.example.com": DefaultTrustEvaluator(),
line: ])

revocation-data
line: // A current CRL of the CA, fetched in advance. The revocation
line: // check is still required.
line: trust.revocation = .required
line: trust.revocationData = RevocationData(crls: [crl])

anchors-file
line: // For machines without roots, ship the anchors with the
line: // program.
line: let roots = try CertificateFile.certificates(
line:     in: bytes, name: "roots.pem")
line: trust.anchors = .only(roots)

published-but-one
line: // Certificates of public CAs have to be published, except for
line: // one host. Its other checks still apply.
line: let published = TransparencyTrustEvaluator(
line:     logs: logs, policy: .mozilla, mode: .require,
line:     exemptHosts: [HostPattern(oldHost)])

reported-publication
line: // TrustVerdict.reported lists what require would refuse.
line: trust.settings.transparency = TransparencySettings(
line:     logs: nil, policy: .mozilla, mode: .report)

"""#
}
