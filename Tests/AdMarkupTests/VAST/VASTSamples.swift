/// VAST documents written for these tests.
enum VASTSamples {
    /// An inline ad of VAST 4.x with every element.
    static let whole = """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Error><![CDATA[https://e.example/none?c=[ERRORCODE]]]></Error>
          <Ad id="a-1" sequence="1" adType="video" conditionalAd="false">
            <InLine>
              <AdSystem version="2.1">Example Server</AdSystem>
              <AdTitle>Three teas</AdTitle>
              <AdServingId>s-77</AdServingId>
              <Impression id="i-1"><![CDATA[ https://t.example/i?ts=[TIMESTAMP]&x=1 ]]></Impression>
              <Impression>https://t.example/i2</Impression>
              <Category authority="https://c.example/list">IAB8-1</Category>
              <Description>Tea for long evenings</Description>
              <Advertiser id="adv-9">Tea House</Advertiser>
              <Pricing model="cpm" currency="EUR"><![CDATA[ 25.5 ]]></Pricing>
              <Survey type="text/javascript">https://s.example/ask</Survey>
              <Error>https://e.example/ad?c=[ERRORCODE]</Error>
              <Expires>3600</Expires>
              <ViewableImpression id="v-1">
                <Viewable>https://v.example/yes</Viewable>
                <NotViewable>https://v.example/no</NotViewable>
                <ViewUndetermined>https://v.example/maybe</ViewUndetermined>
              </ViewableImpression>
              <AdVerifications>
                <Verification vendor="company.example-omid">
                  <JavaScriptResource apiFramework="omid" browserOptional="true">https://m.example/omid.js</JavaScriptResource>
                  <ExecutableResource apiFramework="x" type="app">https://m.example/bin</ExecutableResource>
                  <TrackingEvents><Tracking event="verificationNotExecuted">https://m.example/not?r=[REASON]</Tracking></TrackingEvents>
                  <VerificationParameters><![CDATA[{"a": "<b>"}]]></VerificationParameters>
                </Verification>
              </AdVerifications>
              <Extensions>
                <Extension type="waterfall" fallback="1"><Level name="one">first <b>bold</b> last</Level></Extension>
              </Extensions>
              <Creatives>
                <Creative id="c-1" sequence="1" adId="ad-1" apiFramework="SIMID">
                  <UniversalAdId idRegistry="ad-id.org">CNPA0484000H</UniversalAdId>
                  <UniversalAdId idRegistry="other.example" idValue="77"/>
                  <CreativeExtensions><CreativeExtension type="x">kept</CreativeExtension></CreativeExtensions>
                  <Linear skipoffset="00:00:05.250">
                    <Duration>00:00:30</Duration>
                    <AdParameters><![CDATA[a=1&b=2]]></AdParameters>
                    <MediaFiles>
                      <Mezzanine id="z" delivery="progressive" type="video/mp4" width="1920" height="1080" codec="h264">https://m.example/z.mp4</Mezzanine>
                      <InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">https://m.example/s.html</InteractiveCreativeFile>
                      <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="en">https://m.example/c.vtt</ClosedCaptionFile></ClosedCaptionFiles>
                      <MediaFile id="m-1" delivery="progressive" type="video/mp4" width="640" height="360" bitrate="500" minBitrate="400" maxBitrate="600"
                        codec="avc1.42E01E" scalable="true" maintainAspectRatio="false" fileSize="123456" mediaType="2D"><![CDATA[https://m.example/v.mp4?a=1&b=2]]></MediaFile>
                      <MediaFile delivery="progressive" type="application/javascript" width="1" height="1" apiFramework="VPAID">https://m.example/vpaid.js</MediaFile>
                    </MediaFiles>
                    <VideoClicks>
                      <ClickThrough id="x">https://shop.example/teas</ClickThrough>
                      <ClickTracking>https://t.example/click</ClickTracking>
                      <CustomClick>https://t.example/custom</CustomClick>
                    </VideoClicks>
                    <TrackingEvents>
                      <Tracking event="start">https://t.example/start</Tracking>
                      <Tracking event="start">https://t.example/start2</Tracking>
                      <Tracking event="progress" offset="00:00:02.500">https://t.example/p1</Tracking>
                      <Tracking event="progress" offset="25%">https://t.example/p2</Tracking>
                    </TrackingEvents>
                    <Icons>
                      <Icon program="AdChoices" width="60" height="20" xPosition="left" yPosition="10" offset="00:00:01" duration="00:00:10" pxratio="2" altText="Choices" hoverText="Why this?">
                        <IconViewTracking>https://i.example/view</IconViewTracking>
                        <StaticResource creativeType="image/png">https://i.example/i.png</StaticResource>
                        <IconClicks>
                          <IconClickThrough>https://i.example/why</IconClickThrough>
                          <IconClickTracking>https://i.example/click</IconClickTracking>
                          <IconClickFallbackImages>
                            <IconClickFallbackImage width="300" height="200"><AltText>Why</AltText><StaticResource>https://i.example/f.png</StaticResource></IconClickFallbackImage>
                          </IconClickFallbackImages>
                        </IconClicks>
                      </Icon>
                    </Icons>
                  </Linear>
                </Creative>
                <Creative id="c-2">
                  <NonLinearAds>
                    <TrackingEvents><Tracking event="creativeView">https://t.example/nl</Tracking></TrackingEvents>
                    <NonLinear id="n-1" width="300" height="50" expandedWidth="600" expandedHeight="100" scalable="false" maintainAspectRatio="true" minSuggestedDuration="00:00:08">
                      <StaticResource creativeType="image/gif">https://n.example/n.gif</StaticResource>
                      <HTMLResource><![CDATA[<b>Tea</b>]]></HTMLResource>
                      <AdParameters>q=1</AdParameters>
                      <NonLinearClickThrough>https://shop.example/nl</NonLinearClickThrough>
                      <NonLinearClickTracking>https://t.example/nlc</NonLinearClickTracking>
                    </NonLinear>
                  </NonLinearAds>
                </Creative>
                <Creative id="c-3">
                  <CompanionAds required="any">
                    <Companion id="k-1" width="300" height="250" assetWidth="250" assetHeight="200" expandedWidth="600" expandedHeight="500" adSlotID="side" pxratio="1.5" renderingMode="end-card">
                      <IFrameResource>https://k.example/f.html</IFrameResource>
                      <AltText>Tea</AltText>
                      <CompanionClickThrough>https://shop.example/k</CompanionClickThrough>
                      <CompanionClickTracking id="1">https://t.example/kc</CompanionClickTracking>
                      <TrackingEvents><Tracking event="creativeView">https://t.example/kv</Tracking></TrackingEvents>
                    </Companion>
                  </CompanionAds>
                </Creative>
              </Creatives>
            </InLine>
          </Ad>
        </VAST>
        """

