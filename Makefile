# SPDX-License-Identifier: Apache-2.0
# Short names for the scripts that build and install the command. You don't need them for the libraries.
#
#     make                                   Scripts/stage-release: builds into .build/package
#     make install PREFIX=/usr/local         Scripts/install (DESTDIR=… for packages)
#     make uninstall PREFIX=/usr/local       Scripts/install --uninstall
#     make deb                               Scripts/make-deb: .build/package/servertrust_VERSION_ARCH.deb
#     make check-install                     installs into a temporary folder, checks and uninstalls
#     make TOOL=path/to/servertrust …        uses a command that you have already built

PREFIX ?= /usr/local
OUT ?= .build/package
TOOL ?=
export PREFIX DESTDIR BINDIR MANDIR BASHDIR ZSHDIR FISHDIR

.PHONY: all install uninstall deb check-install

all:
	Scripts/stage-release --output "$(OUT)" $(if $(TOOL),--tool "$(TOOL)")

install:
	@test -x "$(OUT)/servertrust" || $(MAKE) all
	Scripts/install --from "$(OUT)"

uninstall:
	Scripts/install --uninstall

deb:
	Scripts/make-deb --output "$(OUT)" $(if $(TOOL),--tool "$(TOOL)")

check-install: all
	Tests/External/installed-package --staged "$(OUT)"
