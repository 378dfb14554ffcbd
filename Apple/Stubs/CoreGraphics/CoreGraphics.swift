@_exported import CoreFoundation

/// https://developer.apple.com/documentation/coregraphics/cgcolor
public class CGColor {}

/// https://developer.apple.com/documentation/coregraphics/cgimage
public class CGImage {
    /// https://developer.apple.com/documentation/coregraphics/cgimage/width
    public var width: Int { get }

    /// https://developer.apple.com/documentation/coregraphics/cgimage/height
    public var height: Int { get }
}
