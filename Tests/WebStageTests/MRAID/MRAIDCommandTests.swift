import AdCore
import Testing

@testable import WebStage

@Suite("MRAID commands")
struct MRAIDCommandTests {
    private static func read(_ text: String) throws -> MRAIDCall? { MRAIDCall(try AdJSON(parsing: text)) }

    @Test(
        "a message without a valid number and name is not a command",
        arguments: [
            "{}", "[]", "null", "1", "\"close\"", #"{"c":"close"}"#, #"{"n":1}"#, #"{"n":1,"c":""}"#,
            #"{"n":1,"c":null}"#, #"{"n":1,"c":["close"]}"#, #"{"n":"1","c":"close"}"#, #"{"n":0,"c":"close"}"#,
            #"{"n":-1,"c":"close"}"#, #"{"n":1.5,"c":"close"}"#, #"{"n":1e300,"c":"close"}"#,
            #"{"n":true,"c":"close"}"#, #"{"n":{},"c":"close"}"#,
        ]
    )
    func noCommand(text: String) throws { #expect(try Self.read(text) == nil) }

    @Test("every method is parsed", arguments: MRAIDMethod.allCases)
    func methods(method: MRAIDMethod) throws {
        let call = try #require(MRAIDCall(MRAIDSamples.message(method, 7)))
        #expect(call.number == 7 && call.name == method.rawValue)
        _ = try call.command.get()
    }

    @Test(
        "an unknown method is refused",
        arguments: ["opne", "Close", "__proto__", "getState", String(repeating: "x", count: 9_000)]
    )
    func unknown(name: String) throws {
        let call = try #require(MRAIDCall(["n": 1, "c": .string(name)]))
        #expect(call.name.count <= 60 && call.name.hasPrefix(name.prefix(8)))
        #expect(call.command == .failure(MRAIDError("unknown method")))
    }

    @Test(
        "an invalid argument is refused with its name",
        arguments: [
            (#""c":"open""#, "url is missing"), (#""c":"open","url":"""#, "url is missing"),
            (#""c":"open","url":null"#, "url must be a string"), (#""c":"open","url":7"#, "url must be a string"),
            (#""c":"open","url":["https://a.example/"]"#, "url must be a string"),
            (#""c":"expand","url":"javascript:alert(1)""#, "url must be http or https"),
            (#""c":"expand","url":"data:text/html,x""#, "url must be http or https"),
            (#""c":"expand","url":"file:///etc/passwd""#, "url must be http or https"),
            (#""c":"expand","url":"page.html""#, "url must be http or https"),
            (#""c":"expand","url":{}"#, "url must be a string"),
            (#""c":"setExpandProperties","width":"wide""#, "width must be a finite number"),
            (#""c":"setExpandProperties","height":-1"#, "height must be at least 0"),
            (#""c":"setExpandProperties","height":1e400"#, "height must be a finite number"),
            (#""c":"setOrientationProperties","forceOrientation":"upwards""#, "portrait, landscape or none"),
            (#""c":"setOrientationProperties","forceOrientation":null"#, "portrait, landscape or none"),
            (#""c":"setOrientationProperties","allowOrientationChange":"false""#, "true or false"),
            (#""c":"setOrientationProperties","allowOrientationChange":0"#, "true or false"),
            (#""c":"setResizeProperties""#, "width is missing"),
            (#""c":"setResizeProperties","width":100,"height":100,"offsetX":0"#, "offsetY is missing"),
            (#""c":"setResizeProperties","width":49.9,"height":100,"offsetX":0,"offsetY":0"#, "at least 50"),
            (
                #""c":"setResizeProperties","width":100,"height":0,"offsetX":0,"offsetY":0"#,
                "height must be at least 50"
            ),
            (#""c":"setResizeProperties","width":null,"height":99,"offsetX":0,"offsetY":0"#, "width must be a finite"),
            (#""c":"setResizeProperties","width":1e9,"height":99,"offsetX":0,"offsetY":0"#, "width is too large"),
            (#""c":"setResizeProperties","width":99,"height":99,"offsetX":{},"offsetY":0"#, "offsetX must be a finite"),
            (
                #""c":"setResizeProperties","width":99,"height":99,"offsetX":0,"offsetY":0,"allowOffscreen":"no""#,
                "allowOffscreen must be true or false"
            ),
            (#""c":"storePicture","url":"https://a.example/p.png""#, "supports(\"storePicture\")"),
            (#""c":"createCalendarEvent""#, "supports(\"calendar\")"), (#""c":"playVideo","url":"x""#, "video element"),
            (#""c":"initVpaid""#, "supports(\"vpaid\")"),
        ]
    )
    func error(members: String, reason: String) throws {
        let call = try #require(try Self.read("{\"n\":1,\(members)}"))
        switch call.command {
        case .failure(let error): #expect(error.message.contains(reason), "\(error.message)")
        case .success(.unsupported(let message)): #expect(message.contains(reason), "\(message)")
        case .success(let command): Issue.record("\(command) was accepted")
        }
    }

    @Test("a URL that is too long is refused")
    func long() throws {
        for name in ["open", "expand"] {
            let url = "https://a.example/" + String(repeating: "x", count: 20_000)
            let call = try #require(MRAIDCall(["n": 1, "c": .string(name), "url": .string(url)]))
            #expect(call.command == .failure(MRAIDError("url is too long")))
        }
    }
}

/// Messages as `mraid.js` sends them.
enum MRAIDSamples {
    static func message(_ method: MRAIDMethod, _ number: Int) -> AdJSON {
        let more: [AdJSON.Member] =
            switch method {
            case .open: [.init("url", "https://shop.example/")]
            case .playVideo: [.init("url", "https://media.example/film.mp4")]
            case .storePicture: [.init("url", "https://media.example/picture.png")]
            case .setExpandProperties: [.init("width", 300)]
            case .setOrientationProperties: [.init("forceOrientation", "portrait")]
            case .setResizeProperties:
                [.init("width", 300), .init("height", 200), .init("offsetX", 0), .init("offsetY", 10)]
            case .close, .unload, .expand, .resize, .useCustomClose, .createCalendarEvent, .initVpaid: []
            }
        return .object([.init("n", .int(number)), .init("c", .string(method.rawValue))] + more)
    }

    static func call(_ method: MRAIDMethod, _ number: Int) throws -> MRAIDCall {
        try #require(MRAIDCall(self.message(method, number)))
    }
}
