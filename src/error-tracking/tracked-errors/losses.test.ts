import { expect, it } from "vitest";
import { lossesIn } from "./losses.ts";

it("sums up what arrived, by what became of it", () => {
  const arrived = [
    { outcome: "accepted", category: "error", count: 7 },
    { outcome: "quota", category: "error", count: 5 },
    { outcome: "new_errors", category: "error", count: 9 },
    { outcome: "storage", category: "error", count: 8 },
    { outcome: "too_large", category: "error", count: 1 },
    { outcome: "too_large", category: "attachment", count: 3 },
    { outcome: "not_kept", category: "transaction", count: 3 },
    { outcome: "not_kept", category: "log_item", count: 2 },
    { outcome: "client_network_error", category: "error", count: 1 },
    { outcome: "client_sample_rate", category: "error", count: 1 },
  ];
  expect(lossesIn(arrived)).toEqual({
    kept: 7,
    lost: [
      { why: "over the limit of a client key", count: 5 },
      { why: "of new errors, over the hourly limit of a client key", count: 9 },
      { why: "removed because the project's event storage was full", count: 8 },
      { why: "too large (attachment)", count: 4 },
      { why: "of kinds that are not kept (transaction, log item)", count: 5 },
      { why: "given up by the programs themselves", count: 2 },
    ],
  });
});

it("says nothing of what did not happen", () => {
  expect(lossesIn([])).toEqual({ kept: 0, lost: [] });
});
