import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import {
  decidePoll,
  type PollDecision,
  type PolledRequest,
  slowerInterval,
  standingOutcome,
} from "./rules.ts";

const at = (seconds: number) => new Date(seconds * 1000);
const CLIENT = { id: 1, scopes: ["read_user"] };
const waiting: PolledRequest = {
  applicationId: CLIENT.id,
  scopes: "read_user",
  status: "waiting",
  expiresAt: at(600),
  intervalSeconds: 5,
  lastPolledAt: at(10),
};

describe("decidePoll", () => {
  it.each<[string, Partial<PolledRequest>, Date, PollDecision]>([
    [
      conformance("DT-03", "the first poll of a device"),
      { lastPolledAt: null },
      at(0),
      "authorization_pending",
    ],
    [conformance("DT-02", "a poll two seconds after the last poll"), {}, at(12), "slow_down"],
    [conformance("DT-02", "a poll just before the tolerance begins"), {}, at(13.999), "slow_down"],
    ["a poll within the tolerance", {}, at(14), "authorization_pending"],
    [conformance("DT-01", "a poll after the interval has passed"), {}, at(15), "authorization_pending"],
    [
      conformance("DT-02", "a poll before a raised interval has passed"),
      { intervalSeconds: 10 },
      at(18.9),
      "slow_down",
    ],
    [conformance("DT-04", "a poll after the user has approved"), { status: "approved" }, at(10), "issue"],
    [
      conformance("DT-07", "a poll after the user has approved and the code has expired"),
      { status: "approved" },
      at(600),
      "expired_token",
    ],
    [conformance("DT-07", "a poll after the code has expired"), {}, at(600), "expired_token"],
    [conformance("DT-06", "a poll after the user has denied"), { status: "denied" }, at(10), "access_denied"],
    [
      conformance("DT-06", "DT-07", "a poll long after the user has denied"),
      { status: "denied" },
      at(600),
      "expired_token",
    ],
    [
      conformance("DT-13", "a poll after the approval was withdrawn"),
      { status: "withdrawn" },
      at(10),
      "withdrawn",
    ],
    [
      conformance("DT-07", "a poll long after the approval was withdrawn"),
      { status: "withdrawn" },
      at(600),
      "expired_token",
    ],
    [conformance("DT-05", "a poll after the tokens were issued"), { status: "redeemed" }, at(10), "redeemed"],
    [
      conformance("DT-05", "a poll long after the tokens were issued"),
      { status: "redeemed" },
      at(999),
      "redeemed",
    ],
    [
      conformance("DT-10", "a poll of another client"),
      { applicationId: 2, status: "approved" },
      at(10),
      "foreign",
    ],
    [
      conformance("SC-33", "a poll for a scope that the application has lost, after the user has approved"),
      { status: "approved", scopes: "read_user api" },
      at(10),
      "access_denied",
    ],
    [
      conformance("SC-33", "a poll for a scope that the application has lost"),
      { scopes: "api" },
      at(15),
      "access_denied",
    ],
    [
      conformance("DT-10", "a poll of another client, long after the code has expired"),
      { applicationId: 2 },
      at(999),
      "foreign",
    ],
  ])("decidePoll returns the expected decision about %s", (_when, change, now, decision) => {
    expect(decidePoll({ ...waiting, ...change }, CLIENT, now)).toBe(decision);
  });
});

describe("slowerInterval", () => {
  it.each([
    [1, 6],
    [5, 10],
    [55, 60],
    [58, 60],
    [60, 60],
    [90, 90],
  ])(
    conformance(
      "DT-02",
      "for a polling interval of %i seconds, slowerInterval returns %i seconds after a poll that was too fast",
    ),
    (before, after) => expect(slowerInterval(before)).toBe(after),
  );
});

/** Returns a generator of numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type PollingBehavior = Readonly<{ jitterSeconds: number; heedsSlowDown: boolean }>;

/**
 * Simulates a client that polls about once in each interval.
 * @returns the decisions about the polls, in order.
 */
