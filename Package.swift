// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "yabbi",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16)],
    products: [
        .library(name: "AdCore", targets: ["AdCore"]),
        .library(name: "AdMarkup", targets: ["AdMarkup"]),
    ],
    targets: [
        // The pure floor: what an ad is, every decision about it, and the seams.
        .target(name: "AdCore"),
        .testTarget(name: "AdCoreTests", dependencies: ["AdCore"]),

        // What servers send to be shown: banner HTML, read over libxml2.
        .systemLibrary(
            name: "CLibXML2",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
        ),
        .target(name: "AdMarkup", dependencies: ["AdCore", "CLibXML2"]),
        .testTarget(name: "AdMarkupTests", dependencies: ["AdMarkup", "AdCore"]),
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
