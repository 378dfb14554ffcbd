import AdCore

/// The limits of a request: more would only make it larger, and servers refuse large requests.
enum RequestLimits {
    /// The bytes of a name, an id or a URL.
    static let text = 2048
    /// The bytes of a consent string, which may name every vendor.
    static let consent = 65_536
    /// The elements of a list of texts.
    static let texts = 1000
    /// The elements of a list of numbers or objects.
    static let elements = 100
    /// The levels of an extension.
    static let depth = 32
    /// The bytes and values of an extension's member.
    static let extensionSize = 65_536
    /// The issues of a request.
    static let issues = 100
}

/// The members of one object of a request, and the issues for what was left out.
///
/// Unknown values are left out: nil, empty texts, empty lists. Values beyond a limit are left out, too, with an issue.
struct RequestFields {
    private(set) var members: [AdJSON.Member] = []
    private(set) var issues: [AdIssue] = []
    private let path: String

    init(at path: String = "") { self.path = path }

    /// Sets a member; one of the same name is replaced.
    mutating func set(_ name: String, _ value: AdJSON?) {
        guard let value else { return }
        if self.members.contains(where: { $0.name == name }) { self.members.removeAll { $0.name == name } }
        self.members.append(AdJSON.Member(name, value))
    }

    mutating func text(_ name: String, _ text: String?, atMost limit: Int = RequestLimits.text) {
        guard let text, !text.isEmpty else { return }
        guard text.utf8.count <= limit else { return self.leaveOut(name, "long", "is longer than \(limit) bytes") }
        self.set(name, .string(text))
    }

    mutating func texts(_ name: String, _ texts: [String]) {
        var seen: Set<String> = []
        var elements: [AdJSON] = []
        for text in texts where !text.isEmpty && !seen.contains(text) {
            guard elements.count < RequestLimits.texts else {
                self.leaveOut(name, "many", "has more than \(RequestLimits.texts) elements", "the rest")
                break
            }
            guard text.utf8.count <= RequestLimits.text else {
                self.leaveOut(name, "long", "has an element longer than \(RequestLimits.text) bytes", "the element")
                continue
            }
            seen.insert(text)
            elements.append(.string(text))
        }
        if !elements.isEmpty { self.set(name, .array(elements)) }
    }

    /// A flag: 1 for yes, 0 for no.
    mutating func flag(_ name: String, _ value: Bool?) { self.set(name, value.map { .int($0 ? 1 : 0) }) }

    /// A flag whose default is 0: it is left out for no.
    mutating func mark(_ name: String, _ value: Bool) { if value { self.set(name, 1) } }

