// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "yabbi",
    // The first with the standard library's Duration and ContinuousClock, of which every deadline is made.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16)],
    products: [
        .library(name: "AdCore", targets: ["AdCore"]),
        .library(name: "AdMarkup", targets: ["AdMarkup"]),
        .library(name: "AdProviders", targets: ["AdProviders"]),
        .library(name: "AdTrace", targets: ["AdTrace"]),
        .library(name: "AdRuntime", targets: ["AdRuntime"]),
        .library(name: "OpenRTB", targets: ["OpenRTB"]),
        .library(name: "WebSocketCodec", targets: ["WebSocketCodec"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "SQLiteLedger", targets: ["SQLiteLedger"]),
        .library(name: "ChromiumStage", targets: ["ChromiumStage"]),
        .library(name: "YabbiAds", targets: ["YabbiAds"]),
        .library(name: "YabbiTesting", targets: ["YabbiTesting"]),
        .executable(name: "yabbi-play", targets: ["YabbiPlay"]),
    ],
    targets: [
        // The pure floor: what an ad is, every decision about it, and the seams.
        // The standard library's rounding calls libm, which only an import of Glibc would link.
        .target(name: "AdCore", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // A value behind the platform's lock.
        .target(name: "SystemLock"),
        // A thread of one's own, and what wakes it.
        .systemLibrary(name: "CSystem"),
        .target(name: "SystemThread", dependencies: ["CSystem"]),
        // What servers send to be shown, read over libxml2.
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .target(name: "AdMarkup", dependencies: ["AdCore", "CLibXML2"]),
        // What is written down of an ad's life, so that it can be run again.
        .target(name: "AdTrace", dependencies: ["AdCore", "SystemLock"]),
        // The shells: tasks, order, time.
        .target(name: "AdRuntime", dependencies: ["AdCore", "AdMarkup", "AdTrace", "SystemLock"]),

        // What exchanges speak.
        .target(name: "OpenRTB", dependencies: ["AdCore"]),
        // What both sides of a websocket speak.
        .target(name: "WebSocketCodec"),
        // One folder for each provider, all pure.
        .target(name: "AdProviders", dependencies: ["AdCore", "AdMarkup", "OpenRTB"]),

        // One module for each implementation of a seam.
        .systemLibrary(name: "CLibcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(
            name: "CurlTransport",
            dependencies: ["AdCore", "CLibcurl", "SystemLock", "SystemThread", "WebSocketCodec"]
        ),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "SQLiteLedger", dependencies: ["AdCore", "CSQLite", "SystemLock", "SystemThread"]),
        .target(
            name: "ChromiumStage",
            dependencies: ["AdCore", "SystemLock", "SystemThread"],
            resources: [.embedInCode("Scripts")]
        ),
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(
            name: "SandboxSSP",
            dependencies: ["AdCore", "CMicroHTTPD", "SystemLock", "SystemThread", "WebSocketCodec"]
        ),

        // The umbrella: wiring, defaults, the facade.
        .target(
            name: "YabbiAds",
            dependencies: [
                "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "CurlTransport", "SQLiteLedger",
                "SystemLock",
            ]
        ),
        // Fakes, shipped for the tests of apps.
        .target(name: "YabbiTesting", dependencies: ["AdCore", "AdRuntime", "SystemLock"]),

        // The command.
        .executableTarget(
            name: "YabbiPlay",
            dependencies: [
                "AdCore", "AdMarkup", "AdRuntime", "AdTrace", "ChromiumStage", "CurlTransport", "SQLiteLedger",
                "SandboxSSP", "SystemLock", "SystemThread", "YabbiAds",
            ],
            resources: [.embedInCode("Resources")]
        ),

        // The benchmarks; no product.
        .executableTarget(
            name: "yabbi-bench",
            dependencies: [
                "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "CLibXML2", "CSystem", "ChromiumStage",
                "CurlTransport", "SQLiteLedger", "SandboxSSP", "SystemLock", "WebSocketCodec", "YabbiAds",
            ],
            path: "Sources/YabbiBench",
            resources: [.embedInCode("Peers")]
        ),

        // What the tests of several modules need.
        .target(name: "TestSupport", dependencies: ["SystemThread"], path: "Tests/TestSupport"),
        .target(
            name: "BrowserSupport",
            dependencies: ["ChromiumStage", "TestSupport"],
            path: "Tests/BrowserSupport"
        ),
        // Lives of ads: the scenes, every input, random ones, who holds them to the invariants, and traces in memory.
        .target(
            name: "LifeSupport",
            dependencies: ["AdCore", "AdTrace", "SystemLock", "TestSupport"],
            path: "Tests/LifeSupport"
        ),
        .testTarget(name: "AdCoreTests", dependencies: ["AdCore", "LifeSupport", "TestSupport"]),
        .testTarget(name: "AdMarkupTests", dependencies: ["AdCore", "AdMarkup", "TestSupport"]),
        .testTarget(name: "OpenRTBTests", dependencies: ["AdCore", "OpenRTB", "TestSupport"]),
        .testTarget(
            name: "AdProvidersTests",
            dependencies: ["AdCore", "AdProviders", "AdTrace", "LifeSupport", "TestSupport"]
        ),
        .testTarget(
            name: "AdTraceTests",
            dependencies: ["AdCore", "AdTrace", "LifeSupport", "SystemLock", "TestSupport"]
        ),
        .testTarget(
            name: "AdRuntimeTests",
            dependencies: [
                "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "SystemLock", "TestSupport",
                "YabbiTesting",
            ]
        ),
        .testTarget(name: "WebSocketCodecTests", dependencies: ["TestSupport", "WebSocketCodec"]),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: ["AdCore", "CurlTransport", "SystemLock", "TestSupport", "WebSocketCodec"]
        ),
        .testTarget(
            name: "ChromiumStageTests",
            dependencies: [
                "AdCore", "AdRuntime", "BrowserSupport", "ChromiumStage", "SystemLock", "SystemThread", "TestSupport",
                "YabbiTesting",
            ]
        ),
        .testTarget(name: "SQLiteLedgerTests", dependencies: ["AdCore", "SQLiteLedger", "TestSupport"]),
        .testTarget(
            name: "SandboxSSPTests",
            dependencies: ["AdCore", "AdMarkup", "SandboxSSP", "SystemThread", "TestSupport", "WebSocketCodec"]
        ),
        .testTarget(name: "SystemLockTests", dependencies: ["SystemLock"]),
        .testTarget(name: "SystemThreadTests", dependencies: ["SystemLock", "SystemThread"]),
        .testTarget(
            name: "YabbiAdsTests",
            dependencies: [
                "AdCore", "AdRuntime", "CurlTransport", "SandboxSSP", "SystemLock", "TestSupport", "YabbiAds",
                "YabbiTesting",
            ]
        ),
        .testTarget(name: "YabbiBenchTests", dependencies: ["AdCore", "SystemLock", "yabbi-bench"]),
        .testTarget(
            name: "YabbiPlayTests",
            dependencies: [
                "AdCore", "AdMarkup", "AdRuntime", "AdTrace", "BrowserSupport", "ChromiumStage", "SQLiteLedger",
                "SandboxSSP", "SystemLock", "TestSupport", "YabbiPlay",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .treatAllWarnings(as: .error),
        ]
}
