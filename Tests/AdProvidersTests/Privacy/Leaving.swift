import AdCore
import TestSupport

@testable import AdProviders

/// What leaves the device in one message, by the names of its fields.
struct Leaving {
    /// Each field's name and what stands there.
    let fields: [(name: String, value: String)]

    init(_ request: AdHTTPRequest) { self.init(headers: request.headers, body: request.body, url: request.url.text) }

    init(_ call: BeaconCall) {
        self.init(headers: call.headers, body: call.body, url: "")
        // A secret is put in when the call is sent.
        self.secrets = call.secrets.map(\.name)
    }

    private var secrets: [String] = []

    private init(headers: AdHTTPHeaders, body: [UInt8]?, url: String) {
        let json = body.flatMap { try? AdJSON(parsing: $0) }
        self.fields =
            [("address", url)] + headers.fields.map { ("header \($0.name)", $0.value) }
            + (json.map { Leaving.leaves($0, "") } ?? [])
    }

    /// A message over a socket.
    init(text: String) {
        self.fields = (try? AdJSON(parsing: text)).map { Leaving.leaves($0, "") } ?? []
    }

    /// The names of all fields that say something, without what every request of JSON has.
    var names: [String] {
        let usual = ["address", "header Content-Type", "header Accept", "header x-openrtb-version"]
        let own = self.fields.filter { !usual.contains($0.name) && !["", "null"].contains($0.value) }.map(\.name)
        return Leaving.once(own + self.secrets.map { "header \($0)" })
    }

    /// The names of the fields that are not the same in another message.
    func names(differingFrom other: Leaving) -> [String] {
        let before = other.fields.map { "\($0.name)=\($0.value)" }
        return Leaving.once(self.fields.filter { !before.contains("\($0.name)=\($0.value)") }.map(\.name))
    }

    private static func once(_ names: [String]) -> [String] {
        names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element)
    }

    private static func leaves(_ json: AdJSON, _ path: String) -> [(name: String, value: String)] {
        switch json {
        case .object(let members):
            members.flatMap { self.leaves($0.value, path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .array(let elements): elements.flatMap { self.leaves($0, path) }
        case .string(let text): [(path, text)]
        case .number, .bool, .null: [(path, json.text())]
        }
    }
}

extension [String] {
    /// The names as a cell of a table.
    var cell: String { self.isEmpty ? "" : self.map { "`\($0)`" }.joined(separator: ", ") }
}
