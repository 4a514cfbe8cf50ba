import { describe, expect, it } from "vitest";
import { isOn } from "@/instance/flags/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import { ORIGIN, registeredClient, signedInCookie, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import {
  codesFor,
  decideDevice,
  enterUserCode,
  openDevicePage,
  pollError,
  postDeviceForm,
  submitDecision,
  switchDeviceGrant,
} from "@/testing/device.ts";
import { openDeviceInstance } from "@/testing/device-instance.ts";
import { leaveDecision } from "./device.ts";

const { deps, ann, bob, root, device, requestCodes, latest, events, textOf, expectSealed } =
  await openDeviceInstance();

describe("the form for the user code", () => {
  it.each([
    ["", ""],
    ["?user_code=bcdf%20ghjk", "?user_code=BCDF-GHJK"],
    ["?user_code=%F0%9F%90%B8", "?user_code=%F0%9F%90%B8"],
  ])(
    conformance(
      "DV-01",
      "the form for the user code redirects a signed-out user to the sign-in page and back, and keeps the user code %j",
    ),
    async (query, expectedQuery) => {
      const { status, headers } = await openDevicePage(null, query);
      expect(status).toBe(303);
      const location = new URL(headers.get("location") ?? "");
      expect(location.origin + location.pathname).toBe(`${ORIGIN}/users/sign_in`);
      expect(location.searchParams.get("return_to")).toBe(`/oauth/device${expectedQuery}`);
    },
  );

  it(
    conformance(
      "DV-02",
      "CO-05",
      "the form for the user code has a label and a CSRF token, and contains no user code",
    ),
    async () => {
      const page = await openDevicePage(ann);
      expect(page.status).toBe(200);
      expectSealed(page);
      expect(page.html).toContain('<label for="user_code"');
      expect(page.html).toMatch(/<form [^>]*action="\/oauth\/device" method="post">/);
      expect(page.fields["form_token"]).toMatch(/^[\w-]{43}$/);
      expect(textOf(page)).toContain("You are signed in as ann @ann");
    },
  );

  it(
    conformance(
      "DV-03",
      "AT-20",
      "the verification link of a device fills in the user code, and has no other effect",
    ),
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

  it(conformance("DV-03", "the form for the user code escapes a user code from the URL"), async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const page = await openDevicePage(ann, `?user_code=${encodeURIComponent(nasty)}`);
    expect(page.status).toBe(200);
    expectSealed({ ...page, html: page.html.replaceAll(/value="[^"]*"/g, "") });
    expect(page.html).not.toContain(nasty);
  });

  it("the form for the user code is shown even if the query of the URL is malformed or long", async () => {
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
      "the page for allowing a device shows the application, the time, the IP address and the user agent, the scopes, the user and the user code",
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
        "Did someone send you this link or code? If so, do not allow access, because the sender would be able to use your account.",
      ])
        expect(text).toContain(words);
      const buttons = [...card.html.matchAll(/<button[^>]*value="(\w+)"[^>]*>([^<]*)</g)];
      expect(buttons.map(([, value, label]) => [value, label])).toEqual([
        ["deny", "Deny"],
        ["allow", "Allow"],
        ["report", "I did not request access"],
      ]);
      const [deny, allow] = buttons.map(([tag]) => /class="([^"]*)"/.exec(tag)?.[1]);
      expect(deny).toBe(allow);
    },
  );

  it(
    conformance(
      "DV-07",
      "when the user code expires, the page for allowing a device is replaced by a page about the expired user code",
    ),
    async () => {
      const { userCode } = await requestCodes();
      deps.advance(100);
      const card = await enterUserCode(ann, userCode);
      expect(card.headers.get("refresh")).toBe("200; url=/oauth/device?expired=1");
      expect(textOf(card)).toContain("in 3 minutes");
      const expired = await openDevicePage(ann, "?expired=1");
      expect([expired.status, textOf(expired).includes("This code has expired")]).toEqual([410, true]);
    },
  );

  it("the page for allowing a device shows a warning to an administrator", async () => {
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
      "the page for allowing a device is shown for a user code in lower case, with other separators or without separators",
    ),
    async (typed) => {
      const { userCode } = await requestCodes();
      expect(textOf(await enterUserCode(ann, typed(userCode)))).toContain(userCode);
    },
  );

  it(
    conformance(
      "AT-20",
      "the page for allowing a device requires recent authentication when the device requests access to the whole account",
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
  it(conformance("DV-05", "allowing access connects the device and invalidates the user code"), async () => {
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
  });

  it.each([
    ["deny", false],
    ["report", true],
  ])(
    conformance(
      "DV-06",
      "selecting %s denies access, and the server records whether the user reported the request",
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

  it("a decision about a device is stored once if the form is sent twice", async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(ann, userCode);
    const before = await events("device.approved");
    for (let times = 0; times < 2; times++)
      expect(textOf(await submitDecision(ann, card, "allow"))).toContain("Your device is connected");
    expect(await events("device.approved")).toHaveLength(before.length + 1);
    expect((await submitDecision(ann, card, "deny")).status).toBe(409);
    expect((await latest()).status).toBe("approved");
  });

  it(
    conformance(
      "DV-07",
      "a decision that arrives after the user code has expired leads to the page about the expired user code",
    ),
    async () => {
      const { userCode } = await requestCodes();
      const card = await enterUserCode(ann, userCode);
      deps.advance(300);
      for (const decision of ["allow", "deny"]) {
        const page = await submitDecision(ann, card, decision);
        expect([page.status, textOf(page).includes("This code has expired")]).toEqual([410, true]);
      }
      expect((await latest()).status).toBe("waiting");
    },
  );

  it(
    conformance(
      "DV-11",
      "AT-21",
      "a decision is rejected after another user has allowed or denied the same device",
    ),
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
      "only one decision is stored when two users decide about a device simultaneously, or when one user allows and denies a device simultaneously",
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

it("the URL of a decision redirects to the form for the user code", async () => {
  const response = await leaveDecision(new Request(`${ORIGIN}/oauth/device/decision`));
  expect([response.status, response.headers.get("location")]).toEqual([303, `${ORIGIN}/oauth/device`]);
});

describe("an application that no longer has a scope of the device request", () => {
  it(
    conformance(
      "AT-49",
      "the user code is refused, a form that was opened before connects no device, and no consent is stored",
    ),
    async () => {
      const { user } = await signedInUser(deps, "olga");
      const client = await registeredClient(deps, user, {
        confidential: false,
        scopes: ["read_user", "email"],
      });
      const codes = await codesFor(client, { scope: "read_user email" });
      const card = await enterUserCode(ann, codes.userCode);
      const { id } = client.application;
      await deps.db.application.update({ where: { id }, data: { scopes: "read_user" } });
      expect((await submitDecision(ann, card, "allow")).status).toBe(410);
      expect((await enterUserCode(ann, codes.userCode)).html).not.toContain("Allow");
      expect(await pollError(client, codes.deviceCode)).toBe("access_denied");
      await deps.db.application.update({ where: { id }, data: { scopes: "read_user email" } });
      expect(await deps.db.consent.count({ where: { applicationId: id } })).toBe(0);
      expect(await pollError(client, codes.deviceCode)).not.toBe("issued");
    },
  );
});

describe("while the device grant is disabled", () => {
  it(
    conformance(
      "DA-05",
      "while the device grant is disabled, the device page responds with 404 to all users, and shows administrators a form that enables the grant",
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
      // A user who is not an administrator cannot enable the device grant, even with a CSRF token from the
      // form of an administrator.
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
      const signedInAgain = { ...root, cookie: await signedInCookie(root.user.username) };
      const { fields } = await openDevicePage(signedInAgain, "?user_code=BCDF-GHJK");
      const { status, headers } = await postDeviceForm(signedInAgain, "", fields);
      expect([status, headers.get("location")]).toEqual([303, `${ORIGIN}/oauth/device?user_code=BCDF-GHJK`]);
      expect(await isOn(deps, "oauth2_device_grant_flow")).toBe(true);
      expect((await events("flag.changed")).at(-1)?.userId).toBe(root.user.id);
    },
  );

  it(
    conformance("DA-05", "user codes and decisions are refused while the device grant is disabled"),
    async () => {
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
    },
  );
});

describe("the device grant", () => {
  it("the device grant rejects the decision of a blocked user", async () => {
    const { userCode } = await requestCodes();
    const card = await enterUserCode(bob, userCode);
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "blocked" } });
    const { status } = await submitDecision(bob, card, "allow");
    await deps.db.user.update({ where: { id: bob.user.id }, data: { state: "active" } });
    expect(status).toBe(303);
    expect((await latest()).status).toBe("waiting");
  });

  it(
    conformance("XC-16", "the device grant never writes a device code or a user code to the log"),
    async () => {
      const { userCode, deviceCode } = await requestCodes();
      await pollError(device, deviceCode);
      await enterUserCode(ann, "BCDF-GHJK");
      await decideDevice(ann, userCode, "allow");
      await pollError(device, deviceCode);
      const log = JSON.stringify(deps.logged);
      for (const secret of [deviceCode, userCode, userCode.replace("-", "")])
        expect(log).not.toContain(secret);
      expect(log).toContain("device_authorization_pending");
    },
  );
});
