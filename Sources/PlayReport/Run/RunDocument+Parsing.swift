import AdCore

extension RunDocument {
    /// The maximum size of a report page with its pictures.
    package static let pageLimit = 256 << 20
    /// The maximum size of the run in it.
    static let textLimit = 32 << 20
    /// The maximum number of ads, and of elements of each list of an ad.
    static let maxAds = 10_000
    static let maxElements = 100_000

    /// Reads a run from a report page, or from the text of a run.
    ///
    /// Unknown members are ignored, and missing ones are empty.
    package init(parsing bytes: [UInt8]) throws(RunDocumentError) {
        guard bytes.count <= RunDocument.pageLimit else { throw .tooLarge(limit: RunDocument.pageLimit) }
        guard bytes.first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "{") else {
            try self.init(text: bytes[...])
            return
        }
        let page = RunPage(bytes)
        guard let run = page.run else { throw .noRun }
        try self.init(text: bytes[run])
        for ad in self.ads.indices {
            for index in self.ads[ad].pictures.indices {
                self.ads[ad].pictures[index].bytes = page.picture(self.ads[ad].pictures[index].id)
            }
        }
    }

    /// Reads the text of a run, which has no bytes of pictures.
    private init(text: ArraySlice<UInt8>) throws(RunDocumentError) {
        guard text.count <= RunDocument.textLimit else { throw .tooLarge(limit: RunDocument.textLimit) }
        let (head, ads) = try RunDocument.values(in: text)
        guard case .object = head.json else { throw .invalid("it is no object") }
        guard let version: Int = head.json["version"]?.whole() else { throw .otherVersion(nil) }
        guard version == RunDocument.version else { throw .otherVersion(version) }
        guard ads.count <= RunDocument.maxAds else { throw .invalid("it has more than \(RunDocument.maxAds) ads") }
        let speed = head.json["speed"]?.number ?? 1
        self.init(
            command: head.text("command"),
            madeAt: head.text("madeAt"),
            stage: head.text("stage"),
            speed: speed > 0 ? speed : 1,
            ads: []
        )
        for ad in ads { self.ads.append(try RunAd(RunFields(ad))) }
    }

    /// The document without its ads, and the ads.
    ///
    /// In the form that `text` has, each ad is parsed by itself, because all of them may exceed the parser's limit of
    /// values.
    private static func values(in text: ArraySlice<UInt8>) throws(RunDocumentError) -> (RunFields, ads: [AdJSON]) {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        let opening = Array(#""ads":["#.utf8)
        let closing = Array("]}".utf8)
        do throws(AdJSON.ParseError) {
            guard lines.count > 2, lines[0].suffix(opening.count).elementsEqual(opening),
                lines[lines.count - 1].elementsEqual(closing)
            else {
                let whole = try AdJSON(parsing: Array(text))
                return (RunFields(whole), whole["ads"]?.array ?? [])
            }
            var ads: [AdJSON] = []
            for line in lines[1..<(lines.count - 1)] {
                let hasComma = line.last == UInt8(ascii: ",")
                ads.append(try AdJSON(parsing: Array(line.dropLast(hasComma ? 1 : 0))))
            }
            return (RunFields(try AdJSON(parsing: lines[0] + closing)), ads)
        } catch {
            throw .notJSON(error)
        }
    }
}

extension RunAd {
    fileprivate init(_ fields: RunFields) throws(RunDocumentError) {
        self.init(
            id: fields.text("ad"),
            provider: fields.text("provider"),
            name: fields.text("name"),
            heading: fields.text("heading")
        )
        self.events = try fields.list("events") { $0.json }
        self.verdicts = try fields.list("verdicts", RunVerdict.init)
        self.beacons = try fields.list("beacons", RunBeacon.init)
        self.requests = try fields.list("requests", RunRequest.init)
        self.lint = fields.json["lint"]?.array == nil ? nil : try fields.list("lint", RunFinding.init)
        self.pictures = try fields.list("pictures", RunPicture.init)
    }
}
