import AdCore
import WebStage

// The simulated device, its network and its keyboard.

extension DevToolsTranslator {
    /// The commands that simulate the page's device and network in a new target.
    func emulation(of target: EngineTarget) -> [DevToolsCommand] {
        (self.device.map { DevToolsTranslator.emulation($0, in: target) } ?? [])
            + (self.network.map { [DevToolsTranslator.throttling($0, in: target)] } ?? [])
    }

    /// The commands that simulate a device in a target; a target that has no such domain ignores one.
    static func emulation(_ device: EngineDevice, in target: EngineTarget) -> [DevToolsCommand] {
        var commands = [
            DevToolsCommand(
                "Emulation.setTouchEmulationEnabled",
                ["enabled": .bool(device.hasTouch), "maxTouchPoints": 5],
                in: target
            ),
            DevToolsTranslator.identity(device, in: target),
        ]
        if let locale = device.locale {
            // The protocol expects ICU's form of a locale.
            let name = locale.replacing("-", with: "_")
            commands.append(DevToolsCommand("Emulation.setLocaleOverride", ["locale": .string(name)], in: target))
        }
        if let zone = device.timeZone {
            commands.append(DevToolsCommand("Emulation.setTimezoneOverride", ["timezoneId": .string(zone)], in: target))
        }
        return commands
    }

    /// The command that sets a page's User-Agent, with the rest of the identity that the protocol sets together.
    static func identity(_ device: EngineDevice, in target: EngineTarget) -> DevToolsCommand {
        var members: [AdJSON.Member] = [.init("userAgent", .string(device.userAgent))]
        if let locale = device.locale { members.append(.init("acceptLanguage", .string(locale))) }
        if let platform = device.navigatorPlatform { members.append(.init("platform", .string(platform))) }
        members += DevToolsTranslator.hints(device)
        return DevToolsCommand("Emulation.setUserAgentOverride", .object(members), in: target)
    }

    /// The client hints; none for a browser that sends none.
    private static func hints(_ device: EngineDevice) -> [AdJSON.Member] {
        guard let platform = device.platform else { return [] }
        let version = DevToolsTranslator.chromeVersion(in: device.userAgent) ?? "140"
        let metadata: AdJSON = [
            "brands": [
                ["brand": "Chromium", "version": .string(version)], ["brand": "Not=A?Brand", "version": "24"],
            ],
            "platform": .string(platform), "platformVersion": "", "architecture": "", "model": .string(device.model),
            "mobile": .bool(device.isMobile),
        ]
        return [.init("userAgentMetadata", metadata)]
    }

    /// The major version in `Chrome/140.0.0.0`.
    private static func chromeVersion(in userAgent: String) -> String? {
        guard let name = userAgent.firstRange(of: "Chrome/") else { return nil }
        let digits = userAgent[name.upperBound...].prefix { $0.isASCII && $0.isNumber }
        return digits.isEmpty ? nil : String(digits)
    }

    static func throttling(_ network: EngineNetwork?, in target: EngineTarget) -> DevToolsCommand {
        func limit(_ bytes: Int?) -> AdJSON { .int(bytes ?? -1) }
        let params: AdJSON = [
            "offline": .bool(network?.isOffline ?? false),
            "latency": .int((network?.latency ?? .zero).wholeMilliseconds),
            "downloadThroughput": limit(network?.download), "uploadThroughput": limit(network?.upload),
        ]
        return DevToolsCommand("Network.emulateNetworkConditions", params, in: target)
    }

    static func key(_ key: EngineKey, in target: EngineTarget) -> DevToolsCommand {
        var members: [AdJSON.Member] = [
            .init("type", key.isDown ? (key.text.isEmpty ? "rawKeyDown" : "keyDown") : "keyUp"),
            .init("key", .string(key.key)), .init("code", .string(key.code)), .init("modifiers", .int(key.modifiers)),
            .init("windowsVirtualKeyCode", .int(DevToolsTranslator.virtualCode(of: key))),
        ]
        if key.isDown, !key.text.isEmpty { members.append(.init("text", .string(key.text))) }
        return DevToolsCommand("Input.dispatchKeyEvent", .object(members), in: target)
    }

    /// The legacy `keyCode` (W3C UI Events, "Legacy Key & Mouse Event Attributes"), without which the engine does not
    /// act on keys such as Enter; 0 for others.
    private static func virtualCode(of key: EngineKey) -> Int {
        let named = [
            "Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35,
            "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
        ]
        if let code = named[key.key] { return code }
        guard key.key.utf8.count == 1, let byte = key.key.utf8.first else { return 0 }
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        return Int(isLower ? byte - 32 : byte)
    }
}
