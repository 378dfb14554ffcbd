import AdMarkup

/// Counts the steps of a creative's scripts, and stops them at a limit.
///
/// A step is about as much work as evaluating one node of a script. Work over many things (the characters of a string,
/// the items of an array, the elements of the page) is charged *before* it is done. The count therefore limits the
/// time, and also the memory, because every allocation is charged.
struct StepMeter {
    /// The limit for one script or handler.
    static let maxPerScript = 100_000
    /// The limit for all scripts of a creative.
    static let maxTotal = 400_000
    /// The number of bytes of a string that are read or written in one step.
    static let bytes = 64
    /// The number of values that are copied in one step.
    static let values = 4

    private var steps = 0
    private var limit: Int
    /// The steps of all finished scripts.
    private(set) var total = 0

    /// Creates a meter that allows no steps until a script starts.
    init() { self.limit = 0 }

    /// Creates a meter with a limit of its own.
    init(limit: Int) { self.limit = limit }

    var isRunning: Bool { self.limit > 0 }

    /// Whether no further script may start.
    var isSpent: Bool { self.total >= StepMeter.maxTotal }

    mutating func start() {
        self.steps = 0
        self.limit = min(StepMeter.maxPerScript, StepMeter.maxTotal - self.total)
    }

    mutating func finish() {
        self.total += self.steps
        self.limit = 0
    }

    /// Counts steps; throws at the limit, which the count never exceeds.
    mutating func charge(_ count: Int = 1) throws(ScriptInterpreter.Stop) {
        guard count <= self.limit - self.steps else {
            self.steps = self.limit
            throw .tooLong
        }
        self.steps += count
    }
}
