import { readdirSync, readFileSync } from "node:fs";

/**
 * The length of a clock tick (1/USER_HZ seconds), which is the unit of `cutime` and `cstime` in
 * `/proc/PID/stat` on Linux.
 */
const NANOSECONDS_PER_TICK = 10_000_000;
/**
 * The positions of two fields after the program name in `/proc/PID/stat`: the id of the parent, and the processor
 * time of ended children.
 */
const [PARENT, CHILDREN_USER, CHILDREN_SYSTEM] = [1, 13, 14];

/**
 * Returns the result of `read`, or an empty text if the process has just ended.
 * @param {() => string} read
 */
const contentOf = (read) => {
  try {
    return read();
  } catch {
    return "";
  }
};

/** @param {string} pid */
const statOf = (pid) =>
  contentOf(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
    .replace(/^.*\) /s, "")
    .split(" ");

/**
 * Returns the processor time of a process in microseconds, including the processor time of its descendants
 * and of the ended children of these descendants. Only Linux reports the processor time of a process; on
 * other systems the result is NaN.
 * @param {number | undefined} pid
 */
export function processorTime(pid) {
  if (pid === undefined || process.platform !== "linux") return Number.NaN;
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const stats = new Map(all.map((each) => [each, statOf(each)]));
  const family = [String(pid)];
  for (const parent of family) family.push(...all.filter((each) => stats.get(each)?.[PARENT] === parent));
  const nanoseconds = family.map((each) => ownNanoseconds(each) + childNanoseconds(stats.get(each) ?? []));
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** @param {string} pid */
const ownNanoseconds = (pid) =>
  contentOf(() => readdirSync(`/proc/${pid}/task`).join(" "))
    .split(" ")
    .map((task) => contentOf(() => readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8")))
    .reduce((sum, text) => sum + Number(text.split(" ", 1)[0]), 0);

/** @param {readonly string[]} stat */
const childNanoseconds = (stat) =>
  (Number(stat[CHILDREN_USER] ?? 0) + Number(stat[CHILDREN_SYSTEM] ?? 0)) * NANOSECONDS_PER_TICK;
