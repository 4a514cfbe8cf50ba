import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { isUnavailable } from "./errors.ts";

const withCode = (name: "code" | "originalCode", code: string): Error =>
  Object.assign(new Error("x"), { [name]: code });

it.each(["08006", "25006", "25P03", "40P01", "53100", "53300", "55P03", "57014", "57P01", "58030"])(
  conformance("SC-39", "isUnavailable returns true for the temporary PostgreSQL error %s"),
  (code) => {
    expect(isUnavailable(withCode("code", code))).toBe(true);
    const adapted = new Error("outer", { cause: withCode("originalCode", code) });
    expect(isUnavailable({ meta: { driverAdapterError: adapted } })).toBe(true);
  },
);

it.each(["22001", "23505", "42P01", "P2002", "25P02", "053100"])(
  conformance(
    "SC-39",
    "isUnavailable returns false for the error %s, because the request itself causes the error",
  ),
  (code) => {
    expect(isUnavailable(withCode("code", code))).toBe(false);
  },
);
