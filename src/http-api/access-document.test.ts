import { expect, it } from "vitest";
import { ACCESS, type AccessRow, SCOPE_LISTS } from "@/testing/access-table.ts";

const HEAD = `# Required roles and scopes

This table lists the required role and scopes of each endpoint of \`/api/v4\`. The tests call every endpoint by the same
table (\`src/testing/access-table.ts\`): as every kind of caller, with each kind of token and each scope, in projects and
groups of each visibility. \`npx vitest run src/http-api/access-document.test.ts -u\` writes this page. \`/api/v5\` has the
same rules.

A request is checked in this order:

1. A request without a token to an endpoint that requires one is answered 401, whether or not the resource exists. So is a
   request with an invalid token, or with a kind of token that the endpoint does not accept.
2. A token without any of the scopes is answered 403 \`insufficient_scope\`, and so is an OAuth token that creates or rotates
   a personal access token.
3. A project or group that the caller cannot see is answered 404, as if it did not exist. Members see their projects and
   groups, users with a token see internal ones, and all callers see public ones. Administrators see everything. Members
   of a descendant of a group see that the group exists.
4. A role below the required one is answered 403. Administrators have the rights of an owner.

Programs that report tracked errors use a separate endpoint, with the public key of a project's client key and without a
token.
`;

const LEAST: Readonly<Record<AccessRow["least"], string>> = {
  anyone: "anyone",
  token: "anyone with a token",
  self: "owner of the resource, administrators",
  visible: "users who can see the resource, with a token",
  code: "users who may read the code (private projects: reporter)",
  guest: "guest",
  reporter: "reporter",
  developer: "developer",
  maintainer: "maintainer",
  owner: "owner",
  administrator: "administrators",
};

function lineOf({ endpoint, least, also, scopes, status, others, kind, otherKinds }: AccessRow): string {
  const list = SCOPE_LISTS[scopes];
  const opened = list === null ? "any" : list.map((scope) => `\`${scope}\``).join(", ");
  const exceptions = [
    ...(also === undefined ? [] : [also]),
    ...(others === undefined ? [] : [`other callers: ${others}`]),
    ...(kind === undefined ? [] : [`only with a ${kind} access token, otherwise ${otherKinds ?? 401}`]),
  ];
  return `| \`${endpoint}\` | ${[LEAST[least], ...exceptions].join("; ")} | ${opened} | ${status} |`;
}

it("docs/api-access.md matches the access table; `vitest -u` writes it", async () => {
  const table = [
    "| endpoint | minimum role | any of these scopes | status |",
    "|---|---|---|---|",
    ...ACCESS.map(lineOf),
  ];
  expect(ACCESS.length).toBeGreaterThan(50);
  await expect(`${HEAD}\n${table.join("\n")}\n`).toMatchFileSnapshot("../../docs/api-access.md");
});
