import { beforeAll, describe, expect, it, vi } from "vitest";
import { sendMail } from "@/instance/mail/service.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { commandLine, gatehouse, json, useInstance } from "@/testing/command-line.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { startMailServer } from "@/testing/smtp.ts";

const { config: database, ...opened } = await openTestDatabase();
commandLine();

const LINK = "http://localhost:3000/users/password/edit?reset_password_token=x";

beforeAll(async () => {
  useInstance(database);
  await gatehouse("migrate");
});

const hold = async (): Promise<number> => {
  const deps = await openTestDeps({ ...depsOf(opened), clock: () => new Date() });
  return sendMail(deps, {
    kind: "password_reset",
    to: "ann@example.com",
    userId: null,
    subject: "Reset your password",
    content: { paragraphs: ["Somebody asked."], action: { label: "Choose a password", url: LINK } },
  });
};

describe("the command mail", () => {
  it("`mail list` and `mail show` print the e-mails that an instance without a mail server stores", async () => {
    expect((await gatehouse("mail", "list")).out).toBe("There are no e-mails.\n");
    const id = await hold();
    expect((await gatehouse("mail", "list")).out).toMatch(
      new RegExp(`^${id}  \\S+  held  ann@example.com  Reset your password\n$`),
    );
    expect(await json("mail", "list")).toMatchObject({ mails: [{ id, state: "held", attempts: 0 }] });
    expect((await gatehouse("mail", "show", String(id))).out).toContain(`Choose a password:\n${LINK}\n`);
    expect(await json("mail", "show", String(id))).toMatchObject({ id, subject: "Reset your password" });
  });

  it.each(["999", "abc", "1e3"])("`mail show` reports that there is no e-mail with the id %s", async (id) => {
    expect(await gatehouse("mail", "show", id)).toMatchObject({
      status: 2,
      err: `There is no e-mail with the id ${id}. Run "gatehouse mail list" to list the e-mails.\n`,
    });
  });

  it("`mail test` sends an e-mail, and `doctor` reports a mail server that does not respond", async () => {
    expect(await gatehouse("mail", "test", "--to", "ann@example.com")).toMatchObject({ status: 2 });
    const { url, received } = await startMailServer();
    vi.stubEnv("MAIL_FROM", "id@example.com");
    vi.stubEnv("SMTP_URL", url);
    expect(await gatehouse("mail", "test", "--to", "ann@example.com")).toMatchObject({ status: 0 });
    expect(received.map(({ to }) => to)).toEqual([["ann@example.com"]]);
    expect((await gatehouse("doctor")).out).toContain("ok      mail server: answers");
    vi.stubEnv("SMTP_URL", "smtp://user:secret@127.0.0.1:1");
    const failed = await gatehouse("mail", "test", "--to", "ann@example.com");
    expect(failed).toMatchObject({ status: 1, out: "The mail server did not accept the e-mail: ESOCKET.\n" });
    const { out } = await gatehouse("doctor");
    expect(out).toContain("WARNING mail server: The mail server at 127.0.0.1:1 does not respond: ESOCKET.");
    expect(out).not.toContain("secret@");
  });
});