    mutating func number(_ name: String, _ value: Int?, in range: ClosedRange<Int>) {
        guard let value else { return }
        guard range.contains(value) else {
            return self.leaveOut(name, "range", "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        self.set(name, .int(value))
    }

    mutating func number(_ name: String, _ value: Double?, in range: ClosedRange<Double>) {
        guard let value else { return }
        // NaN is in no range.
        guard range.contains(value) else {
            return self.leaveOut(name, "range", "is not from \(range.lowerBound) to \(range.upperBound)")
        }
        self.set(name, .double(value))
    }

    /// A duration in whole seconds.
    mutating func seconds(
        _ name: String,
        _ duration: Duration?,
        in range: ClosedRange<Int>,
        _ rule: FloatingPointRoundingRule = .down
    ) {
        self.number(name, duration.map { $0.wholeSeconds(rule) }, in: range)
    }

    /// An element of one of OpenRTB's lists.
    mutating func code<Code: RawRepresentable<Int>>(_ name: String, _ code: Code?) {
        self.set(name, code.map { .int($0.rawValue) })
    }

    /// Some elements of one of OpenRTB's lists, each once.
    mutating func codes<Code: RawRepresentable<Int>>(_ name: String, _ codes: [Code]) {
        self.numbers(name, codes.map(\.rawValue))
    }

    /// Numbers, each once.
    mutating func numbers(_ name: String, _ numbers: [Int]) {
        var seen: Set<Int> = []
        let unique = numbers.filter { seen.insert($0).inserted }
        guard !unique.isEmpty else { return }
        if unique.count > RequestLimits.elements {
            self.leaveOut(name, "many", "has more than \(RequestLimits.elements) elements", "the rest")
        }
        self.set(name, .array(unique.prefix(RequestLimits.elements).map { .int($0) }))
    }

    /// An object; it is left out when it has no members, unless it says something by being there.
    mutating func object(_ name: String, saysSomethingEmpty: Bool = false, _ fill: (inout RequestFields) -> Void) {
        var fields = RequestFields(at: self.path(of: name))
        // An object that an extension has set already is completed.
        if case .object(let members)? = self.members.last(where: { $0.name == name })?.value {
            fields.members = members
        }
        fill(&fields)
        self.add(fields.issues)
        if saysSomethingEmpty || !fields.members.isEmpty { self.set(name, .object(fields.members)) }
    }

    /// A list of objects.
    mutating func objects<Value>(_ name: String, _ values: [Value], _ fill: (inout RequestFields, Value) -> Void) {
        guard !values.isEmpty else { return }
        if values.count > RequestLimits.elements {
            self.leaveOut(name, "many", "has more than \(RequestLimits.elements) elements", "the rest")
        }
        var elements: [AdJSON] = []
        for (index, value) in values.prefix(RequestLimits.elements).enumerated() {
            var fields = RequestFields(at: self.path(of: "\(name)[\(index)]"))
            fill(&fields, value)
            self.add(fields.issues)
            elements.append(.object(fields.members))
        }
        self.set(name, .array(elements))
    }

    /// Writes some members once more, to `ext`, where OpenRTB 2.5 has them.
    mutating func copyToExtension(_ names: String...) {
        let copies = self.members.filter { names.contains($0.name) }
        self.object("ext") { ext in copies.forEach { ext.set($0.name, $0.value) } }
    }

    /// Members that the caller has as JSON; of a repeated name the last one counts.
    mutating func json(_ members: [AdJSON.Member]) {
        for member in members.prefix(RequestLimits.elements) {
            var size = RequestLimits.extensionSize - member.name.utf8.count
            if member.value.fits(depth: RequestLimits.depth, size: &size) {
                self.set(member.name, member.value)
            } else {
                self.leaveOut(member.name, "large", "is too large or too deep")
            }
        }
        guard members.count > RequestLimits.elements else { return }
        let text = "an object of the app has more than \(RequestLimits.elements) members; the rest was left out"
        self.add([AdIssue("members.many", at: .field(self.path), text)])
    }

    /// Records why a value, or a part of it, is not in the request.
    mutating func leaveOut(_ name: String, _ problem: String, _ text: String, _ part: String = "it") {
        let name = name.excerpt()
        let path = self.path(of: name)
        self.add([AdIssue("\(name).\(problem)", at: .field(path), "\(path) \(text); \(part) was left out")])
    }

    private mutating func add(_ issues: [AdIssue]) {
        self.issues += issues.prefix(max(0, RequestLimits.issues - self.issues.count))
    }

    private func path(of name: String) -> String { self.path.isEmpty ? name : "\(self.path).\(name)" }
}

extension AdJSON {
    /// Whether the value has few levels, and few values and bytes.
    ///
    /// `size` is what may still come; it ends below 0 if there is more.
    fileprivate func fits(depth: Int, size: inout Int) -> Bool {
        guard depth > 0 else { return false }
        size -= 1
        switch self {
        case .null, .bool: break
        case .number(let number): size -= number.text.utf8.count
        case .string(let text): size -= text.utf8.count
        case .array(let elements):
            for element in elements {
                guard element.fits(depth: depth - 1, size: &size) else { return false }
            }
        case .object(let members):
            for member in members {
                size -= member.name.utf8.count
                guard member.value.fits(depth: depth - 1, size: &size) else { return false }
            }
        }
        return size >= 0
    }
}

extension Duration {
    /// The duration in seconds, rounded down or up.
    func wholeSeconds(_ rule: FloatingPointRoundingRule) -> Int {
        let (seconds, attoseconds) = self.components
        let whole = Int(clamping: seconds)
        if attoseconds < 0, rule == .down { return whole == .min ? whole : whole - 1 }
        if attoseconds > 0, rule == .up { return whole == .max ? whole : whole + 1 }
        return whole
    }
}
