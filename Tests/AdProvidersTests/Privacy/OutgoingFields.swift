import AdCore
import TestSupport

@testable import AdProviders

/// The fields of one outgoing message.
struct OutgoingFields {
    /// The name and the value of each field.
    let fields: [(name: String, value: String)]

    init(_ request: AdHTTPRequest) { self.init(headers: request.headers, body: request.body, url: request.url.text) }

    init(_ call: BeaconCall) {
        self.init(headers: call.headers, body: call.body, url: "")
        // A secret is inserted when the call is sent.
        self.secrets = call.secrets.map(\.name)
    }

    private var secrets: [String] = []

    private init(headers: AdHTTPHeaders, body: [UInt8]?, url: String) {
        let json = body.flatMap { try? AdJSON(parsing: $0) }
        self.fields =
            [("address", url)] + headers.fields.map { ("header \($0.name)", $0.value) }
            + (json.map { OutgoingFields.leaves($0, "") } ?? [])
    }

    /// Reads a WebSocket message.
    init(text: String) {
        self.fields = (try? AdJSON(parsing: text)).map { OutgoingFields.leaves($0, "") } ?? []
    }

    /// The names of all fields with a value, without those that every JSON request has.
    var names: [String] {
        let usual = ["address", "header Content-Type", "header Accept", "header x-openrtb-version"]
        let own = self.fields.filter { !usual.contains($0.name) && !["", "null"].contains($0.value) }.map(\.name)
        return OutgoingFields.unique(own + self.secrets.map { "header \($0)" })
    }

    /// The names of the fields whose values differ from another message.
    func names(differingFrom other: OutgoingFields) -> [String] {
        let before = other.fields.map { "\($0.name)=\($0.value)" }
        return OutgoingFields.unique(self.fields.filter { !before.contains("\($0.name)=\($0.value)") }.map(\.name))
    }

    private static func unique(_ names: [String]) -> [String] {
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
    /// The names as a cell of a Markdown table.
    var cell: String { self.isEmpty ? "" : self.map { "`\($0)`" }.joined(separator: ", ") }
}
