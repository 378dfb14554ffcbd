import AdHTML
import AdMarkup

extension VASTSchema {
    /// The elements of VAST 2.0 to 4.3 (VAST 4.3 §5) and of VMAP 1.0.1.
    ///
    /// `Wrapper/Linear` is a `Linear` within a wrapper. Where a specification and its schema contradict each other, the
    /// table follows the one that allows more.
    static let table = """
        VAST: Ad* Error*@3.0 | version
        Ad: InLine Wrapper | id sequence@3.0 conditionalAd@4.0 adType@4.1
        InLine: AdSystem AdTitle AdServingId@4.1 Impression* Category*@4.0 Description Advertiser@3.0 Pricing@3.0 Survey* Error* Expires@4.1 ViewableImpression*@4.0 AdVerifications@4.0 Extensions Creatives
        Wrapper: AdSystem AdServingId@4.1 VASTAdTagURI VASTAdTagURL Impression* Pricing@3.0 Error* ViewableImpression*@4.0 AdVerifications@4.0 BlockedAdCategories*@4.1 Extensions Creatives | followAdditionalWrappers@3.0 allowMultipleAds@3.0 fallbackOnNoAd@3.0
        VASTAdTagURL: URL
        AdSystem: | version
        AdTitle:
        AdServingId:
        VASTAdTagURI:
        Impression: | id
        Category: | authority
        BlockedAdCategories: | authority
        Description:
        Advertiser: | id
        Pricing: | model currency
        Survey: | type
        Error:
        Expires:
        ViewableImpression: Viewable* NotViewable* ViewUndetermined* | id
        Viewable:
        NotViewable:
        ViewUndetermined:
        AdVerifications: Verification*
        Verification: JavaScriptResource* ExecutableResource*@4.1 FlashResource*@4.0<4.1 TrackingEvents@4.1 VerificationParameters@4.1 ViewableImpression@4.0 | vendor
        JavaScriptResource: | apiFramework browserOptional type
        ExecutableResource: | apiFramework type language
        FlashResource: | apiFramework
        Extensions: Extension*
        Creatives: Creative*
        Creative: UniversalAdId*@4.0 CreativeExtensions@3.0 Linear NonLinearAds CompanionAds | id sequence adId AdID adID apiFramework
        UniversalAdId: | idRegistry idValue
        CreativeExtensions: CreativeExtension*
        Linear: Duration AdParameters MediaFiles VideoClicks TrackingEvents Icons@3.0 CreativeExtensions@3.0 | skipoffset@3.0
        Wrapper/Linear: MediaFiles InteractiveCreativeFile*@4.1 VideoClicks TrackingEvents Icons@3.0 CreativeExtensions@3.0 | skipoffset@3.0
        Duration:
        AdParameters: | xmlEncoded
        MediaFiles: MediaFile* Mezzanine*@4.0 InteractiveCreativeFile*@4.0 ClosedCaptionFiles@4.1
        MediaFile: | id delivery type width height codec@3.0 bitrate minBitrate@3.0 maxBitrate@3.0 scalable maintainAspectRatio apiFramework fileSize@4.1 mediaType@4.1 label mute
        Mezzanine: | id delivery type width height codec fileSize mediaType bitrate minBitrate maxBitrate scalable maintainAspectRatio
        InteractiveCreativeFile: | type apiFramework variableDuration id
        ClosedCaptionFiles: ClosedCaptionFile*
        ClosedCaptionFile: | type language
        VideoClicks: ClickThrough ClickTracking* CustomClick* | id
        ClickThrough: | id
        ClickTracking: | id
        CustomClick: | id
        TrackingEvents: Tracking*
        Tracking: | event offset@3.0
        Icons: Icon*
        Icon: StaticResource* IFrameResource* HTMLResource* IconClicks IconViewTracking* | program width height xPosition yPosition duration offset apiFramework pxratio@4.0 altText hoverText
        IconClicks: IconClickThrough IconClickTracking* IconClickFallbackImages@4.2
        IconClickThrough:
        IconClickTracking: | id
        IconClickFallbackImages: IconClickFallbackImage*
        IconClickFallbackImage: AltText StaticResource | width height
        IconViewTracking:
        StaticResource: | creativeType
        IFrameResource:
        HTMLResource: | xmlEncoded
        NonLinearAds: NonLinear* TrackingEvents
        NonLinear: StaticResource* IFrameResource* HTMLResource* AdParameters NonLinearClickThrough NonLinearClickTracking* CreativeExtensions@3.0 | id width height expandedWidth expandedHeight scalable maintainAspectRatio minSuggestedDuration apiFramework
        NonLinearClickThrough: | id
        NonLinearClickTracking: | id
        CompanionAds: Companion* | required@3.0
        Companion: StaticResource* IFrameResource* HTMLResource* AdParameters AltText CompanionClickThrough CompanionClickTracking*@3.0 TrackingEvents CreativeExtensions@3.0 | id width height assetWidth@3.0 assetHeight@3.0 expandedWidth expandedHeight apiFramework adSlotID@3.0 adSlotId@3.0 pxratio@4.0 renderingMode@4.1
        CompanionClickThrough: | id
        CompanionClickTracking: | id
        AltText:
        VMAP: AdBreak* Extensions | version
        AdBreak: AdSource TrackingEvents Extensions | timeOffset breakType breakId repeatAfter
        AdSource: VASTAdData VASTData AdTagURI CustomAdData | id allowMultipleAds followRedirects
        VASTAdData: VAST
        VASTData: VAST
        AdTagURI: | templateType
        CustomAdData: | templateType
        """
}
