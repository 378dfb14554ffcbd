import AdCore

/// A damaged response body.
struct ResponseDamage: Sendable {
    let name: String
    let body: [UInt8]
    /// Whether an ad must be loaded from it nevertheless.
    var mustLoad = false

    /// All damaged variants of a body.
    static func all(of response: [UInt8]) -> [ResponseDamage] {
        self.garbage + self.truncated(response) + ((try? AdJSON(parsing: response)).map { self.modified($0) } ?? [])
    }

    private static let garbage: [ResponseDamage] =
        [
            "null", "[]", "7", "\"text\"", "true", "<html><body>Log in</body></html>", "{", "}{", "\u{FEFF}",
            "nonsense",
            #"{"error": "something else"}"#,
            String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 10_000),
        ].map { ResponseDamage(name: "garbage \u{201C}\($0.prefix(20))\u{201D}", body: Array($0.utf8)) }
        + [ResponseDamage(name: "bytes that are not UTF-8", body: (0...255).map { UInt8($0) })]

    /// The body truncated at about a hundred places.
    private static func truncated(_ response: [UInt8]) -> [ResponseDamage] {
        stride(from: 1, to: response.count, by: max(1, response.count / 100)).map { end in
            ResponseDamage(name: "truncated after \(end) bytes", body: Array(response[..<end]))
        }
    }

    private static func modified(_ json: AdJSON) -> [ResponseDamage] {
        let unknown = ResponseDamage(name: "unknown fields", body: json.withUnknownFields.bytes(), mustLoad: true)
        let replacements: [(String, AdJSON)] = [
            ("null", .null), ("a number", .int(-7)), ("a text", "text"), ("a list", [1, "a", nil]),
            ("an object", ["a": 1]),
            ("true", true), ("an empty text", ""), ("code", "javascript:alert(1)"), ("markup", "</script><b>'\"&"),
            ("a huge number", .double(1e300)), ("a long text", .string(String(repeating: "x", count: 1 << 20))),
        ]
        return [unknown]
            + json.paths.flatMap { path in
                replacements.map { name, value in
                    ResponseDamage(
                        name: "\(path.joined(separator: ".")) is \(name)",
                        body: json.replacing(path[...], by: value).bytes()
                    )
                }
            }
    }
}

extension AdJSON {
    /// The JSON with an unknown member at the start and the end of every object.
    fileprivate var withUnknownFields: AdJSON {
        switch self {
        case .object(let members):
            let inner = members.map { Member($0.name, $0.value.withUnknownFields) }
            return .object([Member("conformance_unknown", ["a": [1, nil]])] + inner + [Member("x-other", "unknown")])
        case .array(let elements): return .array(elements.map(\.withUnknownFields))
        default: return self
        }
    }

    /// The paths of all members of all objects; of arrays only the first element.
    fileprivate var paths: [[String]] {
        switch self {
        case .object(let members):
            return members.flatMap { member in
                [[member.name]] + member.value.paths.map { [member.name] + $0 }
            }
        case .array(let elements): return elements.first?.paths.map { ["0"] + $0 } ?? []
        default: return []
        }
    }

    /// The JSON with another value at a path.
    fileprivate func replacing(_ path: ArraySlice<String>, by value: AdJSON) -> AdJSON {
        guard let name = path.first else { return value }
        switch self {
        case .object(let members):
            return .object(
                members.map { member in
                    member.name == name
                        ? Member(name, member.value.replacing(path.dropFirst(), by: value)) : member
                }
            )
        case .array(let elements):
            guard let first = elements.first else { return self }
            return .array([first.replacing(path.dropFirst(), by: value)] + elements.dropFirst())
        default: return self
        }
    }
}
