import * as jobs from "@app/api/v4/jobs/request/route.ts";
import * as ownReset from "@app/api/v4/runners/reset_authentication_token/route.ts";
import * as runners from "@app/api/v4/runners/route.ts";
import * as verify from "@app/api/v4/runners/verify/route.ts";
import { describe, expect, it } from "vitest";
import { recordContact } from "@/fleet/runners/store.ts";
import { callApi } from "@/testing/api.ts";
import { openRunnerProjects, type RunnerRow } from "@/testing/runner-projects.ts";

const { deps, olga, callV5, inShop, read, change, requestJob } = await openRunnerProjects();

describe("a runner that contacts the API", () => {
  it("the status of a runner depends on its last contact, and not on whether the runner is paused", async () => {
    const newRunner = await inShop();
    const status = async () => {
      const { body } = await read(newRunner.id);
      const { status, online, contacted_at } = body as RunnerRow;
      return { status, online, contacted_at };
    };
    await change(newRunner.id, { paused: true });
    const info = {
      name: "cellar",
      version: "17.1.0",
      revision: "abc",
      platform: "linux",
      architecture: "arm64",
    };
    const response = await requestJob(newRunner.token, {
      ...info,
      executor: "shell",
      features: { x: true },
      shell: 5,
    });
    expect(response).toMatchObject({ status: 204, body: null });
    const at = deps.clock().toISOString();
    expect((await read(newRunner.id)).body).toMatchObject({ ...info, paused: true, contacted_at: at });
    expect(await status()).toEqual({ status: "online", online: true, contacted_at: at });
    deps.advance(2 * 3_600 - 1);
    expect(await status()).toMatchObject({ status: "online" });
    deps.advance(1);
    expect(await status()).toEqual({ status: "offline", online: false, contacted_at: at });
    expect((await callV5(verify.POST, "POST", { form: `token=${newRunner.token}` })).body).toEqual({
      id: newRunner.id,
      token: newRunner.token,
      token_expires_at: null,
    });
    expect(await status()).toMatchObject({ status: "online", contacted_at: deps.clock().toISOString() });
    expect((await read(newRunner.id)).body).toMatchObject({ version: "17.1.0" });
  });

  it("the time of the last contact of a runner is stored at most once a minute, unless the information about the runner has changed", async () => {
    const newRunner = await inShop();
    const contactedAt = async () => ((await read(newRunner.id)).body as RunnerRow)["contacted_at"];
    await requestJob(newRunner.token);
    const first = await contactedAt();
    deps.advance(59);
    await Promise.all([requestJob(newRunner.token), requestJob(newRunner.token)]);
    // Simulates a server process that read the row of the runner before another server process stored a newer
    // contact.
    await recordContact(deps.db, newRunner.id, {}, deps.clock());
    expect(await contactedAt()).toBe(first);
    await requestJob(newRunner.token, { version: "17.2.0" });
    const second = await contactedAt();
    expect(second).not.toBe(first);
    await requestJob(newRunner.token, { version: "17.2.0" });
    deps.advance(60);
    await requestJob(newRunner.token);
    expect(await contactedAt()).toBe(deps.clock().toISOString());
    expect((await read(newRunner.id)).body).toMatchObject({ version: "17.2.0" });
  });

  it("a runner is accepted even if it sends invalid information about itself", async () => {
    const newRunner = await inShop();
    expect(
      (await requestJob(newRunner.token, { version: "9".repeat(5_000), platform: 5, name: "" })).status,
    ).toBe(204);
    expect((await read(newRunner.id)).body).toMatchObject({
      version: "9".repeat(255),
      platform: null,
      name: null,
    });
    expect((await callV5(jobs.POST, "POST", { json: { token: newRunner.token, info: "x" } })).status).toBe(
      204,
    );
  });

  it("a runner can register with its authentication token, but a request with a registration token gets the status 410", async () => {
    const newRunner = await inShop({ description: "Kept" });
    const register = (json: object) => callV5(runners.POST, "POST", { json });
    const response = await register({
      token: newRunner.token,
      description: "Other",
      info: { version: "1.0" },
    });
    expect(response).toMatchObject({ status: 201, body: { id: newRunner.id, token: newRunner.token } });
    expect((await read(newRunner.id)).body).toMatchObject({
      description: "Kept",
      version: "1.0",
      status: "online",
    });
    expect(await register({ token: "GR1348941x" })).toMatchObject({
      status: 410,
      body: { message: expect.stringContaining("POST /user/runners") },
    });
    expect((await register({})).body).toEqual({ error: "token is missing" });
  });

  it("a registration in API v4 can contain either `active` or `paused`, but not both, and does not change the settings of the runner", async () => {
    const newRunner = await inShop();
    const register = (fields: object) =>
      callApi(runners.POST, "POST", { json: { token: newRunner.token, ...fields } });
    const active = await register({ active: false });
    expect(active).toMatchObject({ status: 201, body: { id: newRunner.id } });
    expect(active.headers.get("link")).toContain("#v5-runner-active-sent");
    expect((await register({ paused: true })).status).toBe(201);
    expect((await read(newRunner.id)).body).toMatchObject({ paused: false });
    expect(await register({ active: true, paused: false })).toMatchObject({
      status: 400,
      body: { error: "active, paused are mutually exclusive" },
    });
  });

  it("a runner with an unknown token is rejected", async () => {
    for (const token of ["ghrn_unknown", olga.token]) {
      const responses = [
        requestJob(token),
        callV5(verify.POST, "POST", { json: { token } }),
        callV5(runners.DELETE, "DELETE", { json: { token } }),
        callV5(ownReset.POST, "POST", { json: { token } }),
      ];
      for (const { status, body } of await Promise.all(responses))
        expect({ status, body }).toEqual({ status: 403, body: { message: "403 Forbidden" } });
    }
    expect((await callV5(runners.POST, "POST", { json: { token: "ghrn_unknown" } })).status).toBe(403);
    const { token } = await inShop();
    expect((await callV5(runners.GET, "GET", { token })).status).toBe(401);
  });

  it("a runner can use its token to delete itself or to reset the token, and only one of several concurrent resets succeeds", async () => {
    const newRunner = await inShop();
    const exchange = () => callV5(ownReset.POST, "POST", { json: { token: newRunner.token } });
    const responses = await Promise.all([exchange(), exchange(), exchange()]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
    const [won] = responses.filter(({ status }) => status === 201);
    const { token } = (won?.body ?? {}) as RunnerRow;
    expect((await requestJob(newRunner.token)).status).toBe(403);
    expect((await requestJob(token)).status).toBe(204);
    expect(await callV5(runners.DELETE, "DELETE", { json: { token } })).toMatchObject({ status: 204 });
    expect((await requestJob(token)).status).toBe(403);
    expect((await read(newRunner.id)).body).toEqual({ message: "404 Runner Not Found" });
  });
});
