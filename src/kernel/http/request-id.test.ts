import { expect, it } from "vitest";
import { requestIdFrom } from "./request-id.ts";

const generate = () => "made";

it.each(["3f0c6a1e9b", "5b0e4c1c-9d3f-4e4e-8a50-0d8a3f2c7b11", "1-67891233-abcdef012345678912345678"])(
  "requestIdFrom keeps the X-Request-Id header %s",
  (header) => {
    expect(requestIdFrom(header, generate)).toBe(header);
  },
);

it.each([
  undefined,
  "",
  "short",
  "ghat_0123456789",
  "a".repeat(65),
  "12345678\n12345678",
  "12345678,12345678",
])("requestIdFrom replaces the X-Request-Id header %j by a new ID", (header) => {
  expect(requestIdFrom(header, generate)).toBe("made");
});
