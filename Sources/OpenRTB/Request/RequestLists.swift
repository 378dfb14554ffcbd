// The enumerated lists of a bid request. Since version 2.6 they are those of AdCOM 1.0 (OpenRTB 2.6 §5). A value that
// AdCOM calls unknown is no case: it is nil, and left out.

/// The types of banners that can be blocked (`btype`, OpenRTB 2.6 §3.2.6).
public enum BannerType: Int, Hashable, Sendable, CaseIterable {
    /// Text in XHTML.
    case text = 1
    /// A banner in XHTML, usually with an image.
    case banner = 2
    /// A script.
    case script = 3
    /// A frame.
    case frame = 4
}

/// The directions in which a banner may expand (`expdir`; AdCOM 1.0, Expandable Directions).
public enum ExpandableDirection: Int, Hashable, Sendable, CaseIterable {
    /// To the left.
    case left = 1
    /// To the right.
    case right = 2
    /// Up.
    case up = 3
    /// Down.
    case down = 4
    /// Over the whole screen.
    case fullScreen = 5
    /// Smaller than before.
    case resize = 6
}

/// The interfaces between a creative and what displays it (`api`; AdCOM 1.0, API Frameworks).
public enum APIFramework: Int, Hashable, Sendable, CaseIterable {
    /// VPAID 1.0.
    case vpaid1 = 1
    /// VPAID 2.0.
    case vpaid2 = 2
    /// MRAID 1.0.
    case mraid1 = 3
    /// ORMMA.
    case ormma = 4
    /// MRAID 2.0.
    case mraid2 = 5
    /// MRAID 3.0.
    case mraid3 = 6
    /// OMID 1.0.
    case omid1 = 7
    /// SIMID 1.0.
    case simid10 = 8
    /// SIMID 1.1.
    case simid11 = 9
}

/// The positions of an ad on the screen (`pos`; AdCOM 1.0, Placement Positions).
public enum PlacementPosition: Int, Hashable, Sendable, CaseIterable {
    /// Visible without scrolling.
    case aboveTheFold = 1
    /// At a fixed position.
    case locked = 2
    /// Visible after scrolling.
    case belowTheFold = 3
    /// In the header.
    case header = 4
    /// In the footer.
    case footer = 5
    /// In a sidebar.
    case sidebar = 6
    /// Over the whole screen.
    case fullScreen = 7
    /// Over a part of the screen.
    case partialScreen = 8
    /// At the top left.
    case topLeft = 9
    /// At the top right.
    case topRight = 10
    /// Around the content.
    case frame = 11
    /// Beside the content, in a box as large.
    case doubleBox = 12
    /// As ``doubleBox``, with a background that is an ad as well.
    case doubleBoxWithBackground = 13
    /// At the bottom left.
    case bottomLeft = 14
    /// At the bottom right.
    case bottomRight = 15
    /// Along two sides of the content.
    case lShape = 16
    /// Along the two other sides of the content.
    case reversedLShape = 17
}

/// The types of devices (`devicetype`; AdCOM 1.0, Device Types).
package enum DeviceType: Int, Hashable, Sendable, CaseIterable {
    /// A phone or a tablet, whichever it is.
    case mobile = 1
    case personalComputer = 2
    case connectedTV = 3
    case phone = 4
    case tablet = 5
    case connectedDevice = 6
    case setTopBox = 7
    case outOfHome = 8
}

/// The types of a device's network connection (`connectiontype`; AdCOM 1.0, Connection Types).
package enum ConnectionType: Int, Hashable, Sendable, CaseIterable {
    case ethernet = 1
    case wifi = 2
    /// A mobile network of an unknown generation.
    case cellular = 3
    case cellular2G = 4
    case cellular3G = 5
    case cellular4G = 6
    case cellular5G = 7
}

/// How a location was found (`geo.type`; AdCOM 1.0, Location Types).
package enum LocationType: Int, Hashable, Sendable, CaseIterable {
    /// By the device's location services.
    case locationServices = 1
    case ipAddress = 2
    /// From what the user said, such as in a registration.
    case userProvided = 3
}

/// The taxonomies of categories (`cattax`; AdCOM 1.0, Category Taxonomies) that describe content.
package enum CategoryTaxonomy: Int, Hashable, Sendable, CaseIterable {
    /// Content Category Taxonomy 1.0, the default of OpenRTB.
    case content10 = 1
    case content20 = 2
    case content21 = 5
    case content22 = 6
    case content30 = 7
    case content31 = 9
}
