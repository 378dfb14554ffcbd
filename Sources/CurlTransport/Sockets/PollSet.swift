import LibC

/// The file descriptors that a loop waits at, each with whoever it belongs to.
///
/// One `poll` over a thousand of them takes some 50 µs, which are shared by all that is found ready; the same call is
/// there on every system.
struct PollSet<Owner> {
    private(set) var files: [pollfd] = []
    private var owners: [Owner?] = []
    private var free: [Int] = []

    /// Begins to wait at a file descriptor, and gives the place where it stands.
    mutating func add(_ file: Int32, _ events: Int16, for owner: Owner) -> Int {
        let entry = pollfd(fd: file, events: events, revents: 0)
        if let place = self.free.popLast() {
            self.files[place] = entry
            self.owners[place] = owner
            return place
        }
        self.files.append(entry)
        self.owners.append(owner)
        return self.files.count - 1
    }

    /// From now on it waits for this.
    mutating func set(_ events: Int16, at place: Int) { self.files[place].events = events }

    /// Waits there no longer.
    mutating func remove(at place: Int) {
        // What is below zero is passed over.
        self.files[place] = pollfd(fd: -1, events: 0, revents: 0)
        self.owners[place] = nil
        self.free.append(place)
    }

    /// Sleeps until something is ready or the milliseconds are over, and says how many are.
    mutating func wait(_ milliseconds: Int32) -> Int {
        let count = nfds_t(self.files.count)
        return Int(self.files.withUnsafeMutableBufferPointer { poll($0.baseAddress, count, milliseconds) })
    }

    /// What is ready there, and whose it is.
    func ready(at place: Int) -> (owner: Owner, events: Int16)? {
        let events = self.files[place].revents
        guard events != 0, let owner = self.owners[place] else { return nil }
        return (owner, events)
    }
}
