# `make play` shows ads; `make test` runs every check.

SWIFT_FLAGS = --explicit-target-dependency-import-check error
# Debug information takes a third of the time of a debug build.
DEBUG_FLAGS = $(SWIFT_FLAGS) -Xswiftc -gnone
SOURCES = Sources Tests Fuzz Apple Examples Package.swift

# `make install` installs into PREFIX; DESTDIR is put before it when a package is made.
PREFIX = /usr/local
BIN = $(DESTDIR)$(PREFIX)/bin
SHARE = $(DESTDIR)$(PREFIX)/share/yabbi
# The helper for WebKit, if it is built.
LIB = $(DESTDIR)$(PREFIX)/lib/yabbi
# The manual page and the completions, where man and the shells expect them.
MANUAL = $(DESTDIR)$(PREFIX)/share/man/man1/yabbi-play.1
BASH_WORDS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/yabbi-play
ZSH_WORDS = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_yabbi-play
FISH_WORDS = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/yabbi-play.fish

SECONDS = 60
# The fuzzing targets; all if empty.
TARGETS =

# The binary that is installed.
BUILT = .build/release/yabbi-play

.PHONY: help play test test-all docs fuzz bench tsan asan bench-check setup setup-tests lint format build release install put uninstall
.PHONY: webkit setup-webkit static deb deb-check check-apple

help:
	@echo "make play       install what is missing, build, and show ads against the built-in server"
	@echo "make test       install what is missing, lint, build, document, and run every test"
	@echo "make test-all   the same with the long form of every test that has one (more than an hour)"
	@echo "make check-apple  compile what an app links for Apple's platforms as far as Linux can (two minutes, then"
	@echo "                seconds): availability, and types against the stubs in Apple/Stubs"
	@echo "make webkit     install WebKitGTK, and build the helper for --stage webkit"
	@echo "make docs       build the documentation of every library into .build/docs"
	@echo "make fuzz       fuzz the parsers (SECONDS=60 for each of TARGETS)"
	@echo "make tsan       run every test with the thread sanitizer; make asan with the address sanitizer"
	@echo "make static     build the command as one binary with few shared libraries"
	@echo "make deb        make a Debian package; make deb-check installs it in a clean root and tries it"
	@echo "                (as root); they need dpkg-dev and debootstrap, which you install yourself"
	@echo "make bench      run all benchmarks (about 22 minutes), and write docs/BENCHMARKS.md and the README's"
	@echo "                table"
	@echo "make bench-check  measure the quick benchmarks, or those in BENCH, and say which ratio is worse than in"
	@echo "                docs/benchmarks.jsonl by more than its spread (4 minutes)"
	@echo "make install    install yabbi-play into PREFIX/bin (PREFIX=/usr/local), and its creatives, manual page"
	@echo "                and completions for bash, zsh and fish into PREFIX/share"
	@echo "make uninstall  remove all of that"
	@echo "make format     format the sources"

# A debug build takes a quarter of the time of a release build. The report has pictures if a browser is installed.
play: setup
	swift build --product yabbi-play $(DEBUG_FLAGS)
	.build/debug/yabbi-play demo --report .build/play
	@echo "to try a tag of your own, open the lab: .build/debug/yabbi-play lab --open"

release: setup
	swift build -c release --product yabbi-play $(SWIFT_FLAGS)

# An older installation is removed first, so that no deleted creative stays.
install: release
	@$(MAKE) --no-print-directory put

put: uninstall
	install -d "$(BIN)" "$(SHARE)"
	install -m 755 "$(BUILT)" "$(BIN)/yabbi-play"
	cp -R Creatives "$(SHARE)/Creatives"
	chmod -R a+rX "$(SHARE)"
	if [ -x .build/webkit/yabbi-webkit ]; then \
		install -d "$(LIB)/extension" && install -m 755 .build/webkit/yabbi-webkit "$(LIB)" && \
		install -m 644 .build/webkit/extension/libyabbi.so "$(LIB)/extension"; \
	fi
	for file in "$(MANUAL)" "$(BASH_WORDS)" "$(ZSH_WORDS)" "$(FISH_WORDS)"; do \
		install -d "$${file%/*}" || exit 1; \
	done
	"$(BIN)/yabbi-play" manual > "$(MANUAL)"
	"$(BIN)/yabbi-play" completions bash > "$(BASH_WORDS)"
	"$(BIN)/yabbi-play" completions zsh > "$(ZSH_WORDS)"
	"$(BIN)/yabbi-play" completions fish > "$(FISH_WORDS)"
	chmod 644 "$(MANUAL)" "$(BASH_WORDS)" "$(ZSH_WORDS)" "$(FISH_WORDS)"

uninstall:
	rm -f "$(BIN)/yabbi-play" "$(MANUAL)" "$(BASH_WORDS)" "$(ZSH_WORDS)" "$(FISH_WORDS)"
	rm -rf "$(SHARE)/Creatives" "$(LIB)"
	rmdir "$(SHARE)" 2>/dev/null || true

test: setup-tests lint
	swift build --build-tests $(DEBUG_FLAGS)
	@Scripts/docs.sh
	@Scripts/test.sh

# The long forms of tests: larger inputs, more random ads, more kills, more beacons.
test-all: setup-tests webkit lint
	swift build --build-tests $(DEBUG_FLAGS)
	@echo "In addition to make test: hostile documents of full size; 100,000 random lifecycles (20,000); 1,000"
	@echo "replayed lifecycles (250) and 100 replayed sessions (40); 100,000 offline beacons (20,000); a ledger of 26,000"
	@echo "beacons (4,000); 500 random days of a live session (20); 200 kills of the command for each guarantee (12);"
	@echo "1,000,000 beacons of six hosts (3,000); 2,000 scanned creatives whose workers are killed (one of each kind);"
	@echo "the example of a kiosk, built as a package of its own and killed with an ad on screen (not at all);"
	@echo "the suites of the browser stage in WebKit too (skipped)."
	@Scripts/check-apple.sh
	@Scripts/docs.sh
	@Scripts/kiosk.sh
	@YABBI_LONG=1 Scripts/test.sh
	@YABBI_ENGINE=webkit Scripts/test.sh

check-apple: setup
	@Scripts/check-apple.sh

docs: build
	@Scripts/docs.sh

webkit: setup-webkit
	@Scripts/webkit.sh

# Needs the libFuzzer of the toolchain.
fuzz: setup
	Scripts/fuzz.sh $(SECONDS) $(TARGETS)

tsan: setup-tests
	Scripts/sanitize.sh thread

asan: setup-tests
	Scripts/sanitize.sh address

static: setup
	Scripts/static.sh

deb: setup
	Scripts/deb.sh

deb-check:
	Scripts/deb-check.sh

# Nothing else should run meanwhile.
bench: setup
	Scripts/bench.sh

bench-check: setup
	Scripts/bench-check.sh $(BENCH)

setup:
	@Scripts/setup.sh

setup-tests:
	@Scripts/setup.sh tests

setup-webkit:
	@Scripts/setup.sh webkit

lint:
	swift format lint --strict --recursive $(SOURCES)
	@Scripts/imports.sh

format:
	swift format --in-place --recursive $(SOURCES)

build: setup
	swift build $(DEBUG_FLAGS)
