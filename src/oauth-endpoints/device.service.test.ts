import * as decisionRoute from "@app/oauth/device/decision/route.ts";
import * as pageRoute from "@app/oauth/device/route.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isOn } from "@/instance/flags/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import {
  type Client,
  encoded,
  formPost,
  ORIGIN,
  registeredClient,
  type SignedInUser,
  signedInCookie,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  codesFor,
  decideDevice,
  enterUserCode,
  openDevicePage,
  type Page,
  pollError,
  postDeviceForm,
  submitDecision,
  switchDeviceGrant,
} from "@/testing/device.ts";

const deps = await openTestDeps();

let ann: SignedInUser;
let bob: SignedInUser;
let root: SignedInUser;
let device: Client;

beforeAll(async () => {
  await switchDeviceGrant(deps, true);
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
  root = await signedInUser(deps, "chief");
  await deps.db.user.update({ where: { id: root.user.id }, data: { admin: true } });
  const scopes = ["read_user", "read_repository", "api"];
  device = await registeredClient(deps, ann.user, { name: "Acme <CLI>", confidential: false, scopes });
});

beforeEach(() => deps.db.rateCounter.deleteMany());

const requestCodes = (scope = "read_user", headers: Readonly<Record<string, string>> = {}) =>
  codesFor(device, { scope }, headers);
const latest = () => deps.db.deviceAuthorization.findFirstOrThrow({ orderBy: { id: "desc" } });
const events = (name: string) =>
  deps.db.auditEvent.findMany({
    where: { name },
    orderBy: { id: "asc" },
    select: { userId: true, details: true },
  });

