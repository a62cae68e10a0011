# SPDX-License-Identifier: Apache-2.0
"""A server or proxy on loopback that misbehaves in one way, for the table "Under stress" of Documentation/Features.md.

    python3 Tests/External/stress_servers.py BEHAVIOR --chain FILE --key FILE [--other-chain FILE --other-key FILE]
    python3 Tests/External/stress_servers.py --list

Prints its port. Each line of standard input is a command, and the answer is one line:

    counts     the counters, in JSON
    outage     ends every connection, and also new ones until `back`
    back       serves again

Ends with standard input, so it doesn't outlive the process that started it. The first connection is the connection with the first
request, because a client may open others before it.
"""
import argparse
import base64
import contextlib
import ctypes
import hashlib
import json
import os
import select
import signal
import socket
import ssl
import struct
import sys
import threading
import time
import zlib

from local_servers import Workshop, free_port, program

# The longest time that a server waits for more requests of a burst.
BURST = 2.0
TEXT = b"hello"


class Ended(Exception):
    """The connection is over, as planned."""


def reset(connection):
    """Ends a connection without closing it properly."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Server:
    """A listener with a thread for each connection."""

    def __init__(self, behavior, identities):
        self.behavior = behavior
        self.identities = identities
        self.lock = threading.Lock()
        self.counts = dict.fromkeys(("connections", "requests", "posts", "untrusted_bytes", "sent", "busy"), 0)
        self.is_down = False
        self.open = set()
        self.first = None
        self.contexts = {}
        # The parent process deletes the files when the server prints its port.
        for is_other in (False, True):
            for protocols in (("http/1.1",), ("h2",)):
                if all(identities[is_other]):
                    self.contexts[protocols, is_other] = self.make_context(protocols, identities[is_other])
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]

    def start(self):
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            raw = self.listener.accept()[0]
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(raw, self.count("connections") - 1), daemon=True).start()

    def serve(self, raw, number):
        with self.lock:
            self.open.add(raw)
        connection = raw
        try:
            kind = self.behavior.connection(self, number)
            if kind.is_clear:
                kind(self, raw, number).run()
                return
            if kind.protocols == ("h2",) and not offers_http2(raw):
                # The alert of a server that supports none of the client's protocols (RFC 7301 § 3.2).
                raw.sendall(bytes([21, 3, 3, 0, 2, 2, 120]))
                return
            is_other = kind.is_other(self)
            connection = self.contexts[kind.protocols, is_other].wrap_socket(raw, server_side=True)
            with self.lock:
                self.open.discard(raw)
                self.open.add(connection)
            kind(self, connection, number, is_other).run()
        except (OSError, Ended, ValueError):
            pass
        finally:
            with self.lock:
                self.open.discard(raw)
                self.open.discard(connection)
            connection.close()

    @staticmethod
    def make_context(protocols, identity):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*identity)
        context.set_alpn_protocols(list(protocols))
        return context

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] += number
            return self.counts[name]

    def is_first(self, connection):
        """Whether a connection received the first request."""
        with self.lock:
            self.first = self.first or connection
            return self.first is connection

    def set_down(self, is_down):
        with self.lock:
            self.is_down = is_down
            found = list(self.open) if is_down else []
        for connection in found:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


def offers_http2(raw):
    """Whether a ClientHello offers HTTP/2. It remains unread."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        hello = raw.recv(1 << 16, socket.MSG_PEEK)
        if not hello:
            raise Ended
        if len(hello) >= 5 and len(hello) >= 5 + int.from_bytes(hello[3:5], "big"):
            return b"\x02h2" in hello
        time.sleep(0.01)
    raise Ended


