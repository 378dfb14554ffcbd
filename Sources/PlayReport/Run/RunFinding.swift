import AdCore

/// The findings of a lint rule that have the same message.
package struct RunFinding: Hashable, Sendable {
    package var rule: String
    /// `error`, `warning` or `info`.
    package var severity: String
    /// The place of the first one.
    package var line: Int?
    package var column: Int?
    package var count: Int
    package var message: String
    package var fix: String

    package init(
        rule: String,
        severity: String,
        line: Int? = nil,
        column: Int? = nil,
        count: Int = 1,
        message: String,
        fix: String = ""
    ) {
        self.rule = rule
        self.severity = severity
        self.line = line
        self.column = column
        self.count = count
        self.message = message
        self.fix = fix
    }

    var json: AdJSON {
        [
            "rule": .string(self.rule), "severity": .string(self.severity),
            "line": self.line.map { .int($0) } ?? .null, "column": self.column.map { .int($0) } ?? .null,
            "count": .int(self.count), "message": .string(self.message), "fix": .string(self.fix),
        ]
    }
}

/// A screenshot of an ad.
package struct RunPicture: Hashable, Sendable {
    package var caption: String
    /// When it was taken, in milliseconds on the ads' clock.
    package var t: Int
    package var width: Int
    package var height: Int
    /// The media type.
    package var type: String
    /// The id of its element in the report page.
    package var id: String
    /// The encoded picture; nil if the page has none with this id.
    package var bytes: [UInt8]?

    package init(
        caption: String,
        t: Int,
        width: Int,
        height: Int,
        type: String = "image/webp",
        id: String,
        bytes: [UInt8]? = nil
    ) {
        self.caption = caption
        self.t = t
        self.width = width
        self.height = height
        self.type = type
        self.id = id
        self.bytes = bytes
    }

    /// The id of an ad's picture in the report page; both numbers are counted from 1.
    static func id(ad: Int, picture: Int) -> String { "ad-\(ad)-picture-\(picture)" }

    var json: AdJSON {
        [
            "caption": .string(self.caption), "t": .int(self.t), "width": .int(self.width),
            "height": .int(self.height), "type": .string(self.type), "id": .string(self.id),
        ]
    }
}
