import AdCore
import PlayLab
import Testing

@testable import YabbiPlay

@Suite("The command line of an ad in the lab")
struct LabArgumentsTests {
    private static let settings = LabSettings(creatives: nil, isSandboxed: true)

    private func command(
        _ source: LabOrder.Source,
        _ options: [LabField] = [],
        _ settings: LabSettings = settings
    ) throws -> String {
        try LabArguments(LabOrder(source, options: options), settings).command
    }

    @Test("the command repeats the run, with the device that the lab assumes")
    func defaults() throws {
        #expect(
            try self.command(.address("https://a.example/v?a=1&b=2"))
                == "yabbi-play show --device iphone --stage chromium -- 'https://a.example/v?a=1&b=2'"
        )
        #expect(
            try self.command(.bundled("leaf"), [LabField("size", "320x50"), LabField("speed", "4")])
                == "yabbi-play show --unit leaf --size=320x50 --speed=4 --stage chromium"
        )
    }

    @Test("what was pasted is read from a file that has it; a file of this computer keeps its name")
    func documents() throws {
        let device = [LabField("device", "ipad")]
        #expect(
            try self.command(.document([], name: "pasted"), device)
                == "yabbi-play show --device=ipad --stage chromium -- pasted.txt"
        )
        #expect(
            try self.command(.document([], name: "-an ad.zip"), device)
                == "yabbi-play show --device=ipad --stage chromium -- '-an ad.zip'"
        )
    }

    @Test(
        "a placement without what its provider needs, or with a wrong endpoint, is refused beside the field",
        arguments: [
            ("dreams", [:], "provider"), ("yabbi", [:], "unit"),
            ("openrtb", ["endpoint": "https://a.example/"], "unit"),
            ("yabbi", ["unit": "u", "endpoint": "a.example"], "endpoint"),
            ("ceedads", ["endpoint": "https://a.example/", "appId": "1", "conversationId": "2"], "messageId"),
            ("ceedads", [:], nil), ("yabbi", ["unit": "banner-320x50"], nil), ("activeads", [:], nil),
        ] as [(String, [String: String], String?)]
    )
    func fields(provider: String, fields: [String: String], wrong: String?) {
        let source = LabOrder.Source.placement(provider: provider, fields: fields.map { LabField($0.key, $0.value) })
        do throws(LabError) {
            _ = try LabArguments(LabOrder(source, options: []), Self.settings)
            #expect(wrong == nil)
        } catch {
            #expect(error.field == wrong, "\(error.message)")
        }
    }

    @Test("the options of the whole lab are in the command, if they concern the source")
    func settings() throws {
        let settings = LabSettings(creatives: "my creatives", isSandboxed: false)
        let options = [LabField("device", "tv"), LabField("no-beacons", "")]
        #expect(
            try self.command(.bundled("leaf"), options, settings)
                == "yabbi-play show --unit leaf --device=tv --no-beacons --stage chromium --no-sandbox "
                + "--creatives 'my creatives'"
        )
        let placement = LabOrder.Source.placement(
            provider: "activeads",
            fields: [LabField("endpoint", "https://a.example/"), LabField("format", "card")]
        )
        #expect(
            try self.command(placement, options, settings)
                == "yabbi-play show --provider activeads --endpoint=https://a.example/ --set format=card "
                + "--device=tv --no-beacons --stage chromium --no-sandbox"
        )
        let builtIn = LabOrder.Source.placement(provider: "yabbi", fields: [LabField("unit", "leaf")])
        #expect(
            try self.command(builtIn, options, settings)
                == "yabbi-play show --provider yabbi --unit=leaf --device=tv --no-beacons --stage chromium "
                + "--no-sandbox --creatives 'my creatives'"
        )
    }
}
