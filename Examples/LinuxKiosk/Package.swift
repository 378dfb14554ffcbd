// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "LinuxKiosk",
    dependencies: [
        // In a project of your own: the URL or the path of your copy.
        .package(name: "yabbi", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "LinuxKiosk",
            dependencies: [
                .product(name: "AdCore", package: "yabbi"),
                .product(name: "AdProviders", package: "yabbi"),
                .product(name: "AdRuntime", package: "yabbi"),
                .product(name: "ChromiumStage", package: "yabbi"),
                .product(name: "CurlTransport", package: "yabbi"),
                .product(name: "SQLiteLedger", package: "yabbi"),
                .product(name: "WebKitStage", package: "yabbi"),
                .product(name: "YabbiAds", package: "yabbi"),
            ]
        ),
        .testTarget(
            name: "LinuxKioskTests",
            dependencies: [
                "LinuxKiosk",
                .product(name: "AdCore", package: "yabbi"),
                .product(name: "AdProviders", package: "yabbi"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
