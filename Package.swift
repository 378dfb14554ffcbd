// swift-tools-version: 6.2

import PackageDescription

/// The systems that have URLSession and no libcurl.
let apple: [Platform] = [.iOS, .macCatalyst, .macOS, .tvOS, .visionOS, .watchOS]

/// Libraries of C that are loaded when they are first called, but linked on Apple's systems.
func linked(_ library: String) -> [LinkerSetting] { [.linkedLibrary(library, .when(platforms: apple))] }

let package = Package(
    name: "yabbi",
    // The first versions with the standard library's Duration and ContinuousClock, which all deadlines use. What an app
    // links compiles for them (make check-apple).
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16)],
    products: [
        .library(name: "AdCore", targets: ["AdCore"]),
        .library(name: "AdMarkup", targets: ["AdMarkup"]),
        .library(name: "AdHTML", targets: ["AdHTML"]),
        .library(name: "AdLint", targets: ["AdLint"]),
        .library(name: "AdProviders", targets: ["AdProviders"]),
        .library(name: "AdTrace", targets: ["AdTrace"]),
        .library(name: "AdRuntime", targets: ["AdRuntime"]),
        .library(name: "CurlTransport", targets: ["CurlTransport"]),
        .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
        .library(name: "SQLiteLedger", targets: ["SQLiteLedger"]),
        .library(name: "PostgresLedger", targets: ["PostgresLedger"]),
        .library(name: "ChromiumStage", targets: ["ChromiumStage"]),
        .library(name: "WebKitStage", targets: ["WebKitStage"]),
        .library(name: "AppleStage", targets: ["AppleStage"]),
        .library(name: "YabbiAds", targets: ["YabbiAds"]),
        .library(name: "YabbiFoundation", targets: ["YabbiFoundation"]),
        .library(name: "AppleHost", targets: ["AppleHost"]),
        .library(name: "YabbiTesting", targets: ["YabbiTesting"]),
        .executable(name: "yabbi-play", targets: ["YabbiPlay"]),
    ],
    targets: [
        // What an ad is, every decision about it, and the seams; no I/O.
        // The standard library's rounding calls libm, which only an import of Glibc would link.
        .target(name: "AdCore", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // The platform's C library under one name, and calls of it that Swift does not see.
        .systemLibrary(name: "CSystem"),
        .target(name: "LibC"),
        // Locks, threads, queues between threads and tasks.
        .target(name: "SystemSupport", dependencies: ["CSystem", "LibC"]),
        // Loads libraries of C when they are first called.
        .target(name: "CLazy"),
        // VAST, VMAP, and the HTML that a load needs, read with libxml2.
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .target(name: "AdMarkup", dependencies: ["AdCore", "CLibXML2", "LibC"]),
        // For tools, no app links them: the HTML that no load needs, and the linter.
        .target(name: "AdHTML", dependencies: ["AdCore", "AdMarkup", "CLibXML2", "LibC"]),
        .target(name: "AdLint", dependencies: ["AdCore", "AdHTML", "AdMarkup", "CLibXML2"]),
        // Also for tools: HTML5 ads in zip files and folders, unpacked with libarchive.
        .target(name: "CArchive", dependencies: ["CLazy"], linkerSettings: linked("archive")),
        .target(name: "AdBundle", dependencies: ["AdCore", "CArchive", "LibC"]),
        // Records the inputs and actions of machines, so that they can be replayed.
        .target(name: "AdTrace", dependencies: ["AdCore", "LibC", "SystemSupport"]),
        // Replays a trace; for tools, no app links it.
        .target(name: "AdReplay", dependencies: ["AdCore", "AdTrace"]),
        // The shells, which execute what the machines decide.
        .target(name: "AdRuntime", dependencies: ["AdCore", "AdMarkup", "AdTrace", "LibC", "SystemSupport"]),

        // OpenRTB requests and responses.
        .target(name: "OpenRTB", dependencies: ["AdCore"]),
        // Frames and messages of WebSockets, for both sides.
        .target(name: "WebSocketCodec"),
        // One folder for each provider, without I/O.
        .target(name: "AdProviders", dependencies: ["AdCore", "AdMarkup", "OpenRTB"]),

        // One module for each implementation of a seam.
        .target(name: "CLibcurl", dependencies: ["CLazy"], linkerSettings: linked("curl")),
        .target(
            name: "CurlTransport",
            dependencies: ["AdCore", "CLibcurl", "LibC", "SystemSupport", "WebSocketCodec"]
        ),
        // Foundation's networking, for Apple's systems.
        .target(
            name: "URLSessionTransport",
            dependencies: ["AdCore", "LibC", "SystemSupport"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(name: "SQLiteLedger", dependencies: ["AdCore", "CSQLite", "LibC", "SystemSupport"]),
        // Statements of PostgreSQL in groups, for the ledger and for queues.
        .target(
            name: "CPostgres",
            dependencies: ["CLazy", .target(name: "CHomebrewPQ", condition: .when(platforms: [.macOS]))]
        ),
        // Where Homebrew installs libpq.
        .systemLibrary(name: "CHomebrewPQ", pkgConfig: "libpq", providers: [.brew(["libpq"])]),
        .target(name: "PostgresClient", dependencies: ["CPostgres", "LibC"]),
        .target(
            name: "PostgresLedger",
            dependencies: ["AdCore", "LibC", "PostgresClient", "SQLiteLedger", "SystemSupport"]
        ),
        // The scripts of WebStage, embedded.
        .target(name: "CWebScripts"),
        // Shows creatives in any browser engine; no product.
        .target(
            name: "WebStage",
            dependencies: ["AdCore", "AdMarkup", "CWebScripts", "SystemSupport"],
            exclude: ["Scripts"]
        ),
        // Engines in processes of their own: starting, talking over a pipe, cleaning up.
        .target(name: "EngineSupport", dependencies: ["LibC", "SystemSupport", "WebStage"]),
        // One module for each engine.
        .target(
            name: "ChromiumStage",
            dependencies: ["AdCore", "EngineSupport", "LibC", "SystemSupport", "WebStage"],
            resources: [.embedInCode("Scripts")]
        ),
        .target(
            name: "WebKitStage",
            dependencies: ["AdCore", "EngineSupport", "LibC", "SystemSupport", "WebStage"],
            resources: [.embedInCode("Scripts")]
        ),
        // Shows ads in UIKit, SwiftUI and WKWebView; what it decides is compiled and tested everywhere.
        .target(name: "AppleStage", dependencies: ["AdCore", "SystemSupport", "WebStage"]),
        .target(name: "CMicroHTTPD", dependencies: ["CLazy"], linkerSettings: linked("microhttpd")),
        // A web server on loopback, for the command and tests.
        .target(
            name: "LoopbackServer",
            dependencies: ["AdCore", "CMicroHTTPD", "LibC", "SystemSupport", "WebSocketCodec"]
        ),
        .target(
            name: "SandboxSSP",
            dependencies: ["AdCore", "LibC", "LoopbackServer", "SystemSupport", "WebSocketCodec"]
        ),

        // What apps import: wiring, defaults, the facade.
        .target(
            name: "YabbiAds",
            dependencies: [
                "AdCore", "AdProviders", "AdRuntime", "AdTrace", "LibC", "SQLiteLedger", "SystemSupport",
                // Each system's own network: apps on Apple's link no libcurl.
                .target(name: "CurlTransport", condition: .when(platforms: [.linux])),
                .target(name: "URLSessionTransport", condition: .when(platforms: apple)),
            ]
        ),
        // For apps that have Foundation; with URLSessionTransport and AppleHost the only modules that import it.
        .target(
            name: "YabbiFoundation",
            dependencies: ["AdCore", "AdTrace", "YabbiAds"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        // What Apple's systems know of the app, the device and the user.
        .target(
            name: "AppleHost",
            dependencies: ["AdCore", "AdProviders", "AdRuntime", "OpenRTB", "SystemSupport", "YabbiFoundation"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        // Test doubles for the tests of apps.
        .target(name: "YabbiTesting", dependencies: ["AdCore", "AdRuntime", "SystemSupport"]),

        // The command's libraries: terminal and files; text and JSON; the comparison of ledger and server; the report;
        // the comparison of runs; inspection of documents; stages.
        .target(name: "PlayConsole", dependencies: ["AdCore", "LibC", "SystemSupport"]),
        .target(
            name: "PlayText",
            dependencies: [
                "AdCore", "AdHTML", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "PlayConsole",
                "SystemSupport",
            ]
        ),
        .target(name: "PlayReconcile", dependencies: ["AdCore", "LibC", "PlayConsole", "PlayText"]),
        .target(
            name: "PlayReport",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdRuntime", "PlayConsole", "PlayText", "SystemSupport", "WebStage",
            ],
            resources: [.embedInCode("Resources")]
        ),
        .target(
            name: "PlayCompare",
            dependencies: ["AdCore", "AdReplay", "PlayConsole", "PlayReport", "PlayText"]
        ),
        // Scans of many creatives: measures, policies, verdicts and their outputs.
        .target(
            name: "PlayScan",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdRuntime", "LibC", "PlayConsole", "PlayReport", "PlayText",
                "SystemSupport", "WebStage",
            ],
            resources: [.embedInCode("Resources")]
        ),
        // The queue of creatives that several computers scan.
        .target(name: "PlayQueue", dependencies: ["AdCore", "PostgresClient", "SystemSupport"]),
        .target(
            name: "PlayInspect",
            dependencies: [
                "AdCore", "AdHTML", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "PlayConsole", "PlayText",
            ]
        ),
        .target(
            name: "PlayStages",
            dependencies: [
                "AdCore", "AdProviders", "AdRuntime", "ChromiumStage", "PlayConsole", "PlayReport", "PlayText",
                "SystemSupport", "WebKitStage", "WebStage",
            ]
        ),
        // The files of the lab's page, embedded.
        .target(name: "CLabPage"),
        // The page in which ads are shown live, and its server.
        .target(
            name: "PlayLab",
            dependencies: [
                "AdBundle", "AdCore", "CLabPage", "LoopbackServer", "PlayReport", "PlayStages", "SystemSupport",
                "WebStage",
            ],
            exclude: ["Page"]
        ),
        // The command: its arguments and its wiring.
        .executableTarget(
            name: "YabbiPlay",
            dependencies: [
                "AdBundle", "AdCore", "AdHTML", "AdLint", "AdMarkup", "AdProviders", "AdReplay", "AdRuntime", "AdTrace",
                "ChromiumStage", "CurlTransport", "LibC", "LoopbackServer", "PlayCompare", "PlayConsole", "PlayInspect",
                "PlayLab", "PlayQueue", "PlayReconcile", "PlayReport", "PlayScan", "PlayStages", "PlayText",
                "PostgresClient", "PostgresLedger", "SandboxSSP", "SQLiteLedger", "SystemSupport", "WebStage",
                "YabbiAds",
            ]
        ),

        // The benchmarks; no product.
        .executableTarget(
            name: "yabbi-bench",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "ChromiumStage", "CLibXML2", "CSystem",
                "CurlTransport", "LibC", "PostgresClient", "PostgresLedger", "PostgresSupport", "SandboxSSP",
                "SQLiteLedger", "SystemSupport", "WebKitStage", "WebSocketCodec", "WebStage", "YabbiAds",
            ],
            path: "Sources/YabbiBench",
            resources: [.embedInCode("Peers")]
        ),

        // Helpers for the tests of several modules.
        .target(name: "TestSupport", dependencies: ["LibC", "SystemSupport"], path: "Tests/TestSupport"),
        .target(
            name: "BrowserSupport",
            dependencies: ["AdCore", "ChromiumStage", "LibC", "TestSupport", "WebKitStage", "WebStage"],
            path: "Tests/BrowserSupport"
        ),
        // The lifecycle of ads: scenes, random inputs, checks of the invariants, and traces in memory.
        .target(
            name: "LifecycleSupport",
            dependencies: ["AdCore", "AdTrace", "SystemSupport", "TestSupport"],
            path: "Tests/LifecycleSupport"
        ),
        .testTarget(name: "AdCoreTests", dependencies: ["AdCore", "LifecycleSupport", "TestSupport"]),
        .testTarget(name: "AdMarkupTests", dependencies: ["AdCore", "AdLint", "AdMarkup", "LibC", "TestSupport"]),
        .testTarget(name: "AdHTMLTests", dependencies: ["AdCore", "AdHTML", "AdMarkup", "TestSupport"]),
        .testTarget(
            name: "AdLintTests",
            dependencies: ["AdCore", "AdHTML", "AdLint", "AdMarkup", "LibC", "TestSupport"]
        ),
        .testTarget(name: "AdBundleTests", dependencies: ["AdBundle", "AdCore", "LibC", "TestSupport"]),
        .testTarget(name: "OpenRTBTests", dependencies: ["AdCore", "OpenRTB", "TestSupport"]),
        .testTarget(
            name: "AdProvidersTests",
            dependencies: [
                "AdCore", "AdProviders", "AdReplay", "AdTrace", "LifecycleSupport", "OpenRTB", "TestSupport",
            ]
        ),
        .testTarget(
            name: "AdTraceTests",
            dependencies: ["AdCore", "AdReplay", "AdTrace", "LifecycleSupport", "TestSupport"]
        ),
        .testTarget(
            name: "AdReplayTests",
            dependencies: ["AdCore", "AdReplay", "AdTrace", "LifecycleSupport", "SystemSupport", "TestSupport"]
        ),
        .testTarget(
            name: "AdRuntimeTests",
            dependencies: [
                "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "LibC", "SystemSupport", "TestSupport",
                "YabbiTesting",
            ]
        ),
        .testTarget(name: "WebSocketCodecTests", dependencies: ["TestSupport", "WebSocketCodec"]),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: [
                "AdCore", "CurlTransport", "LibC", "SystemSupport", "TestSupport", "TransportSupport", "WebSocketCodec",
            ]
        ),
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: ["AdCore", "SystemSupport", "TestSupport", "TransportSupport", "URLSessionTransport"]
        ),
        // What each transport promises.
        .testTarget(
            name: "TransportContractTests",
            dependencies: [
                "AdCore", "CurlTransport", "LibC", "SystemSupport", "TestSupport", "TransportSupport",
                "URLSessionTransport", "WebSocketCodec",
            ]
        ),
        // Servers of raw bytes on loopback.
        .target(
            name: "TransportSupport",
            dependencies: ["AdCore", "LibC", "SystemSupport", "TestSupport", "WebSocketCodec"],
            path: "Tests/TransportSupport"
        ),
        .testTarget(
            name: "WebStageTests",
            dependencies: ["AdCore", "AdMarkup", "SystemSupport", "TestSupport", "WebStage"]
        ),
        .testTarget(
            name: "AppleStageTests",
            dependencies: ["AdCore", "AdRuntime", "AppleStage", "SystemSupport", "WebStage", "YabbiTesting"]
        ),
        .testTarget(name: "EngineSupportTests", dependencies: ["AdCore", "EngineSupport", "LibC", "TestSupport"]),
        .testTarget(
            name: "ChromiumStageTests",
            dependencies: [
                "AdCore", "BrowserSupport", "ChromiumStage", "EngineSupport", "LibC", "SystemSupport", "TestSupport",
                "WebStage",
            ]
        ),
        .testTarget(name: "WebKitStageTests", dependencies: ["AdCore", "EngineSupport", "WebKitStage", "WebStage"]),
        // What holds for every engine.
        .testTarget(
            name: "BrowserStageTests",
            dependencies: [
                "AdCore", "AdRuntime", "BrowserSupport", "ChromiumStage", "EngineSupport", "LibC", "SystemSupport",
                "TestSupport", "WebKitStage", "WebStage", "YabbiTesting",
            ]
        ),
        .testTarget(
            name: "SQLiteLedgerTests",
            dependencies: ["AdCore", "CSQLite", "LedgerSupport", "LibC", "SQLiteLedger", "TestSupport"]
        ),
        // What each ledger promises.
        .target(name: "LedgerSupport", dependencies: ["AdCore"], path: "Tests/LedgerSupport"),
        .testTarget(
            name: "LedgerContractTests",
            dependencies: [
                "AdCore", "LedgerSupport", "PostgresLedger", "PostgresSupport", "SQLiteLedger", "TestSupport",
            ]
        ),
        // A PostgreSQL server in a temporary folder.
        .target(
            name: "PostgresSupport",
            dependencies: ["LibC", "PostgresClient", "SystemSupport", "TestSupport"],
            path: "Tests/PostgresSupport"
        ),
        .testTarget(
            name: "PostgresLedgerTests",
            dependencies: [
                "AdCore", "LedgerSupport", "LibC", "PostgresClient", "PostgresLedger", "PostgresSupport",
                "SQLiteLedger",
                "SystemSupport", "TestSupport",
            ]
        ),
        // A host of a fleet, as a process that tests can kill.
        .executableTarget(
            name: "ledger-host",
            dependencies: [
                "AdCore", "AdRuntime", "CurlTransport", "LibC", "PostgresLedger", "SystemSupport", "TestSupport",
            ],
            path: "Tests/LedgerHost"
        ),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "AdCore", "ledger-host", "LibC", "PostgresClient", "PostgresLedger", "PostgresSupport", "SystemSupport",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "SandboxSSPTests",
            dependencies: [
                "AdCore", "AdMarkup", "LibC", "LoopbackServer", "SandboxSSP", "SystemSupport", "TestSupport",
                "WebSocketCodec",
            ]
        ),
        .testTarget(
            name: "LoopbackServerTests",
            dependencies: ["AdCore", "LibC", "LoopbackServer", "SystemSupport", "TestSupport"]
        ),
        .testTarget(
            name: "PlayLabTests",
            dependencies: ["AdCore", "LibC", "LoopbackServer", "PlayLab", "SystemSupport", "TestSupport", "WebStage"]
        ),
        .testTarget(name: "SystemSupportTests", dependencies: ["SystemSupport"]),
        .testTarget(
            name: "YabbiAdsTests",
            dependencies: [
                "AdCore", "AdProviders", "AdRuntime", "CurlTransport", "LibC", "LifecycleSupport", "SandboxSSP",
                "SQLiteLedger", "SystemSupport", "TestSupport", "YabbiAds", "YabbiTesting",
            ]
        ),
        .testTarget(
            name: "YabbiFoundationTests",
            dependencies: ["AdCore", "AdTrace", "TestSupport", "YabbiAds", "YabbiFoundation"]
        ),
        .testTarget(
            name: "AppleHostTests",
            dependencies: [
                "AdCore", "AdProviders", "AdRuntime", "AppleHost", "OpenRTB", "SystemSupport", "TestSupport",
            ]
        ),
        .testTarget(name: "YabbiBenchTests", dependencies: ["AdCore", "SystemSupport", "yabbi-bench"]),
        // A console in memory, a terminal without a screen, and beacons for tests of the command.
        .target(
            name: "PlaySupport",
            dependencies: [
                "AdCore", "AdRuntime", "LibC", "PlayConsole", "PlayReconcile", "PlayReport", "PlayText",
                "SystemSupport", "TestSupport", "WebStage",
            ],
            path: "Tests/PlaySupport"
        ),
        .testTarget(
            name: "PlayConsoleTests",
            dependencies: ["LibC", "PlayConsole", "PlaySupport", "SystemSupport", "TestSupport"]
        ),
        .testTarget(
            name: "PlayTextTests",
            dependencies: ["AdCore", "AdHTML", "AdRuntime", "PlayConsole", "PlaySupport", "PlayText", "TestSupport"]
        ),
        .testTarget(
            name: "PlayReconcileTests",
            dependencies: ["AdCore", "PlayConsole", "PlayReconcile", "PlaySupport", "PlayText", "TestSupport"]
        ),
        .testTarget(
            name: "PlayReportTests",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdRuntime", "PlayConsole", "PlayReport", "PlaySupport", "PlayText",
                "TestSupport", "WebStage",
            ]
        ),
        .testTarget(
            name: "PlayCompareTests",
            dependencies: [
                "AdCore", "AdReplay", "AdTrace", "LifecycleSupport", "PlayCompare", "PlayConsole", "PlayReport",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "PlayScanTests",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdRuntime", "LibC", "PlayConsole", "PlayReport", "PlayScan",
                "PlayText", "SystemSupport", "TestSupport", "WebStage",
            ]
        ),
        .testTarget(
            name: "PlayQueueTests",
            dependencies: ["PlayQueue", "PostgresClient", "PostgresSupport", "SystemSupport", "TestSupport"]
        ),
        .testTarget(
            name: "PlayInspectTests",
            dependencies: ["AdCore", "PlayConsole", "PlayInspect"]
        ),
        .testTarget(
            name: "PlayStagesTests",
            dependencies: [
                "AdCore", "AdHTML", "AdMarkup", "AdRuntime", "BrowserSupport", "ChromiumStage", "LibC", "PlayConsole",
                "PlayStages", "PlaySupport", "PlayText", "SystemSupport", "TestSupport", "WebStage", "YabbiAds",
            ]
        ),
        .testTarget(
            name: "YabbiPlayTests",
            dependencies: [
                "AdCore", "AdLint", "AdMarkup", "AdProviders", "AdRuntime", "BrowserSupport", "ChromiumStage",
                "CurlTransport", "EngineSupport", "LibC", "LoopbackServer", "PlayCompare", "PlayConsole", "PlayInspect",
                "PlayLab", "PlayQueue", "PlayReconcile", "PlayReport", "PlayScan", "PlayStages", "PlaySupport",
                "PlayText", "PostgresClient", "PostgresSupport", "SandboxSSP", "SQLiteLedger", "SystemSupport",
                "TestSupport", "WebStage", "YabbiAds",
                "YabbiPlay",
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