/** Returns the text of a page without its tags. */
const textOf = ({ html }: Page): string =>
  html
    .replace(/^.*<body>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** Checks that the page is not cached, cannot be framed, and runs no scripts. */
function expectSealed({ headers, html }: Page): void {
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-frame-options")).toBe("DENY");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("script-src");
  expect(html).not.toMatch(/<script| on[a-z]+=/);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
}

describe("the form for the user code", () => {
  it.each([
    ["", ""],
    ["?user_code=bcdf%20ghjk", "?user_code=BCDF-GHJK"],
    ["?user_code=%F0%9F%90%B8", "?user_code=%F0%9F%90%B8"],
  ])(
    conformance(
      "DV-01",
      "redirects a signed-out user to the sign-in page and back, with the user code of %j",
    ),
    async (query, expectedQuery) => {
      const { status, headers } = await openDevicePage(null, query);
      expect(status).toBe(303);
      const location = new URL(headers.get("location") ?? "");
      expect(location.origin + location.pathname).toBe(`${ORIGIN}/users/sign_in`);
      expect(location.searchParams.get("return_to")).toBe(`/oauth/device${expectedQuery}`);
    },
  );

  it(conformance("DV-02", "CO-05", "has a label and a CSRF token, and contains no user code"), async () => {
    const page = await openDevicePage(ann);
    expect(page.status).toBe(200);
    expectSealed(page);
    expect(page.html).toContain('<label for="user_code"');
    expect(page.html).toMatch(/<form [^>]*action="\/oauth\/device" method="post">/);
    expect(page.fields["form_token"]).toMatch(/^[\w-]{43}$/);
    expect(textOf(page)).toContain("You are signed in as ann @ann");
  });

  it(
    conformance("DV-03", "AT-20", "is filled with the user code of a link, and the link has no other effect"),
    async () => {
      const { userCode, deviceCode } = await requestCodes();
      const before = await latest();
      const page = await openDevicePage(ann, `?user_code=${userCode}`);
      expect(page.html).toContain(`value="${userCode}"`);
      expectSealed(page);
      expect(textOf(page)).not.toContain("Acme");
      expect(await latest()).toEqual(before);
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
    },
  );

  it(conformance("DV-03", "escapes the user code of a link"), async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const page = await openDevicePage(ann, `?user_code=${encodeURIComponent(nasty)}`);
    expect(page.status).toBe(200);
    expectSealed({ ...page, html: page.html.replaceAll(/value="[^"]*"/g, "") });
    expect(page.html).not.toContain(nasty);
  });

  it("accepts malformed and long queries", async () => {
    expect((await openDevicePage(ann, "?user_code=%zz")).status).toBe(400);
    expect((await openDevicePage(ann, `?user_code=${"%F0%9F%90%B8".repeat(500)}`)).status).toBe(200);
    expect((await openDevicePage(null, `?user_code=${"%F0%9F%90%B8".repeat(500)}`)).status).toBe(303);
  });
});

describe("the page for allowing or denying a device", () => {
  it(
    conformance(
      "DV-04",
      "AT-20",
      "shows the application, the time, the origin, the scopes, the user and the code",
    ),
    async () => {
      const agent = { [CLIENT_IP_HEADER]: "203.0.113.7", "user-agent": "acme-cli/2.1 (Linux) <b>" };
      const { userCode } = await requestCodes("read_user read_repository", agent);
      deps.advance(120);
      const card = await enterUserCode(ann, userCode);
      expect(card.status).toBe(200);
      expectSealed(card);
      const text = textOf(card);
      for (const words of [
        "Is this the code on your device?",
        userCode,
        "Acme &lt;CLI&gt; by ann",
        "2 minutes ago",
        "203.0.113.7 · acme-cli/2.1 · Linux",
        "ann @ann",
        "Read your profile",
        "Read your repositories",
        "Did someone send you this link or code? If so, do not allow access: the sender would be able to use your account.",
      ])
        expect(text).toContain(words);
      const buttons = [...card.html.matchAll(/<button[^>]*value="(\w+)"[^>]*>([^<]*)</g)];
      expect(buttons.map(([, value, label]) => [value, label])).toEqual([
        ["deny", "Deny"],
        ["allow", "Allow"],
        ["report", "I did not request this"],
      ]);
      const [deny, allow] = buttons.map(([tag]) => /class="([^"]*)"/.exec(tag)?.[1]);
      expect(deny).toBe(allow);
    },
  );

  it(conformance("DV-07", "is replaced by a page about the expired code when the code expires"), async () => {
    const { userCode } = await requestCodes();
    deps.advance(100);
    const card = await enterUserCode(ann, userCode);
    expect(card.headers.get("refresh")).toBe("200; url=/oauth/device?expired=1");
    expect(textOf(card)).toContain("in 3 minutes");
    const expired = await openDevicePage(ann, "?expired=1");
    expect([expired.status, textOf(expired).includes("This code has expired")]).toEqual([410, true]);
  });

  it("shows a warning to an administrator", async () => {
    const { userCode } = await requestCodes();
    expect(textOf(await enterUserCode(root, userCode))).toContain("You are an administrator.");
  });

  it.each([
    [(code: string) => code.toLowerCase()],
    [(code: string) => code.replace("-", "")],
    [(code: string) => ` ${code.replace("-", " ").toLowerCase()} `],
    [(code: string) => code.replace("-", "–")],
  ])(
    conformance(
      "DV-08",
      "is shown for a user code in lower case, with other separators or without separators",
    ),
    async (typed) => {
      const { userCode } = await requestCodes();
      expect(textOf(await enterUserCode(ann, typed(userCode)))).toContain(userCode);
    },
  );

  it(
    conformance(
      "AT-20",
      "requires recent authentication when the device requests access to the whole account",
    ),
    async () => {
      deps.advance(901);
      const { userCode, deviceCode } = await requestCodes("api");
      const { status, headers } = await enterUserCode(ann, userCode);
      expect(status).toBe(303);
      const location = new URL(headers.get("location") ?? "");
      expect(location.pathname).toBe("/users/confirm");
      expect(location.searchParams.get("return_to")).toBe(`/oauth/device?user_code=${userCode}`);
      const fresh = { ...ann, cookie: await signedInCookie("ann") };
      expect((await decideDevice(fresh, userCode, "allow")).status).toBe(200);
      expect(await pollError(device, deviceCode)).toBe("issued");
    },
  );
});

describe("a user's decision about a device", () => {
  it(
    conformance("DV-05", "connects the device and invalidates the user code if the user allows access"),
    async () => {
      const { userCode, deviceCode } = await requestCodes();
      const page = await decideDevice(ann, userCode, "allow");
      expect([page.status, textOf(page).includes("Your device is connected")]).toEqual([200, true]);
      expectSealed(page);
      expect(await latest()).toMatchObject({ status: "approved", userId: ann.user.id, userCodeDigest: null });
      expect((await events("device.approved")).at(-1)).toEqual({
        userId: ann.user.id,
        details: JSON.stringify({ scopes: ["read_user"] }),
      });
      expect((await enterUserCode(ann, userCode)).status).toBe(422);
      expect(await pollError(device, deviceCode)).toBe("issued");
    },
  );

  it.each([
    ["deny", false],
    ["report", true],
  ])(
    conformance(
      "DV-06",
      "denies access if the user selects %s, and records whether the user reported the request",
    ),
    async (decision, reported) => {
      const { userCode, deviceCode } = await requestCodes();
      const page = await decideDevice(ann, userCode, decision);
      expect([page.status, textOf(page).includes("Access denied")]).toEqual([200, true]);
      expect((await events("device.denied")).at(-1)).toEqual({
        userId: ann.user.id,
        details: JSON.stringify({ reported }),
      });
      expect(await pollError(device, deviceCode)).toBe("access_denied");
      expect((await enterUserCode(ann, userCode)).status).toBe(422);
    },
  );

  it("that is sent twice is stored once", async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(ann, userCode);
    const before = await events("device.approved");
    for (let times = 0; times < 2; times++)
      expect(textOf(await submitDecision(ann, card, "allow"))).toContain("Your device is connected");
    expect(await events("device.approved")).toHaveLength(before.length + 1);
    expect((await submitDecision(ann, card, "deny")).status).toBe(409);
    expect((await latest()).status).toBe("approved");
  });

  it(conformance("DV-07", "leads to the page about the expired code when it arrives too late"), async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(ann, userCode);
    deps.advance(300);
    for (const decision of ["allow", "deny"]) {
      const page = await submitDecision(ann, card, decision);
      expect([page.status, textOf(page).includes("This code has expired")]).toEqual([410, true]);
    }
    expect((await latest()).status).toBe("waiting");
  });

  it(
    conformance("DV-11", "AT-21", "is rejected after another user has decided about the same device"),
    async () => {
      const { userCode, deviceCode } = await requestCodes();
      const cards = { ann: await enterUserCode(ann, userCode), bob: await enterUserCode(bob, userCode) };
      expect((await submitDecision(bob, cards.bob, "allow")).status).toBe(200);
      expect((await enterUserCode(ann, userCode)).status).toBe(422);
      for (const decision of ["allow", "deny", "report"])
        expect((await submitDecision(ann, cards.ann, decision)).status).toBe(409);
      expect(await latest()).toMatchObject({ status: "approved", userId: bob.user.id });
      expect(await pollError(device, deviceCode)).toBe("issued");
    },
  );

  it(
    conformance(
      "AT-06",
      "is stored once when two users decide simultaneously, or when one user allows and denies simultaneously",
    ),
    async () => {
      for (let round = 0; round < 10; round++) {
        const { userCode } = await requestCodes();
        const users = [ann, bob, ann, bob];
        const cards = await Promise.all(users.map((user) => enterUserCode(user, userCode)));
        const before = (await events("device.approved")).length + (await events("device.denied")).length;
        const pages = await Promise.all(
          users.map((user, index) => {
            const card = cards[index];
            if (card === undefined) throw new Error("The page has no decision form.");
            return submitDecision(user, card, index < 2 ? "allow" : "deny");
          }),
        );
        const won = pages.flatMap(({ status }, index) => (status === 200 ? [index] : []));
        expect(won, "only one decision is stored").toHaveLength(1);
        const [index = 0] = won;
        expect(await latest()).toMatchObject({
          status: index < 2 ? "approved" : "denied",
          userId: users[index]?.user.id,
        });
        const after = (await events("device.approved")).length + (await events("device.denied")).length;
        expect(after).toBe(before + 1);
      }
    },
  );
});

