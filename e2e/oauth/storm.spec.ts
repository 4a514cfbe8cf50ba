import type { Page } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import type { Instance } from "../instance.ts";
import { startInstance } from "../instance.ts";
import { expect, type Registered, register, signIn, test } from "./fixtures.ts";

const REDIRECT_URI = "https://client.example/callback";
const CODES = 80;
/** The number of authorization codes that no request exchanges before the test kills the server. */
const REMAINING = 8;
/**
 * The number of authorization codes that the test exchanges simultaneously before it kills the server, each
 * in two requests.
 */
const SIMULTANEOUS_CODES = 8;
/** The test kills the server after this number of responses. */
const RESPONSES_BEFORE_KILL = 10;

/** Creates authorization codes for a trusted application, which needs no consent. */
async function prepareCodes(page: Page, instance: Instance, client: Registered): Promise<readonly string[]> {
  await page.goto(`${instance.baseUrl}/`);
  await signIn(page, instance);
  await page.getByRole("heading", { name: /^Gatehouse at/ }).waitFor();
  const url = `${instance.baseUrl}/oauth/authorize?${new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "read_user",
  })}`;
  const codes: string[] = [];
  while (codes.length < CODES) {
    const response = await page.request.get(url, { maxRedirects: 0 });
    codes.push(new URL(response.headers()["location"] ?? "").searchParams.get("code") ?? "");
  }
  return codes;
}

/**
 * Exchanges an authorization code.
 * @returns the access token, the status of a refusal, or null if no response arrived.
 */
async function exchange(
  instance: Instance,
  client: Registered,
  code: string,
): Promise<string | number | null> {
  const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...client };
  try {
    const response = await fetch(`${instance.baseUrl}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ ...form, client_secret: client.client_secret ?? "" }),
    });
    return response.status === 200 ? String((await response.json()).access_token) : response.status;
  } catch {
    return null;
  }
}

test(
  conformance(
    "LF-08",
    "after the server was killed during many code exchanges, every received token works and no authorization code was used twice",
  ),
  async ({ page, database }) => {
    const instance = await startInstance({ database });
    // With a code_reuse_leeway of 60 seconds, the server treats both exchanges of an authorization code as
    // simultaneous, even on a slow machine.
    const leeway = await instance.cli("setting", "set", "code_reuse_leeway", "60");
    expect(leeway).toMatchObject({ code: 0 });
    const client = await register(
      instance,
      ...[
        "--name",
        "Storm",
        "--redirect-uri",
        REDIRECT_URI,
        "--scopes",
        "read_user",
        "--owner",
        "root",
        "--trusted",
      ],
    );
    const codes = await prepareCodes(page, instance, client);
    const tokens = new Map<string, string[]>(codes.map((code) => [code, []]));
    const take = async (code: string) => {
      const outcome = await exchange(instance, client, code);
      if (typeof outcome === "string") tokens.get(code)?.push(outcome);
      return outcome;
    };

    // The remaining authorization codes are exchanged only after the restart. When the server was killed, it
    // may have used authorization codes without having sent the responses.
    const unsent = codes.slice(0, -REMAINING);
    let responses = 0;
    let killed: Promise<unknown> | undefined;
    const takeBeforeKill = async (code: string) => {
      if ((await take(code)) === null) return;
      responses += 1;
      if (responses >= RESPONSES_BEFORE_KILL) killed ??= instance.kill("SIGKILL");
    };
    const takeCodes = async () => {
      for (let code = unsent.shift(); code !== undefined && !killed; code = unsent.shift())
        await Promise.all([takeBeforeKill(code), takeBeforeKill(code)]);
    };
    await Promise.all(Array.from({ length: SIMULTANEOUS_CODES }, takeCodes));
    await killed;
    const before = [...tokens.values()].flat();
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(CODES - REMAINING);

    await instance.restart();
    for (const token of before) {
      const response = await fetch(`${instance.baseUrl}/api/v4/user`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
    }
    await Promise.all(codes.flatMap((code) => [take(code), take(code)]));
    for (const received of tokens.values()) expect(received.length).toBeLessThanOrEqual(1);
    const exchanged = [...tokens.values()].filter((received) => received.length === 1);
    expect(exchanged.length).toBeGreaterThanOrEqual(before.length + REMAINING);
    await instance.stop();
  },
);
