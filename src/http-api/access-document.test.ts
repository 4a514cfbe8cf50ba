import { expect, it } from "vitest";
import { ACCESS, type AccessRow, SCOPE_LISTS } from "@/testing/access-table.ts";

const HEAD = `# Who may call what

The table from which the tests call every endpoint of \`/api/v4\`, as everybody, with each kind of token and each scope, in
projects and groups of each visibility: \`src/testing/access-table.ts\`. This page is made from it by
\`npx vitest run src/http-api/access-document.test.ts -u\`. \`/api/v5\` is the same.

What is asked is judged in this order:

1. Without a token, what is not for everybody answers 401, whether or not it is there. A token that does not work, or
   of a kind that will not do: 401.
2. A token without one of the scopes, and an OAuth token where a personal access token is created or rotated: 403 \`insufficient_scope\`.
3. A project or a group that the caller does not see: 404, as for one that does not exist. Members see it; everybody
   with a token sees what is internal; everybody sees what is public. An administrator sees everything, and members of
   something below a group see that the group is there.
4. Less than the least role: 403. An administrator may do what an owner may.

Programs that report errors come in by another door, with the public key of a project's client key and without a token.
`;

const LEAST: Readonly<Record<AccessRow["least"], string>> = {
  anyone: "anyone",
  token: "anyone with a token",
  self: "its owner, administrators",
  visible: "who sees it, with a token",
  code: "who may read the code: in a private project, reporter",
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
    ...(others === undefined ? [] : [`others: ${others}`]),
    ...(kind === undefined ? [] : [`only with a ${kind} access token, else ${otherKinds ?? 401}`]),
  ];
  return `| \`${endpoint}\` | ${[LEAST[least], ...exceptions].join("; ")} | ${opened} | ${status} |`;
}

it("docs/api-access.md says what the table of access says; `vitest -u` writes it", async () => {
  const table = [
    "| endpoint | least | any of these scopes | answer |",
    "|---|---|---|---|",
    ...ACCESS.map(lineOf),
  ];
  expect(ACCESS.length).toBeGreaterThan(50);
  await expect(`${HEAD}\n${table.join("\n")}\n`).toMatchFileSnapshot("../../docs/api-access.md");
});
