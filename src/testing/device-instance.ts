import { beforeEach, expect } from "vitest";
import { registeredClient, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { codesFor, type Page, switchDeviceGrant } from "@/testing/device.ts";

/**
 * Enables the device grant, and creates an application and three users. The user `root` is an administrator.
 * @returns the users, and functions that request device codes and read pages.
 */
export async function openDeviceInstance() {
  const deps = await openTestDeps();
  await switchDeviceGrant(deps, true);
  const ann = await signedInUser(deps, "ann");
  const bob = await signedInUser(deps, "bob");
  const root = await signedInUser(deps, "chief");
  await deps.db.user.update({ where: { id: root.user.id }, data: { admin: true } });
  const scopes = ["read_user", "read_repository", "api"];
  const device = await registeredClient(deps, ann.user, { name: "Acme <CLI>", confidential: false, scopes });

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
  return { deps, ann, bob, root, device, requestCodes, latest, events, textOf, expectSealed };
}
