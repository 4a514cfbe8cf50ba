import { expect, it } from "vitest";
import { ingestSummaryOf } from "./ingest-summary.ts";

it("the ingest summary adds up stored events and dropped items by reason", () => {
  const counts = [
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
  expect(ingestSummaryOf(counts)).toEqual({
    stored: 7,
    dropped: [
      { reason: "over the rate limit of a client key", count: 5 },
      { reason: "over the hourly limit of new errors of a client key", count: 9 },
      { reason: "removed because the event storage of the project was full", count: 8 },
      { reason: "too large (attachment)", count: 4 },
      { reason: "of types that are not stored (transaction, log item)", count: 5 },
      { reason: "discarded by SDKs", count: 2 },
    ],
  });
});

it("the ingest summary lists only reasons for which items were dropped", () => {
  expect(ingestSummaryOf([])).toEqual({ stored: 0, dropped: [] });
});
