import { describe, expect, it } from "vitest";
import { loggablePath } from "./request-log.ts";

describe("loggablePath", () => {
  it.each([
    ["/api/v4/projects/g%2Fp", "/api/v4/projects/g%2Fp"],
    ["/x/ghat_abcdefghijkl/y", "/x/[redacted]/y"],
    ["/x/gh%61t_abcdefghijkl", "/x/[redacted]"],
    ["/x/prefix-ghrt_abcdefghijkl", "/x/[redacted]"],
    ["/x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "/x/[redacted]"],
    ["/x/%zz/ghac_abcdefghijkl%zz", "/x/%zz/[redacted]"],
  ])("loggablePath converts the path %s to the logged path %s", (path, expected) => {
    expect(loggablePath(path)).toBe(expected);
  });

  it("the logged path has a limited length", () => {
    expect(loggablePath(`/${"a".repeat(5000)}`).length).toBe(1024);
  });
});
