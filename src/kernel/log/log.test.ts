import { describe, expect, it } from "vitest";
import { lineOf, openLog } from "./log.ts";

const thrown = new Error("Invalid call:\n  password: 'hunter2'\n\nRejected ghat_abcdefghijkl.\n", {
  cause: new TypeError("bad address\nconnect ECONNREFUSED 127.0.0.1:5432"),
});

describe("a line of the log", () => {
  it("has of an error its kind and place, and neither the values of a query nor what looks like a token", () => {
    const line = lineOf({ event: "api.failed", request_id: "1" }, thrown);
    expect(line).toEqual({
      event: "api.failed",
      request_id: "1",
      error: "Error",
      reason: "Rejected [redacted].",
      because: "connect ECONNREFUSED 127.0.0.1:5432",
      at: expect.arrayContaining([expect.stringMatching(/^at .*log\.test\.ts/)]),
    });
  });

  it("takes anything that can be thrown", () => {
    expect(lineOf({ event: "x" }, "ghat_abcdefghijkl")).toEqual({ event: "x", error: "string" });
    expect(lineOf({ event: "x" }, null)).toEqual({ event: "x", error: "object" });
  });

  it("has no value under a name that belongs to a secret, and is one line of JSON", () => {
    const written: string[] = [];
    const log = openLog("info", { write: (line: string) => written.push(line) });
    log.error({ event: "x", password: "hunter2", user_id: 1 }, thrown);
    expect(written.join("")).not.toMatch(/hunter2|ghat_/);
    expect(written).toHaveLength(1);
    expect(JSON.parse(written[0] ?? "")).toMatchObject({
      event: "x",
      password: "[redacted]",
      user_id: 1,
      level: 50,
    });
  });
});
