// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "yabbi",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16)],
    products: [
        .library(name: "AdCore", targets: ["AdCore"])
    ],
    targets: [
        // The pure floor: what an ad is, every decision about it, and the seams.
        .target(name: "AdCore"),
        .testTarget(name: "AdCoreTests", dependencies: ["AdCore"]),

        // A value behind the platform's lock.
        .target(name: "SystemLock"),

        // A local SSP with fault injection, over libmicrohttpd.
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "SandboxSSP", dependencies: ["AdCore", "CMicroHTTPD", "SystemLock"]),
        .testTarget(name: "SandboxSSPTests", dependencies: ["AdCore", "SandboxSSP"]),
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