function polls(count: number, seed: number, behavior: PollingBehavior) {
  const chance = sequence(seed);
  let request: PolledRequest = { ...waiting, lastPolledAt: null, expiresAt: at(1e9) };
  let ownInterval = 5;
  let sentAt = 0;
  return Array.from({ length: count }, () => {
    sentAt += ownInterval;
    const receivedAt = at(Math.max(0, sentAt + (chance() - 0.5) * 2 * behavior.jitterSeconds));
    const decision = decidePoll(request, CLIENT, receivedAt);
    if (decision === "slow_down") {
      const intervalSeconds = slowerInterval(request.intervalSeconds);
      request = { ...request, intervalSeconds };
      if (behavior.heedsSlowDown) ownInterval = intervalSeconds;
    } else request = { ...request, lastPolledAt: receivedAt };
    return { decision, receivedAt };
  });
}

/** Returns the longest time between two accepted polls, in seconds. */
function longestRefusal(responses: ReturnType<typeof polls>): number {
  const accepted = responses.filter(({ decision }) => decision === "authorization_pending");
  const times = accepted.map(({ receivedAt }) => receivedAt.getTime() / 1000);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

describe("a client that polls 1,000 times", () => {
  const seeds = Array.from({ length: 50 }, (_, index) => index + 1);

  it("a client that polls with half a second of jitter never receives slow_down", () => {
    for (const seed of seeds) {
      const responses = polls(1_000, seed, { jitterSeconds: 0.5, heedsSlowDown: true });
      expect(responses.every(({ decision }) => decision === "authorization_pending")).toBe(true);
    }
  });

  it("a client that polls with four seconds of jitter receives authorization_pending soon after it slows down", () => {
    for (const seed of seeds) {
      const responses = polls(1_000, seed, { jitterSeconds: 4, heedsSlowDown: true });
      const decisions = responses.map(({ decision }) => decision).join(" ");
      expect(decisions).toContain("slow_down");
      expect(decisions).not.toContain("slow_down slow_down slow_down");
      expect(longestRefusal(responses)).toBeLessThan(2 * 60 + 2 * 4);
    }
  });

  it("a client that does not slow down still receives authorization_pending once a minute", () => {
    for (const seed of seeds) {
      const responses = polls(1_000, seed, { jitterSeconds: 2, heedsSlowDown: false });
      expect(responses.some(({ decision }) => decision === "slow_down")).toBe(true);
      expect(longestRefusal(responses)).toBeLessThan(60 + 5 + 4);
    }
  });
});

describe("the outcome of a decision that changed no row", () => {
  const ann = { decision: "allow", userId: 1 } as const;

  it.each([
    ["the outcome is expired when the device request no longer exists", null, "expired"],
    [
      "the outcome is expired when the device request still waits, because the decision came too late",
      { status: "waiting", userId: null },
      "expired",
    ],
    [
      "the outcome is approved when the same user has already approved",
      { status: "approved", userId: 1 },
      "approved",
    ],
    [
      "the outcome is approved when the same user has already approved and the device has its tokens",
      { status: "redeemed", userId: 1 },
      "approved",
    ],
    [
      "the outcome is answered when the approval of the same user was withdrawn",
      { status: "withdrawn", userId: 1 },
      "answered",
    ],
    [
      "the outcome is answered when the same user has already made a different decision",
      { status: "denied", userId: 1 },
      "answered",
    ],
    [
      conformance("DV-11", "AT-21", "the outcome is answered when a different user has already decided"),
      { status: "approved", userId: 2 },
      "answered",
    ],
  ] as const)("%s", (_when, request, outcome) => {
    expect(standingOutcome(request, ann)).toBe(outcome);
  });

  it("a user who denies a device request for the second time gets no error", () => {
    const denied = { status: "denied", userId: 1 } as const;
    expect(standingOutcome(denied, { decision: "report", userId: 1 })).toBe("denied");
    expect(standingOutcome(denied, { decision: "allow", userId: 1 })).toBe("answered");
  });
});
