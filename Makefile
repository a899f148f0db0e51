# The commands that a newcomer needs. `make` without a target lists them.

SWIFT ?= swift
# SwiftPM passes a package's traits to the compiler in the order of a hash table. Another order would compile everything again, so the order is fixed.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
RECORDING ?= Recordings/intervals.jsonl
# Swift's libraries are linked statically: the command starts faster, and runs on machines without Swift. Unused functions are left
# out: each is in a section of its own, and symbols are not exported, even those that are public in their modules
# (-internalize-at-link).
# Combine is left out, because the command does not use it, and OpenCombine needs the part of Foundation that links libcurl.
RELEASE_TRAITS := ANT,Bluetooth,Brokers,Mirroring,PostgreSQL,Replay
RELEASE = -c release --traits $(RELEASE_TRAITS) --static-swift-stdlib --disable-local-rpath \
	-Xlinker --no-export-dynamic \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections \
	-Xswiftc -use-ld=lld -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker "$(CURDIR)/Sources/workout/Packaging/release.ld" \
	-Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
	$(HARDENED) $(SAME_BYTES) $(STATIC_CXX) $(PACKED_RELOCATIONS) $(if $(SDK),--swift-sdk $(SDK))
# For another CPU architecture: the name of a Swift SDK (swift sdk list), and its libstdc++.a. See Packaging/arm64.
SDK ?=
export LIBSTDCXX ?=
# A stack buffer overflow ends the process, and the dynamic linker's tables are read-only.
HARDENED := -Xswiftc -Xfrontend -Xswiftc -enable-stack-protector -Xcc -fstack-protector-strong -Xlinker -z -Xlinker now
# A commit gives the same bytes in every folder. The installed command has no debug information.
SAME_BYTES := -debug-info-format none -Xcc -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
# Link libstdc++ statically, if the compiler has an archive: older systems have older versions. This folder is searched first.
STATIC_CXX := -Xswiftc -L$(CURDIR)/.build/static
# Relocations take a bit instead of a word each if glibc supports it (2.36 or newer). A release uses words, so that it runs on older
# systems.
PACKED_RELOCATIONS := $(shell printf 'glibc 2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION)" | sort -VC && \
	echo -Xlinker -z -Xlinker pack-relative-relocs)
# The older of two versions of a function: see Sources/CRelease/glibc.c.
COMMAND = --product workout -Xlinker --wrap=hypot -Xlinker --wrap=hypotf $(if $(SDK),-Xlinker -lm)
SPEED ?= 60

# Debian and Ubuntu packages that the build needs besides the Swift toolchain, as `package:Fedora:Arch:reason` with dots for spaces.
# A module that needs another one adds a line.
PACKAGES += binutils:binutils:binutils:cuts.out.the.ICU.data.for.the.command
PACKAGES += ca-certificates:ca-certificates:ca-certificates:to.fetch.Swift.packages.over.https
PACKAGES += dbus:dbus-daemon:dbus:the.tests.run.a.private.bus
PACKAGES += git:git:git:to.fetch.Swift.packages
PACKAGES += libbluetooth-dev:bluez-libs-devel:bluez-libs:kernel.Bluetooth.sockets,.for.use.without.bluetoothd
PACKAGES += libc6-dev:glibc-devel:glibc:the.C.library
PACKAGES += libdbus-1-dev:dbus-devel:dbus:to.talk.to.bluetoothd.over.D-Bus
PACKAGES += libmosquitto-dev:mosquitto-devel:mosquitto:to.publish.to.MQTT.brokers
PACKAGES += libnats-dev:libnats-devel:cnats:to.publish.to.streams.of.NATS
PACKAGES += libpq-dev:libpq-devel:postgresql-libs:to.keep.the.store.on.a.PostgreSQL.server
PACKAGES += libsqlite3-dev:sqlite-devel:sqlite:the.health.store.is.an.SQLite.database
PACKAGES += libssl-dev:openssl-devel:openssl:to.create.the.certificate.for.mirroring
PACKAGES += libusb-1.0-0-dev:libusb1-devel:libusb:to.receive.ANT+.sensors.with.a.USB.stick
PACKAGES += pkg-config:pkgconf-pkg-config:pkgconf:to.find.these.libraries
PACKAGES += qrencode:qrencode:qrencode:to.show.links.as.QR.codes
PACKAGES += zlib1g-dev:zlib-devel:zlib:to.read.zip.archives.and.gzipped.files

# The commit that `workout --version` prints. Another commit recompiles that line and the command's module.
PACKAGING := Sources/workout/Packaging
export WORKOUT_COMMIT := $(shell $(PACKAGING)/commit)

# Only a release contains a part of ICU's data, the licences of linked packages, and libstdc++.
export WORKOUT_ICU_DATA := $(CURDIR)/.build/icu/data.S
export WORKOUT_LICENSES := $(CURDIR)/.build/licenses/licenses.S
RELEASE_FILES := .build/icu/data.S .build/licenses/licenses.S .build/static/libstdc++.a
.build/icu/data.S: $(PACKAGING)/icu-data $(PACKAGING)/icu-data.swift | deps
	@$(PACKAGING)/icu-data $(SWIFT) .build/icu
.build/licenses/licenses.S: $(PACKAGING)/licenses $(PACKAGING)/icu-license.txt Package.swift | deps
	@$(PACKAGING)/licenses $(SWIFT) .build/licenses $(RELEASE_TRAITS)
.build/static/libstdc++.a: | deps
	@mkdir -p .build/static && archive=$$([ -n "$$LIBSTDCXX" ] && echo "$$LIBSTDCXX" || "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang++" -print-file-name=libstdc++.a) && \
	if [ -f "$$archive" ]; then ln -sf "$$archive" $@; else echo 'build: no libstdc++.a: the command needs the one of the system' >&2; fi

.DEFAULT_GOAL := help
.PHONY: arrows words docs help deps build install uninstall deb release release-arm64 test-release test-deb picture run test test-module test-failover test-postgres traits examples test-tsan lint bench bench-check fuzz interop interop-analytics interop-efforts test-ble test-web test-brokers test-mirror test-model

help: ## list these commands
	@echo "OpenHealthKit: Apple's HealthKit workout stack on Linux"; echo
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

deps: ## install the packages that the build needs (with apt-get and sudo)
	@command -v $(SWIFT) >/dev/null || { \
		echo "deps: no '$(SWIFT)' on the PATH; install Swift 6.2 or newer: https://www.swift.org/install/linux" >&2; \
		exit 1; }
	@command -v dpkg-query >/dev/null || { \
		echo "deps: this is neither Debian nor Ubuntu. Please install these packages (names on Fedora, on Arch, and why):"; \
		for entry in $(PACKAGES); do echo "$$entry" | { IFS=: read -r debian fedora arch reason; \
			printf '  %-20s %-15s %s\n' "$$fedora" "$$arch" "$$(echo "$$reason" | tr . ' ')"; }; done; exit 0; }; \
	missing=; \
	for entry in $(PACKAGES); do \
		package=$${entry%%:*}; \
		dpkg-query -W -f='$${Status}' "$$package" 2>/dev/null | grep -q 'ok installed' && continue; \
		missing="$$missing $$package"; \
		echo "deps: installing $$package: $$(echo "$${entry##*:}" | tr . ' ')"; \
	done; \
	[ -n "$$missing" ] || { echo "deps: everything is installed"; exit 0; }; \
	if [ "$$(id -u)" = 0 ]; then as_root=; \
	elif command -v sudo >/dev/null; then as_root=sudo; \
	else echo "deps: installing needs root, and sudo is missing; run as root: apt-get install$$missing" >&2; exit 1; fi; \
	$$as_root apt-get update -q && \
	$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing

build: deps $(RELEASE_FILES) ## build the command for daily use (about 9 minutes on two cores)
	$(BUILD) $(RELEASE) $(COMMAND)

# Installing only copies the built files, because it may run as root.
PREFIX ?= /usr/local
DESTDIR ?=
WORKOUT ?= .build/release/workout
INSTALL = PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" $(PACKAGING)/install

install: ## install the command, man pages, completions and units; PREFIX=/usr/local (root) DESTDIR=
	@$(INSTALL) "$(WORKOUT)"

uninstall: ## remove what install installed, with the same PREFIX= and DESTDIR=
	@$(INSTALL) --remove

DEB := .build/deb

deb: build ## build a .deb for this Debian or Ubuntu release and CPU architecture, in .build/deb
	@rm -f $(DEB)/*.deb
	@$(PACKAGING)/deb "$(WORKOUT)" $(DEB)

RELEASE_FOLDER := .build/dist

# For older systems too: see PACKED_RELOCATIONS.
release: PACKED_RELOCATIONS :=
release: build ## build a tarball, a .deb, an SBOM and SHA256SUMS for any system from glibc 2.34 on, in .build/dist
	@$(PACKAGING)/release "$(WORKOUT)" $(RELEASE_FOLDER)

release-arm64: ## build the same for 64-bit ARM, such as a Raspberry Pi, from x86-64 (needs root; 20 minutes)
	@$(PACKAGING)/arm64 .build/arm64 $(RELEASE_FOLDER)

test-release: ## build a release twice, in two folders, and compare the bytes (about 20 minutes)
	@$(PACKAGING)/test-release

# The Debian releases (bookworm, trixie), or Ubuntu's with their MIRROR, and the package.
RELEASES ?= bookworm trixie
MIRROR ?=
PACKAGE ?= $(firstword $(wildcard $(RELEASE_FOLDER)/*.deb $(DEB)/*.deb))

test-deb: ## install the .deb into clean systems, try it there, and remove it (needs root); RELEASES=bookworm MIRROR= PACKAGE=
	@[ -n "$(PACKAGE)" ] || { echo "test-deb: no package: run 'make release' or 'make deb' first" >&2; exit 66; }
	@set -e; for release in $(RELEASES); do MIRROR="$(MIRROR)" $(PACKAGING)/test-deb "$(PACKAGE)" .build/test-deb $$release; done

picture: build ## draw the README's picture of the live view
	@python3 $(PACKAGING)/picture.py "$(WORKOUT)" Sources/HealthKit/HealthKit.docc/live.svg

# Not the release build, which takes more than twice the time and is not tested here.
run: deps ## replay a recorded workout (first build: about 4 minutes on two cores); RECORDING=FILE SPEED=60
	$(BUILD) --product workout
	@"$$($(SWIFT) build --show-bin-path)/workout" replay "$(RECORDING)" --speed "$(SPEED)"

# The number of simultaneous tests. Without a limit all tests share two threads, and each waits for minutes: longer than a browser or a
# peer waits for an answer. Most tests compute, so more than four take no less time on two cores.
AT_ONCE := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

# In CI this names a test that does not end, instead of killing the job silently. The last lines would be lost in a buffer.
test: TEST_LIMIT := $(if $(CI),stdbuf -oL timeout -k 10 25m)
test: deps ## build and run all tests
	$(BUILD) --build-tests
	@log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	$(AT_ONCE) $(TEST_LIMIT) $(SWIFT) test --skip-build >"$$log" 2>&1; status=$$?; \
	if [ $$status = 0 ]; then grep -E 'skipped|Test run with' "$$log"; exit; fi; \
	cat "$$log"; echo; echo 'test: what failed:' >&2; \
	grep -aE -A 4 '^✘' "$$log" | grep -avE '^(✔|◇|--)' >&2; \
	grep -aq 'Test run with' "$$log" || { echo 'the tests did not end; these had begun:' >&2; \
		grep -aoE '(◇|✔|✘) Test ("[^"]*"|[^ "]+\(\))( with [0-9]+ test cases?)? (started|passed|failed)' "$$log" | \
		awk '{ n = / started$$/ ? 1 : -1; sub(/^[^ ]+ Test /, ""); sub(/( with [0-9]+ test cases?)? [a-z]+$$/, ""); begun[$$0] += n } \
			END { for (test in begun) if (begun[test] > 0) print test }' >&2; }; \
	exit $$status

MODULE ?= Recordings

test-module: deps ## build and run the tests of MODULE=Recordings, or of one suite or test with FILTER=
	TEST_MODULES=$(MODULE) $(BUILD) --build-tests
	TEST_MODULES=$(MODULE) $(SWIFT) test --skip-build $(if $(FILTER),--filter '$(FILTER)')

# Built in a separate folder, because it has the trait PostgreSQL and none of the default traits. `make traits` uses the same folder, so
# that common modules are compiled once.
POSTGRES_TESTS := TEST_MODULES=HealthStore,PostgreSQLStore
POSTGRES_BUILD := --traits PostgreSQL --scratch-path .build/postgres

test-postgres: deps ## run the tests of the store on PostgreSQL, on a server of their own; FILTER=
	$(POSTGRES_TESTS) $(BUILD) $(POSTGRES_BUILD) --product OpenHealthKitPackageTests
	$(POSTGRES_TESTS) Tests/PostgreSQLStoreTests/with-cluster $(SWIFT) test $(POSTGRES_BUILD) --skip-build \
		$(if $(FILTER),--filter '$(FILTER)')
	$(BUILD) $(POSTGRES_BUILD) --product StoreApps
	Tests/Lab/store-failover --apps .build/postgres/debug/StoreApps --rounds 3 --kills 5

# The number of killed servers, killed clients and broken links.
FAILOVERS ?= 50
KILLS ?= 50
CUTS ?= 20

test-failover: deps ## kill servers, clients and links under a store on PostgreSQL (links need root); FAILOVERS=50 KILLS=50 CUTS=20
	$(BUILD) $(POSTGRES_BUILD) --product StoreApps
	Tests/Lab/store-failover --apps .build/postgres/debug/StoreApps --rounds $(FAILOVERS) --kills $(KILLS)
	@if [ "$$(id -u)" = 0 ]; then \
		Tests/Lab/store-failover --apps .build/postgres/debug/StoreApps --rounds 0 --kills 0 --links $(CUTS); \
	else echo 'test-failover: no links were cut: that needs root'; fi

traits: deps ## build the library without its default package traits, Bluetooth, Mirroring, Combine and Replay
	$(BUILD) $(POSTGRES_BUILD) --target HealthKitTesting

examples: deps ## build the app in Examples and run its tests (Swift Testing and XCTest)
	EXAMPLES=1 $(BUILD) --product OpenHealthKitPackageTests
	EXAMPLES=1 $(SWIFT) test --skip-build

docs: deps ## build the documentation as a site in .build/docs/site; a dead link is an error
	$(BUILD) --target HealthKitTesting
	@SWIFT=$(SWIFT) python3 $(PACKAGING)/docs.py "$$($(SWIFT) build --show-bin-path)/Modules" .build/docs

# The modules whose tests run under the thread sanitizer. Default: all.
TSAN_MODULES ?=
TSAN := $(CURDIR)/.build/tsan
TSAN_SOURCES := $(CURDIR)/Tests/ThreadSanitizer

test-tsan: deps ## run the tests under the thread sanitizer; some modules: TSAN_MODULES=Mirroring,HealthKit
	@mkdir -p $(TSAN)
	"$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang" -shared -fPIC -O1 \
		-o $(TSAN)/mutex.so $(TSAN_SOURCES)/mutex.c -ldl
	$(if $(TSAN_MODULES),TEST_MODULES=$(TSAN_MODULES)) $(BUILD) --build-tests --sanitize=thread --scratch-path $(TSAN)
	@# Runs the bundle itself, so that only the tests get the preloaded library. Without backtraces, because the sanitizer stops the
	@# process that prints them. One test after another: many handshakes at the same time, each ten times as slow, would exceed
	@# the limits of 3 and 5 s for a connection.
	SWIFT_BACKTRACE=enable=no LD_PRELOAD=$(TSAN)/mutex.so TSAN_OPTIONS="suppressions=$(TSAN_SOURCES)/suppressions exitcode=66 $(TSAN_OPTIONS)" \
		$(TSAN)/debug/OpenHealthKitPackageTests.xctest --testing-library swift-testing --no-parallel \
		$(if $(FILTER),--filter '$(FILTER)')

lint: ## check the format, and that no file contains one machine's paths
	@git ls-files -z '*.swift' | xargs -0 $(SWIFT) format lint --strict
	@# The brackets keep this line from matching itself.
	@if git grep -nIE '(^|[^[:alnum:]_.-])/(wor[k]|roo[t]|opt/swif[t])/'; then \
		echo "lint: these paths exist on one machine only" >&2; exit 1; fi
	@git ls-files '*.swift' | xargs wc -l | grep -v ' total$$' | sort -n | awk '{ lines[NR] = $$1; name[NR] = $$2 } \
		$$1 > 400 { print "lint: " $$2 " has " $$1 " lines: are these two concepts?" } \
		END { print "lint: " NR " Swift files, median " lines[int((NR + 1) / 2)] " lines, longest " lines[NR] \
		" (" name[NR] ")" }'

words: ## check spelling, links and phrases in everything that users read
	@python3 $(PACKAGING)/words.py $(FILES)

# `swift run` does not take all options of `swift build`.
RUN_RELEASE = $(BUILD) $(RELEASE) --product $(1) && "$$($(SWIFT) build $(RELEASE) --show-bin-path)/$(1)"

arrows: ## print modules and folders with their dependencies, and circles of files
	@python3 Tests/ArchitectureTests/arrows.py

bench: deps ## run the benchmarks, in a release build
	$(call RUN_RELEASE,Benchmarks)

bench-check: deps ## fail if a figure exceeds its threshold in Tests/Benchmarks/thresholds.json
	$(call RUN_RELEASE,Benchmarks) check Tests/Benchmarks/thresholds.json

# The emulated straps and the parts (commands, troubles, monitor, record, l2cap). Default: all.
STRAPS ?=
ONLY ?=

test-ble: deps $(RELEASE_FILES) ## run the command against emulated straps in a virtual machine (BLE_LAB)
	@python3 Tests/Lab/lab.py --check || { [ $$? = 77 ] && exit 0; exit 1; }; \
	$(BUILD) $(RELEASE) $(COMMAND) && \
	python3 Tests/Lab/lab.py --workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" $(addprefix --only ,$(ONLY)) $(STRAPS)

# Which browser (chromium, firefox), and which checks ('live board overlay history key keyboard values away names killed cut entries
# controls origin host beyond'); default: all.
BROWSER ?=
CHECKS ?=
TEST_WEB := .build/test-web

test-web: deps $(RELEASE_FILES) ## test the web pages in real browsers, which it installs; BROWSER=firefox CHECKS='board cut'
	@python3 Tests/Web/prepare.py $(TEST_WEB) || { [ $$? = 77 ] && exit 0; exit 1; }; \
	$(BUILD) $(RELEASE) $(COMMAND) && \
	$(TEST_WEB)/venv/bin/python Tests/Web/web.py --out $(TEST_WEB) \
		--workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" \
		$(addprefix --only ,$(BROWSER)) $(if $(CHECKS),--checks $(CHECKS)) || { [ $$? = 77 ] && exit 0; exit 1; }

test-brokers: deps $(RELEASE_FILES) ## test against mosquitto and servers of NATS, which it installs and kills; ROUNDS=6 SESSIONS=10
	@for program in nats-server mosquitto mosquitto_sub; do PATH="$$PATH:/usr/sbin" command -v $$program >/dev/null || missing=1; done; \
	[ -z "$$missing" ] || ! command -v apt-get >/dev/null || \
	$$([ "$$(id -u)" = 0 ] || echo sudo) apt-get install -q -y --no-install-recommends nats-server mosquitto mosquitto-clients
	$(BUILD) $(RELEASE) $(COMMAND)
	@Tests/Lab/mqtt --workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout"
	@Tests/Lab/nats --workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" $(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(SESSIONS),--sessions $(SESSIONS))

# The number of simulated networks for both sides of a mirrored session, and the first seed.
SEEDS ?= 10000
FIRST ?= 1

test-model: deps ## test mirroring against a model of bad networks; SEEDS=10000 FIRST=1
	$(call RUN_RELEASE,MirrorModel) $(SEEDS) $(FIRST)

# The number of times that the network between two machines breaks.
ROUNDS ?= 20

test-mirror: deps $(RELEASE_FILES) ## test mirroring between two network namespaces (needs root)
	$(BUILD) $(RELEASE) $(COMMAND)
	$(BUILD) $(RELEASE) --product MirroringApps
	@set -e; bin=$$($(SWIFT) build $(RELEASE) --show-bin-path); \
	Tests/Lab/mirror-discovery --workout "$$bin/workout"; \
	Tests/Lab/mirror-chaos --rounds $(ROUNDS) --workout "$$bin/workout"; \
	Tests/Lab/mirror-chaos --rounds $(ROUNDS) --workout "$$bin/workout" --apps "$$bin/MirroringApps"

# Recordings for `make interop`. Default: those of the repository and of the simulator.
FILES ?=
INTEROP := .build/interop

interop: build ## read written files with other libraries, which it fetches, and files as devices and services write them; FILES=
	python3 -m venv $(INTEROP)
	$(INTEROP)/bin/pip install -q fitdecode==0.11.0 garmin-fit-sdk==21.218.0 tcxreader==0.4.11 gpxpy==1.6.2 lxml==6.1.3
	for script in devices services; do \
		$(INTEROP)/bin/python Tests/Interop/$$script.py --workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" || exit 1; \
	done
	$(INTEROP)/bin/python Tests/Interop/interop.py --schemas $(INTEROP) \
		--workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" $(FILES)

# RR recordings for `make interop-analytics`. Default: those of the repository.
RR_FILES ?= Recordings/easy-run.jsonl Recordings/intervals.jsonl
ANALYTICS := .build/interop-analytics

interop-analytics: build ## compare heart-rate variability with NeuroKit2 and hrv-analysis; RR_FILES=
	@python3 -m venv $(ANALYTICS) && \
	{ $(ANALYTICS)/bin/pip install -q neurokit2==0.2.13 hrv-analysis==1.0.5 nolds==0.5.2 2>$(ANALYTICS)/fetching || \
	$(ANALYTICS)/bin/python -c 'import neurokit2, hrvanalysis' 2>/dev/null || { \
	echo "interop-analytics: skipped, for NeuroKit2 and hrv-analysis cannot be fetched:"; tail -1 $(ANALYTICS)/fetching; exit 0; }; } && \
	if $(ANALYTICS)/bin/python -c 'import neurokit2, hrvanalysis' 2>/dev/null; then \
	$(ANALYTICS)/bin/python Tests/Interop/analytics.py \
		--workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" $(RR_FILES); fi

# FIT and GPX recordings for `make interop-efforts`.
EFFORT_FILES ?= $(wildcard ../shared/data/fit/*run*.fit ../shared/data/fit/*ride*.fit ../shared/data/gpx/*ride*.gpx)
EFFORTS := .build/interop-efforts

interop-efforts: build ## compare splits, efforts, ascent and power curve with other libraries, which it fetches; EFFORT_FILES=
	python3 -m venv $(EFFORTS)
	$(EFFORTS)/bin/pip install -q fitdecode==0.11.0 gpxpy==1.6.2 sweat==0.25.0 numpy==1.26.4
	$(EFFORTS)/bin/python Tests/Interop/efforts.py \
		--workout "$$($(SWIFT) build $(RELEASE) --show-bin-path)/workout" $(EFFORT_FILES)

FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= ant characteristics att capture fit log table tracks mirror

fuzz: deps ## run libFuzzer on every decoder (or FUZZ_TARGETS), FUZZ_SECONDS each
	FUZZ=1 $(BUILD) -c release --product Fuzz --scratch-path .build/fuzz -Xswiftc -sanitize=fuzzer
	@# libFuzzer keeps the input of a crash only if no backtrace is printed first.
	@set -e; for target in $(FUZZ_TARGETS); do \
		mkdir -p .build/corpus/$$target; echo "fuzz: $$target"; \
		SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$$target .build/fuzz/release/Fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=5 \
			-rss_limit_mb=1500 -verbosity=0 -artifact_prefix=.build/ .build/corpus/$$target Tests/Fuzz/corpus/$$target; \
	done
