import AdCore
import Testing

@testable import AppleHost

@Suite("The signals of Apple's systems")
struct HostStateTests {
    private func signals(_ inputs: [HostStateMachine.Input]) -> [HostSignal] {
        var machine = HostStateMachine()
        return inputs.flatMap { machine.handle($0) }
    }

    @Test("an app that starts in front says nothing, and one in the background says so")
    func start() {
        #expect(self.signals([.activity(.active)]) == [])
        #expect(self.signals([.activity(.background)]) == [.background(true)])
    }

    @Test("an ad is hidden without a gap on the way to the background and back")
    func way() {
        let way: [HostActivity] = [.inactive, .background, .background, .inactive, .active]
        #expect(
            self.signals(way.map { .activity($0) }) == [
                .covered(true), .background(true), .covered(false), .covered(true), .background(false), .covered(false),
            ]
        )
    }

    @Test("what the app covers stays covered under an alert of the system, and after it")
    func covered() {
        #expect(
            self.signals([.posted(.covered(true)), .activity(.inactive), .activity(.active), .posted(.covered(false))])
                == [.covered(true), .covered(false)]
        )
        #expect(
            self.signals([.activity(.inactive), .posted(.covered(true)), .posted(.covered(false)), .activity(.active)])
                == [.covered(true), .covered(false)]
        )
    }

    @Test("what only the system knows is not taken from the app, and the rest is passed on")
    func posted() {
        #expect(
            self.signals([.posted(.background(true)), .posted(.network(.offline)), .posted(.volume(30))])
                == [.volume(30)]
        )
    }

    @Test(
        "the kind of network",
        arguments: [
            (NetworkPath(isUsable: true, usesCellular: false, usesLocalNetwork: true, isExpensive: false), "wifi"),
            (NetworkPath(isUsable: true, usesCellular: false, usesLocalNetwork: true, isExpensive: true), "wifi"),
            (NetworkPath(isUsable: true, usesCellular: true, usesLocalNetwork: true, isExpensive: true), "cellular"),
            (NetworkPath(isUsable: true, usesCellular: false, usesLocalNetwork: false, isExpensive: true), "cellular"),
            (NetworkPath(isUsable: true, usesCellular: false, usesLocalNetwork: false, isExpensive: false), "wifi"),
            (NetworkPath(isUsable: false, usesCellular: true, usesLocalNetwork: true, isExpensive: true), "offline"),
        ]
    )
    func network(path: NetworkPath, kind: String) {
        #expect(path.kind.rawValue == kind)
        #expect(self.signals([.path(path), .path(path)]) == [.network(path.kind)])
    }

    @Test("the device has what the system says, and the app's own values before it")
    func device() {
        let system = AppleDevice(
            systemName: "iOS",
            systemVersion: "18.1",
            model: "iPhone",
            screen: Size(width: 393, height: 852),
            scale: 3,
            languages: ["de-BG", "en"]
        )
        let device = system.completing(AdContext.Device())
        #expect(device.os == "iOS" && device.osVersion == "18.1" && device.make == "Apple" && device.model == "iPhone")
        #expect(device.width == 1179 && device.height == 2556 && device.pixelRatio == 3 && device.language == "de-BG")
        var known = AdContext.Device()
        known.language = "bg"
        known.width = 100
        #expect(system.completing(known).language == "bg" && system.completing(known).width == 100)
        #expect(system.completing(known).height == nil)
    }
}
