import AdCore
import Testing

@Suite("Links to the App Store")
struct StoreProductTests {
    private func product(_ link: String, signedFor app: Int? = nil) throws -> StoreProduct? {
        let impression = app.map { app in
            SKAdNetworkImpression(
                version: "4.0",
                network: "a.skadnetwork",
                campaign: .source(4),
                advertisedApp: app,
                sourceApp: 2,
                nonce: "n",
                timestamp: 3,
                signature: "s"
            )
        }
        let attribution = InstallAttribution(nil, nil, storePage: impression)
        return StoreProduct(try #require(ClickThroughURL(link)), signed: attribution)
    }

    @Test(
        "an app's page is recognized in each way of writing its address",
        arguments: [
            "https://apps.apple.com/us/app/frondolo/id880047117", "https://apps.apple.com/app/id880047117",
            "http://itunes.apple.com/app/id880047117?mt=8", "itms-apps://itunes.apple.com/app/id880047117",
            "https://geo.itunes.apple.com/us/app/id880047117#reviews", "itms-appss://apps.apple.com/app/id880047117/",
        ]
    )
    func app(link: String) throws { #expect(try self.product(link)?.app == 880_047_117) }

    @Test(
        "other pages, hosts and schemes are not",
        arguments: [
            "https://apps.apple.com/us/developer/frondolo/id880047117", "https://apps.apple.com/story/id880047117",
            "https://music.apple.com/us/album/app/id880047117", "https://apps.apple.com.example/app/id880047117",
            "https://tracker.example/?to=https://apps.apple.com/app/id880047117", "https://apps.apple.com/app/id0",
            "https://apps.apple.com/app/idx", "https://apps.apple.com/app/id", "https://apps.apple.com/",
            "frondolo://apps.apple.com/app/id880047117", "https://apps.apple.com/id880047117",
        ]
    )
    func other(link: String) throws { #expect(try self.product(link) == nil) }

    @Test("what a link adds for its advertiser is kept")
    func tokens() throws {
        let product = try self.product("https://apps.apple.com/app/id1?pt=9&ct=spring%20sale&mt=8&at=&ppid=a-b")
        #expect(product?.tokens == [.provider: "9", .campaign: "spring sale", .productPage: "a-b"])
    }

    @Test("a signature counts for its own app only")
    func signature() throws {
        #expect(try self.product("https://apps.apple.com/app/id7", signedFor: 7)?.impression?.signature == "s")
        let other = try self.product("https://apps.apple.com/app/id8", signedFor: 7)
        #expect(other?.app == 8 && other?.impression == nil)
    }
}
