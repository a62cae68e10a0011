# SPDX-License-Identifier: Apache-2.0
"""Other projects' servers on loopback, for starttls and sick-servers: programs, private configurations, ports and a CA.

A workshop is a temporary folder with the processes that run in it. Closing it ends the processes and removes the folder.
"""
import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SEARCH = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin:/sbin"


def program(name):
    """Returns the path of a program, or None if it is missing."""
    return shutil.which(name, path=SEARCH)


def free_port():
    """Returns a port that was unused a moment ago, and that the system doesn't assign to a process that requests any port."""
    while True:
        port = random.randrange(10_000, 32_768)
        with contextlib.suppress(OSError), socket.socket() as listener:
            listener.bind(("127.0.0.1", port))
            return port


def run(arguments, seconds=20, errors=subprocess.STDOUT, **options):
    """Returns the exit status and the output of a program, by default with errors. The status is None after a timeout."""
    process = subprocess.Popen(
        [str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=errors, text=True, errors="replace", start_new_session=True, **options)
    try:
        return (process.communicate(timeout=seconds)[0], process.returncode)[::-1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


class Workshop:
    def __init__(self, tool):
        self.tool = tool
        self.folder = Path(tempfile.mkdtemp(prefix="servertrust-"))
        self.folder.chmod(0o755)
        self.processes = []
        self.names = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name, user=None):
        """Creates a folder in the workshop, owned by a user if there is one."""
        path = self.folder / name
        path.mkdir(exist_ok=True)
        if user and os.getuid() == 0:
            shutil.chown(path, user, pwd.getpwnam(user).pw_gid)
        return path

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def authority(self, name, domain="example.com"):
        """Creates a CA and returns its folder."""
        folder = self.folder / name
        status, output = run([self.tool, "ca", "init", "--permit", domain, "--folder", folder])
        if status != 0:
            raise SystemExit(f"can't create a CA: {output}")
        folder.chmod(0o755)
        return folder

    def certificate(self, authority, host):
        """Returns the files with the chain and the key of a host's certificate, which any user can read."""
        status, output = run([self.tool, "ca", "issue", host, "--folder", authority])
        if status != 0:
            raise SystemExit(f"can't create a certificate: {output}")
        (authority / "issued").chmod(0o755)
        key = authority / "issued" / f"{host}.key"
        key.chmod(0o644)
        return authority / "issued" / f"{host}.pem", key

    # MARK: - Processes

    def spawn(self, arguments, **options):
        """Starts a program, and returns its process and the file with its output and errors."""
        log = self.folder / f"log-{len(self.processes)}"
        with open(log, "w") as output:
            process = subprocess.Popen(
                [str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True, **options)
        self.processes.append(process)
        return process, log

    def start(self, arguments, port, user=None, seconds=20, **options):
        """Starts a server in the foreground, and waits until it accepts connections.

        It doesn't wait for a greeting, because some servers log an error for a silent connection.
        """
        if user and os.getuid() == 0:
            arguments = ["runuser", "-u", user, "--", *arguments]
        process, log = self.spawn(arguments, **options)
        deadline = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return process
            time.sleep(0.05)
        raise RuntimeError(f"{Path(arguments[0]).name} doesn't start: {log.read_text()[-2000:]}")

    def stop(self):
        """Ends every started process and its child processes."""
        for process in reversed(self.processes):
            for signum, seconds in ((signal.SIGTERM, 3), (signal.SIGKILL, 3)):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signum)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(seconds)
                    break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        self.processes.clear()


# MARK: - Daemons. Each function starts one with a certificate, or without TLS for `None`, and returns its port.


def exim(shop, tls):
    port, folder = free_port(), shop.path("exim", "Debian-exim")
    lines = [
        "primary_hostname = mail.example.com", f"daemon_smtp_ports = {port}", "local_interfaces = 127.0.0.1",
        f"spool_directory = {folder}", f"log_file_path = {folder}/%slog", "acl_smtp_rcpt = deny",
        "exim_user = Debian-exim", "exim_group = Debian-exim", "host_lookup =", "rfc1413_query_timeout = 0s",
    ]
    if tls:
        lines += ["tls_advertise_hosts = *", f"tls_certificate = {tls[0]}", f"tls_privatekey = {tls[1]}"]
    else:
        lines += ["tls_advertise_hosts ="]
    configuration = shop.write("exim.conf", "\n".join(lines + ["begin routers", "begin transports", ""]))
    shop.start([program("exim4"), "-C", configuration, "-bdf", "-oP", folder / "pid"], port)
    return port


def dovecot(shop, tls, protocol):
    port, folder = free_port(), shop.path("dovecot")
    state = shop.path("dovecot-state")
    settings = [
        f"base_dir = {folder}", f"state_dir = {state}", "log_path = /dev/stderr", "protocols = imap pop3",
        "listen = 127.0.0.1", "service imap-login {", "  inet_listener imap {",
        f"    port = {port if protocol == 'imap' else 0}", "  }", "  inet_listener imaps {", "    port = 0", "  }", "}",
        "service pop3-login {", "  inet_listener pop3 {", f"    port = {port if protocol == 'pop3' else 0}", "  }",
        "  inet_listener pop3s {", "    port = 0", "  }", "}",
        "passdb {", "  driver = static", "  args = password=x", "}", "userdb {", "  driver = static",
        "  args = uid=dovecot gid=dovecot home=/nonexistent", "}",
    ]
    settings += ["ssl = yes", f"ssl_cert = <{tls[0]}", f"ssl_key = <{tls[1]}"] if tls else ["ssl = no"]
    configuration = shop.write("dovecot.conf", "\n".join(settings) + "\n")
    shop.start([program("dovecot"), "-F", "-c", configuration], port)
    return port


def slapd(shop, tls):
    port, folder = free_port(), shop.path("slapd", "openldap")
    lines = [f"pidfile {folder}/pid", "include /etc/ldap/schema/core.schema"]
    if tls:
        lines += [f"TLSCertificateFile {tls[0]}", f"TLSCertificateKeyFile {tls[1]}"]
    configuration = shop.write("slapd.conf", "\n".join(lines) + "\n")
    shop.start(
        [program("slapd"), "-d", "0", "-f", configuration, "-h", f"ldap://127.0.0.1:{port}"], port, user="openldap")
    return port


def postgres(shop, tls):
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").exists() else []
    port, folder = free_port(), shop.path("postgres", "postgres")
    data = folder / "data"
    if not data.exists():
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        status, output = run(prefix + [folders[-1] / "initdb", "-D", data, "-U", "app", "--auth=trust"], 120)
        if status != 0:
            raise RuntimeError(f"initdb: {output}")
    options = ["-c", "ssl=off"]
    if tls:
        chain, key = folder / "chain.pem", folder / "key.pem"
        shutil.copy(tls[0], chain)
        shutil.copy(tls[1], key)
        key.chmod(0o600)
        if os.getuid() == 0:
            for path in (chain, key):
                shutil.chown(path, "postgres")
        options = ["-c", "ssl=on", "-c", f"ssl_cert_file={chain}", "-c", f"ssl_key_file={key}"]
    shop.start(
        [folders[-1] / "postgres", "-D", data, "-p", port, "-h", "127.0.0.1", "-k", folder] + options, port,
        user="postgres")
    return port


def mariadb(shop, tls):
    port, folder = free_port(), shop.path("mariadb", "mysql")
    data = folder / "data"
    if not data.exists():
        prefix = ["runuser", "-u", "mysql", "--"] if os.getuid() == 0 else []
        status, output = run(
            prefix + [program("mariadb-install-db"), "--no-defaults", f"--datadir={data}", "--skip-test-db",
                      "--auth-root-authentication-method=normal"], 120)
        if status != 0:
            raise RuntimeError(f"mariadb-install-db: {output}")
    options = [f"--ssl-cert={tls[0]}", f"--ssl-key={tls[1]}"] if tls else ["--skip-ssl"]
    shop.start(
        [program("mariadbd"), "--no-defaults", f"--datadir={data}", f"--port={port}", "--bind-address=127.0.0.1",
         f"--socket={folder}/socket", f"--pid-file={folder}/pid"] + options, port, user="mysql", seconds=60)
    return port


def vsftpd(shop, tls):
    port, folder = free_port(), shop.path("vsftpd")
    lines = [
        "listen=YES", "listen_address=127.0.0.1", f"listen_port={port}", "background=NO", "anonymous_enable=NO",
        "local_enable=YES", f"secure_chroot_dir={folder}", "xferlog_enable=NO",
    ]
    if tls:
        # The server reads one file for both.
        both = shop.write("vsftpd.pem", Path(tls[1]).read_text() + Path(tls[0]).read_text(), 0o600)
        lines += ["ssl_enable=YES", f"rsa_cert_file={both}", "ssl_tlsv1=YES", "ssl_ciphers=HIGH"]
    configuration = shop.write("vsftpd.conf", "\n".join(lines) + "\n", 0o600)
    shop.start([program("vsftpd"), configuration], port)
    return port


def prosody(shop, tls):
    port, folder = free_port(), shop.path("prosody", "prosody")
    files = f'ssl = {{ certificate = "{tls[0]}"; key = "{tls[1]}" }}' if tls else ""
    hosts = "".join(f'VirtualHost "{name}"\n{files}\n' for name in ("mail.example.com", "other.example.com"))
    modules = '"saslauth"; ' + ('"tls"; ' if tls else "")
    configuration = shop.write("prosody.cfg.lua", f"""
        data_path = "{folder}"
        pidfile = "{folder}/pid"
        certificates = "{folder}"
        log = {{ {{ levels = {{ min = "warn" }}; to = "console" }} }}
        modules_enabled = {{ {modules} }}
        modules_disabled = {{ "s2s"; {"" if tls else '"tls"; '} }}
        interfaces = {{ "127.0.0.1" }}
        c2s_ports = {{ {port} }}
        c2s_direct_tls_ports = {{}}
        c2s_require_encryption = {"true" if tls else "false"}
        allow_unencrypted_plain_auth = true
        authentication = "internal_hashed"
        {hosts}""")
    shop.start([program("prosody"), "--config", configuration, "-F"], port, user="prosody")
    return port


# MARK: - A relay that counts


class Relay:
    """Forwards bytes between a client and a server, and records the client's bytes and their number after its ClientHello."""

    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sent = b""
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            self.sent = b""
            threading.Thread(target=self.copy, args=(server, client, False), daemon=True).start()
            threading.Thread(target=self.copy, args=(client, server, True), daemon=True).start()

    def copy(self, source, target, counts):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if counts:
                    self.sent += data
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def after_hello(self):
        """Returns the types and lengths of the client's records after its ClientHello, or after the second one that a server requested."""
        for start in range(len(self.sent) - 5):
            if self.sent[start] == 22 and self.sent[start + 1] == 3 and self.sent[start + 5] == 1:
                break
        else:
            return []
        records, rest = [], self.sent[start:]
        while len(rest) >= 5:
            size = int.from_bytes(rest[3:5], "big")
            records.append((rest[0], size))
            if rest[0] == 22 and rest[5:6] == b"\x01":
                records.clear()
            rest = rest[5 + size:]
        return records

    def close(self):
        self.listener.close()