    /// A wrapper with every element.
    static let wrapper = """
        <VAST version="3.0"><Ad id="w"><Wrapper followAdditionalWrappers="false" allowMultipleAds="1" fallbackOnNoAd="true">
        <AdSystem>W</AdSystem><VASTAdTagURI><![CDATA[https://next.example/?a=1&b=[CACHEBUSTING]]]></VASTAdTagURI>
        <BlockedAdCategories authority="https://c.example">IAB7</BlockedAdCategories>
        <Impression>https://w.example/i</Impression><Error>https://w.example/e</Error>
        <Creatives><Creative><Linear><TrackingEvents><Tracking event="complete">https://w.example/c</Tracking></TrackingEvents>
        <VideoClicks><ClickTracking>https://w.example/ct</ClickTracking></VideoClicks></Linear></Creative></Creatives>
        </Wrapper></Ad></VAST>
        """

    /// A linear ad with additional elements.
    static func linear(_ inside: String, attributes: String = "", ad: String = "") -> String {
        """
        <VAST version="3.0"><Ad \(ad)><InLine><AdSystem>S</AdSystem><AdTitle>T</AdTitle><Impression>https://i.example/</Impression>
        <Creatives><Creative><Linear \(attributes)>\(inside)</Linear></Creative></Creatives></InLine></Ad></VAST>
        """
    }
}
