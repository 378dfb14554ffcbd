import AdCore

/// The members of an object of a run, read tolerantly: a member of another type is as if it were missing.
struct RunFields {
    let json: AdJSON

    init(_ json: AdJSON) { self.json = json }

    func text(_ name: String) -> String { self.json[name]?.string ?? "" }

    func optionalText(_ name: String) -> String? { self.json[name]?.string }

    func integer(_ name: String) -> Int? { self.json[name]?.whole() }

    /// The objects of a list; what is no object is left out.
    func list<Element>(_ name: String, _ read: (RunFields) -> Element) throws(RunDocumentError) -> [Element] {
        guard let elements = self.json[name]?.array else { return [] }
        guard elements.count <= RunDocument.maxElements else {
            throw .invalid("\"\(name)\" of an ad has more than \(RunDocument.maxElements) elements")
        }
        return elements.compactMap { element in
            guard case .object = element else { return nil }
            return read(RunFields(element))
        }
    }
}

extension RunVerdict {
    init(_ fields: RunFields) {
        self.init(of: fields.text("of"), outcome: fields.text("outcome"), reason: fields.text("reason"))
    }
}

extension RunBeacon {
    init(_ fields: RunFields) {
        self.init(
            event: fields.text("event"),
            key: fields.text("key"),
            url: fields.text("url"),
            state: fields.text("state"),
            reason: fields.optionalText("reason")
        )
    }
}

extension RunRequest {
    init(_ fields: RunFields) {
        self.init(
            fields.text("method"),
            fields.text("url"),
            kind: fields.text("kind"),
            initiator: Initiator(rawValue: fields.text("initiator")) ?? .runtime,
            start: fields.integer("start") ?? 0,
            duration: fields.integer("ms") ?? 0,
            status: fields.integer("status"),
            type: fields.optionalText("type"),
            bytes: fields.integer("bytes").flatMap { $0 < 0 ? nil : $0 },
            error: fields.optionalText("error")
        )
    }
}

extension RunFinding {
    init(_ fields: RunFields) {
        self.init(
            rule: fields.text("rule"),
            severity: fields.text("severity"),
            line: fields.integer("line"),
            column: fields.integer("column"),
            count: max(1, fields.integer("count") ?? 1),
            message: fields.text("message"),
            fix: fields.text("fix")
        )
    }
}

extension RunPicture {
    init(_ fields: RunFields) {
        self.init(
            caption: fields.text("caption"),
            t: fields.integer("t") ?? 0,
            width: fields.integer("width") ?? 0,
            height: fields.integer("height") ?? 0,
            type: fields.text("type"),
            id: fields.text("id")
        )
    }
}
