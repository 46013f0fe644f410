# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
#
# make deps     install what is missing on a Debian machine with a Swift toolchain, to build, test and pack
#               (build-deps: to build alone)
# make build    release executables, in .build/bin, and manual pages, in .build/man
# make test     all tests
# make fuzz     look for inputs that break a reader: two minutes for each (FUZZ_SECONDS=120), fuzz-json for one of them
# make soak     for an hour each, kill the daemon at random moments, and disturb a fleet of twenty (SOAK_SECONDS=3600)
# make demo     see it work, in a folder of its own
# make bench    measure it beside the peers that are installed (BENCH="--quick": a few minutes)
# make bench-deps  install those peers
# make test-web  tests of the page for Cockpit, in real browsers (web-deps: install Cockpit and them)
# make bench-web  measure that page beside the bare socket (WEB_BENCH="--records 20000 --minutes 60")
# make install  copy what `make build` made (PREFIX=/usr, DESTDIR=)
# make deb      packages for Debian 12 and 13, in .build/deb (DEB_SUFFIX=+site1 for a version of your own)
# make tarball  the same files for other systems, in .build/tarball
# make check-reproducible  pack twice, under other circumstances, and compare (two release builds)
# make lint     the formatter's strict rules, and mypy's for the Python client
# make reference  bring what is made from tables up to date: parts of the reference, the Python client and the page
# make clean    remove what was built

PREFIX ?= /usr
DESTDIR ?=
# Where `install` takes the executables from.
BIN ?= .build/bin
MAN ?= .build/man

SWIFT ?= swift
SWIFT_AT_LEAST = 6.3
REFERENCE = Sources/claimsd/Documentation.docc
# What is built for tests has debug information; DEBUG_INFO=none builds in less time, for a machine that only runs them.
DEBUG_INFO ?= dwarf
# A module uses only what the manifest says it does.
CHECKED = --explicit-target-dependency-import-check error
# The same bytes wherever it is built: no folder of this machine stands in what is built, nor a hash of what the compiler
# worked on (.swift_modhash), which only builds that begin with old objects need.
ANYWHERE = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
	-Xcc -ffile-prefix-map=$(CURDIR)=.
PROGRAMS = claimsd claimsctl claims-upstream claims-bench

# To build: libraries of the daemon, and what Swift links with.
BUILD_PACKAGES = \
	ca-certificates g++ libcurl4-openssl-dev libpq-dev libsqlite3-dev libssl-dev libsystemd-dev libutf8proc-dev libzstd-dev make \
	pkg-config tzdata
# To pack: Debian's tools.
PACKING_PACKAGES = debhelper dh-python dpkg-dev lintian python3 zstd
# To test: the other side of things, and what the packages are made with.
TEST_PACKAGES = \
	curl dbus jq mypy netcat-openbsd nginx-light openssh-client openssh-server openssl pgbouncer postgresql sqlite3 systemd tmux util-linux $(PACKING_PACKAGES)

# To test the page: Cockpit with its console, and the browsers.
WEB_PACKAGES = chromium cockpit-bridge cockpit-system cockpit-ws firefox-esr iproute2 python3 util-linux

