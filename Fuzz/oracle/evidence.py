# SPDX-License-Identifier: Apache-2.0
"""Creates CRLs and OCSP responses for tests: `crl(...)`, `entry(...)`, `ocsp(...)`, `single(...)`.

Certificates are DER bytes. Keys are private keys of `cryptography`. Times are aware datetimes.
The functions create valid and invalid evidence: the caller chooses each field.

    list_ = crl(ca, key, T, T + WEEK, [entry(7, T, reason="key_compromise")], number=3)
    answer = ocsp(ca_key, [single(ca, 7, "revoked", T, T + WEEK)], produced=T, responder=ca)
"""
import hashlib

from asn1crypto import algos, core, crl as crls, ocsp as ocsps, x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

HASHES = {"sha1": hashes.SHA1(), "sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}


def general_time(moment):
    """A Time of RFC 5280 § 4.1.2.5: UTCTime up to 2049, GeneralizedTime later."""
    return x509.Time({"utc_time" if moment.year < 2050 else "general_time": moment})


def signing_algorithm(key, hash_name):
    """The AlgorithmIdentifier of a signature by the key."""
    if isinstance(key, rsa.RSAPrivateKey):
        return algos.SignedDigestAlgorithm({"algorithm": hash_name + "_rsa", "parameters": core.Null()})
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return algos.SignedDigestAlgorithm({"algorithm": hash_name + "_ecdsa"})
    return algos.SignedDigestAlgorithm({"algorithm": "ed25519"})


def signature(key, data, hash_name):
    """The signature of the data by the key."""
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, padding.PKCS1v15(), HASHES[hash_name])
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return key.sign(data, ec.ECDSA(HASHES[hash_name]))
    assert isinstance(key, ed25519.Ed25519PrivateKey)
    return key.sign(data)


def spoilt(octets):
    """The octets with their last bit flipped."""
    return octets[:-1] + bytes([octets[-1] ^ 1])


def name_of(certificate):
    """The DER of the subject of a certificate."""
    return x509.Certificate.load(certificate).subject.dump()


def key_bits(certificate):
    """The octets of subjectPublicKey, which OCSP and key identifiers hash."""
    info = x509.Certificate.load(certificate)["tbs_certificate"]["subject_public_key_info"]
    return info["public_key"].contents[1:]


def key_identifier(certificate):
    """The subject key identifier of a certificate, or the SHA-1 of its key."""
    return x509.Certificate.load(certificate).key_identifier or hashlib.sha1(key_bits(certificate)).digest()


def extension(oid, value, critical=False):
    """One extension: an OID in dots, the DER of its value."""
    return crls.TBSCertListExtension({"extn_id": oid, "critical": critical, "extn_value": core.ParsableOctetString(value)})


def any_extensions(extensions):
    """An Extensions value from extension objects, in the caller's order."""
    return core.SequenceOf(spec=core.Any, value=[core.Any.load(one.dump()) for one in extensions])


def general_names(names):
    """GeneralNames from URIs (str) and DER Names (bytes)."""
    return x509.GeneralNames([
        x509.GeneralName("uniform_resource_identifier", one) if isinstance(one, str)
        else x509.GeneralName("directory_name", x509.Name.load(one)) for one in names])


def distribution_point_name(full=None, relative=None):
    """A DistributionPointName: `full` is a list for general_names, `relative` the DER of a RelativeDistinguishedName."""
    if full is not None:
        return x509.DistributionPointName("full_name", general_names(full))
    return x509.DistributionPointName("name_relative_to_crl_issuer", x509.RelativeDistinguishedName.load(relative))


def scope(full=None, relative=None, user=False, ca=False, attribute=False, reasons=None, indirect=False):
    """The DER of an issuing distribution point (§ 5.2.5): pass it as `scope` of `crl`."""
    fields = {"only_contains_user_certs": user, "only_contains_ca_certs": ca,
              "only_contains_attribute_certs": attribute, "indirect_crl": indirect}
    if full is not None or relative is not None:
        fields["distribution_point"] = distribution_point_name(full, relative)
    if reasons is not None:
        fields["only_some_reasons"] = set(reasons)
    return crls.IssuingDistributionPoint(fields).dump()


def distribution_points(points):
    """The DER of cRLDistributionPoints or freshestCRL: each point is a dict of full, relative, reasons, issuer (DER Names)."""
    made = []
    for point in points:
        fields = {}
        if point.get("full") is not None or point.get("relative") is not None:
            fields["distribution_point"] = distribution_point_name(point.get("full"), point.get("relative"))
        if point.get("reasons") is not None:
            fields["reasons"] = set(point["reasons"])
        if point.get("issuer") is not None:
            fields["crl_issuer"] = general_names(point["issuer"])
        made.append(x509.DistributionPoint(fields))
    return x509.CRLDistributionPoints(made).dump()


def entry(serial, at, reason=None, issuer=None, extensions=()):
    """One revoked certificate. `reason` is a name such as "key_compromise"; `issuer` the DER Name of a certificate issuer entry."""
    listed = []
    if reason is not None:
        listed.append(extension("2.5.29.21", crls.CRLReason(reason).dump()))
    if issuer is not None:
        listed.append(extension("2.5.29.29", general_names([issuer]).dump(), critical=True))
    listed += extensions
    fields = [core.Integer(serial), general_time(at)] + ([any_extensions(listed)] if listed else [])
    return sequence(fields)


