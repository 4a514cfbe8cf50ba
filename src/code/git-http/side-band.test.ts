import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { withMessages } from "./side-band.ts";

it("withMessages replaces control characters in the messages for the user", async () => {
  const stream = withMessages(async () => [
    "View \u009b2J\u0085\u001b[2J\u007f\ttitle é:",
    "  https://a.example",
  ]);
  stream.end(Buffer.from("0006\u0001a0000"));
  const text = (await buffer(stream)).toString("utf8");
  const shown = "View \ufffd2J\ufffd\ufffd[2J\ufffd\ufffdtitle é:\n";
  const length = (Buffer.byteLength(shown) + 5).toString(16).padStart(4, "0");
  expect(text).toBe(`0006\u0001a${length}\u0002${shown}0019\u0002  https://a.example\n0000`);
});
