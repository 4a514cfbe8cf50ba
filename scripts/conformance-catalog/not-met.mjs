/** @import { Requirement } from "../conformance-catalog.mjs" */

/**
 * The rules without a test, and the reasons. @type {Readonly<Record<string, Requirement & { why: string }>>}
 */
export const NOT_MET = {
  "DA-06": {
    rule: "a device request of an application that may not use the device grant",
    expected: "400 `unauthorized_client`",
    source: "RFC 6749 §5.2",
    why: "The device grant is enabled or disabled for the whole instance (DA-05), not for single applications. Each device request also needs the approval of a user.",
  },
  "LF-01": {
    rule: "load on each endpoint, at a fixed rate and in a closed loop",
    expected: "no response has an unexpected status",
    source: "goal of the product",
    why: "`npm test` does not measure load. `npm run bench` measures load: see `docs/benchmarks.md`.",
  },
  "LF-02": {
    rule: "realistic load with a mix of requests",
    expected: "the 99th percentile of the response time is measured at a processor load of 50 %",
    source: "goal of the product",
    why: "A mixed load is not measured, because each row of `npm run bench` sends requests to one endpoint.",
  },
  "LF-03": {
    rule: "600 devices that poll every 5 s for 10 min",
    expected: "no poll gets a wrong `slow_down`; each approval leads to one token",
    source: "RFC 8628 §3.5",
    why: "Polls for 10 min would take too long for a test. 1,000 polls with jitter on a simulated clock get no false `slow_down` (DT-02), and exactly one of 16 simultaneous polls at two processes gets the token (AT-05).",
  },
  "LF-04": {
    rule: "many simultaneous refreshes after a restart",
    expected: "no token family is lost",
    source: "RFC 6749 §6",
    why: "Refreshes after a restart have no separate test. LF-08 kills the server during many concurrent code exchanges, and `npm run bench` measures parallel chains of token refreshes.",
  },
  "LF-06": {
    rule: "continuous load for one hour",
    expected: "the memory and the number of open handles stay constant",
    source: "goal of the product",
    why: "A load of one hour would take too long for a test. A server with a heap of 110 MB serves thousands of requests, and the live heap does not grow (SC-45).",
  },
  "LF-07": {
    rule: "1,000,000 expired tokens in the table of tokens",
    expected: "a token lookup takes the same time, regardless of the number of expired tokens",
    source: "goal of the product",
    why: "`npm test` does not measure response times. `npm run bench` measures response times. A test shows that pruning works in small batches.",
  },
  "LF-09": {
    rule: "a database that stops, pauses, restarts, loses connections or is slow",
    expected: "503 with `Retry-After`, and recovery without a restart",
    source: "RFC 9110 §15.6.4",
    why: "Tests check network partitions, terminated connections and locked tables of PostgreSQL (SC-38, SC-39), and a start while the database is not reachable (SC-44). `npm run test:faults` also stops, pauses and delays PostgreSQL: see `docs/reliability.md`.",
  },
  "LF-10": {
    rule: "a full disk or a read-only database",
    expected: "writes get 503; reads still succeed",
    source: "RFC 9110 §15.6.4",
    why: "Tests check a full and a read-only disk for repositories and packages (SC-40), and a read-only PostgreSQL database for requests (SC-39). `npm run test:faults` also fills the disk of an SQLite database: see `docs/reliability.md`.",
  },
  "LF-11": {
    rule: "clients that disconnect or send slowly",
    expected: "other clients are not affected",
    source: "RFC 9112 §9.5",
    why: "Tests check stalled pushes (SC-42), silent connections and half-closed sockets. The HTTP server ends slow token requests after a time limit.",
  },
  "LF-12": {
    rule: "a system clock that jumps by 10 min under load",
    expected: "only the expiry of tokens and codes changes",
    source: "RFC 6749 §5.1",
    why: "Clock jumps of five minutes and of a month are tested without load (SC-45). All code that computes an expiry time reads the time from a clock that tests control.",
  },
  "LF-13": {
    rule: "a rotation of the signing keys under load",
    expected: "every token can be verified with the current key set",
    source: "OpenID Connect Core §10.1.1",
    why: "A rotation of the signing keys is not tested under load. After a rotation, ID tokens that were signed with the old key or the new key can be verified (JW-03).",
  },
  "LF-14": {
    rule: "a rolling restart of two processes",
    expected: "if a client repeats refused requests, each of its requests succeeds",
    source: "RFC 9110 §15.6.4",
    why: "`npm run test:upgrade` runs the last release and the checkout on one PostgreSQL database, and the release serves requests while the checkout starts. `npm test` tests two processes on one database (AT-03, AT-04, AT-05) and a kill with a restart (LF-08).",
  },
  "LF-15": {
    rule: "a flood of password grants in addition to normal load",
    expected: "the response time of other endpoints does not change",
    source: "RFC 9110 §15.6.4",
    why: "The number of simultaneous password hashes is limited, and further requests get 503 (AT-25). The response time of other endpoints is not measured.",
  },
  "LF-16": {
    rule: "migrations of a database with data to a newer and to an older version",
    expected: "tokens stay valid",
    source: "goal of the product",
    why: "Down migrations do not exist. `npm run test:upgrade` migrates the data of the last release, and the tokens stay valid.",
  },
};