describe("a forged device form", () => {
  /** Checks that a call changes neither the device request nor the rate limits. */
  async function expectNothingDone(act: () => Promise<Page>, status = 403): Promise<void> {
    const before = [await latest(), await deps.db.rateCounter.count(), await deps.db.auditEvent.count()];
    expect((await act()).status).toBe(status);
    expect([await latest(), await deps.db.rateCounter.count(), await deps.db.auditEvent.count()]).toEqual(
      before,
    );
  }

  it(conformance("DV-09", "AT-14", "with a user code is refused"), async () => {
    const { userCode } = await requestCodes();
    const form_token = (await openDevicePage(ann)).fields["form_token"];
    const others = (await openDevicePage(bob)).fields["form_token"];
    await expectNothingDone(() => postDeviceForm(ann, "", { user_code: userCode }));
    await expectNothingDone(() => postDeviceForm(ann, "", { user_code: userCode, form_token: others }));
    const fields = { user_code: userCode, form_token };
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
    ])
      await expectNothingDone(() => postDeviceForm(ann, "", fields, headers));
    expect((await postDeviceForm(ann, "", fields)).status).toBe(200);
  });

  it(
    conformance("DV-09", "AT-14", "with a decision is refused, and the device request is unchanged"),
    async () => {
      const { userCode, deviceCode } = await requestCodes();
      const { fields } = await enterUserCode(ann, userCode);
      const bobs = (await enterUserCode(bob, userCode)).fields;
      const entry = (await openDevicePage(ann)).fields["form_token"];
      const elsewhere = (await enterUserCode(ann, (await requestCodes()).userCode)).fields;
      for (const decision of ["allow", "deny", "report"])
        for (const changes of [
          { form_token: undefined },
          { form_token: "x".repeat(43) },
          { form_token: bobs["form_token"] },
          { form_token: entry },
          { form_token: elsewhere["form_token"] },
          { request: elsewhere["request"] },
          { user_code: elsewhere["user_code"] },
          { request: undefined },
          { user_code: undefined },
        ])
          await expectNothingDone(() =>
            postDeviceForm(ann, "/decision", { ...fields, decision, ...changes }),
          );
      const allow = { ...fields, decision: "allow" };
      await expectNothingDone(() =>
        postDeviceForm(ann, "/decision", allow, { origin: "https://evil.example" }),
      );
      await expectNothingDone(() => postDeviceForm(ann, "/decision", { ...fields, decision: "maybe" }));
      expect(await pollError(device, deviceCode)).toBe("authorization_pending");
      expect((await postDeviceForm(ann, "/decision", allow)).status).toBe(200);
    },
  );

  it(conformance("AT-14", "with another content type is refused"), async () => {
    const { userCode } = await requestCodes();
    const { fields } = await enterUserCode(ann, userCode);
    const body = encoded({ ...fields, decision: "allow" });
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/json"])
      for (const [path, post] of [
        ["", pageRoute.POST],
        ["/decision", decisionRoute.POST],
      ] as const) {
        const headers = { cookie: ann.cookie, "content-type": type };
        const response = await post(formPost(`/oauth/device${path}`, body, headers));
        expect(response.status).toBe(400);
      }
    expect((await latest()).status).toBe("waiting");
  });

  it(
    conformance("DV-01", "without a session redirects to the sign-in page and keeps the user code"),
    async () => {
      const { userCode } = await requestCodes();
      for (const path of ["", "/decision"] as const) {
        const { status, headers } = await postDeviceForm(null, path, {
          user_code: userCode,
          decision: "allow",
        });
        expect([status, headers.get("location")]).toEqual([
          303,
          `${ORIGIN}/oauth/device?user_code=${userCode}`,
        ]);
      }
    },
  );
});

