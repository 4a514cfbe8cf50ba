import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { storageFailureOf } from "./storage.ts";

const systemError = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

describe("storage failures", () => {
  it.each([
    ["ENOSPC", "write", "full"],
    ["EROFS", "open", "unwritable"],
    ["EACCES", "mkdir", "unwritable"],
    ["EPERM", "open", "unwritable"],
  ])(
    conformance("SC-40", "for the error %s of the system call %s, the storage failure is %s"),
    (code, syscall, reason) => {
      expect(storageFailureOf(systemError(code, syscall))).toBe(reason);
    },
  );

  it(
    conformance(
      "SC-40",
      "storageFailureOf returns null for an error that the storage did not cause, such as a program that cannot be started",
    ),
    () => {
      expect(storageFailureOf(systemError("EACCES", "spawn git"))).toBeNull();
      expect(storageFailureOf(systemError("EACCES", "listen"))).toBeNull();
      expect(storageFailureOf(systemError("ENOENT", "open"))).toBeNull();
      expect(storageFailureOf(Object.assign(new Error("permission denied"), { code: "42501" }))).toBeNull();
    },
  );
});
