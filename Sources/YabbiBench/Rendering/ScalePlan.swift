extension Page {
    /// What ten times the largest amounts of the curves would need: from the curves and the code, not from a run.
    static let scalePlan = """
        **What the next decimal needs**, on paper: from these curves and the code, not from a run.

        - *A million ads on screen.* Nothing grows but memory: an ad is 1.8 KiB and its markup, so 2 GB. A timer is an entry
          of a heap, three comparisons deeper. A signal of the host, such as the app's way to the background, calls a closure
          of each ad: about half a second on one thread. Before that matters, ads belong into several processes: they share
          nothing but the ledger.
        - *100,000 sessions.* The client waits with `poll`, which looks at every socket each time it wakes: with 100,000 of
          them longer than handling the message that woke it. `ClientSocketLoop` then needs epoll and kqueue, or one loop
          for each 10,000 sessions. Each session has a file on either side (`ulimit -n`), and a port of the client: one
          address has 28,000 of them to one address of a server. The built-in server, which also polls, is for tests.
        - *Ten million waiting beacons.* The file grows to ten times its size, and its indexes by one level: one more page
          per beacon recorded, and nothing more in memory, because beacons are read as they come due and removed in small
          groups. `LedgerLimits`, by default for 200,000, have to be raised. What reads all of them takes ten times as long,
          and `reconcile` keeps all their keys. What one disk can't record belongs into PostgreSQL
          ([FLEET.md](FLEET.md)), where the table would get a partition for each day.
        - *A million creatives linted.* Nothing is kept from one to the next, so it is ten times the time, divided by the
          processors: `xargs -P`. `yabbi-play lint` keeps the findings of its inputs until its end, for SARIF and the
          summary: at a million they are gigabytes, and the inputs have to be given in parts.


        """
}
