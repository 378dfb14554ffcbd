import AdCore

/// Whether the tracker of an event fired, and why.
package struct RunVerdict: Hashable, Sendable {
    /// The event, such as `view` or `spot-1/complete`.
    package var of: String
    /// `fired`, `counted`, `withheld` or `notFired`.
    package var outcome: String
    package var reason: String

    package init(of event: String, outcome: String, reason: String) {
        self.of = event
        self.outcome = outcome
        self.reason = reason
    }

    var json: AdJSON {
        ["of": .string(self.of), "outcome": .string(self.outcome), "reason": .string(self.reason)]
    }
}

/// A recorded beacon, and what became of it.
package struct RunBeacon: Hashable, Sendable {
    package var event: String
    /// The key, which starts with the ad's id.
    package var key: String
    package var url: String
    /// `delivered`, `unconfirmed`, `dead`, `withheld`, or `recorded` if it waits for its delivery.
    package var state: String
    /// Why it is not delivered; nil if it is, or if that is not known.
    package var reason: String?

    package init(event: String, key: String, url: String, state: String, reason: String? = nil) {
        self.event = event
        self.key = key
        self.url = url
        self.state = state
        self.reason = reason
    }

    var json: AdJSON {
        [
            "event": .string(self.event), "key": .string(self.key), "url": .string(self.url),
            "state": .string(self.state), "reason": .text(self.reason),
        ]
    }
}
