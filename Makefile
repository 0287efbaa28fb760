# SPDX-License-Identifier: GPL-2.0-only
#
# kecat: EtherCAT master for Linux.  "make help" lists the targets.
#
# KVER=  kernel release to build modules for (default: the running one)
# KDIR=  its build directory (default: /lib/modules/KVER/build)
# BUILD= where all output goes (default: build)

ifdef KDIR
KVER ?= $(shell cat $(KDIR)/include/config/kernel.release)
endif
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
BUILD ?= $(CURDIR)/build
DESTDIR ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib

all: modules tools ## modules, library and tools

modules: ## kernel modules for KVER, in BUILD/KVER
	scripts/deps check build
	+scripts/build-modules $(KVER) $(KDIR) modules

export BUILD
include userspace/Makefile.inc

install: modules_install tools_install system_install ## modules, library, tools, udev rule, unit

modules_install: modules ## modules into /lib/modules/KVER/updates
	+scripts/build-modules $(KVER) $(KDIR) modules_install INSTALL_MOD_PATH=$(DESTDIR)
	$(if $(DESTDIR),,depmod $(KVER))

deps: ## install what building and testing need (Debian, as root)
	scripts/deps install build lab check

deb: ## Debian packages, in BUILD/deb (apt-get build-dep . first)
	scripts/make-deb $(BUILD)/deb

demo: ## ten simulated slaves behind an e1000e at 1 kHz, in QEMU
	@scripts/deps install build lab
	@tests/lab/demo

check: ## all tests; installs what they need
	scripts/deps install build lab check
	tests/run all

check-host: ## tests on this machine without a kernel, under two minutes
	tests/run host

check-kunit: ## unit tests inside the debug kernel
	scripts/deps install build lab check
	tests/run kunit

check-lab: ## tests in QEMU
	scripts/deps install build lab check
	tests/run lab debug

check-matrix: ## each NIC on all six kernels, and a table of it (40 minutes)
	scripts/deps install build lab check
	tests/run matrix

bench: ## what a cycle costs, against the committed baseline (7 minutes)
	scripts/deps install build lab check
	tests/bench/bench

check-packages: ## install, upgrade, purge the packages in Debian 12 and 13 (root, network, 20 minutes)
	tests/packaging/chroot all

check-style: ## checkpatch, sparse, shellcheck
	tests/run style

clean: ## remove BUILD
	rm -rf $(BUILD)

help: ## this text
	@sed -n 's/^\([a-z_-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | \
		awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

.PHONY: all modules install modules_install deps deb demo check check-host \
	bench check-kunit check-lab check-matrix check-packages check-style clean help
.DEFAULT_GOAL := all
