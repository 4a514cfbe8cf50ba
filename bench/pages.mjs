import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, runProgram } from "../scripts/program.mjs";
import { openBrowser } from "./browser.mjs";

/** The target for the median, with 10 000 applications and 100 000 grants. */
export const MEDIAN_MS_MAX = 50;

const LOOKS = 60;
const WARM_UPS = 10;

const PAGES = [
  "/",
  "/user_settings/applications",
  "/user_settings/applications/10",
  "/user_settings/authorized_applications",
  "/user_settings/personal_access_tokens",
  "/user_settings/sessions",
  "/user_settings/profile",
  "/admin/users",
  "/admin/applications",
  "/admin/audit_events",
  "/help/connect",
  "/users/sign_in",
];

/**
 * Measures the time of pages, one request after the other, on a separate instance with many rows.
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 * @returns {Promise<readonly { page: string, median: number, p95: number, kilobytes: number }[]>} times in
 * milliseconds.
 * @throws StepFailed if the status of a page is not 200.
 */
export async function measurePages(folder, later) {
  const place = join(folder, "pages");
  await mkdir(place);
  const { baseUrl, rootPassword } = await startInstance({ port: await freePort(), folder: place, later });
  await runProgram(["bench/fill-pages.mjs", join(place, "data/gatehouse.db")], { later });
  const browser = openBrowser(baseUrl);
  const credentials = { intent: "sign_in", login: "root", password: rootPassword };
  const measured = [];
  for (const page of PAGES) {
    if (page === "/") await browser.send(`${baseUrl}/users/session`, credentials);
    // Signed-in users see the sign-in form only with the parameter `again`.
    const url = page === "/users/sign_in" ? `${baseUrl}${page}?again=1` : baseUrl + page;
    /** @type {number[]} */
    const times = [];
    let bytes = 0;
    for (let look = 0; look < WARM_UPS + LOOKS; look += 1) {
      const begin = performance.now();
      const response = await browser.send(url);
      if (look >= WARM_UPS) times.push(performance.now() - begin);
      if (response.status !== 200) throw new StepFailed(`${page} returned ${response.status}.`);
      bytes = response.bytes;
    }
    times.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
    measured.push({ page, median: at(0.5), p95: at(0.95), kilobytes: bytes / 1024 });
  }
  return measured;
}
