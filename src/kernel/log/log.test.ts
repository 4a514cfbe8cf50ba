import { execFileSync } from "node:child_process";
import fs, { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildSync } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { becomeWorker } from "@/kernel/process/worker.ts";
import { completed } from "@/testing/completed.ts";
import { conformance } from "@/testing/conformance.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { lineOf, openLog, openOutput } from "./log.ts";

const thrown = new Error("Invalid call:\n  password: 'hunter2'\n\nRejected ghat_abcdefghijkl.\n", {
  cause: new TypeError("bad address\nconnect ECONNREFUSED 127.0.0.1:5432"),
});

describe("a line of the log", () => {
  it("a log line contains the class and the location of an error, but neither the values of a query nor text that looks like a token", () => {
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

  it("a log line can describe a thrown value that is not an error", () => {
    expect(lineOf({ event: "x" }, "ghat_abcdefghijkl")).toEqual({ event: "x", error: "string" });
    expect(lineOf({ event: "x" }, null)).toEqual({ event: "x", error: "object" });
  });

  it("a log line is valid JSON for any value, and omits members that are undefined", () => {
    const written: string[] = [];
    const log = openLog("info", { write: (line: string) => written.push(line) });
    const facts = { event: "x", text: 'a"\\\n\u2028é', plain: "/a b", none: null, yes: true, count: 1.5 };
    log.info({ ...facts, absent: undefined, broken: Number.NaN });
    expect(written[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(written[0] ?? "")).toEqual({
      ...facts,
      broken: null,
      level: 30,
      time: expect.any(String),
    });
  });

  it.each([
    ["warn", ["w", "e"]],
    ["debug", ["i", "w", "e"]],
    ["silent", []],
  ])(
    "the log contains only events of the configured level and of more severe levels: %s",
    (level, events) => {
      const written: string[] = [];
      const log = openLog(level, { write: (line: string) => written.push(line) });
      log.info({ event: "i" });
      log.warn({ event: "w" });
      log.error({ event: "e" });
      expect(written.map((line) => JSON.parse(line).event)).toEqual(events);
    },
  );

  it("a log line is one line of JSON, and omits the values of members whose names indicate a secret", () => {
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

describe("the time of a line", () => {
  it("the time of a log line includes milliseconds and advances with the clock", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const written: string[] = [];
    const log = openLog("info", { write: (line: string) => written.push(line) });
    const times = ["2026-02-28T23:59:59.007Z", "2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z"];
    for (const time of times) {
      vi.setSystemTime(new Date(time));
      log.info({ event: "x" });
    }
    vi.useRealTimers();
    expect(written.map((line) => JSON.parse(line).time)).toEqual(times);
  });
});

describe("the log of a worker", () => {
  it("each log line of a worker contains the number of the worker", () => {
    becomeWorker({ number: 2, count: 3 });
    const written: string[] = [];
    const log = openLog("info", { write: (line: string) => written.push(line) });
    resetProcessWide();
    log.info({ event: "x" });
    expect(written.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(String), worker: 2, event: "x" },
    ]);
  });

  it("a worker writes the log in chunks that a pipe accepts as a whole, so that lines of different workers are never mixed", async () => {
    becomeWorker({ number: 1, count: 2 });
    const file = join(temporaryFolder(), "log");
    const log = openLog("info", openOutput(openSync(file, "w")));
    resetProcessWide();
    const write = vi.spyOn(fs, "write");
    for (let number = 0; number < 200; number++) log.info({ event: "x", filler: "x".repeat(150) });
    await expect.poll(() => readFileSync(file, "utf8").split("\n")).toHaveLength(201);
    const parts = write.mock.calls.map(([, part]) => String(part));
    write.mockRestore();
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(4_096);
      expect(part).toMatch(/\n$/);
    }
  });
});

describe("the output of the log", () => {
  const openFile = () => {
    const file = join(temporaryFolder(), "log");
    const lines = (): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);
    return { output: openOutput(openSync(file, "w")), lines };
  };

  it("lines that are logged at the same time are written as one batch, in the same order", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { output, lines } = openFile();
    const log = openLog("info", output);
    for (let number = 0; number < 3; number++) log.info({ event: "x", number });
    await pause(50);
    expect(lines()).toEqual([]);
    vi.advanceTimersByTime(10);
    vi.useRealTimers();
    await expect.poll(() => lines()).toHaveLength(3);
    expect(lines().map((line) => JSON.parse(line).number)).toEqual([0, 1, 2]);
    log.info({ event: "y" });
    await expect.poll(() => lines()).toHaveLength(4);
  });

  it("an error and the lines before the error are written immediately", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { output, lines } = openFile();
    const log = openLog("info", output);
    log.info({ event: "x" });
    log.error({ event: "y" });
    while (lines().length < 2) await new Promise(setImmediate);
    vi.useRealTimers();
    expect(lines().map((line) => JSON.parse(line).event)).toEqual(["x", "y"]);
  });

  it("all lines are written before the process ends", () => {
    const contents = `import { openLog } from "./log.ts";
      const log = openLog("info");
      for (let number = 0; number < 1000; number++) log.info({ event: "x", number });
      process.exit(0);`;
    const { outputFiles } = buildSync({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      write: false,
    });
    const program = outputFiles[0]?.text ?? "";
    const written = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(written.trimEnd().split("\n")).toHaveLength(1000);
  });
});

