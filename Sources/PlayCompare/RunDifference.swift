package import AdCore

/// Something in which two runs differ.
package struct RunDifference: Hashable, Sendable {
    /// What differs; the worst first: what is billed, what happened, what was requested and seen, and its causes.
    package enum Kind: String, CaseIterable, Sendable {
        case tracker, event, request, picture, layout, console, lint
    }

    /// The numbers of an ad in the runs, from 1; nil where a run has no such ad.
    package struct Place: Hashable, Sendable {
        package let a: Int?
        package let b: Int?
        /// The ad's heading.
        package let name: String
    }

    package let kind: Kind
    package let place: Place
    /// What it is about, in the same words for both orders of the runs.
    package let text: String
    /// What the first run has; nil for nothing.
    package let a: String?
    /// What the second run has; nil for nothing.
    package let b: String?

    init(_ kind: Kind, _ text: String, a: String?, b: String?, in place: Place) {
        self.kind = kind
        self.text = text
        self.a = a
        self.b = b
        self.place = place
    }

    /// The difference as `--json` prints it.
    package var json: AdJSON {
        [
            "event": "difference", "kind": .string(self.kind.rawValue), "name": .string(self.place.name),
            "adA": self.place.a.map { .int($0) } ?? .null, "adB": self.place.b.map { .int($0) } ?? .null,
            "text": .string(self.text), "a": .text(self.a), "b": .text(self.b),
        ]
    }
}
