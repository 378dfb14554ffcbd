package import AdCore
package import WebStage

/// The device that a run simulates: one identity for the tag's fetch, the browser and the beacons.
package struct SimulatedDevice: Hashable, Sendable {
    /// The name in `--device`.
    package let name: String
    /// The name on pages.
    package let title: String
    /// The size of its screen, in points.
    package let screen: Size
    /// Pixels for each point.
    package let scale: Double
    package let userAgent: String
    /// The value of `navigator.platform`.
    let navigatorPlatform: String
    /// The platform of the client hints; nil for a browser that sends none.
    let platform: String?
    let model: String
    let isMobile: Bool
    package let hasTouch: Bool
    /// The operating system in ad requests.
    let os: String

    /// The devices, in the order of help and of the lab.
    package static let all = [iPhone, android, iPad, desktop, tv]

    /// Common devices of 2025, with the User-Agent that their browsers send: Chrome's contains no model, and only the
    /// major version.
    package static let iPhone = SimulatedDevice(
        name: "iphone",
        title: "iPhone, 390x844",
        screen: Size(width: 390, height: 844),
        scale: 3,
        userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            + "Version/18.5 Mobile/15E148 Safari/604.1",
        navigatorPlatform: "iPhone",
        platform: nil,
        model: "iPhone",
        isMobile: true,
        hasTouch: true,
        os: "iOS"
    )
    package static let android = SimulatedDevice(
        name: "android",
        title: "Android phone, 412x915",
        screen: Size(width: 412, height: 915),
        scale: 2.625,
        userAgent: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
            + "Mobile Safari/537.36",
        navigatorPlatform: "Linux armv81",
        platform: "Android",
        model: "Pixel 9",
        isMobile: true,
        hasTouch: true,
        os: "Android"
    )
    package static let iPad = SimulatedDevice(
        name: "ipad",
        title: "iPad, 820x1180",
        screen: Size(width: 820, height: 1180),
        scale: 2,
        userAgent: "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            + "Version/18.5 Mobile/15E148 Safari/604.1",
        navigatorPlatform: "iPad",
        platform: nil,
        model: "iPad",
        isMobile: true,
        hasTouch: true,
        os: "iOS"
    )
    package static let desktop = SimulatedDevice(
        name: "desktop",
        title: "Desktop, 1280x800",
        screen: Size(width: 1280, height: 800),
        scale: 1,
        userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
            + "Safari/537.36",
        navigatorPlatform: "Win32",
        platform: "Windows",
        model: "",
        isMobile: false,
        hasTouch: false,
        os: "Windows"
    )
    package static let tv = SimulatedDevice(
        name: "tv",
        title: "TV, 1920x1080",
        screen: Size(width: 1920, height: 1080),
        scale: 1,
        userAgent: "Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "SamsungBrowser/6.0 Chrome/108.0.5359.1 TV Safari/537.36",
        navigatorPlatform: "Linux armv7l",
        platform: "Tizen",
        model: "",
        isMobile: false,
        hasTouch: false,
        os: "Tizen"
    )

    /// What the engine simulates, with another User-Agent, a language and a time zone if they are given.
    package func engineDevice(userAgent: String?, locale: String?, timeZone: String?) -> EngineDevice {
        var device = EngineDevice(userAgent: userAgent ?? self.userAgent)
        // The platform and the hints of another browser would contradict its User-Agent.
        device.navigatorPlatform = userAgent == nil ? self.navigatorPlatform : nil
        device.platform = userAgent == nil ? self.platform : nil
        device.model = self.model
        device.isMobile = self.isMobile
        device.hasTouch = self.hasTouch
        device.locale = locale
        device.timeZone = timeZone
        return device
    }

    /// The device in ad requests.
    package func contextDevice(locale: String?) -> AdContext.Device {
        var device = AdContext.Device()
        device.os = self.os
        device.model = self.model.isEmpty ? nil : self.model
        device.width = Int((self.screen.width * self.scale).rounded())
        device.height = Int((self.screen.height * self.scale).rounded())
        device.pixelRatio = self.scale
        device.language = locale
        return device
    }
}