describe("a wrong user code", () => {
  it(conformance("DV-07", "is reported in the same way whether it is wrong, used or expired"), async () => {
    const used = await requestCodes();
    await decideDevice(ann, used.userCode, "allow");
    const expired = await requestCodes();
    deps.advance(300);
    const typed = ["BCDF-GHJK", used.userCode, expired.userCode, "not a code", "", "AEIO-UUUU"];
    const pages: Page[] = [];
    for (const code of typed) {
      await deps.db.rateCounter.deleteMany();
      pages.push(await enterUserCode(ann, code));
    }
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([422]));
    const bodies = pages.map(({ html }) => html.replaceAll(/ (value|href)="[^"]*"/g, ""));
    expect(new Set(bodies).size).toBe(1);
    for (const page of pages) expectSealed(page);
    expect(textOf(pages[0] ?? (await openDevicePage(ann)))).toContain("This code is not valid");
  });

  it(
    conformance(
      "DV-10",
      "AT-18",
      "can be entered five times by a user, and then even valid codes of the user are refused",
    ),
    async () => {
      const { userCode } = await requestCodes();
      for (let tries = 1; tries <= 4; tries++)
        expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(422);
      // A successful attempt does not count as a failure, and does not reset the number of earlier failures.
      for (let tries = 1; tries <= 3; tries++) expect((await enterUserCode(ann, userCode)).status).toBe(200);
      expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(422);
      const refused = await enterUserCode(ann, userCode);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "300"]);
      expect(textOf(refused)).toContain("Try again in 5 minutes");
      expectSealed(refused);
      deps.advance(299);
      expect((await enterUserCode(ann, userCode)).headers.get("retry-after")).toBe("1");
      deps.advance(1);
      expect((await enterUserCode(ann, (await requestCodes()).userCode)).status).toBe(200);
    },
  );

  it(
    conformance(
      "DV-10",
      "AT-18",
      "counts for the lifetime of user codes if the lifetime is longer than the rate-limit window",
    ),
    async () => {
      await changeSettings(deps, { device_code_expires_in: "900" });
      for (let tries = 1; tries <= 5; tries++)
        expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(422);
      deps.advance(899);
      expect((await enterUserCode(ann, (await requestCodes()).userCode)).headers.get("retry-after")).toBe(
        "1",
      );
      deps.advance(1);
      expect((await enterUserCode(ann, (await requestCodes()).userCode)).status).toBe(200);
      await changeSettings(deps, { device_code_expires_in: "300" });
    },
  );

  it(conformance("AT-18", "sent in a hundred simultaneous forms is checked only five times"), async () => {
    const { userCode } = await requestCodes();
    const { fields } = await openDevicePage(ann);
    const guesses = Array.from({ length: 100 }, () =>
      postDeviceForm(ann, "", { ...fields, user_code: "BCDF-GHJK" }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(95);
    expect((await enterUserCode(ann, userCode)).status).toBe(429);
  });

  it(conformance("DV-10", "AT-18", "is also limited per IP address and per instance"), async () => {
    await changeSettings(deps, { limit_user_code_per_user: "0", limit_user_code_per_instance: "30" });
    const from = (ipAddress: string) => ({ [CLIENT_IP_HEADER]: ipAddress });
    const guess = async (ipAddress: string) =>
      (await enterUserCode(ann, "BCDF-GHJK", from(ipAddress))).status;
    const statuses: number[] = [];
    for (let tries = 0; tries < 25; tries++) statuses.push(await guess("203.0.113.1"));
    expect(statuses).toEqual([...Array(20).fill(422), ...Array(5).fill(429)]);
    // Refused attempts of the first IP address do not count towards the limit of the instance.
    statuses.length = 0;
    for (let tries = 0; tries < 12; tries++) statuses.push(await guess(`203.0.113.${100 + tries}`));
    expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
    const { userCode } = await requestCodes();
    const refused = await enterUserCode(bob, userCode, from("203.0.113.250"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    await changeSettings(deps, { limit_user_code_per_user: "5", limit_user_code_per_instance: "1000" });
  });

  it(
    conformance("AT-18", "that is refused for its IP address does not count towards the limit of the user"),
    async () => {
      await changeSettings(deps, { limit_user_code_per_address: "1" });
      const statuses: number[] = [];
      for (let tries = 0; tries < 9; tries++) statuses.push((await enterUserCode(ann, "BCDF-GHJK")).status);
      expect(statuses).toEqual([422, ...Array(8).fill(429)]);
      await changeSettings(deps, { limit_user_code_per_address: "20" });
      for (let tries = 0; tries < 4; tries++)
        expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(422);
      expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(429);
    },
  );

  it(conformance("AT-18", "does not count towards the limit of another user"), async () => {
    for (let tries = 0; tries < 40; tries++) await enterUserCode(ann, "BCDF-GHJK");
    const { userCode } = await requestCodes();
    expect((await enterUserCode(bob, userCode)).status).toBe(200);
  });
});

describe("while the device grant is disabled", () => {
  it(
    conformance(
      "DA-05",
      "the device page responds with 404, and lets an administrator enable the device grant",
    ),
    async () => {
      await switchDeviceGrant(deps, false);
      const [signedOut, user, chief] = [
        await openDevicePage(null, "?user_code=BCDF-GHJK"),
        await openDevicePage(ann, "?user_code=BCDF-GHJK"),
        await openDevicePage(root, "?user_code=BCDF-GHJK"),
      ];
      for (const page of [signedOut, user, chief]) {
        expect(page.status).toBe(404);
        expectSealed(page);
        expect(textOf(page)).toContain("disabled on this server");
      }
      expect(signedOut.html).toContain("/users/sign_in?return_to=");
      expect([signedOut.html.includes("<form"), user.html.includes("<form")]).toEqual([false, false]);
      expect(chief.html).toContain("Enable for all users");
      // A user who is not an administrator cannot use the form, even with a CSRF token of that user.
      expect((await postDeviceForm(ann, "", { ...chief.fields })).status).toBe(403);
      expect((await postDeviceForm(root, "", { ...chief.fields, form_token: "x" })).status).toBe(403);
      const setAdmin = (admin: boolean) =>
        deps.db.user.update({ where: { id: root.user.id }, data: { admin } });
      await setAdmin(false);
      expect((await postDeviceForm(root, "", chief.fields)).status).toBe(403);
      await setAdmin(true);
      expect(await isOn(deps, "oauth2_device_grant_flow")).toBe(false);
      // Enabling the device grant requires recent authentication, as on the administration pages.
      deps.advance(601);
      const stale = await postDeviceForm(root, "", chief.fields);
      expect(stale.headers.get("location")).toContain("/users/confirm?");
      expect(await isOn(deps, "oauth2_device_grant_flow")).toBe(false);
      root = { ...root, cookie: await signedInCookie(root.user.username) };
      const { fields } = await openDevicePage(root, "?user_code=BCDF-GHJK");
      const { status, headers } = await postDeviceForm(root, "", fields);
      expect([status, headers.get("location")]).toEqual([303, `${ORIGIN}/oauth/device?user_code=BCDF-GHJK`]);
      expect(await isOn(deps, "oauth2_device_grant_flow")).toBe(true);
      expect((await events("flag.changed")).at(-1)?.userId).toBe(root.user.id);
    },
  );

  it(conformance("DA-05", "user codes and decisions are refused"), async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(ann, userCode);
    await switchDeviceGrant(deps, false);
    const statuses = [
      (await enterUserCode(ann, userCode)).status,
      (await submitDecision(ann, card, "allow")).status,
    ];
    await switchDeviceGrant(deps, true);
    expect(statuses).toEqual([404, 404]);
    expect((await latest()).status).toBe("waiting");
  });
});

describe("the device grant", () => {
  it("rejects the decision of a blocked user", async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(bob, userCode);
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
    const { status } = await submitDecision(bob, card, "allow");
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "active" } });
    expect(status).toBe(303);
    expect((await latest()).status).toBe("waiting");
  });

  it(conformance("XC-16", "never writes a device code or a user code to the log"), async () => {
    const { userCode, deviceCode } = await requestCodes();
    await pollError(device, deviceCode);
    await enterUserCode(ann, "BCDF-GHJK");
    await decideDevice(ann, userCode, "allow");
    await pollError(device, deviceCode);
    const log = JSON.stringify(deps.logged);
    for (const secret of [deviceCode, userCode, userCode.replace("-", "")]) expect(log).not.toContain(secret);
    expect(log).toContain("device_authorization_pending");
  });
});
