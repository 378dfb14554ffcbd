import AdMarkup

/// Counts the steps that it takes to follow a creative's scripts, and ends what takes too many.
///
/// A step is about as much work as reading one node of a script. What goes over many things at once (the characters of a
/// text, the items of a list, the elements of the page) is charged for each few of them *before* it is done, so that the
/// count bounds the time and, because nothing is made without a charge, the memory as well.
struct StepMeter {
    /// The steps of one script or handler.
    static let maxPerScript = 100_000
    /// The steps of all scripts of a creative.
    static let maxTotal = 400_000
    /// How many bytes of a text are looked at, or made, for one step.
    static let bytes = 64
    /// How many values are copied for one step.
    static let values = 4

    private var steps = 0
    private var limit: Int
    /// The steps of the scripts that have ended.
    private(set) var total = 0

    /// A meter that allows no step until a script begins.
    init() { self.limit = 0 }

    /// A meter for one thing alone.
    init(limit: Int) { self.limit = limit }

    var isRunning: Bool { self.limit > 0 }

    /// Whether no further script may begin.
    var isSpent: Bool { self.total >= StepMeter.maxTotal }

    mutating func begin() {
        self.steps = 0
        self.limit = min(StepMeter.maxPerScript, StepMeter.maxTotal - self.total)
    }

    mutating func end() {
        self.total += self.steps
        self.limit = 0
    }

    /// Counts steps; what is more than is left is not added, so that the sum stays below the limit.
    mutating func charge(_ count: Int = 1) throws(ScriptInterpreter.Stop) {
        guard count <= self.limit - self.steps else {
            self.steps = self.limit
            throw .tooLong
        }
        self.steps += count
    }
}
