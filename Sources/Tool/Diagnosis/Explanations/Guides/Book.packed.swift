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
meaning: A certificate is signed with DSA. No public CA uses DSA, and this package doesn't verify it.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Signature Algorithm'` shows `dsa_with_SHA256` or `dsaWithSHA1`.
cause: A private CA, often from a government or a Java product from around 2005, has a DSA key. `keytool -genkey` created one by default.
remedy: Create a CA with a P-256 or RSA key and reissue: `servertrust ca init`, or `keytool -genkeypair -keyalg EC`.
no-change: This package doesn't verify DSA, and it can't trust a signature that it doesn't verify.
never: Skipping the signature check for this CA.

signatureAlgorithmUnsupported
source: RFC 5280 § 4.1.1.2
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
meaning: The key of a certificate is a DSA key. TLS 1.3 doesn't have DSA, and no current client offers it.
sign: `openssl x509 -noout -text -in cert.pem | grep 'Public Key Algorithm'` shows `dsaEncryption`.
cause: The key was created by an old `keytool -genkey` or by `openssl dsaparam -genkey`.
remedy: Create a new key and request, and have a certificate issued for it: `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -keyout key.pem -out request.pem -subj /CN=HOST -addext subjectAltName=DNS:HOST`.
no-change: This package doesn't verify DSA.
never: Keeping the key and only renewing the certificate: the key is the cause.

rsaKeyTooSmall
source: CA/Browser Baseline Requirements § 6.1.5
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
meaning: The path is valid, but the program's own evaluator refused it. The evaluator supplies the message.
sign: The message ends with the evaluator's text. The rule for the host names the evaluator.
cause: The certificate doesn't meet the evaluator's condition. Ask the evaluator's author.
cause: The evaluator itself failed, for example because it couldn't read a file, so it refused the path to be safe.
remedy: Read the evaluator's text, and change the certificate that it names. Nothing else is wrong with the path.
no-change: The rule is the program's own code. Change the rule for this one host there.
never: Removing the evaluator for all hosts.

presentedChainEmpty
source: RFC 5246 § 7.4.2; RFC 8446 § 4.4.2
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
demonstration: {newAuthority} c=$(sed /-----/d "$d/ca/root.pem" | tr -d '\n'); echo '{"chain":["'$c'"]}' | SSL_CERT_FILE=/none servertrust verify --batch; rm -r "$d"

systemRefused
source: SecTrustEvaluateWithError; Apple's requirements for trusted certificates (HT210176, HT211025, HT205280)
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
sign: The message states the size. A typical chain on the public web is about 5 KB long.

strictSerialNumber
meaning: The serial number isn't positive, or is longer than 20 bytes. This is a strict rule: it only applies if the policy asks for it.
cause: A script numbers certificates from 0, or uses a random number whose first bit makes it negative.
cause: Public CAs broke the rule before it was enforced, and their old certificates are still in use.
change: The client chooses strictness. Without it, the engine validates the path by the rules that browsers apply.
snippet: not-strict
never: Turning off the profile or the whole evaluation, although turning off strictness is enough.
source: RFC 5280 § 4.1.2.2
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
sign: `openssl x509 -noout -dates -in cert.pem` shows more days between `notBefore` and `notAfter` than the message expects.
remedy: Renew with ACME and a shorter validity. For a private CA, install the root as the administrator's own: the limits don't apply there.
demonstration: {newAuthority} servertrust ca issue api.lab.test --days 500 --folder "$d/ca" > "$d/log"; SSL_CERT_FILE="$d/ca/root.pem" servertrust verify "$d/ca/issued/api.lab.test.pem" --host api.lab.test --strict; rm -r "$d"

certificateExpiresSoon
source: the --expires-within option of check and verify
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
codes: presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

packet length too long
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: packet length too long
codes: presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

SSL_ERROR_SYSCALL
form: SSL_ERROR_SYSCALL
tool: OpenSSL
source: OpenSSL: SSL_get_error(3)
codes: presentedChainEmpty
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
codes: handshakeUnproven

tlsv1 unrecognized name
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: tlsv1 unrecognized name
codes: presentedChainEmpty
note: The server doesn't serve this name, and ended the handshake with an alert.

sslv3 alert handshake failure
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: sslv3 alert handshake failure
codes: presentedChainEmpty tlsVersionOutdated
note: The server ended the handshake before it sent a certificate. The message has nothing to do with SSL 3.

unexpected eof while reading
tool: OpenSSL
source: OpenSSL 3.0.22: reason strings of libssl
form: unexpected eof while reading
codes: presentedChainEmpty
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
codes: presentedChainEmpty tlsVersionOutdated handshakeUnproven
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
codes: presentedChainEmpty
note: The server didn't answer with TLS. The port speaks plain HTTP, or a protocol that starts without TLS.

remote error: tls: handshake failure
tool: Go
source: Go: crypto/tls/alert.go (golang/go)
form: remote error: tls: handshake failure
codes: presentedChainEmpty tlsVersionOutdated
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
codes: presentedChainEmpty

tls: failed to verify certificate
form: tls: failed to verify certificate
tool: Go
source: Go: crypto/tls/common.go (golang/go)
codes: unknownIssuer untrustedRoot selfSignedLeaf certificateExpired hostMismatch
note: The reason follows. It comes from crypto/x509.

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
codes: presentedChainEmpty
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
codes: presentedChainEmpty tlsVersionOutdated

Received fatal alert: handshake_failure
tool: Java
source: OpenJDK 17.0.15: java.base (strings of lib/modules)
form: Received fatal alert: handshake_failure
codes: presentedChainEmpty tlsVersionOutdated
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
codes: presentedChainEmpty
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
codes: presentedChainEmpty tlsVersionOutdated
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
codes: presentedChainEmpty

SSL_ERROR_RX_RECORD_TOO_LONG
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_RX_RECORD_TOO_LONG
codes: presentedChainEmpty
note: The length has no meaning. The server answered with plain HTTP.

SSL_ERROR_HANDSHAKE_FAILURE_ALERT
tool: Firefox
source: NSS 3.87.1: error tables of libnssutil3 and libssl3
form: SSL_ERROR_HANDSHAKE_FAILURE_ALERT
codes: presentedChainEmpty tlsVersionOutdated

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
codes: presentedChainEmpty

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
codes: presentedChainEmpty tlsVersionOutdated
note: The server's answer wasn't TLS, or the server ended the handshake.

NSURLErrorSecureConnectionFailed
tool: Apple
form: NSURLErrorSecureConnectionFailed
form: -1200
form: secureConnectionFailed
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: presentedChainEmpty tlsVersionOutdated pinNotMatched untrustedRoot
note: App Transport Security uses this error for pins that don't match (NSPinnedDomains) and for old TLS. `_kCFStreamErrorCodeKey` names the reason.

NSURLErrorServerCertificateHasBadDate
tool: Apple
form: NSURLErrorServerCertificateHasBadDate
form: -1201
form: serverCertificateHasBadDate
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: certificateExpired

NSURLErrorServerCertificateUntrusted
tool: Apple
form: NSURLErrorServerCertificateUntrusted
form: -1202
form: serverCertificateUntrusted
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: unknownIssuer untrustedRoot selfSignedLeaf hostMismatch certificateExpired
note: Apple's software uses this error for every certificate failure. `_kCFStreamErrorCodeKey` (-9813, -9814, -9843) names the reason.

NSURLErrorServerCertificateHasUnknownRoot
tool: Apple
form: NSURLErrorServerCertificateHasUnknownRoot
form: -1203
form: serverCertificateHasUnknownRoot
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
codes: unknownIssuer untrustedRoot

NSURLErrorServerCertificateNotYetValid
tool: Apple
form: NSURLErrorServerCertificateNotYetValid
form: -1204
form: serverCertificateNotYetValid
source: Apple: SecBase.h, NSURLError.h (see AppleErrorNumbers)
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
codes: presentedChainEmpty tlsVersionOutdated pinNotMatched untrustedRoot
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
codes: presentedChainEmpty pinNotMatched tlsVersionOutdated
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
codes: presentedChainEmpty
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
note: The error doesn't include BoringSSL's reason. `servertrust check HOST` names it. SwiftNIO SSL, Envoy, gRPC, and Bun check the name separately.

OPENSSL_internal:WRONG_VERSION_NUMBER
tool: BoringSSL
source: BoringSSL in swift-nio-ssl: gen/crypto/err_data.cc
form: OPENSSL_internal:WRONG_VERSION_NUMBER
codes: presentedChainEmpty
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
codes: presentedChainEmpty
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
codes: presentedChainEmpty

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

bad_certificate
tool: TLS alert
form: alert bad certificate
form: bad_certificate
form: SSLV3_ALERT_BAD_CERTIFICATE
form: tls: bad certificate
form: received fatal alert: BadCertificate
form: Fatal - bad certificate
form: Fatal error: bad certificate
form: description: bad certificate
form: SSL alert number 42
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
form: Fatal - unsupported certificate
form: Fatal error: unsupported certificate
form: description: unsupported certificate
form: SSL alert number 43
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
form: Fatal - certificate revoked
form: Fatal error: certificate revoked
form: description: certificate revoked
form: SSL alert number 44
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
form: Fatal - certificate expired
form: Fatal error: certificate expired
form: description: certificate expired
form: SSL alert number 45
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
form: Fatal - certificate unknown
form: Fatal error: certificate unknown
form: description: certificate unknown
form: SSL alert number 46
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
form: Fatal - unknown ca
form: Fatal error: unknown ca
form: description: unknown ca
form: SSL alert number 48
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
form: Fatal - decrypt error
form: Fatal error: decrypt error
form: description: decrypt error
form: SSL alert number 51
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
form: Fatal - certificate required
form: Fatal error: certificate required
form: description: certificate required
form: SSL alert number 116
source: RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework
note: The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate.
codes: presentedChainEmpty

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
