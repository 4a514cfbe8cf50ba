import { expect, it } from "vitest";
import { type AccessRow, SCOPE_LISTS } from "@/testing/access-table/row.ts";
import { ACCESS } from "@/testing/access-table.ts";

const HEAD = `# Required roles and scopes

The table below lists the required role and scopes of each endpoint of \`/api/v4\`. \`/api/v5\` has the same rules. The tests
use the same table (\`src/testing/access-table\`): they call every endpoint as every kind of caller, with each kind of token
and each scope, in projects and groups of each visibility. \`npx vitest run src/http-api/access-document.test.ts -u\` writes
this page.

A request is checked in this order:

1. If the endpoint requires a token, a request without a token gets 401, whether or not the resource exists. A request with
   an invalid token, or with a kind of token that the endpoint does not accept, also gets 401.
2. A request whose token has none of the listed scopes gets 403 \`insufficient_scope\`. A request that uses an OAuth token
   to create or rotate a personal access token gets the same response.
3. A request for a project or group that the caller cannot see gets 404, as if the resource did not exist. Members see their
   projects and groups, users with a token see internal projects and groups, and all callers see public ones. Administrators
   see everything. Members of a descendant of a group see that the group exists.
4. A request by a user whose role is lower than the minimum role gets 403. Administrators have the rights of an owner.

Programs that report tracked errors use a separate endpoint, with the public key of a project's client key and without a
token.
`;

const LEAST: Readonly<Record<AccessRow["least"], string>> = {
  anyone: "anyone",
  token: "anyone with a token",
  self: "owner of the resource, administrators",
  visible: "users who can see the resource, with a token",
  code: "users who can read the code (private projects: reporter)",
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

it("docs/api-access.md matches the access table (vitest -u updates the document)", async () => {
  const table = [
    "| endpoint | minimum role | any of these scopes | status |",
    "|---|---|---|---|",
    ...ACCESS.map(lineOf),
  ];
  expect(ACCESS.length).toBeGreaterThan(50);
  await expect(`${HEAD}\n${table.join("\n")}\n`).toMatchFileSnapshot("../../docs/api-access.md");
});
