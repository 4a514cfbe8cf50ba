import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT, systemErrorCode } from "./prepare-step.mjs";

const LOCK = join(ROOT, ".cache", "prepare.lock");
const OWNER = join(LOCK, "pid");

/**
 * The age at which a lock counts as abandoned. Every preparation takes less time than this limit, although a
 * first installation takes minutes.
 */
const ABANDONED_AFTER_MS = 30 * 60_000;

/**
 * Runs `work` while no other command prepares this project. If the process that owns the lock has died, this
 * process takes over the lock.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function alone(work) {
  await take();
  const release = () => rmSync(LOCK, { recursive: true, force: true });
  const releaseAndExit = () => {
    release();
    process.exit(130);
  };
  process.once("SIGINT", releaseAndExit).once("SIGTERM", releaseAndExit);
  try {
    return await work();
  } finally {
    process.off("SIGINT", releaseAndExit).off("SIGTERM", releaseAndExit);
    release();
  }
}

async function take() {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  for (let isReported = false; !acquire(); isReported = true) {
    if (!isReported) process.stderr.write("Another command is preparing this project; waiting for it.\n");
    if (isAbandoned()) discard();
    else await sleep(200);
  }
}

function acquire() {
  try {
    mkdirSync(LOCK);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
  writeFileSync(OWNER, String(process.pid));
  return true;
}

function isAbandoned() {
  try {
    const age = Date.now() - statSync(LOCK).mtimeMs;
    const owner = ownerOf(LOCK);
    // Between the creation of the lock folder and the creation of the file `pid` in this folder, the lock has
    // no owner.
    return owner === null ? age > 10_000 : age > ABANDONED_AFTER_MS || !isAlive(owner);
  } catch {
    return false;
  }
}

/**
 * Removes an abandoned lock. The lock folder is renamed first, because only one of several processes can
 * rename the folder.
 */
function discard() {
  const aside = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, aside);
    const owner = ownerOf(aside);
    if (owner !== null && isAlive(owner) && Date.now() - statSync(aside).mtimeMs < ABANDONED_AFTER_MS)
      renameSync(aside, LOCK);
  } catch {
    // Another command has already removed the abandoned lock.
  }
  rmSync(aside, { recursive: true, force: true });
}

/** @param {string} lock */
function ownerOf(lock) {
  try {
    return Number(readFileSync(join(lock, "pid"), "utf8")) || null;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
