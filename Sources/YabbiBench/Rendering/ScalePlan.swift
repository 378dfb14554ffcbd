extension Page {
    /// What ten times the largest amounts of the curves would need: from the curves and the code, not from a run.
    static let scalePlan = """
        **What the next decimal needs**, on paper: from these curves and the code, not from a run.

        - *A million ads on screen.* Nothing grows but memory: 2 GB, and their markup. A timer is an entry of a heap, three
          comparisons deeper. A signal of the host, such as the app's way to the background, calls a closure of each ad on
          the thread that posts it. Before that matters, ads belong in several processes: they share nothing but the
          ledger.
        - *100,000 sessions.* The bend at 10,000 is `poll`: the client (`ClientSocketLoop`) and the built-in server look at
          every socket each time they wake, and each login wakes both several times. With 100,000 that would be most of the
          work: the client needs epoll and kqueue, or one loop for each few thousand sessions. The server is for tests.
          Each session has a file on either side (`ulimit -n`) and a port of the client: one address has about 28,000 of
          them to one address of a server.
        - *Ten million waiting beacons.* The file grows to 2 GB, and its indexes by one level: one more page per beacon
          recorded, and nothing more in memory, because beacons are read as they come due and removed in small groups.
          `LedgerLimits`, by default for 200,000, have to be raised. What reads all of them takes ten times as long, and
          `reconcile` keeps all their keys. What one disk can't record belongs in PostgreSQL ([FLEET.md](FLEET.md)), where
          the table would get a partition for each day.
        - *A million creatives linted.* Nothing is kept from one to the next, so it is ten times the time, divided by the
          processors: `xargs -P`. `yabbi-play lint` keeps the findings of its inputs until its end, for SARIF and the
          summary: at a million they are gigabytes, and the inputs have to be given in parts.


        """
}
