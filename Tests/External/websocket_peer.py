# SPDX-License-Identifier: Apache-2.0
"""A WebSocket server on loopback with wsproto, for the tests of ServerTrustWebSocket.

    python3 Tests/External/websocket_peer.py CHAIN KEY [PARAMETER=VALUE…]

The parameters are those of wsproto's PerMessageDeflate. `off` as a parameter turns compression off. Prints its port and ends with standard
input. Sends each message back, except `stats`: the answer is the extension and the number of bytes received so far.
"""
import contextlib
import socket
import ssl
import sys
import threading

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Request, TextMessage
from wsproto.extensions import PerMessageDeflate


def serve(connection, parameters):
    server = WSConnection(ConnectionType.SERVER)
    extension = None if parameters is None else PerMessageDeflate(**parameters)
    received = 0
    parts = []
    while True:
        data = connection.recv(1 << 16)
        received += len(data)
        server.receive_data(data or None)
        for event in server.events():
            if isinstance(event, Request):
                answer = AcceptConnection(extensions=[extension] if extension else [])
            elif isinstance(event, (TextMessage, BytesMessage)):
                parts.append(event.data)
                if not event.message_finished:
                    continue
                message = parts[0][:0].join(parts)
                parts = []
                if message == "stats":
                    message = f"{bool(extension and extension.enabled())} {received}"
                kind = TextMessage if isinstance(event, TextMessage) else BytesMessage
                answer = kind(data=message)
            elif isinstance(event, (CloseConnection, Ping)):
                answer = event.response()
            else:
                continue
            connection.sendall(server.send(answer))
            if isinstance(event, CloseConnection):
                return
        if not data:
            return


def main():
    chain, key, *rest = sys.argv[1:]
    parameters = None if rest == ["off"] else {name: int(value) for name, value in (text.split("=") for text in rest)}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    context.set_alpn_protocols(["http/1.1"])
    listener = socket.create_server(("127.0.0.1", 0))

    def handle(raw):
        with contextlib.suppress(OSError, EOFError), context.wrap_socket(raw, server_side=True) as connection:
            serve(connection, parameters)

    def accept():
        while True:
            threading.Thread(target=handle, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()


main()
