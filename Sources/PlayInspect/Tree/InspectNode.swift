import AdCore
import AdMarkup
import PlayConsole
import PlayText

/// A fact of an inspected input: `inspect` prints the lines of the tree, and `inspect --json` its members.
///
/// Text and JSON are rendered from the same nodes, so that they can't disagree. URLs are complete in JSON and redacted in
/// the text.
struct InspectNode {
    indirect enum Value {
        case json(AdJSON)
        case object([InspectNode])
        case array([InspectNode])
    }

    /// The member's name in JSON; nil for an element of an array, and for a node that only the text has.
    let name: String?
    let value: Value
    /// The lines of the text; those of the inner nodes follow, indented if there are lines here.
    let lines: [StyledText]

    init(_ name: String?, _ value: Value, _ lines: [StyledText] = []) {
        self.name = name
        self.value = value
        self.lines = lines
    }

    // MARK: Rendering

    var json: AdJSON {
        switch self.value {
        case .json(let json): json
        case .object(let nodes): .object(nodes.compactMap { node in node.name.map { AdJSON.Member($0, node.json) } })
        case .array(let nodes): .array(nodes.map(\.json))
        }
    }

    func text(_ style: Style) -> [String] {
        self.lines.map { $0.rendered(style) }
            + self.inside.flatMap { node in
                node.text(style).map { self.lines.isEmpty ? $0 : "  " + $0 }
            }
    }

    /// The inner nodes.
    var children: [InspectNode] { self.inside }

    private var inside: [InspectNode] {
        switch self.value {
        case .json: []
        case .object(let nodes), .array(let nodes): nodes
        }
    }

    /// The same node with another name.
    func named(_ name: String) -> InspectNode { InspectNode(name, self.value, self.lines) }

    /// The object with more members at its end.
    func adding(_ nodes: [InspectNode]) -> InspectNode {
        guard case .object(let members) = self.value else { return self }
        return InspectNode(self.name, .object(members + nodes), self.lines)
    }
}

// MARK: Nodes

extension InspectNode {
    /// A fact that only JSON has.
    static func data(_ name: String, _ json: AdJSON) -> InspectNode { InspectNode(name, .json(json)) }

    static func data(_ name: String, _ text: String?) -> InspectNode { .data(name, .text(text)) }

    static func data(_ name: String, _ number: Int?) -> InspectNode { .data(name, number.map { .int($0) } ?? .null) }

    static func data(_ name: String, _ flag: Bool?) -> InspectNode { .data(name, flag.map { .bool($0) } ?? .null) }

    /// A time, in JSON as seconds.
    static func data(_ name: String, _ duration: Duration?) -> InspectNode {
        .data(name, duration.map { .double($0.inSeconds) } ?? .null)
    }

    /// Lines that only the text has: JSON has these facts in other nodes.
    static func text(_ lines: [StyledText]) -> InspectNode { InspectNode(nil, .json(.null), lines) }

    /// A fact with a line of its own, if it is there.
    static func row(_ name: String, _ label: String, _ text: String?) -> InspectNode {
        let line = text.map { Label.line(label, Style.printable($0, upTo: 80)) }
        return InspectNode(name, .json(.text(text)), line.map { [$0] } ?? [])
    }

    static func url(_ name: String, _ label: String, _ url: URLTemplate?) -> InspectNode {
        InspectNode(name, .json(.text(url?.text)), url.map { [Label.line(label, $0.printable)] } ?? [])
    }

    /// URLs, each with a line of its own.
    static func urls(_ name: String, _ label: String, _ urls: [URLTemplate]) -> InspectNode {
        InspectNode(name, .json(.array(urls.map { .string($0.text) })), urls.map { Label.line(label, $0.printable) })
    }

    static func objects(_ name: String, _ nodes: [InspectNode]) -> InspectNode { InspectNode(name, .array(nodes)) }

    static func object(_ nodes: [InspectNode], _ line: StyledText? = nil) -> InspectNode {
        InspectNode(nil, .object(nodes), line.map { [$0] } ?? [])
    }

    static func issues(_ issues: [AdIssue]) -> InspectNode {
        .objects(
            "issues",
            issues.map { issue in
                var line: Int?
                if case .line(let number) = issue.place { line = number }
                return .object(
                    [.data("code", issue.code), .data("line", line), .data("message", issue.message)],
                    .yellow("issue", "  \(Style.printable(issue.description, upTo: 400))")
                )
            }
        )
    }

    /// A whole input, with its name and description as the first line.
    static func input(_ name: String, _ what: String, _ nodes: [InspectNode]) -> InspectNode {
        InspectNode(nil, .object(nodes), [.bold(Style.printable(name), "  \(what)")])
    }
}

/// The label of a line, in a column of its own.
enum Label {
    static let width = 28

    static func line(_ label: String, _ text: String) -> StyledText {
        .plain(label + String(repeating: " ", count: max(1, self.width - label.count)) + text)
    }
}

extension URLTemplate {
    /// The URL for a terminal: redacted, without control characters.
    var printable: String { Style.printable(Redaction.address(self.text)) }
}