describe("a log whose output is a pipe without a reader", () => {
  const openPipe = (): number => {
    const file = join(temporaryFolder(), "pipe");
    execFileSync("mkfifo", [file]);
    return openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  };

  /**
   * Reads the pipe until it stays empty for longer than the interval in which a waiting writer checks the
   * pipe.
   */
  async function readAll(pipe: number): Promise<string> {
    const chunks: Buffer[] = [];
    for (let quietMs = 0; quietMs < 2_000; ) {
      const chunk = Buffer.alloc(65_536);
      try {
        chunks.push(chunk.subarray(0, readSync(pipe, chunk)));
        quietMs = 0;
      } catch {
        await pause(20);
        quietMs += 20;
      }
    }
    return Buffer.concat(chunks).toString();
  }

  const LINES = 10_000;
  const UNREAD_BYTES_MAX = 500_000;

  it(
    conformance(
      "SC-45",
      "the log stores a limited number of bytes in memory, and reports the number of dropped lines",
    ),
    async () => {
      const pipe = openPipe();
      const log = openLog("info", openOutput(pipe, UNREAD_BYTES_MAX));
      for (let number = 0; number < LINES; number++)
        log.info({ event: "x", number, filler: "x".repeat(150) });
      const text = await readAll(pipe);
      expect(text.length).toBeGreaterThan(0.9 * UNREAD_BYTES_MAX);
      // The log also contains the line about the dropped lines.
      expect(text.length).toBeLessThan(UNREAD_BYTES_MAX + 1_000);
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const written = lines.filter(({ event }) => event === "x");
      expect(written.map(({ number }) => number)).toEqual(Array.from(written.keys()));
      expect(lines.at(-1)).toEqual({
        level: 40,
        time: expect.any(String),
        event: "log.dropped",
        lines: LINES - written.length,
      });
      log.info({ event: "y" });
      expect(JSON.parse(await readAll(pipe))).toMatchObject({ event: "y" });
      closeSync(pipe);
    },
  );

  it(
    conformance("SC-45", "the log does not prevent the end of the process when nobody reads the pipe"),
    async () => {
      const pipe = openPipe();
      const output = openOutput(pipe, UNREAD_BYTES_MAX);
      const log = openLog("info", output);
      for (let number = 0; number < LINES; number++) log.info({ event: "x", number });
      completed(() => output.flushSync());
      await readAll(pipe);
      closeSync(pipe);
    },
  );
});
