import AdCore
import AdMarkup
import Testing

@Suite("The trackers that a VAST document names")
struct NamedTrackerTests {
    @Test("those of a VMAP are of its breaks, and of the documents in it; other texts have none")
    func vmap() {
        let text = """
            <vmap:VMAP xmlns:vmap='http://www.iab.net/videosuite/vmap' version='1.0'>
            <vmap:AdBreak timeOffset='start' breakType='linear'><vmap:AdSource><vmap:VASTAdData><VAST version='3.0'><Ad>
            <InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle><Impression>https://t.example/i</Impression><Creatives/>
            </InLine></Ad></VAST></vmap:VASTAdData></vmap:AdSource>
            <vmap:TrackingEvents><vmap:Tracking event='breakStart'>https://t.example/s</vmap:Tracking>
            </vmap:TrackingEvents></vmap:AdBreak></vmap:VMAP>
            """
        #expect(NamedTracker.all(in: Array(text.utf8)).map(\.event) == ["breakStart", "impression"])
        for other in ["<p>https://t.example/i</p>", "{}", "", "<VAST"] {
            #expect(NamedTracker.all(in: Array(other.utf8)).isEmpty)
        }
    }

    @Test("every element with a tracker is listed, in the order of the specification")
    func all() throws {
        func tracked(_ event: String) -> String {
            "<TrackingEvents><Tracking event='\(event)'>https://t.example/\(event)</Tracking></TrackingEvents>"
        }
        func element(_ name: String) -> String { "<\(name)>https://t.example/\(name)</\(name)>" }
        let linear = """
            <Linear><Duration>00:00:10</Duration>\(tracked("start"))
            <VideoClicks>\(element("ClickThrough"))\(element("ClickTracking"))\(element("CustomClick"))</VideoClicks>
            <Icons><Icon program='AdChoices'>\(element("IconViewTracking"))
            <IconClicks>\(element("IconClickTracking"))</IconClicks></Icon></Icons></Linear>
            """
        let nonLinear = """
            <NonLinearAds><NonLinear width='1' height='1'>\(element("NonLinearClickTracking"))</NonLinear>
            \(tracked("acceptInvitation"))</NonLinearAds>
            """
        let companion = """
            <CompanionAds><Companion width='1' height='1'>\(element("CompanionClickTracking"))\(tracked("creativeView"))
            </Companion></CompanionAds>
            """
        let creatives = [linear, nonLinear, companion].map { "<Creative>\($0)</Creative>" }.joined()
        let document = try VASTDocument(
            parsing: """
                <VAST version='4.2'><Error>https://t.example/none</Error><Ad><InLine><AdSystem>a</AdSystem>
                <AdTitle>b</AdTitle>\(element("Impression"))\(element("Error"))
                <ViewableImpression>\(element("Viewable"))\(element("NotViewable"))\(element("ViewUndetermined"))
                </ViewableImpression><AdVerifications><Verification vendor='v'>\(tracked("verificationNotExecuted"))
                </Verification></AdVerifications><Creatives>\(creatives)</Creatives></InLine></Ad></VAST>
                """
        )
        #expect(
            document.trackers.map { "\($0.event) \($0.url.text.split(separator: "/").last ?? "")" } == [
                "error none", "impression Impression", "viewable Viewable", "notViewable NotViewable",
                "viewUndetermined ViewUndetermined", "error Error", "start start", "clickTracking ClickTracking",
                "customClick CustomClick", "iconView IconViewTracking", "iconClick IconClickTracking",
                "acceptInvitation acceptInvitation", "clickTracking NonLinearClickTracking",
                "creativeView creativeView", "companionClick CompanionClickTracking",
                "verificationNotExecuted verificationNotExecuted",
            ]
        )
    }
}
