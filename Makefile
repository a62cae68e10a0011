# SPDX-License-Identifier: Apache-2.0
# Builds and installs the command: binary, man pages, completions for bash, zsh and fish. The libraries need none of this.
#
#     make                                   build into .build/package
#     make install PREFIX=/usr/local         DESTDIR=… for packages
#     make uninstall PREFIX=/usr/local
#     make deb                               .build/package/servertrust_VERSION_ARCH.deb
#     make check-install                     install into a temporary folder, check, uninstall, find nothing left
#     make TOOL=path/to/servertrust …        with a command that is built already

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
OUT ?= .build/package
TOOL ?=
INSTALL ?= install
# Names, which Tests/External/installed-package compares with the pages that are made.
PAGES := $(shell cat Scripts/package/man-pages.txt)

.PHONY: all install uninstall deb check-install

all:
	Scripts/stage-release --output "$(OUT)" $(if $(TOOL),--tool "$(TOOL)")

# The build isn't the superuser's: `make && sudo make install` builds nothing in the second step.
install:
	@test -x "$(OUT)/servertrust" || $(MAKE) all
	$(INSTALL) -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(MANDIR)/man7"
	$(INSTALL) -d "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	$(INSTALL) -m 755 "$(OUT)/servertrust" "$(DESTDIR)$(BINDIR)/servertrust"
	$(INSTALL) -m 644 $(foreach page,$(filter %.1,$(PAGES)),"$(OUT)/man/$(page)") "$(DESTDIR)$(MANDIR)/man1"
	$(INSTALL) -m 644 $(foreach page,$(filter %.7,$(PAGES)),"$(OUT)/man/$(page)") "$(DESTDIR)$(MANDIR)/man7"
	$(INSTALL) -m 644 "$(OUT)/completions/servertrust.bash" "$(DESTDIR)$(BASHDIR)/servertrust"
	$(INSTALL) -m 644 "$(OUT)/completions/servertrust.zsh" "$(DESTDIR)$(ZSHDIR)/_servertrust"
	$(INSTALL) -m 644 "$(OUT)/completions/servertrust.fish" "$(DESTDIR)$(FISHDIR)/servertrust.fish"

# Names that install has written alone, no patterns: servertrust-other.1 may be another's. Folders stay, as others use them.
uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/servertrust"
	rm -f $(foreach page,$(filter %.1,$(PAGES)),"$(DESTDIR)$(MANDIR)/man1/$(page)")
	rm -f $(foreach page,$(filter %.7,$(PAGES)),"$(DESTDIR)$(MANDIR)/man7/$(page)")
	rm -f "$(DESTDIR)$(BASHDIR)/servertrust" "$(DESTDIR)$(ZSHDIR)/_servertrust" "$(DESTDIR)$(FISHDIR)/servertrust.fish"

deb: all
	Scripts/make-deb --staged "$(OUT)" --output "$(OUT)"

check-install: all
	Tests/External/installed-package --staged "$(OUT)"
