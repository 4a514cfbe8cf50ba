/** @import { Requirement } from "../conformance-catalog.mjs" */

/**
 * The rules without a test, and the reasons. @type {Readonly<Record<string, Requirement & { why: string }>>}
 */
export const NOT_MET = {
  "DA-06": {
    rule: "an application without the device grant",
    expected: "400 `unauthorized_client`",
    source: "RFC 6749 §5.2",
    why: "No application lacks the device grant: the grant is enabled or disabled for the whole instance (DA-05), and a client still needs the approval of a user.",
  },
  "LF-01": {
    rule: "load at a fixed rate and in a closed loop on each endpoint",
    expected: "no unexpected status",
    source: "goal of the product",
    why: "`npm run bench` measures the load, not `npm test`: see `docs/benchmarks.md`.",
  },
  "LF-02": {
    rule: "mixed realistic load",
    expected: "the 99th percentile of latency at a processor load of 50 %",
    source: "goal of the product",
    why: "Not measured: each row of `npm run bench` sends requests to one endpoint.",
  },
  "LF-03": {
    rule: "600 devices that poll every 5 s for 10 min",
    expected: "no false `slow_down`; one token for each approval",
    source: "RFC 8628 §3.5",
    why: "The run would take too long for a test. 1,000 polls with jitter on a simulated clock get no false `slow_down` (DT-02), and exactly one of 16 simultaneous polls at two processes gets the token (AT-05).",
  },
  "LF-04": {
    rule: "a storm of refreshes after a restart",
    expected: "no token family is lost",
    source: "RFC 6749 §6",
    why: "Not tested separately. LF-08 kills the server during many concurrent code exchanges, and `npm run bench` measures parallel chains of token refreshes.",
  },
  "LF-06": {
    rule: "load for one hour",
    expected: "memory and open handles stay constant",
    source: "goal of the product",
    why: "The run would take too long for a test. Thousands of requests in a heap of 110 MB do not increase the live memory (SC-45).",
  },
  "LF-07": {
    rule: "1,000,000 expired tokens in the table",
    expected: "the latency of a look-up does not change",
    source: "goal of the product",
    why: "`npm run bench` measures the latency, not `npm test`. A test shows that pruning works in small batches.",
  },
  "LF-09": {
    rule: "a database that stops, pauses, restarts, loses connections or is slow",
    expected: "503 with `Retry-After`, and recovery without a restart",
    source: "RFC 9110 §15.6.4",
    why: "Network partitions, terminated connections and locked tables of PostgreSQL are tested (SC-38, SC-39), and a start while the database is unreachable (SC-44). `npm run test:faults` also stops, pauses and delays PostgreSQL: see `docs/reliability.md`.",
  },
  "LF-10": {
    rule: "a full disk or a read-only database",
    expected: "503; reads continue",
    source: "RFC 9110 §15.6.4",
    why: "A full and a read-only disk are tested for repositories and packages (SC-40), and a read-only PostgreSQL database is tested for requests (SC-39). `npm run test:faults` also fills the disk of an SQLite database: see `docs/reliability.md`.",
  },
  "LF-11": {
    rule: "clients that disconnect or send slowly",
    expected: "other clients are not affected",
    source: "RFC 9112 §9.5",
    why: "Stalled pushes (SC-42), silent connections and half-closed sockets are tested. Slow token requests are limited by the HTTP server.",
  },
  "LF-12": {
    rule: "a clock that jumps by 10 min under load",
    expected: "only expiry changes",
    source: "RFC 6749 §5.1",
    why: "Clock jumps of five minutes and of a month are tested without load (SC-45). Every rule gets the time from a clock that tests control.",
  },
  "LF-13": {
    rule: "a key rotation under load",
    expected: "no verification fails with a current key set",
    source: "OpenID Connect Core §10.1.1",
    why: "Not tested under load. After a rotation, ID tokens that were signed with either key verify (JW-03).",
  },
  "LF-14": {
    rule: "a rolling restart of two processes",
    expected: "no request fails for a client that retries",
    source: "RFC 9110 §15.6.4",
    why: "`npm run test:upgrade` runs the last release and the checkout on one PostgreSQL database, and the release serves requests while the checkout starts. `npm test` tests two processes on one database (AT-03, AT-04, AT-05) and a kill with a restart (LF-08).",
  },
  "LF-15": {
    rule: "a flood of password grants next to normal load",
    expected: "the latency of other endpoints does not change",
    source: "RFC 9110 §15.6.4",
    why: "Password hashing is limited, and further requests get 503 (AT-25); the latency of other endpoints is not measured.",
  },
  "LF-16": {
    rule: "migrations up and down with live data",
    expected: "tokens stay valid",
    source: "goal of the product",
    why: "Down migrations do not exist. `npm run test:upgrade` migrates the data of the last release, whose tokens stay valid.",
  },
};
