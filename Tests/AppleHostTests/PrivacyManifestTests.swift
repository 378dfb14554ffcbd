import Foundation
import TestSupport
import Testing

/// The privacy manifests against the sources that apps link.
@Suite("Privacy manifests")
struct PrivacyManifestTests {
    /// What apps on Apple's systems link (`Scripts/graph.sh apple`), and the module whose manifest speaks for it.
    private static let manifests = [
        "URLSessionTransport": [
            "AdCore", "AdMarkup", "AdProviders", "AdRuntime", "AdTrace", "AppleStage", "LibC", "OpenRTB",
            "SQLiteLedger",
            "SystemSupport", "URLSessionTransport", "WebStage", "YabbiAds",
        ],
        "YabbiFoundation": ["YabbiFoundation"],
        "AppleHost": ["AppleHost"],
    ]

    /// What Apple's list of required reasons names, as it is written in Swift.
    private static let listed: [(category: String, words: [String])] = [
        (
            "FileTimestamp",
            [" stat(", "fstat(", "lstat(", "fstatat(", "getattrlist", "modificationDate", "creationDate"]
        ),
        ("SystemBootTime", ["systemUptime", "mach_absolute_time"]),
        ("DiskSpace", ["statfs(", "statvfs(", "systemFreeSize", "volumeAvailableCapacity"]),
        ("UserDefaults", [": UserDefaults ="]), ("ActiveKeyboards", ["activeInputModes"]),
    ]

    private func manifest(of module: String) throws -> [String: Any] {
        let text = try #require(PackageFolder.text("Sources/\(module)/PrivacyInfo.xcprivacy"))
        return try #require(
            try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        )
    }

    @Test("each manifest has the listed calls of its modules, with a reason, and no others", arguments: manifests.keys)
    func reasons(module: String) throws {
        let types = try #require(try self.manifest(of: module)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let declared = types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        #expect(types.allSatisfy { ($0["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false })
        var found: [String] = []
        for (category, words) in Self.listed {
            let isCalled = (Self.manifests[module] ?? []).contains { name in
                PackageFolder.files(below: "Sources/\(name)", ending: ".swift").contains { path in
                    self.code(path).contains { line in words.contains { line.contains($0) } }
                }
            }
            if isCalled { found.append("NSPrivacyAccessedAPICategory\(category)") }
        }
        #expect(declared.sorted() == found.sorted())
    }

    /// The lines of a file without comments.
    private func code(_ path: String) -> [Substring] {
        (PackageFolder.text(path) ?? "").split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    }

    @Test("no manifest names tracking without a domain, and collected data have a purpose", arguments: manifests.keys)
    func data(module: String) throws {
        let manifest = try self.manifest(of: module)
        let domains = try #require(manifest["NSPrivacyTrackingDomains"] as? [String])
        #expect(manifest["NSPrivacyTracking"] as? Bool == !domains.isEmpty)
        for type in try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]]) {
            #expect((type["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false)
            #expect(type["NSPrivacyCollectedDataTypeLinked"] is Bool)
            #expect(type["NSPrivacyCollectedDataTypeTracking"] is Bool)
        }
    }
}