def sequence(fields):
    """A SEQUENCE of the encoded fields."""
    return encoded(0x30, b"".join(one if isinstance(one, bytes) else one.dump() for one in fields))


def encoded(tag, contents):
    """One DER element."""
    size = len(contents)
    length = bytes([size]) if size < 128 else (lambda b: bytes([0x80 | len(b)]) + b)(size.to_bytes((size.bit_length() + 7) // 8, "big"))
    return bytes([tag]) + length + contents


def crl(issuer, key, this_update, next_update=None, entries=(), *, number=1, base=None, scope=None, scope_critical=True,
        identifier=True, hash_name="sha256", version=2, extensions=(), name=None, outside_hash=None, broken=False):
    """A CRL as DER.

    `issuer` is the certificate whose subject and key identifier the CRL carries; `key` signs. `name` replaces the issuer's name.
    `number` None leaves cRLNumber out; `base` makes it a delta CRL; `identifier` is True, None (no extension) or bytes.
    `extensions` are further `extension(...)`s; `broken` spoils the signature; `outside_hash` names another algorithm outside.
    """
    listed = []
    if identifier is not None:
        octets = key_identifier(issuer) if identifier is True else identifier
        listed.append(extension("2.5.29.35", x509.AuthorityKeyIdentifier({"key_identifier": octets}).dump()))
    if number is not None:
        listed.append(extension("2.5.29.20", core.Integer(number).dump()))
    if base is not None:
        listed.append(extension("2.5.29.27", core.Integer(base).dump(), critical=True))
    if scope is not None:
        listed.append(extension("2.5.29.28", scope, critical=scope_critical))
    listed += extensions
    algorithm = signing_algorithm(key, hash_name)
    fields = ([core.Integer(version - 1)] if version > 1 else []) + [algorithm, name or name_of(issuer), general_time(this_update)]
    if next_update is not None:
        fields.append(general_time(next_update))
    if entries:
        fields.append(sequence(entries))
    if listed and version > 1:
        fields.append(encoded(0xA0, any_extensions(listed).dump()))
    body = sequence(fields)
    octets = signature(key, body, hash_name)
    outside = signing_algorithm(key, outside_hash) if outside_hash else algorithm
    return sequence([body, outside, core.OctetBitString(spoilt(octets) if broken else octets)])


def certificate_id(issuer, serial, hash_name="sha1"):
    """A CertID of RFC 6960 § 4.1.1 for a certificate of the issuer."""
    return ocsps.CertId({
        "hash_algorithm": {"algorithm": hash_name, "parameters": core.Null()},
        "issuer_name_hash": hashlib.new(hash_name, name_of(issuer)).digest(),
        "issuer_key_hash": hashlib.new(hash_name, key_bits(issuer)).digest(), "serial_number": serial})


def single(issuer, serial, status, this_update, next_update=None, *, at=None, reason=None, hash_name="sha1", extensions=()):
    """One SingleResponse as DER. `status` is "good", "revoked" or "unknown"; `at` is the revocation time (else thisUpdate)."""
    if status == "revoked":
        fields = core.GeneralizedTime(at or this_update).dump()
        if reason is not None:
            fields += encoded(0xA0, crls.CRLReason(reason).dump())
        state = encoded(0xA1, fields)
    else:
        state = encoded({"good": 0x80, "unknown": 0x82}[status], b"")
    parts = [certificate_id(issuer, serial, hash_name), state, core.GeneralizedTime(this_update)]
    if next_update is not None:
        parts.append(encoded(0xA0, core.GeneralizedTime(next_update).dump()))
    if extensions:
        parts.append(encoded(0xA1, any_extensions(extensions).dump()))
    return sequence(parts)


def ocsp(key, singles, *, produced, responder, by="key", certificates=(), hash_name="sha256", extensions=(), status=0,
         broken=False, outside_type=None):
    """An OCSP response as DER.

    `responder` is the signer's certificate, named `by` "key" or "name"; `certificates` are sent along; `status` is the
    OCSPResponseStatus (0 successful; any other has no bytes). `outside_type` replaces id-pkix-ocsp-basic.
    """
    if status:
        return sequence([core.Enumerated.load(bytes([10, 1, status]))])
    if by == "key":
        identity = encoded(0xA2, core.OctetString(hashlib.sha1(key_bits(responder)).digest()).dump())
    else:
        identity = encoded(0xA1, name_of(responder))
    parts = [identity, core.GeneralizedTime(produced), sequence(singles)]
    if extensions:
        parts.append(encoded(0xA1, any_extensions(extensions).dump()))
    body = sequence(parts)
    octets = signature(key, body, hash_name)
    basic = [body, signing_algorithm(key, hash_name), core.OctetBitString(spoilt(octets) if broken else octets)]
    if certificates:
        basic.append(encoded(0xA0, sequence(list(certificates))))
    kind = core.ObjectIdentifier(outside_type or "1.3.6.1.5.5.7.48.1.1")
    inner = sequence([kind, core.OctetString(sequence(basic))])
    return sequence([core.Enumerated.load(b"\x0a\x01\x00"), encoded(0xA0, inner)])
