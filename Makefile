# Two commands do everything: `make play` shows an ad, `make test` proves that it works.

SWIFT_FLAGS = --explicit-target-dependency-import-check error
SOURCES = Sources Tests Package.swift

.PHONY: help play test setup lint format build

help:
	@echo "make play    install what is missing, build, and show ads against the built-in server"
	@echo "make test    install what is missing, lint, build, and run every test"
	@echo "make format  format the sources as the linter wants them"

play: setup
	swift build -c release --product yabbi-play $(SWIFT_FLAGS)
	.build/release/yabbi-play demo

test: setup lint
	swift build --build-tests $(SWIFT_FLAGS)
# One test at a time: some meet real sockets and real time, and two cores are soon taken.
	swift test --skip-build --no-parallel

setup:
	@Scripts/setup.sh

lint:
	swift format lint --strict --recursive $(SOURCES)
	@Scripts/imports.sh

format:
	swift format --in-place --recursive $(SOURCES)

build: setup
	swift build $(SWIFT_FLAGS)
