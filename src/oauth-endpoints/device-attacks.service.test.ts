import * as decisionRoute from "@app/oauth/device/decision/route.ts";
import * as pageRoute from "@app/oauth/device/route.ts";
import { describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import { encoded, formPost, ORIGIN } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import {
  decideDevice,
  enterUserCode,
  openDevicePage,
  type Page,
  pollError,
  postDeviceForm,
} from "@/testing/device.ts";
import { openDeviceInstance } from "@/testing/device-instance.ts";

const { deps, ann, bob, device, requestCodes, latest, textOf, expectSealed } = await openDeviceInstance();

describe("a forged device form", () => {
  /** Checks that a call changes neither the device request nor the rate limits. */
  async function expectNothingDone(act: () => Promise<Page>, status = 403): Promise<void> {
    const before = [await latest(), await deps.db.rateCounter.count(), await deps.db.auditEvent.count()];
    expect((await act()).status).toBe(status);
    expect([await latest(), await deps.db.rateCounter.count(), await deps.db.auditEvent.count()]).toEqual(
      before,
    );
  }

  it(conformance("DV-09", "AT-14", "a forged device form with a user code is refused"), async () => {
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
    conformance(
      "DV-09",
      "AT-14",
      "a forged form that allows or denies a device is refused, and the device request is unchanged",
    ),
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

  it(conformance("AT-14", "a device form with another content type is refused"), async () => {
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
    conformance(
      "DV-01",
      "a device form without a session redirects to the sign-in page and keeps the user code",
    ),
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
  it(
    conformance("DV-07", "the server returns the same page for a wrong, a used and an expired user code"),
    async () => {
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
    },
  );

  it(
    conformance(
      "DV-10",
      "AT-18",
      "after a user has entered five wrong user codes, the server refuses even valid user codes from this user",
    ),
    async () => {
      const { userCode } = await requestCodes();
      for (let tries = 1; tries <= 4; tries++)
        expect((await enterUserCode(ann, "BCDF-GHJK")).status).toBe(422);
      // The entry of a correct user code does not count as a failure, and does not reset the number of
      // earlier failures.
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
      "if user codes live longer than the rate-limit window, a wrong user code counts toward the rate limit during the lifetime of user codes",
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

  it(
    conformance(
      "AT-18",
      "a wrong user code that is sent in a hundred simultaneous forms is checked only five times",
    ),
    async () => {
      const { userCode } = await requestCodes();
      const { fields } = await openDevicePage(ann);
      const guesses = Array.from({ length: 100 }, () =>
        postDeviceForm(ann, "", { ...fields, user_code: "BCDF-GHJK" }),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 422)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(95);
      expect((await enterUserCode(ann, userCode)).status).toBe(429);
    },
  );

  it(
    conformance("DV-10", "AT-18", "wrong user codes are also limited per IP address and per instance"),
    async () => {
      await changeSettings(deps, { limit_user_code_per_user: "0", limit_user_code_per_instance: "30" });
      const from = (ipAddress: string) => ({ [CLIENT_IP_HEADER]: ipAddress });
      const guess = async (ipAddress: string) =>
        (await enterUserCode(ann, "BCDF-GHJK", from(ipAddress))).status;
      const statuses: number[] = [];
      for (let tries = 0; tries < 25; tries++) statuses.push(await guess("203.0.113.1"));
      expect(statuses).toEqual([...Array(20).fill(422), ...Array(5).fill(429)]);
      // Refused attempts of the first IP address do not count toward the limit of the instance.
      statuses.length = 0;
      for (let tries = 0; tries < 12; tries++) statuses.push(await guess(`203.0.113.${100 + tries}`));
      expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
      const { userCode } = await requestCodes();
      const refused = await enterUserCode(bob, userCode, from("203.0.113.250"));
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
      await changeSettings(deps, { limit_user_code_per_user: "5", limit_user_code_per_instance: "1000" });
    },
  );

  it(
    conformance(
      "AT-18",
      "a user code that the rate limit of the IP address refuses does not count toward the limit of the user",
    ),
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

  it(
    conformance(
      "AT-18",
      "a wrong user code that one user enters does not count toward the limit of another user",
    ),
    async () => {
      for (let tries = 0; tries < 40; tries++) await enterUserCode(ann, "BCDF-GHJK");
      const { userCode } = await requestCodes();
      expect((await enterUserCode(bob, userCode)).status).toBe(200);
    },
  );
});