class Connection:
    """One client connection. Each subclass is a behavior."""

    protocols = ("http/1.1",)
    is_clear = False

    @classmethod
    def connection(cls, _server, _number):
        """Returns the class for a newly accepted connection."""
        return cls

    @staticmethod
    def is_other(_server):
        """Whether a new connection shows a certificate of a CA that the client doesn't trust."""
        return False

    def __init__(self, server, stream, number, is_untrusted=False):
        self.server = server
        self.is_untrusted = is_untrusted
        self.socket = stream
        self.number = number
        self.requests = 0
        self.input = bytearray()

    def cut(self):
        reset(self.socket)
        raise Ended

    def fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Ended
        if self.is_untrusted:
            self.server.count("untrusted_bytes", len(data))
        self.input += data

    def take(self, size):
        while len(self.input) < size:
            self.fill()
        data = bytes(self.input[:size])
        del self.input[:size]
        return data

    def note_request(self, is_post=False):
        """Returns whether this is the first connection."""
        self.requests += 1
        self.server.count("requests")
        if is_post:
            self.server.count("posts")
        return self.server.is_first(self)

    def flood(self, block):
        """Sends the same bytes until the client leaves, at most about 60 MB per second, and reads nothing."""
        self.socket.settimeout(None)
        block *= max(1, (1 << 16) // len(block))
        while True:
            self.socket.sendall(block)
            self.server.count("sent", len(block))
            time.sleep(0.001)


# MARK: - HTTP/1.1


class HTTP1(Connection):
    """Answers by the path of a request."""

    def run(self):
        while True:
            while b"\r\n\r\n" not in self.input:
                self.fill()
            head, _, rest = bytes(self.input).partition(b"\r\n\r\n")
            self.input = bytearray(rest)
            lines = head.decode("latin-1").split("\r\n")
            method, target = (lines[0].split(" ") + ["", ""])[:2]
            fields = {}
            for line in lines[1:]:
                name, _, value = line.partition(":")
                fields.setdefault(name.strip().lower(), value.strip())
            self.take(int(fields.get("content-length", "0")))
            self.request(self.note_request(method == "POST"), method, target, fields)

    def send(self, status, fields=(), body=b"", has_length=True):
        lines = [f"HTTP/1.1 {status} Status", *fields]
        if has_length:
            lines.append(f"Content-Length: {len(body)}")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def request(self, is_first, method, target, fields):
        path = target.split("?")[0]
        if path == "/coded":
            self.send(200, ["Content-Encoding: gzip", "Content-Length: 40"], has_length=False)
        elif path == "/not-modified":
            self.send(304, ["Content-Encoding: gzip", 'ETag: "1"'], has_length=False)
        elif path == "/empty":
            self.send(200, ["Content-Encoding: gzip"])
        elif path == "/raw-deflate":
            coder = zlib.compressobj(wbits=-15)
            self.send(200, ["Content-Encoding: deflate"], coder.compress(TEXT) + coder.flush())
        elif path == "/brotli":
            self.send(200, ["Content-Encoding: br"], bytes.fromhex("0b028068656c6c6f03"))
        elif path == "/zstd":
            self.send(200, ["Content-Encoding: zstd"], bytes.fromhex("28b52ffd045829000068656c6c6fa36d9f88"))
        elif path == "/cookie-of-path":
            self.send(200, ["Set-Cookie: name=value; Path=/private; Secure"])
        elif path == "/cookie":
            self.send(200, ["Set-Cookie: name=value; Path=/"])
        elif path == "/cookie-of-four-seconds":
            self.send(200, ["Set-Cookie: name=value; Path=/; Max-Age=4"])
        elif path == "/cookie-deleted":
            self.send(200, ["Set-Cookie: name=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
        elif path in ("/cookies", "/private/cookies"):
            self.send(200, ["Cache-Control: no-store"], fields.get("cookie", "").encode("latin-1"))
        elif path == "/busy-once":
            if self.server.count("busy") == 1:
                self.send(503, ["Retry-After: 1"])
            else:
                self.send(200, body=TEXT)
        elif path == "/socket":
            self.serve_socket(fields)
        elif path == "/user":
            body = fields.get("authorization", "").encode("latin-1")
            self.send(200, ["Cache-Control: max-age=600", "Content-Type: text/plain"], body)
        elif path == "/endless-head":
            self.socket.sendall(b"HTTP/1.1 200 OK\r\n")
            self.flood(b"X-Field: " + b"a" * 500 + b"\r\n")
        elif path == "/endless-informational":
            self.flood(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        elif path == "/chunks":
            self.send(200, ["Transfer-Encoding: chunked"], has_length=False)
            self.flood(b"1\r\nx\r\n")
        elif path == "/body":
            self.send(200, ["Transfer-Encoding: chunked"], has_length=False)
            self.flood(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        else:
            self.send(200, body=TEXT)


    def serve_socket(self, fields):
        """Opens a WebSocket (RFC 6455, RFC 7692) and sends messages back. The answer to a compressed one begins with `inflated `."""
        key = fields.get("sec-websocket-key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        is_compressed = "permessage-deflate" in fields.get("sec-websocket-extensions", "")
        lines = ["HTTP/1.1 101 Switching", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Accept: {accept}"]
        if is_compressed:
            lines.append("Sec-WebSocket-Extensions: permessage-deflate")
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        inflater, deflater = zlib.decompressobj(wbits=-15), zlib.compressobj(wbits=-15)
        while True:
            first, length = self.take(2)
            length &= 0x7F
            if length > 125:
                length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
            mask, data = self.take(4), self.take(length)
            data = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
            opcode = first & 15
            if opcode == 8:
                self.socket.sendall(bytes([0x88, len(data)]) + data)
                raise Ended
            if opcode == 9:
                self.socket.sendall(bytes([0x8A, len(data)]) + data)
            if opcode > 2:
                continue
            if first & 0x40:
                data = b"inflated " + inflater.decompress(data + b"\0\0\xff\xff")
            if is_compressed:
                data = (deflater.compress(data) + deflater.flush(zlib.Z_SYNC_FLUSH))[:-4]
            size = bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")
            self.socket.sendall(bytes([0x81 | (0x40 if is_compressed else 0)]) + size + data)


class StaleHTTP1(HTTP1):
    """Closes the first connection when its second request comes."""

    def request(self, is_first, method, target, fields):
        if is_first and self.requests > 1:
            raise Ended
        super().request(is_first, method, target, fields)


class StaleThenOther(StaleHTTP1):
    """Closes the first connection at its second request, and then shows another certificate."""

    @staticmethod
    def is_other(server):
        return server.first is not None


# MARK: - HTTP/2 (RFC 9113)

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
REFUSED_STREAM = 7


def frame(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def field(name, value):
    """Encodes an HPACK field, literal and not indexed (RFC 7541 § 6.2.2)."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


class HTTP2(Connection):
    """Answers every stream without reading fields."""

    protocols = ("h2",)
    settings = b""

    def greet(self):
        self.socket.sendall(frame(SETTINGS, 0, 0, self.settings))

    def run(self):
        self.greet()
        if self.take(24) != b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":
            raise Ended
        while True:
            self.read_frame()

    def read_frame(self):
        head = self.take(9)
        payload = self.take(int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:9], "big") & 0x7FFFFFFF
        if kind == SETTINGS and not flags & ACK:
            self.socket.sendall(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.socket.sendall(frame(PING, ACK, 0, payload))
        elif kind in (HEADERS, DATA) and flags & END_STREAM:
            self.request(self.note_request(), stream)

    def request(self, is_first, stream):
        self.answer(stream)

    def answer(self, stream):
        # The field `:status: 200` has the index 8 (RFC 7541, appendix A).
        head = frame(HEADERS, END_HEADERS, stream, b"\x88" + field(b"content-length", str(len(TEXT)).encode()))
        self.socket.sendall(head + frame(DATA, END_STREAM, stream, TEXT))


class Deaf(HTTP2):
    """Answers the first request, and then ignores its connection without closing it."""

    def request(self, is_first, stream):
        self.answer(stream)
        while is_first:
            self.fill()
            self.input.clear()


class ResetBeforeSettings(HTTP2):
    """Ends the first accepted connection before SETTINGS."""

    def greet(self):
        if self.number == 0:
            self.cut()
        super().greet()


class LateSettings(HTTP2):
    """Sends SETTINGS after three seconds."""

    def greet(self):
        time.sleep(3)
        super().greet()


class PauseBeforeSettings(HTTP2):
    """Sends SETTINGS of the first accepted connection after half a second."""

    def greet(self):
        if self.number == 0:
            time.sleep(0.5)
        super().greet()


class Outage(HTTP2):
    """Ends new connections before TLS during an outage."""

    @classmethod
    def connection(cls, server, number):
        return Cut if server.is_down else cls


class OutageAfterTLS(HTTP2):
    """Ends new connections after TLS and before SETTINGS during an outage."""

    def greet(self):
        if self.server.is_down:
            self.cut()
        super().greet()


class Cut(Connection):
    """Ends immediately."""

    is_clear = True

    def run(self):
        self.cut()


class HTTP1Once(HTTP1):
    """Answers one request and announces the end."""

    def request(self, is_first, method, target, fields):
        self.send(200, ["Connection: close"], TEXT)
        raise Ended


class Upgraded(HTTP2):
    """Selects HTTP/1.1 until it has answered a request, and then only supports HTTP/2."""

    @classmethod
    def connection(cls, server, number):
        return HTTP1Once if server.counts["requests"] == 0 else cls


class GoAway(HTTP2):
    """Answers one request on the first connection, accepts ten requests in flight, and refuses the others with GOAWAY."""

    def request(self, is_first, stream):
        if not is_first or self.requests == 1:
            return self.answer(stream)
        if self.requests > 2:
            self.streams.append(stream)
            return None
        self.streams = [stream]
        self.socket.settimeout(BURST)
        with contextlib.suppress(TimeoutError):
            while len(self.streams) < 50:
                self.read_frame()
        self.socket.settimeout(None)
        taken = self.streams[:10]
        self.socket.sendall(frame(GOAWAY, 0, 0, taken[-1].to_bytes(4, "big") + bytes(4)))
        for number in taken:
            self.answer(number)
        # Later requests get no answer.
        self.socket.settimeout(BURST)
        while True:
            self.fill()


class RefusedStream(HTTP2):
    """Refuses the second request of the first connection."""

    def request(self, is_first, stream):
        if is_first and self.requests == 2:
            self.socket.sendall(frame(RST_STREAM, 0, stream, REFUSED_STREAM.to_bytes(4, "big")))
        else:
            self.answer(stream)


class OneStream(HTTP2):
    """Accepts one stream at a time, and refuses others meanwhile."""

    settings = (3).to_bytes(2, "big") + (1).to_bytes(4, "big")
    current = None

    def request(self, is_first, stream):
        if self.current is not None:
            self.socket.sendall(frame(RST_STREAM, 0, stream, REFUSED_STREAM.to_bytes(4, "big")))
            return
        self.current = stream
        deadline = time.monotonic() + 0.005
        while (rest := deadline - time.monotonic()) > 0:
            if self.input or self.socket.pending() or select.select([self.socket], [], [], rest)[0]:
                self.read_frame()
        self.current = None
        self.answer(stream)


class StaleHTTP2(HTTP2):
    """Closes the first connection when its second request comes."""

    def request(self, is_first, stream):
        if is_first and self.requests > 1:
            raise Ended
        self.answer(stream)


class StaleThenOtherHTTP2(StaleHTTP2):
    """Closes the first connection at its second request, and then shows another certificate."""

    @staticmethod
    def is_other(server):
        return server.first is not None


class Broken(HTTP2):
    """Answers the second request of the first connection with DATA for stream 0 (RFC 9113 § 6.1), and then nothing."""

    def request(self, is_first, stream):
        if not is_first or self.requests == 1:
            self.answer(stream)
        elif self.requests == 2:
            self.socket.sendall(frame(DATA, 0, 0, TEXT))


class Flood(HTTP2):
    """Floods the first connection, starting with its second request."""

    def request(self, is_first, stream):
        if not is_first or self.requests == 1:
            return self.answer(stream)
        if start := self.start(stream):
            self.socket.sendall(start)
        return self.flood(self.block(stream))

    def start(self, stream):
        return b""

    def block(self, stream):
        raise NotImplementedError


class ContinuationFlood(Flood):
    def start(self, stream):
        return frame(HEADERS, 0, stream, b"\x88")

    def block(self, stream):
        return frame(CONTINUATION, 0, stream, field(b"x-field", b"a" * 100) * 8)


class PingFlood(Flood):
    def block(self, stream):
        return frame(PING, 0, 0, bytes(8))


class SettingsFlood(Flood):
    def block(self, stream):
        return frame(SETTINGS, 0, 0, (4).to_bytes(2, "big") + (65535).to_bytes(4, "big"))


class ResetFlood(Flood):
    def block(self, stream):
        return frame(RST_STREAM, 0, stream, (8).to_bytes(4, "big"))


class EmptyDataFlood(Flood):
    def start(self, stream):
        return frame(HEADERS, END_HEADERS, stream, b"\x88")

    def block(self, stream):
        return frame(DATA, 0, stream)


# MARK: - Proxies


class ProxyThatAsks(Connection):
    """Requests credentials that the client doesn't have."""

    is_clear = True

    def run(self):
        while b"\r\n\r\n" not in self.input:
            self.fill()
        self.server.count("requests")
        self.socket.sendall(
            b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n'
            b"Connection: close\r\n\r\n")


class ProxyThatCloses(Connection):
    """Closes a connection when it has received its request."""

    is_clear = True

    def run(self):
        while b"\r\n\r\n" not in self.input:
            self.fill()
        self.server.count("requests")


BEHAVIORS = {
    "http1": HTTP1,
    "http2": HTTP2,
    "deaf": Deaf,
    "reset-before-settings": ResetBeforeSettings,
    "late-settings": LateSettings,
    "pause-before-settings": PauseBeforeSettings,
    "outage": Outage,
    "outage-after-tls": OutageAfterTLS,
    "upgraded": Upgraded,
    "goaway": GoAway,
    "refused-stream": RefusedStream,
    "one-stream": OneStream,
    "stale-http1": StaleHTTP1,
    "stale-http2": StaleHTTP2,
    "stale-then-other": StaleThenOther,
    "stale-then-other-http2": StaleThenOtherHTTP2,
    "broken": Broken,
    "continuation-flood": ContinuationFlood,
    "ping-flood": PingFlood,
    "settings-flood": SettingsFlood,
    "reset-flood": ResetFlood,
    "empty-data-flood": EmptyDataFlood,
    "proxy-that-asks": ProxyThatAsks,
    "proxy-that-closes": ProxyThatCloses,
}


# MARK: - Other projects' servers, and ports without a server


def run_nginx(identity):
    """nginx, which ends an HTTP/2 connection with GOAWAY after ten requests."""
    def end_with_parent():
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    with Workshop(None) as shop:
        port, folder = free_port(), shop.path("nginx")
        temporary = "".join(
            f"  {name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = shop.write("nginx.conf", f"""
            user root; daemon off; master_process off; pid {folder}/pid; error_log stderr crit;
            events {{ worker_connections 512; }}
            http {{
              access_log off; keepalive_requests 10;
              {temporary}
              server {{
                listen 127.0.0.1:{port} ssl http2; server_name localhost;
                ssl_certificate {identity[0]}; ssl_certificate_key {identity[1]};
                location / {{ return 200 "{TEXT.decode()}"; }}
              }}
            }}""")
        shop.start(
            [program("nginx"), "-e", "stderr", "-p", folder, "-c", configuration], port, preexec_fn=end_with_parent)
        print(port, flush=True)
        sys.stdin.read()


def run_refusing():
    """A port that refuses connections and that no other program can use meanwhile."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        print(unused.getsockname()[1], flush=True)
        sys.stdin.read()


def run_server(behavior, identities):
    server = Server(behavior, identities)
    server.start()
    print(server.port, flush=True)
    for line in sys.stdin:
        command = line.strip()
        if command in ("outage", "back"):
            server.set_down(command == "outage")
        with server.lock:
            print(json.dumps(server.counts), flush=True)
    # Its threads may still be active.
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    others = ("nginx", "refusing")
    parser.add_argument("behavior", nargs="?", choices=(*BEHAVIORS, *others))
    parser.add_argument("--chain")
    parser.add_argument("--key")
    parser.add_argument("--other-chain")
    parser.add_argument("--other-key")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        return print("\n".join((*BEHAVIORS, *others)))
    if options.behavior is None:
        parser.error("expected a behavior")
    identity, other = (
        tuple(os.path.abspath(path) if path else None for path in pair)
        for pair in ((options.chain, options.key), (options.other_chain, options.other_key)))
    if options.behavior == "refusing":
        return run_refusing()
    if options.behavior == "nginx":
        return run_nginx(identity)
    return run_server(BEHAVIORS[options.behavior], (identity, other))


if __name__ == "__main__":
    main()
