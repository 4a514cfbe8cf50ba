import { afterEach, describe, expect, it } from "vitest";
import { logged, start, stopAll } from "@/testing/http-server.ts";

afterEach(stopAll);

describe("the log of requests", () => {
  it("the log has one line for each request, without the query of the URL", async () => {
    const { url, lines } = await start();
    await fetch(`${url}/api/v4/item/7?x=1`);
    expect(logged(lines)).toEqual([
      expect.objectContaining({
        event: "http.request",
        method: "GET",
        path: "/api/v4/item/7",
        status: 200,
        milliseconds: expect.any(Number),
        request_id: expect.any(String),
        client: "127.0.0.1",
      }),
    ]);
  });

  it("the log never contains a secret from the path, the query, the headers or the body of a request", async () => {
    const { url, lines } = await start();
    const secret = (part: string) => `ghat_${part}SecretSecretSecret`;
    const parts = ["query", "bearer", "private", "cookie", "form", "path", "escaped", "id", "forwarded"];
    const headers = {
      authorization: `Bearer ${secret("bearer")}`,
      "private-token": secret("private"),
      cookie: `session=${secret("cookie")}`,
      "x-request-id": secret("id"),
      "x-forwarded-for": secret("forwarded"),
      "content-type": "application/x-www-form-urlencoded",
    };
    const body = `password=${secret("form")}`;
    for (const path of [
      "/echo",
      "/broken",
      "/page",
      `/api/v4/item/${secret("path")}`,
      `/page/gh%61t_${secret("escaped").slice(5)}/%zz`,
    ]) {
      const target = `${url}${path}?access_token=${secret("query")}`;
      await fetch(target, { headers });
      await fetch(target, { headers, method: "POST", body });
    }
    const text = lines.join("");
    expect(logged(lines).filter(({ event }) => event === "http.request")).toHaveLength(10);
    for (const part of parts) expect(text).not.toContain(`${part}Secret`);
  });
});