# Programs that `make bench` measures beside it.
PEERS = redis-server redis-tools sqlite3 postgresql watchman jq ripgrep
# Options of claims-bench; --help has them all.
BENCH ?=
# Options of `make bench-web`; Tests/Web/bench.py has them all.
WEB_BENCH ?=
# How long `make fuzz` runs on each target.
FUZZ_SECONDS ?= 120
# How long `make soak` goes on with each of its tests (SOAK=FleetSoakTests: that one alone); SOAK_SEED repeats a run.
SOAK_SECONDS ?= 3600
SOAK ?= KillTests FleetSoakTests
FUZZ_TARGETS = $(notdir $(wildcard Tests/FuzzTests/Corpus/*))

empty =
space = $(empty) $(empty)

.PHONY: all bench bench-deps bench-web build build-address build-deps build-tests check-reproducible clean deb demo deps fuzz fuzz-build install install-web lint packing-deps reference soak tarball test test-address test-web web-deps
all: build

deps: PACKAGES = $(BUILD_PACKAGES) $(TEST_PACKAGES)
build-deps: PACKAGES = $(BUILD_PACKAGES)
packing-deps: PACKAGES = $(BUILD_PACKAGES) $(PACKING_PACKAGES)
web-deps: PACKAGES = $(WEB_PACKAGES)
deps build-deps packing-deps web-deps:
	@missing=; for package in $(PACKAGES); do \
	  dpkg-query --show --showformat='$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' || \
	    missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing:$$missing"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && \
	    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
	fi
	@found=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1); \
	lowest=$$(printf '%s\n%s\n' $(SWIFT_AT_LEAST) "$$found" | sort -V | head -n 1); \
	if [ "$$lowest" = $(SWIFT_AT_LEAST) ]; then echo "Swift $$found"; else \
	  echo "Swift $(SWIFT_AT_LEAST) or later is needed (found: $${found:-none}): https://www.swift.org/install" >&2; \
	  exit 1; \
	fi

build:
	$(SWIFT) build --configuration release $(CHECKED) $(ANYWHERE)
	@mkdir -p .build/bin; \
	made=$$($(SWIFT) build --configuration release $(CHECKED) $(ANYWHERE) --show-bin-path); \
	for program in $(PROGRAMS); do cp "$$made/$$program" .build/bin/.new && mv .build/bin/.new .build/bin/$$program; done; \
	"$$made/claims-manual" $(REFERENCE) .build/man
	@ls .build/bin

build-tests: deps
	$(SWIFT) build --build-tests $(CHECKED) -debug-info-format $(DEBUG_INFO)

test: deps
	$(SWIFT) test --disable-xctest --parallel $(CHECKED) -debug-info-format $(DEBUG_INFO)

# The thread sanitizer is no use here: Swift's Mutex waits inside a runtime that is not instrumented, so that it reports
# races where there are none. The misbehaving upstreams are left to the plain run: their deadlines are for a program of
# its usual speed; so are the crowds of connections. So are suites that take long and touch no memory that others do not:
# those that boot systemd or start a daemon for each of many cases, random runs of code that is safe throughout, those that
# read the source, and those of what claimsctl prints, of packing, and of the server for tests. So are those that put a
# library before a program's own, or end it by a signal that the sanitizer takes for itself. So are suites of whole programs
# whose requests other suites make too. Whole modules without unsafe code are left out in Package.swift.
NOT_SANITIZED = AccessFeedTests AccessFieldsTests AccessModelTests AccessOverSocketTests AccessRowsTests AnchoredQueryTests \
	ArchitectureTests BrowseScreenTests BrowseTerminalTests ChangeReasonTests IntegrationTests.CheckTests \
	IntegrationTests.ClientTests CommandLineTests ConfigurationMistakeTests ContributingTests CursorReloadTests \
	DefineTests DefinitionRemovalTests EventConformanceTests ExampleTests ExplainedFilterTests ExportTests \
	FailingReadTests FollowingTests GlossaryTests HeldMergeTests HostLimitTests HostPaceTests HostilityLoadTests \
	IdleDaemonTests InstalledServiceTests JournalTests LanguageTests LayeredQueryTests LockedStateTests LooksOverSocketTests \
	LogReplayTests ManualExampleTests ManySitesTests MetaTests MetricsTests MisbehavingUpstreamTests \
	NewCollectionTests NotificationTests OracleTests OtherHostTests OutboxReferenceTests PackageTests \
	PagedUpstreamTests PlainBrowseTests PythonClientTests RandomFilterTests RecentRecordsTests \
	RecordHistoryTests ReferringWriteTests RequeuedWriteTests ReservedFieldTests ResultSchemaTests \
	SecretsAtRestTests SlowStartTests StdioTests SubscriptionPropertyTests SubscriptionReloadTests \
	SubscriptionSurveyTests SystemdMachineTests TarballTests TriggerRunTests TryTests UnitFileTests \
	UnreadableSnapshotTests UpstreamPageTests UpstreamStoreTests UpstreamWriteFaultTests WithheldCollectionTests
# The modules with unsafe code, as CI has time for; SANITIZED=programs: whole programs too.
SANITIZED ?= modules
# What the tests under the sanitizer need.
build-address:
	CLAIMSD_SANITIZER=$(SANITIZED) $(SWIFT) build --build-tests $(CHECKED) -debug-info-format $(DEBUG_INFO) \
	  --sanitize address --scratch-path .build/address

test-address:
	CLAIMSD_SANITIZER=$(SANITIZED) LSAN_OPTIONS=print_suppressions=0:suppressions=$(CURDIR)/Tests/leaks.supp \
	  $(SWIFT) test --disable-xctest --parallel $(CHECKED) -debug-info-format $(DEBUG_INFO) --sanitize address --scratch-path .build/address \
	  --skip '$(subst $(space),|,$(NOT_SANITIZED))'

# In a browser, over a real Cockpit, with the programs that `make build-tests` has built (WEB_TESTS=NAME for some of the tests).
test-web: web-deps
	CLAIMSD_WEB_WORKERS=2 Tests/Web/run $(WEB_TESTS)

soak: deps
	@for tests in $(SOAK); do \
	  SOAK_SECONDS=$(SOAK_SECONDS) $(SWIFT) test --disable-xctest $(CHECKED) --filter "$$tests" || exit 1; \
	done

# A finding ends the run, leaves its input as .build/fuzz/TARGET-…, and is tried again with FUZZ_INPUT=PATH.
# The inputs that are found stay in .build/fuzz/corpus; the seeds are in the repository.
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

# lld, because the default linker has a warning for each symbol of the sanitizer.
fuzz-build:
	CLAIMSD_FUZZ=1 $(SWIFT) build --configuration release --product claims-fuzz --scratch-path .build/fuzz \
	  --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing -Xswiftc -use-ld=lld

fuzz-%: fuzz-build
	@mkdir -p .build/fuzz/corpus/$*
	@words=Tests/FuzzTests/Dictionaries/$*.dict; log=.build/fuzz/$*.log; \
	CLAIMSD_FUZZ_TARGET=$* SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=quarantine_size_mb=32:detect_leaks=0 \
	.build/fuzz/release/claims-fuzz -artifact_prefix=.build/fuzz/$*- -timeout=10 -rss_limit_mb=1024 \
	  -max_len=16384 $$(test -f $$words && echo -dict=$$words) $(if $(FUZZ_INPUT),$(FUZZ_INPUT), \
	  -max_total_time=$(FUZZ_SECONDS) .build/fuzz/corpus/$* Tests/FuzzTests/Corpus/$*) >$$log 2>&1; \
	result=$$?; \
	if [ $$result = 0 ]; then sed -n "s/.*DONE  */$*: /p" $$log; else tail -n 80 $$log; fi; \
	exit $$result

# What it shows, built as for tests: that takes half the time of a release.
demo: build-deps
	@for program in claimsd claimsctl claims-upstream; do $(SWIFT) build $(CHECKED) --product $$program || exit 1; done
	@Tests/Demo/run "$$($(SWIFT) build $(CHECKED) --show-bin-path)"

bench: build
	.build/bin/claims-bench $(BENCH)

# In a browser, because what a person waits for is the frame that is painted.
bench-web: build web-deps
	CLAIMSD_BIN=$(CURDIR)/.build/bin Tests/Web/run --bench $(WEB_BENCH)

# One by one: a distribution that lacks one of them still has the others.
bench-deps:
	@sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	$$sudo apt-get update -q; \
	for package in $(PEERS); do \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$package || \
	    echo "Not available here: $$package" >&2; \
	done

# Copies only. On this machine itself (no DESTDIR) it also tells systemd, where that runs.
install:
	@test -x $(BIN)/claimsd && test -x $(BIN)/claimsctl || { echo "Run 'make build' first." >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/claimsd $(DESTDIR)$(PREFIX)/lib/systemd/system \
	  $(DESTDIR)$(PREFIX)/lib/systemd/user $(DESTDIR)$(PREFIX)/lib/systemd/catalog \
	  $(DESTDIR)$(PREFIX)/lib/sysusers.d $(DESTDIR)$(PREFIX)/lib/tmpfiles.d
	install -m 755 $(BIN)/claimsd $(BIN)/claimsctl $(DESTDIR)$(PREFIX)/bin
	cp -R --no-preserve=ownership,mode Config/. $(DESTDIR)$(PREFIX)/share/claimsd
	install -m 644 systemd/claimsd.socket systemd/claimsd-metrics.timer $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|=/usr/bin/|=$(PREFIX)/bin/|' systemd/claimsd-metrics.service \
	  > $(DESTDIR)$(PREFIX)/lib/systemd/system/claimsd-metrics.service
	chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/claimsd-metrics.service
	for folder in system user; do \
	  unit=systemd/$$folder/claimsd.service; [ $$folder = user ] || unit=systemd/claimsd.service; \
	  made=$(DESTDIR)$(PREFIX)/lib/systemd/$$folder/claimsd.service; \
	  sed 's|=/usr/bin/|=$(PREFIX)/bin/|' $$unit > $$made; \
	  [ $(PREFIX) = /usr ] || sed -i 's|^ExecStart=.*|&\nEnvironment=CLAIMSD_DATA_DIR=$(PREFIX)/share/claimsd|' $$made; \
	  chmod 644 $$made; \
	done
	chmod 755 $(DESTDIR)$(PREFIX)/share/claimsd/actions/*
	made=$(DESTDIR)$(PREFIX)/lib/systemd/system/claimsd-trigger@.service; \
	sed 's|=/usr/bin/|=$(PREFIX)/bin/|' systemd/claimsd-trigger@.service > $$made; \
	[ $(PREFIX) = /usr ] || sed -i 's|^ExecStart=.*|&\nEnvironment=CLAIMSD_DATA_DIR=$(PREFIX)/share/claimsd|' $$made; \
	chmod 644 $$made
	install -m 644 systemd/claimsd.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog
	install -m 644 systemd/claimsd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/claimsd.conf
	for page in $(MAN)/*.[1-8]; do [ -e "$$page" ] || continue; \
	  install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page || exit 1; \
	done
	install -m 644 systemd/claimsd.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/claimsd.conf
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/python3/dist-packages/claimsd Sources/python/claimsd/*
	$(MAKE) --no-print-directory install-web
	for shell in bash:bash-completion/completions/claimsctl zsh:zsh/vendor-completions/_claimsctl \
	  fish:fish/vendor_completions.d/claimsctl.fish; do \
	  script=$(DESTDIR)$(PREFIX)/share/$${shell#*:}; \
	  install -d $${script%/*} && $(BIN)/claimsctl completion $${shell%%:*} > $$script && chmod 644 $$script || exit 1; \
	done
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && [ -d /run/systemd/system ]; then \
	  systemd-sysusers claimsd.conf; systemd-tmpfiles --create claimsd.conf; \
	  systemctl daemon-reload; journalctl --update-catalog; \
	  echo "Ready: systemctl enable --now claimsd"; \
	fi

# The page for Cockpit. What browsers may keep stands in a folder of its version, so that no old file meets a new one.
WEB = Sources/cockpit/claims
WEB_INSTALLED = $(DESTDIR)$(PREFIX)/share/cockpit/claims
install-web:
	@version=$$($(BIN)/claimsd --version | sed 's/^claimsd //'); \
	test -n "$$version" || exit 1; \
	install -D -m 644 -t $(WEB_INSTALLED) $(filter-out $(WEB)/page,$(wildcard $(WEB)/*)) && \
	install -D -m 644 -t $(WEB_INSTALLED)/$$version $(wildcard $(WEB)/page/*) && \
	list() { printf '"%s", ' "$$@" | sed 's/, $$//'; } && \
	printf '{ "version": "%s", "modules": [%s], "styles": [%s] }\n' "$$version" \
	  "$$(list $(notdir $(wildcard $(WEB)/page/*.js)))" "$$(list $(notdir $(wildcard $(WEB)/page/*.css)))" \
	  > $(WEB_INSTALLED)/version.json && chmod 644 $(WEB_INSTALLED)/version.json

deb: packing-deps build
	.package/build-deb

tarball: packing-deps build
	.package/build-tarball

check-reproducible:
	.package/check-reproducible

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests
	mypy --strict --cache-dir .build/mypy Sources/python/claimsd

reference:
	$(SWIFT) run $(CHECKED) claims-manual --update $(REFERENCE)

clean:
	rm -rf .build
