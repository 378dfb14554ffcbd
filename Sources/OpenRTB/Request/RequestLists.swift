// The enumerated lists of a bid request. Since version 2.6 they are those of AdCOM 1.0 (OpenRTB 2.6 §5). A value that
// AdCOM calls unknown is no case: it is nil, and left out.

/// The types of banners that can be blocked (`btype`, OpenRTB 2.6 §3.2.6).
package enum BannerType: Int, Hashable, Sendable, CaseIterable {
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
package enum ExpandableDirection: Int, Hashable, Sendable, CaseIterable {
    case left = 1
    case right = 2
    case up = 3
    case down = 4
    case fullScreen = 5
    /// Smaller than before.
    case resize = 6
}

/// The interfaces between a creative and what displays it (`api`; AdCOM 1.0, API Frameworks).
package enum APIFramework: Int, Hashable, Sendable, CaseIterable {
    case vpaid1 = 1
    case vpaid2 = 2
    case mraid1 = 3
    case ormma = 4
    case mraid2 = 5
    case mraid3 = 6
    case omid1 = 7
    case simid10 = 8
    case simid11 = 9
}

/// The positions of an ad on the screen (`pos`; AdCOM 1.0, Placement Positions).
package enum PlacementPosition: Int, Hashable, Sendable, CaseIterable {
    case aboveTheFold = 1
    /// At a fixed position.
    case locked = 2
    case belowTheFold = 3
    case header = 4
    case footer = 5
    case sidebar = 6
    case fullScreen = 7
    case partialScreen = 8
    case topLeft = 9
    case topRight = 10
    /// Around the content.
    case frame = 11
    case doubleBox = 12
    case doubleBoxWithBackground = 13
    case bottomLeft = 14
    case bottomRight = 15
    case lShape = 16
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
